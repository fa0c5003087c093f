"""How good predictions were, given the truths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Scores:
    """Means over the test runs, in the units of the output; all but `coverage` and `pit` are better when smaller."""

    n: int
    rmse: float
    crps: float
    crps_normal_mixture: float
    nlpd: float
    interval_score_95: float
    coverage: dict[float, float]  # share of truths inside the central interval, by its level
    pit: np.ndarray  # predictive cdf at each truth: uniform if the predictions are calibrated

    def rows(self) -> list[tuple[str, float]]:
        rows = [
            ("RMSE", self.rmse),
            ("CRPS", self.crps),
            ("CRPS, normal mixture", self.crps_normal_mixture),
            ("NLPD", self.nlpd),
            ("interval score 95%", self.interval_score_95),
        ]
        return rows + [(f"coverage of {100 * level:g}%", share) for level, share in self.coverage.items()]


@dataclass(frozen=True)
class ScoreReport:
    """Scores of the whole posterior beside those of a plug-in of its maximum, as `ta2s2 validate` prints them."""

    posterior: Scores
    map: Scores

    def __str__(self) -> str:
        lines = [f"{self.posterior.n} test runs", f"{'':22}{'posterior':>14}{'plug-in MAP':>14}"]
        for (name, ours), (_, plug_in) in zip(self.posterior.rows(), self.map.rows()):
            lines.append(f"{name:22}{ours:14.6g}{plug_in:14.6g}")
        return "\n".join(lines)

    __repr__ = __str__


def determination(truth: np.ndarray, mean: np.ndarray, weights: np.ndarray) -> float:
    """The share of the truths' variance that the means explain."""
    centre = np.average(truth, weights=weights)
    spread = float(np.sum(weights * (truth - centre) ** 2))
    rest = float(np.sum(weights * (truth - mean) ** 2))
    if spread == 0.0:
        return 1.0 if rest == 0.0 else 0.0
    return 1.0 - rest / spread


def report_of(fit: Any, inputs: np.ndarray, output: np.ndarray, threads: int) -> ScoreReport:
    found = fit.validate(inputs, np.ascontiguousarray(output[:, None]), threads)
    return ScoreReport(Scores(**found["posterior"]), Scores(**found["map"]))
