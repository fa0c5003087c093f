"""Writes tests/golden/data/neural_network.json: the posterior of examples/neural_network by quadrature.

Given b and c the network is linear in a, so a is integrated exactly; what is left, (b_1, c_1, b_2, c_2), is summed on a
grid over [-10, 10]^4, b from 0 by symmetry. Smooth and almost zero at its borders, the sum converges faster than any
power of the step. That of a is over all reals, the example's over the box: the prior leaves 6e-7 of a outside.

Schema: log_evidence, x (where to predict), mean (of the network), low, high (2.5% and 97.5% of a new observation),
  step_error (largest change of log_evidence and of mean from twice the step).
Needs numpy.
"""

import math

import numpy as np
from golden_file import write_golden

X = np.linspace(-3.0, 3.0, 13)
Y = np.array([-0.82, -0.37, -0.46, -0.04, 0.72, 2.01, 2.17, 2.26, 2.17, 1.46, 0.87, 0.59, 0.54])
NOISE, PRIOR_SD, BOUND = 0.2, 2.0, 10.0
NEW_X = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
NEGLIGIBLE = 20.0  # nats below the largest term


def units(step):
    """Every (b, c) of the grid, with the log of its prior mass: b counts for -b too."""
    b, c = np.meshgrid(np.arange(0.0, BOUND + step / 2, step), np.arange(-BOUND, BOUND + step / 2, step), indexing="ij")
    b, c = b.ravel(), c.ravel()
    log_mass = -0.5 * (b**2 + c**2) / PRIOR_SD**2 - math.log(2.0 * math.pi * PRIOR_SD**2) + 2.0 * math.log(step)
    return b, c, log_mass + np.where(b == 0.0, 0.0, math.log(2.0))


def significant_pairs(step):
    """Rows (log weight, a_1, a_2, i, j, entries of the inverse of A) of the pairs of units that matter."""
    b, c, log_mass = units(step)
    T = np.tanh(np.outer(b, X) + c[:, None])
    squares, projections, ridge = (T * T).sum(1), T @ Y, (NOISE / PRIOR_SD) ** 2
    largest, kept = -np.inf, []
    for first in range(0, len(b), 200):
        rows = slice(first, first + 200)
        cross = T[rows] @ T.T
        a11, a22 = squares[rows, None] + ridge, squares[None] + ridge
        det = a11 * a22 - cross**2
        u1, u2 = projections[rows, None], projections[None]
        m1, m2 = (a22 * u1 - cross * u2) / det, (a11 * u2 - cross * u1) / det
        fit = (Y @ Y - u1 * m1 - u2 * m2) / NOISE**2
        log_w = (log_mass[rows, None] + log_mass[None] - 0.5 * fit - 0.5 * np.log(det / ridge**2)
                 - 0.5 * len(X) * math.log(2.0 * math.pi * NOISE**2))
        largest = max(largest, log_w.max())
        i, j = np.nonzero(log_w > largest - NEGLIGIBLE)
        kept.append(np.column_stack([log_w[i, j], m1[i, j], m2[i, j], i + first, j, (a22 / det)[i, j],
                                     (a11 / det)[i, j], (-cross / det)[i, j]]))
    kept = np.concatenate(kept)
    return b, c, kept[kept[:, 0] > largest - NEGLIGIBLE]


def normal_cdf(z):
    return 0.5 * np.vectorize(math.erfc)(-z / math.sqrt(2.0))


def quantile(level, weights, means, sds):
    low, high = (means - 8.0 * sds).min(), (means + 8.0 * sds).max()
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if weights @ normal_cdf((middle - means) / sds) < level else (low, middle)
    return low


def posterior(step, with_quantiles):
    b, c, pairs = significant_pairs(step)
    log_w, i, j = pairs[:, 0], pairs[:, 3].astype(int), pairs[:, 4].astype(int)
    weights = np.exp(log_w - log_w.max())
    log_evidence = log_w.max() + math.log(weights.sum())
    weights /= weights.sum()
    mean, low, high = [], [], []
    for x in NEW_X:
        t1, t2 = np.tanh(b[i] * x + c[i]), np.tanh(b[j] * x + c[j])
        means = pairs[:, 1] * t1 + pairs[:, 2] * t2
        mean.append(weights @ means)
        if with_quantiles:
            sds = NOISE * np.sqrt(1.0 + pairs[:, 5] * t1**2 + pairs[:, 6] * t2**2 + 2.0 * pairs[:, 7] * t1 * t2)
            heavy = weights > 1e-8
            share = weights[heavy] / weights[heavy].sum()
            low.append(quantile(0.025, share, means[heavy], sds[heavy]))
            high.append(quantile(0.975, share, means[heavy], sds[heavy]))
    return log_evidence, mean, low, high


def main():
    coarse_evidence, coarse_mean, low, high = posterior(0.2, True)
    log_evidence, mean, _, _ = posterior(0.1, False)
    step_error = {"log_evidence": abs(log_evidence - coarse_evidence),
                  "mean": max(abs(a - b) for a, b in zip(mean, coarse_mean))}
    write_golden("neural_network.json", "neural_network.py", "numpy, quadrature with step 0.1 (quantiles: 0.2)",
                 {"log_evidence": log_evidence, "x": NEW_X.tolist(), "mean": mean, "low": low, "high": high,
                  "step_error": step_error})


if __name__ == "__main__":
    main()
