"""H as users of Python write it: squared exponential, no trend, fixed nugget; minus the integrated log likelihood."""
import math
import warnings

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.spatial.distance import pdist, squareform
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF


class NumpyScipy:
    """Squared differences precomputed; one matrix product, one exp, one Cholesky, one solve."""
    name = "numpy + scipy"

    def __init__(self, X, y, nugget):
        self.n, self.nugget, self.y = len(y), nugget, y
        columns = [squareform(pdist(X[:, [d]], "sqeuclidean")).ravel() for d in range(X.shape[1])]
        self.squares = np.array(columns)
        self.constant = self.n / 2 * math.log(math.pi) - math.lgamma(self.n / 2)

    def parts(self, z):
        """S2 and log |K_delta|."""
        K = np.exp((-0.5 * np.exp(-z)) @ self.squares).reshape(self.n, self.n)
        K.flat[:: self.n + 1] += self.nugget
        L = cholesky(K.T, lower=True, overwrite_a=True, check_finite=False)
        residual = solve_triangular(L, self.y, lower=True, check_finite=False)
        return residual @ residual, 2.0 * np.log(L.diagonal()).sum()

    def energy(self, z):
        S2, log_det = self.parts(z)
        return 0.5 * log_det + self.n / 2 * math.log(S2) + self.constant


class ScikitLearn:
    """Its log marginal likelihood has the variance given, at one, where H has it integrated out."""
    name = "scikit-learn"

    def __init__(self, X, y, nugget):
        self.n = len(y)
        kernel = RBF(np.ones(X.shape[1]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model = GaussianProcessRegressor(kernel, alpha=nugget, optimizer=None).fit(X, y)

    def log_likelihood(self, z):
        return self.model.log_marginal_likelihood(0.5 * z, eval_gradient=False, clone_kernel=False)

    energy = log_likelihood  # what is timed

    def log_likelihood_from(self, S2, log_det):
        return -0.5 * (S2 + log_det + self.n * math.log(2 * math.pi))
