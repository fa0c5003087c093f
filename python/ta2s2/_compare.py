"""Models of the same runs beside one another."""

from __future__ import annotations

import warnings
from typing import Any, Sequence, Union

from . import _arrays, _core, _settings
from ._emulator import _LEAST_RUNS, EmulatorRegressor, _default_names
from .errors import DataNotice

Choices = Union[str, Sequence[str]]


def compare(
    X: Any,
    y: Any,
    *,
    correlation: Choices = "auto",
    trend: Choices = "constant",
    prior: Choices = _settings.OPTIONS["prior"]["default"],
    transform: Choices = "",
    **settings: Any,
) -> list[dict[str, Any]]:
    """Fits every combination of correlations, transformations, trends and priors: ``ta2s2 compare``.

    Parameters
    ----------
    X, y : runs, as for ``EmulatorRegressor.fit``.
    correlation, transform, trend, prior : one choice, several in a list, or "all" (every correlation or transformation; the trends
        constant and linear). "auto" compares the squared exponential, Matern 5/2 and Matern 3/2. With several
        trends all coefficients but the intercept have a prior worth one run, since evidences under flat ones do not compare.
    settings : any other setting of ``EmulatorRegressor``.

    Returns
    -------
    A dictionary per model, largest evidence first: its settings, `log_evidence` with `log_evidence_error`, `log_bayes_factor` against
    the first with its error, `weight` by evidence with `weight_low` and `weight_high` (5% and 95%, from the evidences' errors),
    `stacking_weight`, leave-one-out scores `loo_crps` (better when small) and `loo_log_density` (better when large), `seconds`,
    `verdict`. ``pandas.DataFrame(compare(X, y))`` is a table.

    Examples
    --------
    >>> import numpy as np
    >>> from ta2s2 import compare
    >>> x = np.linspace(0, 1, 10)[:, None]
    >>> models = compare(x, np.sin(6 * x[:, 0]), correlation=["squared-exponential", "matern32"], samples=200)
    >>> models[0]["correlation"]
    'squared-exponential'
    """
    emulator = EmulatorRegressor(**settings)
    names = _arrays.column_names(X)
    inputs = _arrays.matrix(X, emulator, _LEAST_RUNS)
    output = _arrays.outputs(y, emulator, len(inputs), 1)
    all_names = _default_names(inputs.shape[1]) if names is None else list(names)
    chosen = emulator._chosen_columns(all_names)
    models, notices = _core.compare(
        inputs[:, chosen],
        output,
        [all_names[i] for i in chosen],
        emulator.output or str(getattr(y, "name", None) or "y"),
        emulator._given_settings(),
        *(_settings.to_text(choices) for choices in (correlation, trend, prior, transform)),
        emulator._declared_ranges(),
    )
    for sentence in notices:
        warnings.warn(sentence, DataNotice, stacklevel=2)
    return models
