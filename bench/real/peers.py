"""peers.py PEER TRAIN TEST OUTPUT SEED: scores of another package at its usual settings, as JSON on the last line.

Inputs are scaled to the unit cube by their ranges over the training runs. Each package predicts a new run, noise
included, by a normal law.
"""
import json
import sys
import warnings

import numpy as np
from scipy.stats import norm


def scikit_learn(X, y, X_test, seed):
    """Matern 5/2 with white noise, five restarts."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    kernel = ConstantKernel() * Matern(np.ones(X.shape[1]), nu=2.5) + WhiteKernel()
    model = GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=5, random_state=seed).fit(X, y)
    return model.predict(X_test, return_std=True)


def libkriging(X, y, X_test, seed):
    """Matern 5/2 with a nugget, which its sd contains. It has no seed, and units make no difference to it."""
    import pylibkriging

    model = pylibkriging.Kriging(y, np.asfortranarray(X), "matern5_2", noise="nugget")
    mean, sd, *_ = model.predict(np.asfortranarray(X_test), True, False, False)
    return np.ravel(mean), np.ravel(sd)


def botorch(X, y, X_test, seed):
    """SingleTaskGP; it standardises by itself."""
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from gpytorch.mlls import ExactMarginalLogLikelihood

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = SingleTaskGP(torch.tensor(X), torch.tensor(y)[:, None])
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    with torch.no_grad():
        posterior = model.posterior(torch.tensor(X_test), observation_noise=True)
        return posterior.mean.squeeze(-1).numpy(), posterior.variance.squeeze(-1).sqrt().numpy()


PEERS = {"scikit-learn": scikit_learn, "libKriging": libkriging, "BoTorch": botorch}


def read(path, output):
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        rows = np.atleast_2d(np.genfromtxt(file, delimiter=","))
    at = names.index(output)
    rows = rows[np.isfinite(rows[:, at])]  # without runs that failed
    return np.delete(rows, at, axis=1), rows[:, at]


def unit_cube(X, X_test):
    low, high = X.min(axis=0), X.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    return (X - low) / width, (X_test - low) / width


def covered(mean, sd, truth, level):
    return float(np.mean(np.abs(truth - mean) <= norm.ppf(0.5 + level / 2) * sd))


def score(mean, sd, truth):
    """CRPS of a normal law in closed form; the interval score is that of 95%."""
    sd = np.maximum(sd, 1e-12 * np.ptp(truth))
    z, half = (truth - mean) / sd, norm.ppf(0.975) * sd
    crps = sd * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi))
    outside = np.maximum(np.abs(truth - mean) - half, 0)
    return {
        "crps": float(crps.mean()), "rmse": float(np.sqrt(np.mean((truth - mean)**2))), **{
            f"cov{round(100 * level)}": covered(mean, sd, truth, level) for level in (0.5, 0.8, 0.95, 0.99)
        }, "interval_score": float(np.mean(2 * half + 40 * outside))
    }


def main():
    peer, train, test, output, seed = sys.argv[1:]
    warnings.simplefilter("ignore")  # of length-scales at their bounds
    (X, y), (X_test, truth) = read(train, output), read(test, output)
    X, X_test = unit_cube(X, X_test)
    mean, sd = PEERS[peer](X, y, X_test, int(seed))
    print(json.dumps(score(mean, sd, truth)))


if __name__ == "__main__":
    main()
