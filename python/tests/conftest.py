"""Data and helpers that several tests use."""

import os
import pathlib
import subprocess
import warnings

# scikit-learn's check of array-API input asks for it before scipy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest

import ta2s2

# The least that an average can be: members without transformations, for tests of what holds for any average.
MEMBERS = ["squared-exponential", "matern52"]
PAIR = {"model": "average", "average_over": ",".join(MEMBERS), "weighting": "evidence"}

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "examples" / "data"
PROGRAM = pathlib.Path(os.environ.get("TA2S2_PROGRAM", ROOT / "build" / "release" / "bin" / "ta2s2"))

needs_program = pytest.mark.skipif(
    not PROGRAM.exists(), reason="compares with the command-line program, which is not built (TA2S2_PROGRAM)"
)


def run_program(*arguments):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True)


def read_runs(path):
    """Column names, inputs and output of a CSV file; every number as exact as the program reads it."""
    header, *rows = pathlib.Path(path).read_text().splitlines()
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    return header.split(",")[:-1], table[:, :-1], table[:, -1]


@pytest.fixture(autouse=True)
def quiet_judgements():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ta2s2.errors.JudgementWarning)
        warnings.simplefilter("ignore", ta2s2.errors.DataNotice)
        yield


@pytest.fixture(scope="session")
def franke():
    return read_runs(DATA / "franke_train_1.csv")[1:]


@pytest.fixture(scope="session")
def franke_test():
    return read_runs(DATA / "franke_test.csv")[1:]


@pytest.fixture(scope="session")
def emulator(franke):
    """Fitted once; no test changes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ta2s2.EmulatorRegressor(samples=400, random_state=1, **PAIR).fit(*franke)
