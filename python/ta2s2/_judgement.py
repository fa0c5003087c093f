"""Whether an emulator may be used: what was asked of it, what was found, and one grade for all of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Optional

from .errors import ConvergenceWarning, JudgementWarning

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
    >>> em = EmulatorRegressor(map_only=True).fit([[0.0], [0.3], [0.7], [1.0]], [0.0, 0.2, 0.9, 1.0])
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
