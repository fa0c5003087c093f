"""Test functions of the paper, (5.5) and (5.6), and the random Latin hypercubes they are run on.

Designs use only random.Random(seed).random(), whose stream Python promises to keep, so a seed means the same design
everywhere.
"""

import math
import random

import numpy as np

WING_INPUTS = {
    "Sw": (150.0, 200.0),
    "Wfw": (220.0, 300.0),
    "A": (6.0, 10.0),
    "Lam": (-10.0, 10.0),
    "q": (16.0, 45.0),
    "lam": (0.5, 1.0),
    "tc": (0.08, 0.18),
    "Nz": (2.5, 6.0),
    "Wdg": (1700.0, 2500.0),
    "Wp": (0.025, 0.08),
}


def uniform_points(n, p, seed):
    rng = random.Random(seed)
    return np.array([[rng.random() for _ in range(p)] for _ in range(n)])


def latin_hypercube(n, p, seed):
    """Each column: a random permutation of n cells (ranks of n draws), and a uniform place within each cell."""
    rng = random.Random(seed)
    columns = []
    for _ in range(p):
        keys = [rng.random() for _ in range(n)]
        cells = np.argsort(np.argsort(keys))
        columns.append([(cell + rng.random()) / n for cell in cells])
    return np.array(columns).T


def franke(x1, x2):
    """Paper (5.5)."""
    return (
        0.75 * math.exp(-((9 * x1 - 2) ** 2) / 4 - (9 * x2 - 2) ** 2 / 4)
        + 0.75 * math.exp(-((9 * x1 + 1) ** 2) / 49 - (9 * x2 + 1) / 10)
        + 0.5 * math.exp(-((9 * x1 - 7) ** 2) / 4 - (9 * x2 - 3) ** 2 / 4)
        - 0.2 * math.exp(-((9 * x1 - 4) ** 2) - (9 * x2 - 7) ** 2)
    )


def wing_weight(Sw, Wfw, A, Lam, q, lam, tc, Nz, Wdg, Wp):
    """Paper (5.6), Forrester et al. 2008; the sweep Lam is in degrees."""
    cosine = math.cos(math.radians(Lam))
    return (
        0.036 * Sw**0.758 * Wfw**0.0035 * (A / cosine**2) ** 0.6 * q**0.006 * lam**0.04
        * (100 * tc / cosine) ** -0.3 * (Nz * Wdg) ** 0.49 + Sw * Wp
    )


def to_ranges(unit_points, ranges):
    low = np.array([r[0] for r in ranges])
    high = np.array([r[1] for r in ranges])
    return low + unit_points * (high - low)


def unit_cube(X):
    """Inputs scaled from their observed ranges: every column then reaches 0 and 1 exactly."""
    return (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))


def standardise(y):
    """Centred and divided by the sd with n - 1; also the sd."""
    sd = y.std(ddof=1)
    return (y - y.mean()) / sd, sd
