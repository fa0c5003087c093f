"""The shared posterior in JAX, in double precision."""
import math
import tempfile

import jax

jax.config.update("jax_enable_x64", True)
# NumPyro compiles some of its functions anew in each run: what is compiled is kept, so that later runs find it.
jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import solve_triangular

from problems import NUGGET


def make_likelihood(problem):
    n = len(problem.y)
    squares = jnp.array([np.subtract.outer(x, x) ** 2 for x in problem.X.T])
    constant = math.lgamma(n / 2) - n / 2 * math.log(math.pi)

    def likelihood(log_phi):
        K = jnp.exp(jnp.tensordot(-0.5 * jnp.exp(-log_phi), squares, axes=1)) + NUGGET * jnp.eye(n)
        L = jnp.linalg.cholesky(K)
        residual = solve_triangular(L, problem.y, lower=True)
        return constant - jnp.sum(jnp.log(jnp.diag(L))) - n / 2 * jnp.log(jnp.sum(residual**2))

    return likelihood
