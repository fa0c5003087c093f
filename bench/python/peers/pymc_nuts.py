"""PyMC's no-U-turn sampler, one chain a run."""
import numpy as np
import pymc as pm

from density import Density, start_near_the_best
from result import Run

from .pymc_model import make_model

TITLE, PACKAGES, POSTERIOR = "PyMC NUTS", ["pymc", "pytensor"], "shared"
GRADIENTS = True  # each evaluation is also one of the gradient


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)  # for starts
        self.model = make_model(problem)
        self.sample(seed=0, tune=5, draws=5)  # compiles; later calls find the compiled code

    def sample(self, seed, tune, draws):
        start = start_near_the_best(self.density, np.random.default_rng(seed), 1)[0]
        with self.model:
            return pm.sample(draws=draws, tune=tune, chains=1, cores=1, random_seed=seed, init="adapt_diag", initvals={"log_phi": start},
                             progressbar=False, discard_tuned_samples=False, compute_convergence_checks=False)

    def run(self, seed):
        data = self.sample(seed, tune=1000, draws=1000)
        gradients = sum(int(group["n_steps"].sum()) for group in (data.sample_stats, data.warmup_sample_stats))
        draws = data.posterior["log_phi"].values[0]
        return Run(data.posterior.attrs["sampling_time"], gradients, draws, is_chain=True)
