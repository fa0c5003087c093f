"""Where to run the simulator next."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from .errors import DataNotice


@dataclass(frozen=True)
class NextRuns:
    """Points chosen by a criterion, in the order of choice.

    Attributes
    ----------
    points : a row each, in the units and the columns of the fit.
    values : of the criterion, each given the points before.
    meaning : of a value, in words.
    mean, std : what a run there is predicted to give, before any of them is made.
    rows : of the candidates, from 0; empty if there were none.
    average_variance : for "imse", "loo-imse" and "boundary", before any run and as expected after each; else empty.
    """

    points: np.ndarray
    values: np.ndarray
    meaning: str
    mean: np.ndarray
    std: np.ndarray
    rows: np.ndarray
    average_variance: np.ndarray


def next_runs_of(
    fit: Any, count: int, criterion: str, candidates: Optional[np.ndarray], draws: int, seed: int, threads: int
) -> NextRuns:
    rows = np.empty((0, len(fit.input_names))) if candidates is None else candidates
    found = fit.next_runs(int(count), criterion, rows, int(draws), seed, threads)
    for sentence in found.pop("notices"):
        warnings.warn(sentence, DataNotice, stacklevel=3)
    found["rows"] = np.array(found["rows"], dtype=int)
    found["average_variance"] = np.array(found["average_variance"])
    return NextRuns(**found)
