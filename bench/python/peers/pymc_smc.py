"""PyMC's sequential Monte Carlo with its default kernel, independent Metropolis-Hastings."""
import time

import pymc as pm
from pymc.smc.kernels import IMH

from result import Run

from .pymc_model import make_model

TITLE, PACKAGES, POSTERIOR = "PyMC SMC", ["pymc", "pytensor"], "shared"


class TimedIMH(IMH):
    """Knows when its functions were compiled, and counts evaluations."""

    def initialize(self, *args, **kwargs):
        TimedIMH.begin, TimedIMH.evaluations = time.perf_counter(), self.draws
        super().initialize(*args, **kwargs)

    def mutate(self):
        super().mutate()
        TimedIMH.evaluations += self.draws * self.n_steps


class Peer:
    def __init__(self, problem):
        self.model = make_model(problem)

    def run(self, seed):
        trace = pm.sample_smc(draws=1000, kernel=TimedIMH, chains=1, cores=1, random_seed=seed, model=self.model, progressbar=False,
                              return_inferencedata=False, compute_convergence_checks=False)
        seconds = time.perf_counter() - TimedIMH.begin
        return Run(seconds, TimedIMH.evaluations, trace["log_phi"], log_evidence=float(trace.report.log_marginal_likelihood[-1]))
