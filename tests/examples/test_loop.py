"""examples/loop: a simulator in the loop, and what becomes of it when it is killed."""

import csv
import math
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOOP = SOURCE / "examples" / "loop"
PROGRAM = os.environ.get("TA2S2_PROGRAM", str(SOURCE / "build" / "release" / "bin" / "ta2s2"))


def loop(folder, run, *options, runs=10):
    words = ["--run", run, "--ranges", LOOP / "ranges.csv", "--output", "y", "--folder", folder, "--program", PROGRAM,
             "--start", 8, "--batch", 2, "--runs", runs, *options]
    return subprocess.run([sys.executable, LOOP / "loop.py", *map(str, words)], capture_output=True, text=True,
                          timeout=300, check=False)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def branin(x1, x2):
    return ((x2 - 5.1 / (4 * math.pi ** 2) * x1 ** 2 + 5 / math.pi * x1 - 6) ** 2
            + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x1) + 10)


def test_makes_the_runs_that_were_asked_for(tmp_path):
    result = loop(tmp_path, f"{LOOP / 'sim'} {{inputs}}")
    assert result.returncode == 0, result.stderr
    header, *runs = rows(tmp_path / "runs.csv")
    assert header == ["x1", "x2", "y"]
    assert len(runs) == 10
    for x1, x2, y in [map(float, run) for run in runs]:
        assert -5 <= x1 <= 10 and 0 <= x2 <= 15
        assert math.isclose(y, branin(x1, x2), rel_tol=1e-12)


# The simulator kills the loop at its third and at its tenth run, before it gives a result. The runs are those of a
# loop that nobody disturbs, and none is made twice but the one under way.
def test_goes_on_after_a_kill(tmp_path):
    undisturbed, folder = tmp_path / "undisturbed", tmp_path / "killed"
    assert loop(undisturbed, f"{LOOP / 'sim'} {{inputs}}").returncode == 0
    calls = tmp_path / "calls"
    deadly = tmp_path / "deadly"
    deadly.write_text(f"#!/bin/sh\necho x >> {calls}\nn=$(wc -l < {calls})\n"
                      f"if [ $n = 3 ] || [ $n = 10 ]; then kill -9 $PPID; exit 1; fi\nexec {LOOP / 'sim'} \"$@\"\n")
    deadly.chmod(0o755)
    codes = [loop(folder, f"{deadly} {{x1}} {{x2}}").returncode for _ in range(3)]
    assert codes == [-9, -9, 0]
    assert rows(folder / "runs.csv") == rows(undisturbed / "runs.csv")
    assert len(calls.read_text().splitlines()) == 10 + 2


# Nothing is got for x1 < 0: such runs are noted and not repeated, and the loop learns to keep away. One that does not had
# 21 failures before its eleventh run.
def test_notes_failed_runs(tmp_path):
    fussy = tmp_path / "fussy"
    fussy.write_text(f"#!/bin/sh\ncase $1 in -*) exit 3;; esac\nexec {LOOP / 'sim'} \"$@\"\n")
    fussy.chmod(0o755)
    result = loop(tmp_path, f"{fussy} {{inputs}}", "--failures", 18, runs=12)
    assert result.returncode == 0, result.stderr
    failed = [list(map(float, row)) for row in rows(tmp_path / "failed.csv")[1:]]
    assert failed and all(x1 < 0 for x1, _ in failed)
    assert len({tuple(point) for point in failed}) == len(failed)
    assert len(rows(tmp_path / "runs.csv")) == 13


def test_gives_up_when_too_many_fail(tmp_path):
    result = loop(tmp_path, "false {inputs}", "--failures", 3)
    assert result.returncode == 1
    assert "found 4 failed runs, expected at most 3" in result.stderr
