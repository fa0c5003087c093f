"""What a fit learnt of its hyper-parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np


@dataclass(frozen=True)
class Mode:
    """A mode of the posterior: its maximum, and the share of the mass that belongs to it."""

    weight: float
    log_density: float
    length_scales: np.ndarray  # of the inputs, in their units
    nugget: float
    position: np.ndarray  # the maximum in the sampler's coordinates
    mean: np.ndarray  # of the mode's draws, in the same
    sd: np.ndarray
    group_weights: list[float] = field(default_factory=list)  # by groups of chains that share no ancestor
    effective_sample_size: float = 0.0


@dataclass(frozen=True)
class Posterior:
    """The weighted posterior sample of a fit, its evidence, modes and levels.

    Examples
    --------
    >>> import numpy as np
    >>> from ta2s2 import EmulatorRegressor
    >>> x = np.linspace(0, 1, 8)[:, None]
    >>> posterior = EmulatorRegressor(samples=200).fit(x, np.sin(6 * x[:, 0])).posterior_
    >>> posterior["length_scale_x1"].shape == posterior.weights.shape
    True
    """

    names: list[str]  # of the columns of `draws`
    draws: np.ndarray  # a row per draw: log_phi and length_scale of each input, and the nugget
    weights: np.ndarray  # sum to one
    log_density: np.ndarray  # log posterior density of each draw in the sampler's coordinates
    log_evidence: Optional[float]  # None if the sampler cannot tell
    log_evidence_error: Optional[float]
    evidence_is_normalised: Optional[bool]  # False: compares only fits under the same prior
    modes: list[Mode]
    levels: list[dict[str, Any]]
    diagnostics: list[dict[str, Any]]  # of each sampling coordinate: effective size, R-hat, mass near the box
    effective_sample_size: float  # the least over coordinates
    verdict: str  # "converged", or what is wrong and what to raise
    caveats: list[str]  # true of a converged fit too: how far the box decides the posterior

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise KeyError(f"found {name!r}, expected one of {', '.join(self.names)}")
        return self.draws[:, self.names.index(name)]

    def __len__(self) -> int:
        return len(self.weights)


def posterior_of(fit: Any) -> Posterior:
    names, rows = fit.draws()
    evidence = fit.evidence or {}
    return Posterior(
        names=names[:-2],
        draws=rows[:, :-2],
        weights=rows[:, -1],
        log_density=-rows[:, -2],
        log_evidence=evidence.get("log_evidence"),
        log_evidence_error=evidence.get("standard_error"),
        evidence_is_normalised=evidence.get("is_normalised"),
        modes=[Mode(**mode) for mode in fit.modes],
        levels=fit.levels,
        diagnostics=fit.diagnostics,
        effective_sample_size=fit.sample_size,
        verdict=fit.verdict,
        caveats=fit.caveats,
    )
