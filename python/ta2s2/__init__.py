"""Fully Bayesian Gaussian-process emulators of expensive simulators, and a sampler for multimodal densities.

>>> from ta2s2 import EmulatorRegressor, sample, lhs
"""

from ._compare import compare
from ._core import __version__
from ._design import lhs
from ._emulator import EmulatorRegressor
from ._next_runs import NextRuns
from ._judgement import Finding, Judgement
from ._posterior import Posterior
from ._report import Report
from ._sampling import Sample, sample
from ._sensitivity import MainEffect, Sensitivity

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
