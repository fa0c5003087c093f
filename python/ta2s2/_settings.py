"""The option table of the C++ library as keyword arguments: names, defaults, ranges and words are written there alone."""

from __future__ import annotations

import os
from numbers import Integral, Real
from typing import Any

from . import _core

OPTIONS = {option["name"]: option for option in _core.option_table()}

# scikit-learn has its own word for a seed, and a method `transform`.
_RENAMED = {"seed": "random_state", "transform": "output_transform"}


def python_name(option: str) -> str:
    """The keyword for an option of the command line: chain-length is chain_length, seed is random_state,
    transform is output_transform."""
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


# A setting that is None is not given, and the library chooses it; these two have a value, as scikit-learn's users expect.
DEFAULTS = {**{python_name(name): None for name in OPTIONS}, "random_state": 1, "threads": 0}

# Earlier names of keywords.
ALIASES = {python_name(option["alias"]): python_name(name) for name, option in OPTIONS.items() if option["alias"]}


def current_names(settings: dict[str, Any]) -> dict[str, Any]:
    """The same by the names that keywords have today."""
    return {ALIASES.get(name, name): value for name, value in settings.items()}


def given_settings(values: dict[str, Any]) -> list[tuple[str, str]]:
    """What is given, as the table's names and texts."""
    given = [(name, values.get(python_name(name))) for name in OPTIONS]
    return [(name, to_text(value)) for name, value in given if value is not None]


def describe(names: list[str]) -> str:
    """The "Parameters" part of a docstring."""
    lines = []
    for name in names:
        option = OPTIONS[name]
        symbol = f" [paper: {option['symbol']}]" if option["symbol"] else ""
        default = from_text(option["default"])
        lines.append(f"    {python_name(name)} : default {default!r}")
        lines.append(f"        {option['help'][:1].upper()}{option['help'][1:]}{symbol}: {option['range']}.")
    return "\n".join(lines)
