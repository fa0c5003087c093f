"""SMT's kriging: the maximum of the likelihood, its default restarts."""
import time

import numpy as np
from smt.surrogate_models import KRG

from problems import BOX, NUGGET
from result import Run
from scores import normal_draws

TITLE, PACKAGES, POSTERIOR = "SMT", ["smt"], "point: maximum likelihood, squared exponential, constant trend"


class Peer:
    def __init__(self, problem):
        self.problem = problem

    def run(self, seed):
        problem = self.problem
        theta = [0.5 * np.exp(-BOX[1]), 0.5 * np.exp(-BOX[0])]  # its correlation is exp(-theta r^2), theta of standardised inputs
        model = KRG(corr="squar_exp", theta0=[1.0] * problem.p, theta_bounds=theta, nugget=NUGGET, print_global=False, seed=seed)
        model.set_training_values(problem.X, problem.y)
        begin = time.perf_counter()
        model.train()
        seconds = time.perf_counter() - begin
        mean, variance = model.predict_values(problem.X_test)[:, 0], model.predict_variances(problem.X_test)[:, 0]
        return Run(seconds, predictions=normal_draws(mean, np.sqrt(np.maximum(variance, 0)), np.random.default_rng(seed)))
