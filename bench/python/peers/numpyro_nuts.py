"""NumPyro's no-U-turn sampler, compiled as a whole. One chain a run."""
import time

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

from density import Density, start_near_the_best
from problems import BOX
from result import Run

from .jax_density import make_likelihood

TITLE, PACKAGES, POSTERIOR = "NumPyro NUTS", ["numpyro", "jax"], "shared"
GRADIENTS = True  # each evaluation is also one of the gradient


class Peer:
    def __init__(self, problem):
        self.density = Density(problem)  # for starts
        likelihood = make_likelihood(problem)

        def model():
            log_phi = numpyro.sample("log_phi", dist.Uniform(*BOX).expand([problem.p]).to_event(1))
            numpyro.factor("likelihood", likelihood(log_phi))

        kernel = NUTS(model, dense_mass=True)
        self.sampler = MCMC(kernel, num_warmup=1000, num_samples=1000, progress_bar=False)
        self.run(seed=0)  # compiles

    def run(self, seed):
        begin = time.perf_counter()
        start = start_near_the_best(self.density, np.random.default_rng(seed), 1)[0]
        share = (start - BOX[0]) / (BOX[1] - BOX[0])
        self.sampler.run(jax.random.PRNGKey(seed), extra_fields=("num_steps",), init_params={"log_phi": np.log(share / (1 - share))})
        draws = jax.block_until_ready(self.sampler.get_samples()["log_phi"])
        seconds = time.perf_counter() - begin
        # Steps of the warm-up are not kept: taken to be as many each as of the draws.
        gradients = 2 * int(jnp.sum(self.sampler.get_extra_fields()["num_steps"]))
        return Run(seconds, gradients, np.asarray(draws), is_chain=True)
