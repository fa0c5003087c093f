"""scikit-learn: the maximum of the likelihood, five restarts."""
import time
import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from problems import BOX, NUGGET
from result import Run
from scores import normal_draws

TITLE, PACKAGES, POSTERIOR = "scikit-learn", ["scikit-learn"], "point: maximum likelihood, squared exponential, no trend"


class Peer:
    def __init__(self, problem):
        self.problem = problem

    def run(self, seed):
        problem = self.problem
        shape = RBF(np.ones(problem.p), tuple(np.exp(np.array(BOX) / 2))) + WhiteKernel(NUGGET, "fixed")
        model = GaussianProcessRegressor(ConstantKernel(1.0, (1e-4, 1e8)) * shape, alpha=1e-12, n_restarts_optimizer=5, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of length-scales at their bounds
            begin = time.perf_counter()
            model.fit(problem.X, problem.y)
            seconds = time.perf_counter() - begin
            mean, sd = model.predict(problem.X_test, return_std=True)
        return Run(seconds, predictions=normal_draws(mean, sd, np.random.default_rng(seed)))
