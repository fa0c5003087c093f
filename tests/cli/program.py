"""The program as its users meet it: a command line in; exit code, text and files out."""

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
DATA = SOURCE / "examples" / "data"
PROGRAM = os.environ.get("TA2S2_PROGRAM", str(SOURCE / "build" / "release" / "bin" / "ta2s2"))
LAB = os.environ.get("TA2S2_LAB", PROGRAM + "-lab")

# Generous: sanitizer builds run these tests too, several at a time.
TIMEOUT = 300

DONE, INTERNAL, USAGE, BAD_DATA, BAD_FILE, INTERRUPTED, CANNOT_WRITE, RESUMABLE, JUDGED_BAD = range(9)

# One model, for tests that look into its file; and the least that a fit can cost: enough wherever a test looks at anything but the sample itself.
ONE = ("--model", "single")
ANNEALED = ("--sampler", "annealed")
FEW = (*ANNEALED, "--samples", "60", *ONE)

# The least that an average can be: members without transformations, for tests of what holds for any average.
MEMBERS = ("squared-exponential", "matern52")
PAIR = ("--model", "average", "--average-over", ",".join(MEMBERS), "--weighting", "evidence")


def run(*arguments, cwd=None, env=None, stdout=subprocess.PIPE, program=PROGRAM):
    """The finished process, with .returncode, .stdout and .stderr; it ran in `cwd`."""
    command = [program, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=env, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          timeout=TIMEOUT, check=False)


def run_well(*arguments, **keywords):
    """The same, for a command that must succeed."""
    result = run(*arguments, **keywords)
    assert result.returncode == DONE, f"{arguments}: exit code {result.returncode}\n{result.stderr}"
    return result


def but_for_warnings(text):
    """What else stands on stderr: a fit that is small enough for a test is warned of."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("warning: "))


def fit(runs, model, *options):
    """Fits quietly and returns the model file."""
    run_well("fit", runs, "--quiet", "-o", model, *options)
    return model


def show(model):
    return json.loads(run_well("show", model, "--json").stdout)


def validate(model, runs):
    return json.loads(run_well("validate", model, runs, "--json").stdout)


def predict(model, points, *options):
    """Columns of the predictions, by name."""
    return columns(run_well("predict", model, points, *options).stdout)


def draws(model):
    return columns(run_well("draws", model).stdout)


def table(text):
    """Header and rows of a CSV text, as the program writes it."""
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


def columns(text):
    header, rows = table(text)
    assert len(set(header)) == len(header)
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


def read_columns(path):
    return columns(Path(path).read_text())


def write_csv(path, header, rows):
    lines = [",".join(header)] + [",".join(repr(float(cell)) for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def read_model(path):
    return json.loads(Path(path).read_text())


def without_times(model):
    """The model file's bytes without the one line that holds times."""
    text, count = re.subn(rb'(?m)^"times": .*\n', b"", Path(model).read_bytes())
    assert count == 1
    return text


def files_in(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def is_sanitised():
    """Sanitizers multiply memory and time, so limits on those say nothing there."""
    content = Path(PROGRAM).read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content
