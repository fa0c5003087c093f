"""What placing 40 runs well could do if the function were a draw of a stationary process with known length-scales.

    python bench/learning/placing.py        prints CSV rows: function, correlation, ratio, log likelihood of the fit

Length-scales are scikit-learn's, of a fit to 256 runs of the function. 40 points are chosen by the integrated variance: one
after another from 1200, then each group of four is taken out and chosen again, twice over. The ratio is that of the root
of their integrated variance to that of a random Latin hypercube of 60, the median of ten.
"""
import pathlib
import sys
import warnings

import numpy as np
from scipy.linalg import solve_triangular
from scipy.stats import qmc
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "make_golden"))
from test_functions import FUNCTIONS  # noqa: E402

NUGGET = 1e-9
CORRELATIONS = {"squared-exponential": RBF, "matern52": lambda scales, bounds: Matern(scales, bounds, nu=2.5)}


def learnt_correlation(function, make):
    """The number of inputs, the correlation with the length-scales of 256 runs, and the likelihood's logarithm."""
    ranges, run = FUNCTIONS[function]
    low, width = np.array([(a, b - a) for a, b in ranges]).T
    X = qmc.Sobol(len(low), seed=5).random(256)
    y = np.array([float(run(*map(float, row))) for row in low + width * X])
    kernel = ConstantKernel(1.0, (1e-3, 1e8)) * make(np.full(len(low), 0.5), (0.05, 50.0))
    model = GaussianProcessRegressor(kernel, alpha=NUGGET, normalize_y=True, n_restarts_optimizer=1, random_state=0)
    model.fit(X, y)
    return len(low), model.kernel_.k2, model.log_marginal_likelihood_value_


def given(correlation, X, points):
    """Covariance of the points given runs at X, for a variance of 1."""
    covariance = correlation(points)
    if len(X) == 0:
        return covariance
    root = np.linalg.cholesky(correlation(X) + NUGGET * np.eye(len(X)))
    told = solve_triangular(root, correlation(X, points), lower=True)
    return covariance - told.T @ told


def add_runs(correlation, X, count, choices, reference):
    covariance = given(correlation, X, np.vstack([choices, reference]))
    c = len(choices)
    for _ in range(count):
        best = int(np.argmax((covariance[c:, :c] ** 2).sum(0) / (np.diag(covariance)[:c] + NUGGET)))
        X = np.vstack([X, choices[best]])
        column = covariance[:, best].copy()
        covariance -= np.outer(column, column) / (column[best] + NUGGET)
    return X


def placed(correlation, inputs, count):
    choices = np.random.default_rng(1).random((1200, inputs))
    choices[600:] = np.clip(0.5 + 1.5 * (choices[600:] - 0.5), 0.0, 1.0)  # half of them stretched to the border
    reference = qmc.Sobol(inputs, seed=7).random(512)
    X = add_runs(correlation, np.empty((0, inputs)), count, choices, reference)
    for _ in range(2 * count // 4):
        X = add_runs(correlation, X[4:], 4, choices, reference)
    return X


def main():
    warnings.filterwarnings("ignore")  # of length-scales at a bound: an input that does next to nothing
    for function in ("franke", "branin", "ishigami", "park", "friedman", "borehole"):
        for name, make in CORRELATIONS.items():
            inputs, correlation, likelihood = learnt_correlation(function, make)
            test = qmc.Sobol(inputs, seed=9).random(1024)
            spread = lambda X: np.sqrt(np.mean(np.diag(given(correlation, X, test))))
            hypercubes = [spread(qmc.LatinHypercube(inputs, seed=seed).random(60)) for seed in range(10)]
            ratio = spread(placed(correlation, inputs, 40)) / np.median(hypercubes)
            print(f"{function},{name},{ratio:.3f},{likelihood:.1f}", flush=True)


if __name__ == "__main__":
    main()
