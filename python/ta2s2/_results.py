"""What an emulator answers with: its judgement, its posterior, scores, next runs and sensitivities."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional

import numpy as np

from . import _core
from .errors import ConvergenceWarning, DataNotice, JudgementWarning, UsageError

_GRADES = ("note", "good", "unknown", "caution", "bad")  # in the order of their weight


@dataclass(frozen=True)
class Finding:
    """The answer to one question."""

    question: str  # "accuracy", "coverage", "convergence", "reliability", "extrapolation" or "data"
    grade: str  # "note", "good", "unknown", "caution" or "bad"
    value: Optional[float]  # the number that answers, where there is one
    sentence: str
    advice: str  # what to do about it; may be empty
    member: str  # the models of an average that it is of; empty: the emulator's as a whole


@dataclass(frozen=True)
class Judgement:
    """What `ta2s2 fit` prints at its end: the heaviest grade among the findings, the headline, and the findings.

    >>> from ta2s2 import EmulatorRegressor
    >>> em = EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
    >>> em.judgement_.grade in ("good", "unknown", "caution", "bad")
    True
    """

    output: str
    grade: str
    headline: str
    findings: list[Finding]

    @property
    def warnings(self) -> list[str]:
        """Sentence and advice of each finding that weighs "caution" or more, the heaviest first."""
        return [_with_advice(finding) for finding in self._doubts()]

    def _doubts(self) -> list[Finding]:
        doubts = [finding for finding in self.findings if finding.grade in ("caution", "bad")]
        return sorted(doubts, key=lambda finding: -_GRADES.index(finding.grade))


def judgement_of(fit: Any) -> Judgement:
    found = fit.judgement
    return Judgement(fit.output_name, found["grade"], found["headline"], [Finding(**finding) for finding in found["findings"]])


def warn_of(judgements: Iterable[Judgement], stacklevel: int) -> None:
    """A warning for each finding that the user must see; of several outputs it begins with the output's name."""
    judgements = list(judgements)
    for judgement in judgements:
        name = f"{judgement.output}: " if len(judgements) > 1 else ""
        for finding in judgement._doubts():
            category = ConvergenceWarning if finding.question == "convergence" else JudgementWarning
            warnings.warn(name + _with_advice(finding), category, stacklevel=stacklevel + 1)


def _with_advice(finding: Finding) -> str:
    return f"{finding.sentence}; {finding.advice}" if finding.advice else finding.sentence


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


def activity_of(fit: Any) -> dict[str, dict[str, float]]:
    """The probabilities that the summary lists, by input."""
    return {
        row["input"]: {"probability": row["probability"], "linear": row["linear"]} for row in fit.summary["activity"]
    }


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


def to_arviz(groups: dict[str, Any], **told: str) -> Any:
    """`groups`: by name, arrays as (dimensions, values) and the coordinates of their dimensions. `told`: more attributes."""
    import arviz
    import xarray

    attributes = {"inference_library": "ta2s2", "inference_library_version": _core.__version__, **told}
    datasets = {
        name: xarray.Dataset(group["arrays"], coords=group["coords"], attrs=attributes) for name, group in groups.items()
    }
    if int(arviz.__version__.split(".")[0]) < 1:
        return arviz.InferenceData(**datasets)
    return xarray.DataTree.from_dict(datasets)


def sample_to_arviz(sample: Any) -> Any:
    chosen = _core.equally_weighted_draws(np.ascontiguousarray(sample.weights), sample.seed)
    betas = np.array([level["inverse_temperature"] for level in sample.levels])
    with np.errstate(divide="ignore"):
        temperatures = 1 / betas
    draws = {"chain": [0], "draw": np.arange(len(chosen))}
    by_draw, by_level = ("chain", "draw"), ("level",)
    return to_arviz(
        {
            "posterior": {
                "arrays": {name: (by_draw, sample.draws[chosen, d][None]) for d, name in enumerate(sample.names)},
                "coords": draws,
            },
            "sample_stats": {
                "arrays": {
                    "lp": (by_draw, sample.log_density[chosen][None]),
                    "temperature": (by_level, temperatures),
                    "inverse_temperature": (by_level, betas),
                    "level_ess": (by_level, np.array([level["effective_sample_size"] for level in sample.levels])),
                    "level_acceptance": (by_level, np.array([level["acceptance"] for level in sample.levels])),
                    "level_log_evidence": (by_level, np.array([level["log_mean_weight"] for level in sample.levels])),
                },
                "coords": {**draws, "level": np.arange(len(betas))},
            },
        }
    )


@dataclass(frozen=True)
class Scores:
    """Means over the validation runs, in the units of the output; all but `coverage` and `pit` are better when smaller."""

    n: int
    rmse: float
    crps: float
    crps_normal_mixture: float  # nan if the output is transformed
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
        rows += [(f"coverage of {100 * level:g}%", share) for level, share in self.coverage.items()]
        return [(name, value) for name, value in rows if not np.isnan(value)]


@dataclass(frozen=True)
class ScoreReport:
    """Scores of the whole posterior beside those of a plug-in of its maximum, as `ta2s2 validate` prints them."""

    posterior: Scores
    map: Scores

    def __str__(self) -> str:
        lines = [f"{self.posterior.n} validation runs", f"{'':22}{'posterior':>14}{'plug-in MAP':>14}"]
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
    p_active: np.ndarray  # the posterior probability that an input acts, of each
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
        return {**table, "p_inert": self.p_inert, "p_active": self.p_active, "first_error": self.first_error, "total_error": self.total_error}

    def __str__(self) -> str:
        width = max([5, *map(len, self.inputs)])
        lines = [f"{'input':{width}}  {'first-order':25}  {'total':25}  P(inert)  P(active)"]
        first, total = _intervals(self.first), _intervals(self.total)
        for d, name in enumerate(self.inputs):
            cells = [f"{middle:7.4f}  [{low:6.4f}, {high:6.4f}]" for low, middle, high in (first[:, d], total[:, d])]
            lines.append(f"{name:{width}}  {cells[0]}  {cells[1]}  {self.p_inert[d]:8.3f}  {self.p_active[d]:9.3f}")
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
