"""Where to run the simulator."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from . import _core


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
