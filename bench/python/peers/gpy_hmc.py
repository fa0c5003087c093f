"""GPy's Hamiltonian Monte Carlo on its own model, the process variance sampled too: log-uniform, so that the length-scales have the
shared posterior. It adapts nothing: the step is ours (with 0.05 nothing is accepted on ten inputs), the number of leapfrog steps its default. It starts at a maximum, as its
tutorial does."""
import time

import GPy
import numpy as np
from GPy.core.parameterization.priors import Prior
from paramz.domains import _POSITIVE
from paramz.transformations import Transformation

from problems import BOX, NUGGET
from result import Run

TITLE, PACKAGES, POSTERIOR = "GPy HMC", ["GPy"], "shared"
GRADIENTS = True  # each evaluation is also one of the gradient
LEAPFROGS, WARM_UP, DRAWS = 20, 100, 400


class BoundedLog(Transformation):
    """exp(low + (high - low) / (1 + exp(-x))): a box of the logarithm. GPy's own bounds have no Jacobian."""

    domain = _POSITIVE

    def __new__(cls, low, high):  # its base class knows one instance of each
        return object.__new__(cls)

    def __init__(self, low, high):
        self.low, self.width = low, high - low

    def share(self, f):
        return np.clip((np.log(f) - self.low) / self.width, 1e-12, 1 - 1e-12)

    def f(self, x):
        return np.exp(self.low + self.width / (1.0 + np.exp(-x)))

    def finv(self, f):
        s = self.share(f)
        return np.log(s / (1 - s))

    def gradfactor(self, f, df):
        s = self.share(f)
        return df * f * self.width * s * (1 - s)

    def initialize(self, f):
        return np.exp(np.clip(np.log(f), self.low + 0.01, self.low + self.width - 0.01))

    def log_jacobian(self, f):
        s = self.share(f)
        return np.log(f) + np.log(self.width * s * (1 - s))

    def log_jacobian_grad(self, f):
        s = self.share(f)
        return (1.0 + (1 - 2 * s) / (self.width * s * (1 - s))) / f

    def __str__(self):
        return "bounded log"


class LogUniform(Prior):
    domain = _POSITIVE

    def __str__(self):
        return "log-uniform"

    def lnpdf(self, x):
        return -np.log(x)

    def lnpdf_grad(self, x):
        return -1.0 / x


def make_model(problem):
    p = problem.p
    shape, nugget = GPy.kern.RBF(p, ARD=True, name="shape"), GPy.kern.White(p, variance=NUGGET, name="nugget")
    kernel = GPy.kern.Bias(p, name="scale") * (shape + nugget)
    model = GPy.models.GPRegression(problem.X, problem.y[:, None], kernel, noise_var=1e-12)
    scale, shape, nugget = model.kern.scale, model.kern.sum.shape, model.kern.sum.nugget  # sums and products copy
    for fixed in (shape.variance, nugget.variance, model.likelihood.variance):
        fixed.fix(warning=False)
    prior = LogUniform()
    for parameter, box in ((shape.lengthscale, (BOX[0] / 2, BOX[1] / 2)), (scale.variance, (-10.0, 20.0))):
        parameter.set_prior(prior, warning=False)  # constrains too: not after the next line
        parameter.constrain(BoundedLog(*box), warning=False)
    return model, shape


class Peer:
    def __init__(self, problem):
        self.model, self.shape = make_model(problem)
        self.start = self.model.optimizer_array.copy()
        self.step = 0.05 if problem.p < 5 else 0.01

    def run(self, seed):
        np.random.seed(seed)
        begin = time.perf_counter()
        self.model.optimizer_array = self.start
        self.model.optimize()
        sampler = GPy.inference.mcmc.HMC(self.model, stepsize=self.step)
        sampler.sample(WARM_UP, LEAPFROGS)
        states = sampler.sample(DRAWS, LEAPFROGS)
        seconds = time.perf_counter() - begin
        first = self.lengthscales_begin()
        draws = 2 * np.log(states[:, first : first + self.shape.lengthscale.size])
        return Run(seconds, (WARM_UP + DRAWS) * LEAPFROGS, draws, is_chain=True)

    def lengthscales_begin(self):
        """Where they stand among the free parameters."""
        return next(i for i, name in enumerate(self.model.parameter_names_flat()) if "lengthscale" in name)
