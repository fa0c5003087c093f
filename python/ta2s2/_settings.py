"""The option table of the C++ library as keyword arguments: names, defaults, ranges and words are written there alone."""

from __future__ import annotations

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
