"""A fit with a checkpoint can be ended and goes on to the same bits."""

import signal
import subprocess
import sys
import time

import pytest
from conftest import DATA, needs_program, read_runs, run_program

from ta2s2 import EmulatorRegressor, errors

# Some seconds of work of one model, in levels of about one.
SETTINGS = {"samples": 400, "prior": "reference", "model": "single", "random_state": 1}
FIT = f"""
import sys, warnings
sys.path.insert(0, sys.argv[1])
from conftest import DATA, read_runs
from ta2s2 import EmulatorRegressor
warnings.simplefilter("ignore")
EmulatorRegressor(checkpoint=sys.argv[2], **{SETTINGS}).fit(*read_runs(DATA / "wing_weight_train_1.csv")[1:])
"""


@pytest.fixture(scope="module")
def wing():
    return read_runs(DATA / "wing_weight_train_1.csv")[1:]


def without_times(em):
    lines = em.fit_.text().splitlines()
    kept = [line for line in lines if not line.startswith('"times"')]
    assert len(kept) == len(lines) - 1
    return kept


@pytest.fixture(scope="module")
def whole_model(wing):
    """The model file of a fit that nobody ended."""
    return without_times(EmulatorRegressor(**SETTINGS).fit(*wing))


@pytest.fixture
def ended(franke, tmp_path):
    """A checkpoint of a fit that its time limit ended, and the settings to go on with."""
    settings = {"samples": 6000, "random_state": 1, "checkpoint": tmp_path / "run.ckpt"}
    with pytest.raises(errors.ResumableRun):
        EmulatorRegressor(time_limit=0.1, **settings).fit(*franke)
    assert settings["checkpoint"].exists()
    return settings


def test_ctrl_c_keeps_what_is_done(wing, whole_model, tmp_path):
    checkpoint = tmp_path / "run.ckpt"
    process = subprocess.Popen(
        [sys.executable, "-c", FIT, DATA.parents[1] / "python" / "tests", checkpoint], stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + 60
        while not checkpoint.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        at_first = checkpoint.stat().st_size
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said.strip().splitlines()[-1] == "KeyboardInterrupt"
    assert checkpoint.stat().st_size > 2 * at_first  # holds results, not settings alone
    assert without_times(EmulatorRegressor(checkpoint=checkpoint, **SETTINGS).fit(*wing)) == whole_model
    assert list(tmp_path.iterdir()) == []


def test_a_time_limit_raises_an_exception_of_its_own(wing, whole_model, tmp_path):
    checkpoint = tmp_path / "run.ckpt"
    em = EmulatorRegressor(checkpoint=checkpoint, time_limit="1s", **SETTINGS)
    with pytest.raises(errors.ResumableRun) as raised:
        em.fit(*wing)
    expected = f'call fit() again with the same data and settings and checkpoint="{checkpoint}"'
    assert str(raised.value) == "interrupted; what was done is kept: " + expected
    em.set_params(time_limit="none", threads=1, checkpoint_every="5s")  # how to go on may be chosen anew
    assert without_times(em.fit(*wing)) == whole_model
    assert list(tmp_path.iterdir()) == []


def test_a_fit_that_ends_leaves_no_checkpoint(franke, tmp_path):
    plain = EmulatorRegressor(samples=200).fit(*franke)
    kept = EmulatorRegressor(samples=200, checkpoint=tmp_path / "run.ckpt").fit(*franke)
    assert without_times(kept) == without_times(plain)
    assert list(tmp_path.iterdir()) == []


def test_other_data_and_settings_are_refused(ended, franke):
    before = ended["checkpoint"].read_bytes()
    with pytest.raises(errors.ModelFileError, match="is of a fit of other runs"):
        EmulatorRegressor(**ended).fit(franke[0], franke[1] + 1.0)
    with pytest.raises(errors.ModelFileError, match='--seed was "1" and is "2"'):
        EmulatorRegressor(**{**ended, "random_state": 2}).fit(*franke)
    with pytest.raises(errors.ModelFileError, match="with other declared ranges"):
        EmulatorRegressor(ranges={"x1": (-1, 2)}, **ended).fit(*franke)
    assert ended["checkpoint"].read_bytes() == before


def test_a_damaged_checkpoint_offers_the_one_before(ended, franke):
    checkpoint = ended["checkpoint"]
    checkpoint.write_bytes(checkpoint.read_bytes()[:-3])
    with pytest.raises(errors.ModelFileError) as raised:
        EmulatorRegressor(**ended).fit(*franke)
    assert f'the one before it is complete: call fit() again with the same data and settings and checkpoint="{checkpoint}.previous"' in str(
        raised.value
    )


@needs_program
def test_the_program_cannot_resume_a_fit_in_memory(ended):
    said = run_program("resume", ended["checkpoint"])
    assert said.returncode == 4
    assert said.stderr == (
        f"ta2s2: {ended['checkpoint']}: belongs to a fit of runs in memory; to go on, call fit() again with the same data and"
        f' settings and checkpoint="{ended["checkpoint"]}"\n'
    )


def test_a_checkpoint_that_cannot_be_written(franke, tmp_path):
    with pytest.raises(errors.CannotWriteError, match="cannot be written"):
        EmulatorRegressor(checkpoint=tmp_path / "no" / "run.ckpt").fit(*franke)


def test_a_time_limit_needs_a_checkpoint(franke):
    with pytest.raises(errors.UsageError, match="--time-limit keeps what is done in a checkpoint"):
        EmulatorRegressor(time_limit=60).fit(*franke)
