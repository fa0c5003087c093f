"""How every golden file is written: repository paths, provenance fields, and numbers that keep all their digits.

A JSON number here is the shortest text that reads back as the nearest double (at most 17 significant digits).
"""

import json
import pathlib
import platform

import mpmath
import numpy
import scipy

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN_FOLDER = ROOT / "tests" / "golden" / "data"
EXAMPLE_FOLDER = ROOT / "examples" / "data"


def plain(value):
    """The value with every mpmath or numpy number turned into the nearest double, containers kept."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, numpy.ndarray):
        return plain(value.tolist())
    if isinstance(value, mpmath.matrix):
        return [[plain(value[i, j]) for j in range(value.cols)] for i in range(value.rows)]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, mpmath.mpf):
        # float(mpf) truncates; through 25 digits of text it rounds to nearest.
        return float(mpmath.nstr(value, 25))
    if isinstance(value, numpy.generic):
        return value.item()
    return value


def one_line_leaves(value, indent=0):
    """JSON text with a line per entry, but lists of plain numbers, and lists of such lists, on one line."""
    pad = " " * (indent + 1)
    if isinstance(value, dict) and value:
        entries = [f"{pad}{json.dumps(key)}: {one_line_leaves(item, indent + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(entries) + "\n" + " " * indent + "}"
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        entries = [pad + one_line_leaves(item, indent + 1) for item in value]
        return "[\n" + ",\n".join(entries) + "\n" + " " * indent + "]"
    return json.dumps(value, allow_nan=False)


def write_golden(name, script, tool, body):
    """Write tests/golden/data/<name>: provenance first, then the entries of body."""
    record = {
        "tool": tool,
        "script": f"tools/make_golden/{script}",
        "versions": {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
            "mpmath": mpmath.__version__,
        },
    }
    record.update(plain(body))
    GOLDEN_FOLDER.mkdir(parents=True, exist_ok=True)
    (GOLDEN_FOLDER / name).write_text(one_line_leaves(record) + "\n", encoding="utf-8")


def write_csv(name, header, rows):
    """Write examples/data/<name>: commas, LF, each double as the shortest text that reads back exactly."""
    lines = [",".join(header)] + [",".join(repr(float(v)) for v in row) for row in rows]
    EXAMPLE_FOLDER.mkdir(parents=True, exist_ok=True)
    (EXAMPLE_FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
