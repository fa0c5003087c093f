"""ta2s2's fit under the shared model: the row to compare."""
import time

import numpy as np
from ta2s2 import EmulatorRegressor

from problems import BOX, NUGGET
from result import Run

TITLE, PACKAGES, POSTERIOR = "ta2s2", ["ta2s2"], "shared"
SHARED = dict(prior="log-uniform", nugget=f"fixed({NUGGET})", trend="none", correlation="squared-exponential", box=BOX)


def log_phi(posterior, p):
    return np.array([posterior[f"log_phi_x{d + 1}"] for d in range(p)]).T


class Peer:
    def __init__(self, problem, **settings):
        self.problem, self.settings = problem, settings or SHARED

    def run(self, seed):
        begin = time.perf_counter()
        model = EmulatorRegressor(random_state=seed, threads=1, **self.settings).fit(self.problem.X, self.problem.y)
        seconds = time.perf_counter() - begin
        posterior = model.posterior_
        evaluations = sum(level["evaluations"] for level in posterior.levels)
        return Run(seconds, evaluations, log_phi(posterior, self.problem.p), posterior.weights, own_ess=posterior.effective_sample_size,
                   log_evidence=posterior.log_evidence)
