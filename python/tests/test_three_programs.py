"""examples/emulate, a Python script and a shell script do the same work: the same model file and the same predictions."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import DATA, PROGRAM, ROOT, needs_program

EMULATE = pathlib.Path(os.environ.get("TA2S2_EXAMPLES", ROOT / "build" / "release" / "examples")) / "emulate"
RUNS, POINTS = DATA / "franke_train_1.csv", DATA / "franke_test.csv"

PYTHON = """
import sys
import pandas
from ta2s2 import EmulatorRegressor
runs = pandas.read_csv(sys.argv[1], float_precision="round_trip")
em = EmulatorRegressor(trend="linear", random_state={seed}, threads=2, output="y").fit(runs.drop(columns="y"), runs["y"])
em.save("model.json")
print(em.judgement_.grade + ": " + em.judgement_.headline)
em.predict_csv(sys.argv[2], "predictions.csv", quantiles=[0.025, 0.975])
"""

SHELL = """
"$0" fit "$1" --output y --trend linear --seed 7 --threads 2 --quiet -o model.json
"$0" predict model.json "$2" --quantiles 0.025,0.975 -o predictions.csv
"""


def results(folder, *command):
    """The model file but for the times that it took, the predictions, and what was printed."""
    folder.mkdir()
    said = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    lines = (folder / "model.json").read_bytes().splitlines()
    kept = [line for line in lines if not line.startswith(b'"times"')]
    assert len(kept) == len(lines) - 1
    return kept, (folder / "predictions.csv").read_bytes(), said.stdout.splitlines()


def python(folder, seed):
    return results(folder, sys.executable, "-W", "ignore", "-c", PYTHON.format(seed=seed), RUNS, POINTS)


@pytest.fixture(scope="module")
def by_emulate(tmp_path_factory):
    if not EMULATE.exists():
        pytest.skip("the example emulate is not built (TA2S2_EXAMPLES)")
    return results(tmp_path_factory.mktemp("three") / "emulate", EMULATE, RUNS, POINTS, ".")


def test_python_does_as_the_example(by_emulate, tmp_path):
    model, predictions, said = python(tmp_path / "python", 7)
    assert model == by_emulate[0]
    assert predictions == by_emulate[1]
    assert said == by_emulate[2][:1]  # its judgement
    assert predictions.count(b"\n") == 101 and predictions.startswith(b"x1,x2,")


@needs_program
def test_the_shell_does_as_the_example(by_emulate, tmp_path):
    model, predictions, _ = results(tmp_path / "shell", "sh", "-ec", SHELL, PROGRAM, RUNS, POINTS)
    assert model == by_emulate[0]
    assert predictions == by_emulate[1]


def test_other_work_has_other_results(by_emulate, tmp_path):
    model, predictions, _ = python(tmp_path / "python", 8)
    assert model != by_emulate[0] and predictions != by_emulate[1]
