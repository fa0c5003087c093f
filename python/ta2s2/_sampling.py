"""Draws from any density over a box, and designs that fill one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _core, _settings
from ._progress import level_bar
from ._results import Finding, Judgement, mode_numbers, sample_to_arviz, warn_of
from .errors import DataNotice, UsageError

# The settings of a fit that are the sampler's.
SAMPLER_OPTIONS = ["sampler", "max-evaluations", "move", "growth", "chain-length", "groups", "coordinates", "ess-target", "draws-from", "threads"]


# As many as a call of a function of blocks is worth. A function of a point gets one, so that Ctrl-C waits for no more.
POINTS_PER_CALL = 256


@dataclass(frozen=True)
class DensityMode:
    """A mode of the density: its maximum, and the share of the mass that belongs to it."""

    weight: float
    log_density: float
    position: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    group_weights: list[float]
    effective_sample_size: float


@dataclass(frozen=True)
class Sample:
    """Weighted draws from a density, the logarithm of its integral, and its modes."""

    names: list[str]
    draws: np.ndarray  # (n, d)
    weights: np.ndarray  # sum to one
    log_density: np.ndarray  # at each draw
    log_evidence: float  # of the density's integral over the box
    log_evidence_error: float
    modes: list[DensityMode]
    levels: list[dict[str, Any]]
    diagnostics: list[dict[str, Any]]  # of each coordinate: effective size, R-hat, mass near the box
    notices: list[str]
    judgement: Judgement  # whether the sampler converged
    seed: int

    @property
    def evaluations(self) -> int:
        """How often the density was asked for while sampling."""
        return sum(level["evaluations"] for level in self.levels)

    def mean(self) -> np.ndarray:
        """The weighted mean of the draws."""
        return self.weights @ self.draws

    def __len__(self) -> int:
        return len(self.weights)

    def to_arviz(self) -> Any:
        """The draws as ArviZ has them: an InferenceData, or a DataTree from ArviZ 1.0 on.

        ArviZ knows no weights: draws are repeated in proportion to theirs.
        """
        return sample_to_arviz(self)


def _row_by_row(log_density: Callable[[np.ndarray], float]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda points: np.fromiter((log_density(point) for point in points), dtype=float, count=len(points))


def _pairs_row_by_row(log_density: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    def values(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pairs = [log_density(point) for point in points]
        return np.array([value for value, _ in pairs], dtype=float), np.array([slope for _, slope in pairs], dtype=float)

    return values


def _block_of_pairs(log_density: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    def values(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value, slope = log_density(points)
        return np.ascontiguousarray(value, dtype=float), np.ascontiguousarray(slope, dtype=float)

    return values


def _block_of_floats(log_density: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], np.ndarray]:
    def values(points: np.ndarray) -> np.ndarray:
        found = np.asarray(log_density(points), dtype=float)
        if found.shape != (len(points),):
            raise UsageError(
                f"the log density returned an array of shape {found.shape}, expected ({len(points)},): "
                "one number for each row of the block"
            )
        return found

    return values


def sample(
    log_density: Callable[[np.ndarray], Any],
    bounds: Sequence[tuple[float, float]],
    n: int | str = "auto",
    seed: int = 1,
    vectorized: bool = False,
    gradient: bool = False,
    names: Optional[Sequence[str]] = None,
    progress: bool = False,
    **settings: Any,
) -> Sample:
    """Draws from any density over a box, multimodal or not, and the logarithm of its integral.

    Parameters
    ----------
    log_density : a function of a point (an array of d numbers) or, if `vectorized`, of a block of points (an array of shape
        (m, d), to be answered by m numbers). It need not be normalised. -inf is a point without density; so is NaN, which a
        warning counts. What it raises comes back with its traceback.
    bounds : a pair (low, high) for each coordinate.
    n : draws that are returned. "auto": at most 2000, worth at least 400 independent ones. Samplers other than ta2s2 have so
        many states per level.
    seed : one seed gives one answer.
    vectorized : whether `log_density` takes a block of points.
    gradient : whether `log_density` returns a pair: the log density, and its gradient of the point's shape. A gradient saves
        most of the evaluations in more than a few dimensions.
    names : of the coordinates; x1, x2, ... if not given.
    progress : show a bar over the levels, if tqdm is installed.
    **settings : the sampler's settings of ``ta2s2 fit``, by their Python names: sampler, max_evaluations, threads, and, of
        sampler="annealed" and its kind, move, growth, chain_length, groups, coordinates, ess_target, draws_from. `threads` is 1 unless given: more help only a density that lets go
        of the interpreter's lock.

    Examples
    --------
    >>> import numpy as np
    >>> from ta2s2 import sample
    >>> def two_modes(x):
    ...     return np.logaddexp(-0.5 * np.sum((x - 3) ** 2, axis=1), -0.5 * np.sum((x + 3) ** 2, axis=1))
    >>> post = sample(two_modes, bounds=[(-7, 7)] * 2, seed=1, vectorized=True)
    >>> len(post.modes)
    2
    """
    known = [_settings.python_name(name) for name in SAMPLER_OPTIONS]
    settings = _settings.current_names(settings)
    for name in settings:
        if name not in known:
            raise UsageError(f'there is no setting of the sampler called "{name}"; expected one of {", ".join(known)}')
    bounds = [(float(low), float(high)) for low, high in bounds]
    if names is not None and len(names) != len(bounds):
        raise UsageError(f"found {len(names)} names for {len(bounds)} pairs of bounds, expected one each")
    given = _settings.given_settings({"threads": 1, **settings, "samples": n, "random_state": seed})
    if gradient:
        function = _block_of_pairs(log_density) if vectorized else _pairs_row_by_row(log_density)
    else:
        function = _block_of_floats(log_density) if vectorized else _row_by_row(log_density)
    with level_bar(progress) as on_level:
        run = _core.sample(function, bounds, [str(name) for name in names or []], gradient, POINTS_PER_CALL if vectorized else 1, given, on_level)
    for sentence in run["notices"]:
        warnings.warn(sentence, DataNotice, stacklevel=2)
    found = run.pop("judgement")
    judgement = Judgement("", found["grade"], found["headline"], [Finding(**finding) for finding in found["findings"]])
    warn_of([judgement], stacklevel=2)
    summary = run.pop("summary")
    modes = [DensityMode(**mode_numbers(mode)) for mode in summary["modes"]]
    return Sample(judgement=judgement, modes=modes, levels=summary["levels"], diagnostics=summary["coordinates"], seed=int(seed), **run)


def lhs(runs: int, bounds: Sequence[tuple[float, float]], seed: int = 1, kind: str = "maximin") -> np.ndarray:
    """A Latin hypercube over a box, one run per row.

    The numbers are those of ``ta2s2 design`` for the same seed.

    Parameters
    ----------
    runs : number of runs.
    bounds : a pair (low, high) for each input.
    seed : one seed gives one design.
    kind : "maximin" (points far apart, each at the centre of its strata), "random" (anywhere in its strata), or "sobol" (a Sobol
        sequence, shifted at random).

    Examples
    --------
    >>> from ta2s2 import lhs
    >>> lhs(4, [(0, 1), (10, 20)]).shape
    (4, 2)
    """
    return _core.design(int(runs), [(float(low), float(high)) for low, high in bounds], kind, int(seed))
