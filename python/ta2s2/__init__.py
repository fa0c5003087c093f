"""Fully Bayesian Gaussian-process emulators of expensive simulators, and a sampler for multimodal densities.

>>> from ta2s2 import EmulatorRegressor, sample, lhs
"""

from ._compare import compare
from ._core import __version__
from ._emulator import EmulatorRegressor
from ._report import Report
from ._results import Finding, Judgement, MainEffect, NextRuns, Posterior, Sensitivity
from ._sampling import Sample, lhs, sample

__all__ = [
    "EmulatorRegressor",
    "MainEffect",
    "NextRuns",
    "Finding",
    "Judgement",
    "Posterior",
    "Report",
    "Sample",
    "Sensitivity",
    "__version__",
    "compare",
    "lhs",
    "sample",
]
