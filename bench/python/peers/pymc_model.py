"""The shared posterior as a PyMC model: log phi uniform on the box, the integrated likelihood as a potential."""
import math

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from problems import BOX, NUGGET


def make_model(problem):
    n, p = problem.X.shape
    squares = np.array([np.subtract.outer(x, x) ** 2 for x in problem.X.T])
    with pm.Model() as model:
        log_phi = pm.Uniform("log_phi", *BOX, shape=p)
        K = pt.exp(pt.tensordot(-0.5 * pt.exp(-log_phi), squares, axes=1)) + NUGGET * np.eye(n)
        L = pt.linalg.cholesky(K)
        residual = pt.linalg.solve_triangular(L, problem.y, lower=True)
        likelihood = -pt.sum(pt.log(pt.diag(L))) - n / 2 * pt.log(pt.sum(residual**2))
        pm.Potential("likelihood", likelihood + math.lgamma(n / 2) - n / 2 * math.log(math.pi))
    return model
