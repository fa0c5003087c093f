"""What one run of a peer gives back."""
import dataclasses
from typing import Optional

import numpy as np


@dataclasses.dataclass
class Run:
    seconds: float  # of sampling or fitting, warm-up included, imports and compilation not
    evaluations: Optional[int] = None  # of the log density, or of its gradient where there is one
    draws: Optional[np.ndarray] = None  # log phi, a row per draw
    weights: Optional[np.ndarray] = None  # equal if not given
    is_chain: bool = False  # draws in the order of one Markov chain: ArviZ's effective size has a meaning
    walkers: int = 1  # draws are this many chains, one after another
    log_evidence: Optional[float] = None
    own_ess: Optional[float] = None  # what the peer itself reports
    # Draws of new outputs at the test points, standardised, a row per draw; made from `draws` if not given.
    predictions: Optional[np.ndarray] = None
    scores: Optional[dict] = None  # exact ones, where the tool has them and the shared code cannot predict
