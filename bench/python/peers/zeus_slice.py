"""zeus's ensemble slice sampling on the density in numpy, all walkers in one call."""
import time

import numpy as np
import zeus

from density import Density, start_near_the_best
from result import Run

TITLE, PACKAGES, POSTERIOR = "zeus", ["zeus-mcmc"], "shared"
WALKERS, STEPS = 40, 500  # the first half is left out


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)

    def run(self, seed):
        rng = np.random.default_rng(seed)
        before, begin = self.density.evaluations, time.perf_counter()
        start = start_near_the_best(self.density, rng, WALKERS)
        np.random.seed(seed)
        sampler = zeus.EnsembleSampler(WALKERS, self.density.p, self.density.posterior, vectorize=True, verbose=False)
        sampler.run_mcmc(start, STEPS, progress=False)
        chains = sampler.get_chain(discard=STEPS // 2)
        seconds = time.perf_counter() - begin
        return Run(seconds, self.density.evaluations - before, chains.swapaxes(0, 1).reshape(-1, self.density.p), is_chain=True, walkers=WALKERS)
