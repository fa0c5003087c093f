"""pocoMC (persistent sampling with a normalising flow) on the density in numpy, in blocks."""
import time

import pocomc
from scipy.stats import uniform

from density import Density
from problems import BOX
from result import Run

TITLE, PACKAGES, POSTERIOR = "pocoMC", ["pocomc", "torch"], "shared"


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)

    def run(self, seed):
        before, begin = self.density.evaluations, time.perf_counter()
        prior = pocomc.Prior([uniform(BOX[0], BOX[1] - BOX[0])] * self.density.p)
        sampler = pocomc.Sampler(prior, self.density.likelihood, vectorize=True, random_state=seed)
        sampler.run(n_total=2048, n_evidence=0, progress=False)
        draws, weights, _, _ = sampler.posterior()
        log_evidence, _ = sampler.evidence()
        seconds = time.perf_counter() - begin
        return Run(seconds, self.density.evaluations - before, draws, weights / weights.sum(), log_evidence=float(log_evidence))
