"""ta2s2's plug-in maximum under the shared model."""
import time

import numpy as np
from ta2s2 import EmulatorRegressor

from result import Run
from scores import normal_draws

from .ta2s2_fit import SHARED

TITLE, PACKAGES, POSTERIOR = "ta2s2, maximum only", ["ta2s2"], "point: posterior maximum, shared model"


class Peer:
    def __init__(self, problem):
        self.problem = problem

    def run(self, seed):
        problem = self.problem
        begin = time.perf_counter()
        model = EmulatorRegressor(random_state=seed, threads=1, fast=True, **SHARED).fit(problem.X, problem.y)
        seconds = time.perf_counter() - begin
        mean, sd = model.predict(problem.X_test, return_std=True, map=True)
        return Run(seconds, predictions=normal_draws(mean, sd, np.random.default_rng(seed)))
