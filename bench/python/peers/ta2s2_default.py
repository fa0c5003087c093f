"""ta2s2 as it comes: an average over three models by stacking, two of them of a transformed output, sparse jointly robust prior, sampled nugget, constant trend."""
import time

import numpy as np
from ta2s2 import EmulatorRegressor

from result import Run

TITLE, PACKAGES, POSTERIOR = "ta2s2, default settings", ["ta2s2"], "its own: three models by stacking, sparse jointly robust prior, sampled nugget, constant trend"


class Peer:
    def __init__(self, problem):
        self.problem = problem

    def run(self, seed):
        begin = time.perf_counter()
        model = EmulatorRegressor(random_state=seed, threads=1).fit(self.problem.X, self.problem.y)
        seconds = time.perf_counter() - begin
        report = model.score_report(self.problem.X_test, (self.problem.y_test - self.problem.y_mean) / self.problem.y_sd).posterior
        scores = {"rmse": report.rmse * self.problem.y_sd, "crps": report.crps * self.problem.y_sd, "coverage": report.coverage[0.95]}
        posteriors = list(model.posteriors_.values())
        evaluations = sum(level["evaluations"] for posterior in posteriors for level in posterior.levels)
        log_evidence = np.logaddexp.reduce([posterior.log_evidence for posterior in posteriors]) - np.log(len(posteriors))
        return Run(seconds, evaluations, own_ess=model.posterior_.effective_sample_size, log_evidence=log_evidence, scores=scores)
