"""BlackJAX's adaptive tempered SMC: random-walk Metropolis whose covariance is tuned to the particles of each level."""
import time

import blackjax
import jax
import jax.numpy as jnp
import numpy as np
from blackjax.mcmc import random_walk
from blackjax.smc import extend_params
from blackjax.smc.tuning.from_particles import particles_covariance_matrix

from problems import BOX
from result import Run

from .jax_density import make_likelihood

TITLE, PACKAGES, POSTERIOR = "BlackJAX adaptive tempered SMC", ["blackjax", "jax"], "shared"
STEPS_PER_INPUT = 10  # of a level: with ten in all, its default, the ten inputs' sample is far off


class Peer:
    def __init__(self, problem):
        self.p, self.steps = problem.p, STEPS_PER_INPUT * problem.p
        self.particles = 1000 if self.p < 5 else 400  # so that a run ends within the limit
        self.algorithm = make_algorithm(make_likelihood(problem), self.p, self.steps)
        self.step = jax.jit(self.algorithm.step)
        key = jax.random.key(0)
        self.step.lower(key, self.start(key)).compile()

    def start(self, key):
        return self.algorithm.init(jax.random.uniform(key, (self.particles, self.p), minval=BOX[0], maxval=BOX[1]))

    def run(self, seed):
        begin = time.perf_counter()
        key, start = jax.random.split(jax.random.key(seed))
        state = self.start(start)
        levels, log_evidence = 0, 0.0
        while state.sampler_state.tempering_param < 1:
            key, now = jax.random.split(key)
            state, info = self.step(now, state)
            log_evidence += float(info.log_likelihood_increment)
            levels += 1
        draws = np.asarray(state.sampler_state.particles)
        seconds = time.perf_counter() - begin
        # Each level evaluates its particles twice before it moves them: for the temperature and for the weights.
        return Run(seconds, levels * self.particles * (self.steps + 2), draws, np.asarray(state.sampler_state.weights), log_evidence=log_evidence)


def make_algorithm(likelihood, p, steps):
    kernel = random_walk.build_additive_step()

    def step(key, state, log_density, factor):
        return kernel(key, state, log_density, random_walk.normal(factor))

    def walk_from(covariance):
        return extend_params({"factor": 2.38 / np.sqrt(p) * jnp.linalg.cholesky(covariance)})

    def prior(log_phi):
        inside = jnp.all((log_phi > BOX[0]) & (log_phi < BOX[1]))
        return jnp.where(inside, -p * np.log(BOX[1] - BOX[0]), -jnp.inf)

    return blackjax.inner_kernel_tuning(
        smc_algorithm=blackjax.adaptive_tempered_smc,
        logprior_fn=prior,
        loglikelihood_fn=likelihood,
        mcmc_step_fn=step,
        mcmc_init_fn=random_walk.init,
        resampling_fn=blackjax.smc.resampling.systematic,
        mcmc_parameter_update_fn=lambda key, state, info: walk_from(particles_covariance_matrix(state.particles)),
        initial_parameter_value=walk_from(jnp.eye(p) * (BOX[1] - BOX[0]) ** 2 / 12),
        num_mcmc_steps=steps,
        target_ess=0.5,
    )
