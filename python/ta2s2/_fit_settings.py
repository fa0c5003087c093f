"""The settings of a fit as an estimator's parameters. Type checkers read _fit_settings.pyi, which tools/make_python_stub.py writes."""

from __future__ import annotations

import inspect
from typing import Any

from ._settings import DEFAULTS, current_names

# What only Python has.
PYTHON_DEFAULTS = {"progress": False}


def _signature() -> inspect.Signature:
    """Every setting of the option table, by keyword."""
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, default in {**DEFAULTS, **PYTHON_DEFAULTS}.items():
        parameters.append(inspect.Parameter(name, keyword_only, default=default))
    return inspect.Signature(parameters)


class FitSettings:
    """Keeps settings as attributes, the way scikit-learn's estimators do: __init__ stores, fit judges."""

    def __init__(self, **settings: Any) -> None:
        bound = type(self).__init__.__signature__.bind(self, **current_names(settings))  # type: ignore[attr-defined]
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = _signature()  # type: ignore[attr-defined]

    @classmethod
    def _setting_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name.

        >>> from ta2s2 import EmulatorRegressor
        >>> EmulatorRegressor(samples=500).get_params()["samples"]
        500
        """
        return {name: getattr(self, name) for name in self._setting_names()}

    def set_params(self, **settings: Any) -> FitSettings:
        """Changes settings; a later fit uses them.

        >>> from ta2s2 import EmulatorRegressor
        >>> EmulatorRegressor().set_params(trend="linear").trend
        'linear'
        """
        for name, value in current_names(settings).items():
            if name not in self._setting_names():
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._setting_names()!r}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {name: p.default for name, p in inspect.signature(type(self)).parameters.items()}
        changed = (f"{name}={value!r}" for name, value in self.get_params().items() if repr(value) != repr(defaults[name]))
        return f"{type(self).__name__}({', '.join(changed)})"
