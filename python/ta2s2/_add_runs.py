"""More runs for an emulator that has been fitted."""

from __future__ import annotations

import copy
import warnings
from typing import Any, Optional

from . import _arrays, _core
from ._judgement import judgement_of, warn_of
from ._progress import level_bar
from .errors import DataNotice


def with_more_runs(em: Any, points: Any, y: Any, seed: Optional[int]) -> Any:
    """A copy of the emulator `em` that has learnt from these runs too; `points` are the columns that its fit uses."""
    outputs = _arrays.outputs(y, em, len(points), len(em.fits_))
    updated = copy.copy(em)
    with level_bar(em.progress) as on_level:
        updated.fits_, notices = _core.add_runs(em.fits_, points, outputs, seed, em.threads, on_level)
    for sentence in notices:
        warnings.warn(sentence, DataNotice, stacklevel=3)
    warn_of(map(judgement_of, updated.fits_), stacklevel=3)
    return updated
