#!/usr/bin/env python3
"""Writes python/ta2s2/_fit_settings.pyi: the option table as a signature that editors and type checkers can read.

Run it with the package installed after a change of the option table; a test compares.
"""

import pathlib
from typing import Any

from ta2s2._fit_settings import PYTHON_DEFAULTS
from ta2s2._settings import DEFAULTS

TARGET = pathlib.Path(__file__).resolve().parents[1] / "python" / "ta2s2" / "_fit_settings.pyi"

HEADER = '''# Written by tools/make_python_stub.py from the option table.
import os
from typing import Any, Sequence, Union

Text = Union[str, float, dict[str, Any], Sequence[str], os.PathLike[str], None]

PYTHON_DEFAULTS: dict[str, Any]

class FitSettings:
'''

FOOTER = '''    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **settings: Any) -> Any: ...
'''


def type_of(name: str, default: Any) -> str:
    if name == "random_state":
        return "Any"
    if isinstance(default, tuple):
        return "tuple[float, float]"
    return "Text" if default is None or isinstance(default, str) else type(default).__name__


def stub() -> str:
    settings = {**DEFAULTS, **PYTHON_DEFAULTS}
    attributes = "".join(f"    {name}: {type_of(name, value)}\n" for name, value in settings.items())
    arguments = "".join(f"        {name}: {type_of(name, value)} = {value!r},\n" for name, value in settings.items())
    return f"{HEADER}{attributes}    def __init__(\n        self,\n        *,\n{arguments}    ) -> None: ...\n{FOOTER}"


if __name__ == "__main__":
    TARGET.write_text(stub())
