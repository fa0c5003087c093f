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

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise KeyError(f"found {name!r}, expected one of {', '.join(self.names)}")
        return self.draws[:, self.names.index(name)]

    def __len__(self) -> int:
        return len(self.weights)


def mode_numbers(mode: dict[str, Any]) -> dict[str, Any]:
    """What any mode has, of a summary's."""
    return {
        "weight": mode["weight"],
        "log_density": -mode["energy"],
        **{key: np.array(mode[key]) for key in ("position", "mean", "sd")},
        "group_weights": mode["group_weights"],
        "effective_sample_size": mode["effective_sample_size"],
    }


def _mode_of(mode: dict[str, Any]) -> Mode:
    return Mode(**mode_numbers(mode), length_scales=np.array(list(mode["length_scales"].values())), nugget=mode["nugget"])


def model_weights(fit: Any) -> dict[str, float]:
    """What each model weighs, by name."""
    models = fit.summary.get("models", [{"model": fit.model_name, "weight": 1.0}])
    return {model["model"]: model["weight"] for model in models}


def heaviest_model(summary: dict[str, Any]) -> dict[str, Any]:
    """Of an average, the summary of the model with the largest weight."""
    return max(summary["models"], key=lambda model: model["weight"]) if "models" in summary else summary


def posterior_of(fit: Any) -> Posterior:
    names, rows = fit.draws()
    summary = heaviest_model(fit.summary)
    return Posterior(
        names=names[:-2],
        draws=rows[:, :-2],
        weights=rows[:, -1],
        log_density=-rows[:, -2],
        log_evidence=summary["log_evidence"],
        log_evidence_error=summary["log_evidence_error"],
        evidence_is_normalised=summary["log_evidence_is_normalised"],
        modes=[_mode_of(mode) for mode in summary["modes"]],
        levels=summary["levels"],
        diagnostics=list(summary["coordinates"].values()),
        effective_sample_size=fit.sample_size,
    )
