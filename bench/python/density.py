"""The shared posterior in numpy: squared exponential, no trend, fixed nugget, process variance integrated out, flat on the box.

Whole blocks of points at once, so that the interpreter costs little of an evaluation.
"""
import math

import numpy as np

from problems import BOX, NUGGET


class Density:
    """Log likelihood of log phi, and how often it was asked for."""

    def __init__(self, problem):
        n, X = len(problem.y), problem.X
        self.n, self.p, self.evaluations = n, problem.p, 0
        self.squares = np.array([np.subtract.outer(x, x).ravel() ** 2 for x in X.T])
        self.y = problem.y
        # Below K stands y, so that the Cholesky factor's last row is (L^-1 y)'. The corner is above any y' K_delta^-1 y.
        self.corner = 2.0 * (self.y @ self.y) / NUGGET
        self.constant = math.lgamma(n / 2) - n / 2 * math.log(math.pi)

    def likelihood(self, points):
        """One number for each row of `points`."""
        points = np.atleast_2d(points)
        self.evaluations += len(points)
        bordered = np.empty((len(points), self.n + 1, self.n + 1))
        K = np.exp((-0.5 * np.exp(-points)) @ self.squares).reshape(-1, self.n, self.n)
        bordered[:, :-1, :-1] = K
        diagonal = np.arange(self.n)
        bordered[:, diagonal, diagonal] += NUGGET
        bordered[:, -1, :-1] = self.y
        bordered[:, -1, -1] = self.corner
        L = np.linalg.cholesky(bordered)
        log_det = 2.0 * np.log(L[:, diagonal, diagonal]).sum(axis=1)
        S2 = (L[:, -1, :-1] ** 2).sum(axis=1)
        return self.constant - 0.5 * log_det - self.n / 2 * np.log(S2)

    def posterior(self, points):
        """-inf outside the box, at no cost; up to the prior's constant."""
        points = np.atleast_2d(points)
        inside = np.all((points > BOX[0]) & (points < BOX[1]), axis=1)
        values = np.full(len(points), -np.inf)
        if inside.any():
            values[inside] = self.likelihood(points[inside])
        return values


def start_near_the_best(density, rng, count):
    """Starts for peers that need them near the mass: around the best of 200 draws of the prior."""
    candidates = rng.uniform(*BOX, (200, density.p))
    best = candidates[np.argmax(density.likelihood(candidates))]
    return np.clip(best + 0.5 * rng.standard_normal((count, density.p)), BOX[0] + 0.01, BOX[1] - 0.01)
