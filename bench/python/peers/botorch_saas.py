"""BoTorch's fully Bayesian GP with the sparse-axis prior (SAAS), sampled by NUTS."""
import tempfile
import time

import jax

jax.config.update("jax_enable_x64", True)
# Each fit compiles anew: what is compiled is kept, so that later fits find it.
jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
import numpy as np
import torch
from botorch.fit import fit_fully_bayesian_model_nuts
from botorch.models.fully_bayesian import SaasFullyBayesianSingleTaskGP

from result import Run
from scores import NUM_PREDICTIVE

TITLE, PACKAGES, POSTERIOR = "BoTorch SAAS", ["botorch", "numpyro", "torch"], "its own: Matern 5/2, SAAS prior, sampled noise and mean"
GRADIENTS = True  # each evaluation is also one of the gradient
WARM_UP, DRAWS = 512, 256  # its defaults; all draws are kept, to measure them


class Peer:
    def __init__(self, problem):
        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float64)
        self.problem = problem
        self.run(seed=0)

    def run(self, seed):
        model = SaasFullyBayesianSingleTaskGP(torch.tensor(self.problem.X), torch.tensor(self.problem.y)[:, None])
        begin = time.perf_counter()
        fit_fully_bayesian_model_nuts(model, warmup_steps=WARM_UP, num_samples=DRAWS, thinning=1, disable_progbar=True, seed=seed)
        seconds = time.perf_counter() - begin
        lengthscales = model.covar_module.base_kernel.lengthscale.detach().numpy().reshape(DRAWS, -1)
        return Run(seconds, None, 2 * np.log(lengthscales), is_chain=True, predictions=self.predict(model, seed))

    def predict(self, model, seed):
        with torch.no_grad():
            posterior = model.posterior(torch.tensor(self.problem.X_test), observation_noise=True)
            means, variances = posterior.mean.squeeze(-1).numpy(), posterior.variance.squeeze(-1).numpy()
        rng = np.random.default_rng(seed)
        chosen = rng.integers(DRAWS, size=NUM_PREDICTIVE)
        return means[chosen] + np.sqrt(variances[chosen]) * rng.standard_normal((NUM_PREDICTIVE, means.shape[1]))
