"""Integrated likelihood of a Franke design on a whole grid of (log phi_1, log phi_2): squared exponential, no trend.

The correlation factorises, K(phi_1, phi_2) = K_1(phi_1) o K_2(phi_2), so one exponential per axis serves the grid.
"""

import math

import numpy as np

from simulators import franke, latin_hypercube, standardise, unit_cube

NUGGET = 1e-6
RUNS = 20
BOX = 7.0


class FrankeDesign:
    def __init__(self, seed):
        self.seed = seed
        self.X = latin_hypercube(RUNS, 2, seed)
        self.y = np.array([franke(*x) for x in self.X])
        self.unit_X = unit_cube(self.X)
        self.standard_y, self.sd = standardise(self.y)


def axis_correlations(x, log_phi):
    """(number of log_phi, n, n): exp(-d^2 / (2 phi)) for one input."""
    squared = (x[:, None] - x[None, :]) ** 2
    return np.exp(-0.5 * squared[None] * np.exp(-log_phi)[:, None, None])


def determinant_and_s2(design, first_axis, second_axis):
    """(log|K_delta|, S2), each (number of first, number of second).

    y is appended as a row, so that one Cholesky factor holds both: its last row is (L^-1 y)', up to its own diagonal.
    The corner only has to keep the bordered matrix positive definite: S2 is at most y'y / nugget.
    """
    n = len(design.standard_y)
    first = axis_correlations(design.unit_X[:, 0], first_axis)
    second = axis_correlations(design.unit_X[:, 1], second_axis)
    bordered = np.empty((len(second_axis), n + 1, n + 1))
    bordered[:, n, :n] = bordered[:, :n, n] = design.standard_y
    bordered[:, n, n] = 2 * design.standard_y @ design.standard_y / NUGGET
    log_det = np.empty((len(first_axis), len(second_axis)))
    s2 = np.empty_like(log_det)
    for i, K1 in enumerate(first):
        bordered[:, :n, :n] = K1 * second
        bordered[:, range(n), range(n)] += NUGGET
        L = np.linalg.cholesky(bordered)
        log_det[i] = 2 * np.log(L[:, range(n), range(n)]).sum(axis=1)
        s2[i] = (L[:, n, :n] ** 2).sum(axis=1)
    return log_det, s2


def log_likelihood(log_det, s2, exponent):
    """docs/math.md, section 1 in standardised units: "model" is m/2 with its constants, "paper" is (2.10), (n - p)/2 without."""
    if exponent == "model":
        half = RUNS / 2
        return math.lgamma(half) - half * math.log(math.pi) - 0.5 * log_det - half * np.log(s2)
    return -0.5 * log_det - (RUNS - 2) / 2 * np.log(s2)
