"""Predictions from draws of log phi, and scores of draws of new outputs. The same code for every peer."""
import numpy as np
from scipy.linalg import cho_factor, solve_triangular

from problems import NUGGET

NUM_PREDICTIVE = 4000  # draws of each new output: CRPS to about 1%, coverage of 95% to about 0.3 points


def correlation(A, B, log_phi):
    w = np.exp(-0.5 * log_phi)
    distance = ((A * w) ** 2).sum(axis=1)[:, None] + ((B * w) ** 2).sum(axis=1) - 2 * (A * w) @ (B * w).T
    return np.exp(-0.5 * np.maximum(distance, 0.0))


def predictive_draws(problem, run, rng):
    """Student t with n degrees of freedom for a draw of log phi; draws of log phi by weight."""
    if run.predictions is not None:
        return run.predictions
    n, X, y = len(problem.y), problem.X, problem.y
    chosen = rng.choice(len(run.draws), size=200, p=run.weights)
    each = NUM_PREDICTIVE // len(chosen)
    outputs = []
    for log_phi in run.draws[chosen]:
        L, _ = cho_factor(correlation(X, X, log_phi) + NUGGET * np.eye(n), lower=True)
        a = solve_triangular(L, y, lower=True)
        B = solve_triangular(L, correlation(X, problem.X_test, log_phi), lower=True)
        scale = np.sqrt((a @ a) / n * np.maximum(1 + NUGGET - (B**2).sum(axis=0), NUGGET))
        outputs.append(a @ B + scale * rng.standard_t(n, (each, len(problem.X_test))))
    return np.concatenate(outputs)


def normal_draws(mean, sd, rng):
    """Of a tool that predicts by one normal for each point."""
    return mean + sd * rng.standard_normal((NUM_PREDICTIVE, len(mean)))


def crps(draws, truth):
    """E|X - y| - E|X - X'|/2 of the draws, the second term from their order (unbiased)."""
    m = len(draws)
    ordered = np.sort(draws, axis=0)
    spread = (2 * np.arange(1, m + 1) - m - 1) @ ordered / (m * (m - 1))
    return (np.abs(draws - truth).mean(axis=0) - spread).mean()


def score(problem, run, rng):
    """RMSE and CRPS in the user's units, the share of test points in the central 95% interval."""
    if run.scores is not None:
        return run.scores
    draws = problem.y_mean + problem.y_sd * predictive_draws(problem, run, rng)
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    return {
        "rmse": float(np.sqrt(np.mean((draws.mean(axis=0) - problem.y_test) ** 2))),
        "crps": float(crps(draws, problem.y_test)),
        "coverage": float(np.mean((low <= problem.y_test) & (problem.y_test <= high))),
    }
