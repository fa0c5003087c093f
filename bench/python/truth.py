"""Means and sds of every log phi under the shared posterior, and its log evidence, that peers are held against.

Franke: quadrature. Wing weight: a long run of ta2s2, held against a long run of another algorithm, ta2s2's own NUTS, which shares
the density and nothing else.
"""
import json
import math
import pathlib

import numpy as np

from density import Density
from problems import BOX

LONG = 60000  # draws per level


def weighted(draws, weights):
    mean = weights @ draws
    return mean, np.sqrt(weights @ (draws - mean) ** 2)


def by_quadrature(problem, nodes=701):
    density = Density(problem)
    axis = np.linspace(*BOX, nodes)
    rows = [density.likelihood(np.column_stack([np.full(nodes, a), axis])) for a in axis]
    points = np.array([(a, b) for a in axis for b in axis])
    ends = np.ones(nodes)
    ends[[0, -1]] = 0.5
    log_masses = np.concatenate(rows) + np.log(np.outer(ends, ends).ravel())
    top = log_masses.max()
    masses = np.exp(log_masses - top)
    log_evidence = top + math.log(masses.sum()) - 2 * math.log(nodes - 1)
    mean, sd = weighted(points, masses / masses.sum())
    return {"mean": mean.tolist(), "sd": sd.tolist(), "log_evidence": log_evidence, "how": f"quadrature, {nodes} nodes per coordinate"}


def by_long_runs(problem):
    from peers.ta2s2_fit import SHARED, Peer

    run = Peer(problem, samples=LONG, **SHARED).run(seed=1001)
    other = Peer(problem, samples=LONG // 6, sampler="nuts", groups=4, **SHARED).run(seed=1002)
    (mean, sd), (mean_2, _) = weighted(run.draws, run.weights), weighted(other.draws, other.weights)
    error = sd * math.sqrt(1 / run.own_ess + 1 / other.own_ess)
    return {"mean": mean.tolist(), "sd": sd.tolist(), "log_evidence": run.log_evidence, "ess": run.own_ess,
            "largest_z_between": float(np.max(np.abs(mean - mean_2) / error)),
            "how": f"ta2s2 with {LONG} draws per level, effective size {run.own_ess:.0f}"}


def truth(problem, folder):
    """Computed once, then read."""
    path = pathlib.Path(folder) / f"{problem.name}.truth.json"
    if not path.exists():
        found = by_quadrature(problem) if problem.p == 2 else by_long_runs(problem)
        path.write_text(json.dumps(found, indent=1))
    return json.loads(path.read_text())
