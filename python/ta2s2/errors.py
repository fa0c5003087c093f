"""Exceptions. Their sentences are those of the command line; docs/python.md says which exit code each stands for."""

from __future__ import annotations


class Ta2s2Error(Exception):
    """Something its user can fix, or a request to stop."""


class UsageError(Ta2s2Error, ValueError):
    """A setting is unknown, out of range, or contradicts another."""


class DataError(Ta2s2Error, ValueError):
    """The data cannot be used."""


class ModelFileError(Ta2s2Error, ValueError):
    """A file cannot be read, or is no model file of this version."""


class InterruptedRun(Ta2s2Error, RuntimeError):
    """A run was told to stop by other means than Ctrl-C, which raises KeyboardInterrupt."""


class ResumableRun(InterruptedRun):
    """A fit reached its time limit; fit() with the same data and settings goes on from its checkpoint."""


class CannotWriteError(Ta2s2Error, OSError):
    """An output cannot be written; nothing was left behind."""


class InternalError(Ta2s2Error, RuntimeError):
    """A mistake of ours: please report it."""


class JudgementWarning(UserWarning):
    """Something that was found about a fit weighs "caution" or more: it says what, and what to do about it."""


class ConvergenceWarning(JudgementWarning):
    """The sampler has not converged; it says why and what to raise."""


class ExtrapolationWarning(UserWarning):
    """Points lie outside the ranges that the emulator was made for."""


class DataNotice(UserWarning):
    """Something about the data or the density that its user should know: an input left out, NaN."""


class NotFittedError(ValueError, AttributeError):
    """The emulator has not been fitted; scikit-learn's own class is raised instead where it is loaded."""
