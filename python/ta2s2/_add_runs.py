"""More runs for an emulator that has been fitted."""

from __future__ import annotations

import copy
import warnings
from typing import Any, Optional

from . import _arrays, _core
from ._progress import level_bar
from .errors import ConvergenceWarning, DataNotice


def with_more_runs(em: Any, points: Any, y: Any, seed: Optional[int]) -> Any:
    """A copy of the emulator `em` that has learnt from these runs too; `points` are the columns that its fit uses."""
    output = _arrays.vector(y, em, len(points))
    num_known = len(em.fit_.notices)
    updated = copy.copy(em)
    with level_bar(em.progress) as on_level:
        updated.fit_ = _core.add_runs(em.fit_, points, output, seed, em.threads, on_level)
    for sentence in updated.fit_.notices[num_known:-1]:  # the last one only tells what was done
        warnings.warn(sentence, DataNotice, stacklevel=3)
    if updated.fit_.is_doubtful:
        warnings.warn(updated.fit_.verdict, ConvergenceWarning, stacklevel=3)
    return updated
