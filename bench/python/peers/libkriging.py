"""libKriging: the maximum of the likelihood, five starts."""
import time

import numpy as np
import pylibkriging

from result import Run
from scores import normal_draws

TITLE, PACKAGES, POSTERIOR = "libKriging", ["pylibkriging"], "point: maximum likelihood, squared exponential, constant trend, no nugget"


class Peer:
    def __init__(self, problem):
        self.problem = problem

    def run(self, seed):
        problem = self.problem
        begin = time.perf_counter()
        model = pylibkriging.WrappedPyKriging(problem.y, np.asfortranarray(problem.X), "gauss", "constant", False, "BFGS5", "LL")
        seconds = time.perf_counter() - begin
        mean, sd, *_ = model.predict(np.asfortranarray(problem.X_test), True, False, False)
        return Run(seconds, predictions=normal_draws(np.ravel(mean), np.ravel(sd), np.random.default_rng(seed)))
