"""Users' tables and lists as arrays of float64, judged with scikit-learn's sentences but without scikit-learn."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np


def _from_sklearn(name: str, fallback: type) -> type:
    """scikit-learn's own class where its user has loaded it: its tools look for that one."""
    if "sklearn" not in sys.modules:
        return fallback
    import sklearn.exceptions

    return getattr(sklearn.exceptions, name)


def not_fitted(estimator: Any) -> Exception:
    from .errors import NotFittedError

    kind = _from_sklearn("NotFittedError", NotFittedError)
    return kind(
        f"This {type(estimator).__name__} instance is not fitted yet. "
        "Call 'fit' with appropriate arguments before using this estimator."
    )


def column_names(X: Any) -> np.ndarray | None:
    """A table's column names if all are text, else None; a mixture is an error."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    names = list(columns)
    are_text = [isinstance(name, str) for name in names]
    if any(are_text) and not all(are_text):
        kinds = sorted({type(name).__qualname__ for name in names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{kinds} as feature name / column name types. If you want feature names to be stored and validated, you must "
            "convert them all to strings, by using X.columns = X.columns.astype(str) for example."
        )
    return np.asarray(names, dtype=object) if names and all(are_text) else None


def _as_float64(values: Any, name: str) -> np.ndarray:
    if hasattr(values, "tocsr") or hasattr(values, "tocoo"):
        raise TypeError(
            f"Sparse data was passed for {name}, but dense data is required. Use '.toarray()' to convert to a dense numpy array."
        )
    array = np.asarray(values)
    if array.dtype.kind == "c" or (array.dtype.kind == "O" and any(isinstance(v, complex) for v in array.flat)):
        raise ValueError(f"Complex data not supported: {name}")
    return np.asarray(array, dtype=np.float64)


def _require_finite(array: np.ndarray, name: str) -> None:
    if np.isfinite(array).all():
        return
    what = "NaN" if np.isnan(array).any() else "infinity or a value too large for dtype('float64')"
    raise ValueError(f"Input {name} contains {what}.")


def matrix(X: Any, estimator: Any, least_rows: int = 1) -> np.ndarray:
    """X as a float64 array of two dimensions; the caller's own memory if it is one already."""
    array = _as_float64(X, "X")
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data either using array.reshape(-1, 1) if "
            "your data has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    if array.shape[0] < least_rows:
        raise ValueError(
            f"Found array with {array.shape[0]} sample(s) (shape={array.shape}) while a minimum of {least_rows} is "
            f"required by {type(estimator).__name__}."
        )
    if array.shape[1] < 1:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required by {type(estimator).__name__}."
        )
    _require_finite(array, "X")
    return array


def outputs(y: Any, estimator: Any, num_rows: int, num_outputs: int | None = None) -> np.ndarray:
    """y as a float64 array of two dimensions: a column for each output, as many as `num_outputs` if that is given."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    array = _as_float64(y, "y")
    if array.ndim not in (1, 2) or array.ndim == 2 and array.shape[1] == 0:
        raise ValueError(f"y should be a 1d or 2d array, got an array of shape {array.shape} instead.")
    if len(array) != num_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{num_rows}, {len(array)}]")
    _require_finite(array, "y")
    columns = array[:, None] if array.ndim == 1 else array
    if num_outputs is not None and columns.shape[1] != num_outputs:
        raise ValueError(f"Found y with {columns.shape[1]} column(s), expected {num_outputs}: one for each output.")
    return columns


def require_same_columns(X: Any, estimator: Any) -> None:
    """Complains, as scikit-learn does, of a table whose columns are not those of the fit."""
    seen = getattr(estimator, "feature_names_in_", None)
    names = column_names(X)
    kind = type(estimator).__name__
    if seen is None and names is None:
        return
    if seen is None:
        warnings.warn(f"X has feature names, but {kind} was fitted without feature names", stacklevel=4)
    elif names is None:
        warnings.warn(f"X does not have valid feature names, but {kind} was fitted with feature names", stacklevel=4)
    elif list(seen) != list(names):
        raise ValueError(_difference(list(seen), list(names)))


def _difference(seen: list[str], names: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unexpected, missing = sorted(set(names) - set(seen)), sorted(set(seen) - set(names))
    for title, some in (("unseen at fit time", unexpected), ("seen at fit time, yet now missing", missing)):
        if some:
            message += f"Feature names {title}:\n" + "".join(f"- {name}\n" for name in some[:5])
            message += "- ...\n" if len(some) > 5 else ""
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def require_same_width(array: np.ndarray, estimator: Any) -> None:
    if array.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {array.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
