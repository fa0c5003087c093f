#!/usr/bin/env python3
"""Writes python/ta2s2/_fit_settings.pyi: the option table as a signature that editors and type checkers can read.

Run it with the package installed after a change of the option table; a test compares.
"""

import pathlib
from typing import Any

from ta2s2._fit_settings import PYTHON_DEFAULTS
from ta2s2._settings import DEFAULTS, OPTIONS, from_text, python_name

TARGET = pathlib.Path(__file__).resolve().parents[1] / "python" / "ta2s2" / "_fit_settings.pyi"

HEADER = '''# Written by tools/make_python_stub.py from the option table.
import os
from typing import Any, Literal, Optional, Sequence, Union

Text = Union[str, float, dict[str, Any], Sequence[str], os.PathLike[str], None]

PYTHON_DEFAULTS: dict[str, Any]

class FitSettings:
'''

RANGES = {python_name(name): option["range"] for name, option in OPTIONS.items()}
CHOSEN = {python_name(name): from_text(option["default"]) for name, option in OPTIONS.items()}

FOOTER = '''    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **settings: Any) -> Any: ...
'''


def type_of(name: str, value: Any) -> str:
    """Of a setting that is None if it is not given, after the value that the library would choose."""
    if name == "random_state":
        return "Any"
    if value is not None:
        return type(value).__name__
    chosen = CHOSEN[name]
    word, _, rest = RANGES[name].partition(", or ")
    if rest.startswith("a whole number"):
        return f'Union[int, Literal["{word}"], None]'
    if isinstance(chosen, tuple):
        return "Optional[tuple[float, float]]"
    return "Text" if chosen is None or isinstance(chosen, str) else f"Optional[{type(chosen).__name__}]"


def stub() -> str:
    settings = {**DEFAULTS, **PYTHON_DEFAULTS}
    attributes = "".join(f"    {name}: {type_of(name, value)}\n" for name, value in settings.items())
    arguments = "".join(f"        {name}: {type_of(name, value)} = {value!r},\n" for name, value in settings.items())
    return f"{HEADER}{attributes}    def __init__(\n        self,\n        *,\n{arguments}    ) -> None: ...\n{FOOTER}"


if __name__ == "__main__":
    TARGET.write_text(stub())
