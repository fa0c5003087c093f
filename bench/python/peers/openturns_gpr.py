"""OpenTURNS: the maximum of the likelihood from one start, within its own bounds (within the shared box it stops at worse points)."""
import time

import numpy as np
import openturns as ot

from problems import NUGGET
from result import Run
from scores import normal_draws

TITLE, PACKAGES, POSTERIOR = "OpenTURNS", ["openturns"], "point: maximum likelihood, squared exponential, no trend"


class Peer:
    def __init__(self, problem):
        ot.Log.Show(ot.Log.NONE)
        self.problem = problem

    def run(self, seed):
        problem = self.problem
        covariance = ot.SquaredExponential([0.5] * problem.p, [1.0])
        covariance.setNuggetFactor(NUGGET)
        begin = time.perf_counter()
        fitter = ot.GaussianProcessFitter(ot.Sample(problem.X), ot.Sample(problem.y[:, None]), covariance)
        fitter.run()
        regression = ot.GaussianProcessRegression(fitter.getResult())
        regression.run()
        seconds = time.perf_counter() - begin
        conditional = ot.GaussianProcessConditionalCovariance(regression.getResult())
        mean = np.array(regression.getResult().getMetaModel()(ot.Sample(problem.X_test)))[:, 0]
        variance = np.array(conditional.getConditionalMarginalVariance(ot.Sample(problem.X_test)))[:, 0]
        return Run(seconds, predictions=normal_draws(mean, np.sqrt(np.maximum(variance, 0)), np.random.default_rng(seed)))
