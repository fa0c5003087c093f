"""Groups of arrays as ArviZ's tools take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


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
