"""Which inputs matter: Sobol indices and main effects with the posterior's uncertainty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from .errors import DataNotice, UsageError

INERT_SHARE = 0.01  # of the variance
_LEAST_PATHS, _LEAST_POINTS = 40, 8  # as for the command line


def _intervals(values: np.ndarray) -> np.ndarray:
    """2.5%, 50% and 97.5% quantiles as the command line has them: values of the sample."""
    places = np.ceil(np.array([0.025, 0.5, 0.975]) * len(values)).astype(int) - 1
    return np.sort(values, axis=0)[places]


@dataclass(frozen=True)
class MainEffect:
    """The mean output given one input, all others averaged over."""

    values: np.ndarray  # of the input
    draws: np.ndarray  # of the effect at these, a row per path

    def mean(self) -> np.ndarray:
        return self.draws.mean(axis=0)

    def interval(self) -> np.ndarray:
        """2.5%, 50% and 97.5% quantiles, a row each."""
        return _intervals(self.draws)


@dataclass(frozen=True)
class Sensitivity:
    """Sobol indices of functions drawn from the posterior: a row per function, a column per input, all rows equally likely."""

    inputs: list[str]
    distributions: list[str]
    first: np.ndarray
    total: np.ndarray
    mean: np.ndarray  # of the output over the inputs, of each function
    variance: np.ndarray
    effects: dict[str, MainEffect]
    first_error: np.ndarray  # what numerical integration adds to a function's index, as a standard deviation
    total_error: np.ndarray
    share_outside: float  # of the inputs' distribution, beyond the emulator's ranges

    @property
    def p_inert(self) -> np.ndarray:
        """Posterior probability that an input's total index is below 1%."""
        return (self.total < INERT_SHARE).mean(axis=0)

    def to_dict(self) -> dict[str, Any]:
        """A table as columns by name, ready for ``pandas.DataFrame``."""
        table: dict[str, Any] = {"input": list(self.inputs)}
        for name, draws in [("first", self.first), ("total", self.total), ("interactions", self.total - self.first)]:
            low, median, high = _intervals(draws)
            table.update({f"{name}_q0.5": median, f"{name}_q0.025": low, f"{name}_q0.975": high})
        return {**table, "p_inert": self.p_inert, "first_error": self.first_error, "total_error": self.total_error}

    def __str__(self) -> str:
        width = max([5, *map(len, self.inputs)])
        lines = [f"{'input':{width}}  {'first-order':25}  {'total':25}  P(inert)"]
        first, total = _intervals(self.first), _intervals(self.total)
        for d, name in enumerate(self.inputs):
            cells = [f"{middle:7.4f}  [{low:6.4f}, {high:6.4f}]" for low, middle, high in (first[:, d], total[:, d])]
            lines.append(f"{name:{width}}  {cells[0]}  {cells[1]}  {self.p_inert[d]:8.3f}")
        return "\n".join(lines)

    __repr__ = __str__


def sensitivity_of(
    fit: Any, distributions: Optional[dict[str, str]], paths: int, points: int, seed: int, threads: int
) -> Sensitivity:
    if paths < _LEAST_PATHS or points < _LEAST_POINTS:
        raise UsageError(
            f"found {paths} paths and {points} points, expected at least {_LEAST_PATHS} paths and {_LEAST_POINTS} points"
        )
    given = [(str(name), str(text)) for name, text in (distributions or {}).items()]
    found = fit.sensitivity(given, paths, points, seed, threads)
    for sentence in found.pop("notices"):
        warnings.warn(sentence, DataNotice, stacklevel=3)
    curves = zip(found.pop("grids"), found.pop("effects"))
    effects = {name: MainEffect(values, draws) for name, (values, draws) in zip(found["inputs"], curves)}
    return Sensitivity(effects=effects, **found)
