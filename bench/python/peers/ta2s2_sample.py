"""ta2s2's sampler on the density in numpy that emcee, zeus and pocoMC get: what is the sampler's, apart from the fast density."""
import math
import time

from ta2s2 import sample

from density import Density
from problems import BOX
from result import Run

TITLE, PACKAGES, POSTERIOR = "ta2s2.sample on the density in numpy", ["ta2s2"], "shared"


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)

    def run(self, seed):
        before, begin = self.density.evaluations, time.perf_counter()
        post = sample(self.density.likelihood, [BOX] * self.density.p, n=2000, seed=seed, vectorized=True)
        seconds = time.perf_counter() - begin
        log_prior = -self.density.p * math.log(BOX[1] - BOX[0])
        return Run(seconds, self.density.evaluations - before, post.draws, post.weights, log_evidence=post.log_evidence + log_prior,
                   own_ess=min(d["effective_sample_size"] for d in post.diagnostics))
