"""The small data sets that the golden files share: inputs on the unit cube, y standardised."""

import math

import numpy as np

from simulators import latin_hypercube, standardise, uniform_points, unit_cube


def smooth_function(x):
    """Mildly curved, every input active, not symmetric in them."""
    return math.sin(5 * x[0]) + sum((d + 1) * 0.3 * v**2 for d, v in enumerate(x)) + 0.5 * x[0] * x[-1]


def small_data(n, p, seed):
    X = unit_cube(latin_hypercube(n, p, seed))
    y, _ = standardise(np.array([smooth_function(x) for x in X]))
    return X, y


def new_points(p, seed):
    """Three points: two inside the cube, one a fifth of its width outside in every input."""
    return np.vstack([uniform_points(2, p, seed), np.full((1, p), 1.2)])
