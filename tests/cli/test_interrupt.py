"""Ctrl-C, and a batch system's SIGTERM, end a long run soon, with exit code 5, a sentence and no file."""

import math
import random
import signal
import subprocess
import time

import pytest

from program import ANNEALED, DATA, FEW, INTERRUPTED, ONE, PROGRAM, TIMEOUT, files_in, fit, is_sanitised, write_csv

SIGNALS = [signal.SIGINT, signal.SIGTERM]
FEW_SECONDS = 60 if is_sanitised() else 10

FITS = {
    "ten inputs": ["wing_weight_train_1.csv", "--output", "weight", "--samples", "200000"],
    "two inputs": ["franke_train_1.csv", "--samples", "2000000"],
    "one thread": ["franke_train_1.csv", "--samples", "2000000", "--threads", "1"],
    "reference prior": ["wing_weight_train_1.csv", "--output", "weight", "--samples", "50000", "--prior", "reference"],
    "maximum": ["many.csv", "--output", "y", "--fast"],
}


@pytest.fixture(scope="module")
def many_runs(tmp_path_factory):
    """So many that even the maximum alone is half a minute's work."""
    chance = random.Random(1)
    points = [[chance.random() for _ in range(5)] for _ in range(1000)]
    rows = [[*x, sum(math.sin(3 * (i + 1) * value) for i, value in enumerate(x)) + 0.1 * chance.gauss(0.0, 1.0)] for x in points]
    return write_csv(tmp_path_factory.mktemp("many") / "many.csv", ["a", "b", "c", "d", "e", "y"], rows)


def start(folder, *arguments, program=PROGRAM):
    return subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def catches(process, which):
    """True once the program has put its own handler in place: before that a signal ends it like any program."""
    with open(f"/proc/{process.pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (which - 1) & 1


def interrupt(process, which):
    """Sends the signal and returns what the program printed, which must come within a few seconds."""
    assert process.poll() is None, "ended before it could be interrupted"
    process.send_signal(which)
    try:
        return process.communicate(timeout=FEW_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail(f"still running {FEW_SECONDS} s after {which.name}")


def check_stopped(process, stdout, stderr, folder, files):
    assert process.returncode == INTERRUPTED
    assert "ta2s2: interrupted; no output was written\n" in stderr
    assert stdout == ""
    assert files_in(folder) == files


@pytest.mark.parametrize("which", SIGNALS)
@pytest.mark.parametrize("name", FITS)
def test_a_fit_can_be_interrupted(name, which, many_runs, tmp_path):
    runs, *options = FITS[name]
    process = start(tmp_path, "fit", many_runs if runs == many_runs.name else DATA / runs, "-o", "model.json", *options)
    wait_until(lambda: files_in(tmp_path))  # the unfinished file
    time.sleep(1.0)
    check_stopped(process, *interrupt(process, which), tmp_path, [])


def test_a_fit_can_be_interrupted_at_any_level(tmp_path):
    process = start(tmp_path, "fit", DATA / "franke_train_1.csv", "-o", "model.json", *ANNEALED, "--samples", 4000,
                    "--ess-target", 0.98, "--progress", "plain", *ONE)
    levels = [process.stderr.readline() for _ in range(3)]
    assert all(line.startswith("level") for line in levels)
    check_stopped(process, *interrupt(process, signal.SIGINT), tmp_path, [])


def test_an_old_model_survives(tmp_path):
    model = fit(DATA / "franke_train_1.csv", tmp_path / "model.json", *FEW)
    before = model.read_bytes()
    process = start(tmp_path, "fit", DATA / "franke_train_1.csv", "-o", "model.json", "--samples", 2000000)
    wait_until(lambda: len(files_in(tmp_path)) == 2)
    time.sleep(0.5)
    check_stopped(process, *interrupt(process, signal.SIGINT), tmp_path, ["model.json"])
    assert model.read_bytes() == before


@pytest.mark.parametrize("which", SIGNALS)
def test_a_prediction_can_be_interrupted(which, franke_model, tmp_path):
    points = write_csv(tmp_path / "points.csv", ["x1", "x2"], [(i * 1e-6, 0.5) for i in range(200000)])
    process = start(tmp_path, "predict", franke_model, points, "-o", "predictions.csv")
    wait_until(lambda: len(files_in(tmp_path)) == 2)
    time.sleep(0.5)
    check_stopped(process, *interrupt(process, which), tmp_path, ["points.csv"])


def test_a_design_can_be_interrupted(tmp_path):
    process = start(tmp_path, "design", "--inputs", 20, "--runs", 1000000, "-o", "design.csv")
    time.sleep(0.3)  # a fast machine needs some three seconds for it
    interrupt(process, signal.SIGINT)
    assert process.returncode in (INTERRUPTED, -signal.SIGINT)
    assert files_in(tmp_path) == []


def test_a_validation_can_be_interrupted(franke_model, tmp_path):
    runs = write_csv(tmp_path / "runs.csv", ["x1", "x2", "y"], [(i * 1e-6, 0.5, 0.1) for i in range(100000)])
    process = start(tmp_path, "validate", franke_model, runs)
    wait_until(lambda: catches(process, signal.SIGINT))
    time.sleep(0.5)
    stdout, stderr = interrupt(process, signal.SIGINT)
    assert (process.returncode, stdout) == (INTERRUPTED, "")
    assert "ta2s2: interrupted" in stderr


def test_added_runs_can_be_interrupted(tmp_path):
    model = fit(DATA / "franke_train_1.csv", tmp_path / "model.json", *FEW)
    before = model.read_bytes()
    more = [((i * 0.618) % 1.0, i / 1500, i * 0.01 % 1.0) for i in range(1500)]
    write_csv(tmp_path / "more.csv", ["x1", "x2", "y"], more)
    process = start(tmp_path, "add-runs", "model.json", "more.csv", "-o", "model2.json")
    wait_until(lambda: len(files_in(tmp_path)) == 3)
    time.sleep(0.5)
    check_stopped(process, *interrupt(process, signal.SIGINT), tmp_path, ["model.json", "more.csv"])
    assert model.read_bytes() == before
