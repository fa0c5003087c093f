"""The option table of the C++ library as keyword arguments: names, defaults, ranges and words are written there alone."""

from __future__ import annotations

import inspect
import os
from numbers import Integral, Real
from typing import Any

from . import _core

OPTIONS = {option["name"]: option for option in _core.option_table()}

# scikit-learn has its own word for a seed.
_RENAMED = {"seed": "random_state"}


def python_name(option: str) -> str:
    """The keyword for an option of the command line: chain-length is chain_length, seed is random_state."""
    return _RENAMED.get(option, option.replace("-", "_"))


def from_text(text: str) -> Any:
    """A setting's text as the Python value that stands for it."""
    if text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    parts = text.split(",")
    if len(parts) == 2 and all(isinstance(from_text(part), (int, float)) for part in parts):
        return tuple(from_text(part) for part in parts)
    return text


def to_text(value: Any) -> str:
    """A Python value as the text that the option table reads; the table judges it."""
    if value is None:
        return ""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, dict):
        return ";".join(f"{name}={to_text(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return ",".join(to_text(part) for part in value)
    return str(value)


DEFAULTS = {python_name(name): from_text(option["default"]) for name, option in OPTIONS.items()}


def given_settings(values: dict[str, Any]) -> list[tuple[str, str]]:
    """What differs from the defaults, as the table's names and texts: a setting that has its default counts as not given."""
    settings = [(name, to_text(values[python_name(name)])) for name in OPTIONS if python_name(name) in values]
    return [(name, text) for name, text in settings if text != to_text(DEFAULTS[python_name(name)])]


def describe(names: list[str]) -> str:
    """The "Parameters" part of a docstring."""
    lines = []
    for name in names:
        option = OPTIONS[name]
        symbol = f" [paper: {option['symbol']}]" if option["symbol"] else ""
        lines.append(f"    {python_name(name)} : default {DEFAULTS[python_name(name)]!r}")
        lines.append(f"        {option['help'][:1].upper()}{option['help'][1:]}{symbol}: {option['range']}.")
    return "\n".join(lines)


class SettingsHolder:
    """Keeps settings as attributes, the way scikit-learn's estimators do: __init__ stores, fit judges."""

    def __init__(self, **settings: Any) -> None:
        bound = type(self).__init__.__signature__.bind(self, **settings)  # type: ignore[attr-defined]
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

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

    def set_params(self, **settings: Any) -> SettingsHolder:
        """Changes settings; a later fit uses them.

        >>> from ta2s2 import EmulatorRegressor
        >>> EmulatorRegressor().set_params(trend="linear").trend
        'linear'
        """
        for name, value in settings.items():
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


def keywords(**others: Any) -> inspect.Signature:
    """The signature of an __init__ that takes every setting of the table, and others, by keyword."""
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, default in {**DEFAULTS, **others}.items():
        parameters.append(inspect.Parameter(name, keyword_only, default=default))
    return inspect.Signature(parameters)
