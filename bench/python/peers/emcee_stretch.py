"""emcee's stretch move on the density in numpy, all walkers in one call."""
import time

import emcee
import numpy as np

from density import Density, start_near_the_best
from result import Run

TITLE, PACKAGES, POSTERIOR = "emcee", ["emcee"], "shared"
WALKERS, STEPS = 40, 2000  # the first half is left out


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)

    def run(self, seed):
        rng = np.random.default_rng(seed)
        before, begin = self.density.evaluations, time.perf_counter()
        start = start_near_the_best(self.density, rng, WALKERS)
        np.random.seed(seed)
        sampler = emcee.EnsembleSampler(WALKERS, self.density.p, self.density.posterior, vectorize=True)
        sampler.run_mcmc(start, STEPS)
        chains = sampler.get_chain(discard=STEPS // 2)
        seconds = time.perf_counter() - begin
        return Run(seconds, self.density.evaluations - before, chains.swapaxes(0, 1).reshape(-1, self.density.p), is_chain=True, walkers=WALKERS)
