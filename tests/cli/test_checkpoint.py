"""A fit that is ended goes on from its checkpoint to the same model file; a checkpoint is never lost."""

import os
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

from program import (ANNEALED, BAD_FILE, CANNOT_WRITE, DATA, FEW, ONE, PAIR, PROGRAM, RESUMABLE, USAGE, but_for_warnings, files_in, fit, is_sanitised,
                     run, run_well, without_times)

FRANKE = DATA / "franke_train_1.csv"
WING = DATA / "wing_weight_train_1.csv"
# A few seconds of work of one model, in levels of less than one.
LONG = ("--output", "weight", *ANNEALED, "--samples", "400", "--prior", "reference", *ONE)
# Levels that are quick, but many.
MANY_LEVELS = (*ANNEALED, "--samples", "20000", "--ess-target", "0.9", *PAIR)
FEW_SECONDS = 60 if is_sanitised() else 10


def start(folder, *arguments):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def start_fit(folder, *options, checkpoint="run.ckpt"):
    shutil.copy(WING, folder / "runs.csv")
    return start(folder, "fit", "runs.csv", "-o", "model.json", "--checkpoint", checkpoint, *LONG, *options)


def wait_for(path):
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(scope="module")
def whole_model(tmp_path_factory):
    """The bytes of a fit that nobody ended."""
    return without_times(fit(WING, tmp_path_factory.mktemp("whole") / "model.json", *LONG))


@pytest.fixture(scope="module")
def whole_of_many_levels(tmp_path_factory):
    return without_times(fit(FRANKE, tmp_path_factory.mktemp("many") / "model.json", *MANY_LEVELS))


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_keeps_what_is_done(which, whole_model, tmp_path):
    process = start_fit(tmp_path)
    wait_for(tmp_path / "run.ckpt")
    time.sleep(0.3)
    process.send_signal(which)
    stdout, stderr = process.communicate(timeout=FEW_SECONDS)
    assert (process.returncode, stdout) == (RESUMABLE, "")
    assert stderr == "ta2s2: interrupted; what was done is kept: ta2s2 resume run.ckpt\n"
    assert "run.ckpt" in files_in(tmp_path) and "model.json" not in files_in(tmp_path)
    run_well("resume", tmp_path / "run.ckpt", "--threads", 1)  # from another folder
    assert without_times(tmp_path / "model.json") == whole_model
    assert files_in(tmp_path) == ["model.json", "runs.csv"]


def test_a_time_limit_does_the_same(whole_model, tmp_path):
    result = start_fit(tmp_path, "--time-limit", "0.7s", "--checkpoint-every", "0.1")
    stdout, stderr = result.communicate(timeout=FEW_SECONDS)
    assert (result.returncode, stdout) == (RESUMABLE, "")
    assert stderr.startswith("note: the time limit of 0.7 s is reached\n")
    for _ in range(100):
        result = run("resume", "run.ckpt", "--time-limit", "1", "--quiet", cwd=tmp_path)
        if result.returncode == 0:
            break
        assert (result.returncode, len(result.stderr.splitlines())) == (RESUMABLE, 1)
    assert without_times(tmp_path / "model.json") == whole_model


def test_a_second_interrupt_ends_at_once(tmp_path):
    process = start_fit(tmp_path)
    wait_for(tmp_path / "run.ckpt")
    os.kill(process.pid, signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    os.kill(process.pid, signal.SIGCONT)
    time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=FEW_SECONDS)
    assert process.returncode in (RESUMABLE, 128 + signal.SIGINT)  # whichever came first
    run_well("resume", "run.ckpt", cwd=tmp_path)


def test_the_same_command_goes_on(whole_model, tmp_path):
    process = start_fit(tmp_path)
    wait_for(tmp_path / "run.ckpt")
    time.sleep(0.5)
    process.kill()
    process.communicate()
    process = start_fit(tmp_path)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0
    assert but_for_warnings(stderr) == "note: going on from run.ckpt\n"
    assert without_times(tmp_path / "model.json") == whole_model


def kill_and_go_on(folder, command, chance, num_kills):
    """Kills the command's process at random moments, goes on each time, and returns once a fit has ended by itself."""
    moments = random.Random(20261117)
    process = command(folder)
    for _ in range(num_kills):
        try:
            process.communicate(timeout=moments.uniform(0.02, chance))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        else:
            assert process.returncode == 0
            return
        process = start(folder, "resume", "run.ckpt", "--quiet") if (folder / "run.ckpt").exists() else command(folder)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr


@pytest.mark.parametrize("every", ["0.05", "60"])
def test_kills_at_random_moments_lose_nothing(every, whole_model, tmp_path):
    kill_and_go_on(tmp_path, lambda folder: start_fit(folder, "--checkpoint-every", every, "--quiet"), 1.5, 8)
    assert without_times(tmp_path / "model.json") == whole_model


def interrupted(folder, runs=FRANKE, *options):
    """A checkpoint of a fit that was ended early."""
    shutil.copy(runs, folder / "runs.csv")
    process = start(folder, "fit", "runs.csv", "-o", "model.json", "--checkpoint", "run.ckpt", *MANY_LEVELS, *options)
    wait_for(folder / "run.ckpt.previous")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=FEW_SECONDS)
    assert process.returncode == RESUMABLE
    return folder / "run.ckpt"


def refused(*arguments, cwd):
    result = run(*arguments, cwd=cwd)
    assert (result.returncode, result.stdout) == (BAD_FILE, "")
    return result.stderr


def hash_of(content):
    """64-bit FNV-1a (docs/checkpoints.md)."""
    state = 0xCBF29CE484222325
    for byte in content:
        state = ((state ^ byte) * 0x100000001B3) % 2**64
    return state.to_bytes(8, "little")


def test_a_checkpoint_of_another_release_is_refused_by_its_version(tmp_path):
    checkpoint = interrupted(tmp_path)
    content = checkpoint.read_bytes()[:-8]
    version = re.search(rb'"version":"([^"]*)"', content)[1]
    other = b"0" * len(version)
    content = content.replace(b'"version":"' + version, b'"version":"' + other, 1)
    checkpoint.write_bytes(content + hash_of(content))
    said = refused("resume", "run.ckpt", cwd=tmp_path)
    assert f"was made by ta2s2 {other.decode()}, this is {version.decode()}" in said


def test_other_data_and_settings_are_refused(tmp_path):
    checkpoint = interrupted(tmp_path)
    before = checkpoint.read_bytes()
    fit_again = ("fit", "runs.csv", "-o", "model.json", "--checkpoint", "run.ckpt", *ANNEALED, "--samples", "20000", *PAIR)
    assert "--ess-target was \"0.9\" and is \"0.5\"" in refused(*fit_again, cwd=tmp_path)
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    (tmp_path / "runs.csv").write_text("\n".join(lines[:-1]) + "\n")
    assert "run.ckpt: is of a fit of other runs" in refused("resume", "run.ckpt", cwd=tmp_path)
    (tmp_path / "runs.csv").unlink()
    assert "runs.csv" in refused("resume", "run.ckpt", cwd=tmp_path)
    assert checkpoint.read_bytes() == before
    assert "model.json" not in files_in(tmp_path)


def test_what_a_checkpoint_names_elsewhere_is_not_written(whole_of_many_levels, tmp_path):
    """A stranger's checkpoint must not replace a file of the user's: only the command line names files elsewhere."""
    begun, mine = tmp_path / "begun", tmp_path / "mine"
    begun.mkdir(), mine.mkdir()
    interrupted(begun)
    (begun / "model.json").write_text("precious")
    for name in ("run.ckpt", "run.ckpt.previous"):
        shutil.move(begun / name, mine / name)
    result = run("resume", mine / "run.ckpt", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (USAGE, "")
    assert "which is not the checkpoint's own folder; expected -o MODEL" in result.stderr
    assert (begun / "model.json").read_text() == "precious"
    run_well("resume", mine / "run.ckpt", "-o", "model.json", "--report", "page.html", cwd=tmp_path)
    assert without_times(tmp_path / "model.json") == whole_of_many_levels
    assert (tmp_path / "page.html").stat().st_size > 100_000
    assert (begun / "model.json").read_text() == "precious" and files_in(mine) == []


def test_an_interrupted_fit_says_where_else_it_writes(tmp_path):
    (tmp_path / "models").mkdir()
    shutil.copy(WING, tmp_path / "runs.csv")
    result = run("fit", "runs.csv", "-o", "models/model.json", "--checkpoint", "run.ckpt", "--time-limit", "0.3s", *LONG,
                 cwd=tmp_path)
    assert result.returncode == RESUMABLE
    assert result.stderr.endswith("ta2s2 resume run.ckpt -o models/model.json\n")


def test_a_damaged_checkpoint_is_refused_and_the_one_before_offered(whole_of_many_levels, tmp_path):
    checkpoint = interrupted(tmp_path)
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[:len(content) // 2])
    assert "the one before it is complete: ta2s2 resume run.ckpt.previous" in refused("resume", "run.ckpt", cwd=tmp_path)
    run_well("resume", "run.ckpt.previous", "--quiet", cwd=tmp_path)
    assert without_times(tmp_path / "model.json") == whole_of_many_levels
    assert files_in(tmp_path) == ["model.json", "runs.csv"]


def test_what_is_no_checkpoint_is_refused(tmp_path):
    (tmp_path / "run.ckpt").write_text("x1,x2,y\n")
    assert "run.ckpt: is not a complete checkpoint: its first line" in refused("resume", "run.ckpt", cwd=tmp_path)
    assert "missing.ckpt: cannot be read" in refused("resume", "missing.ckpt", cwd=tmp_path)
    result = run("fit", FRANKE, "-o", "model.json", "--time-limit", "5m", cwd=tmp_path)
    assert result.returncode == USAGE and "--checkpoint FILE" in result.stderr
    for time_text in ("0", "-5", "5x", "m", "1m1h", "soon"):
        result = run("fit", FRANKE, "-o", "model.json", "--checkpoint", "c", "--time-limit", time_text, cwd=tmp_path)
        assert result.returncode == USAGE and f'found "{time_text}", expected none, or a time such as' in result.stderr
    assert files_in(tmp_path) == ["run.ckpt"]


def test_a_folder_that_cannot_be_written_is_known_at_once(tmp_path):
    result = run("fit", FRANKE, "-o", "model.json", *FEW, "--checkpoint", "missing/run.ckpt", cwd=tmp_path)
    assert result.returncode == CANNOT_WRITE
    assert result.stderr == "ta2s2: missing/run.ckpt: cannot be written: No such file or directory\n"
    assert files_in(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here (it needs root)")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_leaves_the_checkpoint_before(small_disk, whole_model, tmp_path):
    process = start_fit(tmp_path, "--quiet", "--checkpoint-every", "0.05", checkpoint="disk/run.ckpt")
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stdout) == (CANNOT_WRITE, "")
    assert stderr.startswith("ta2s2: disk/run.ckpt: cannot be written: ") and len(stderr.splitlines()) == 1
    assert sorted(set(files_in(small_disk)) - {"run.ckpt.previous"}) == ["run.ckpt"]
    shutil.copy(small_disk / "run.ckpt", tmp_path / "run.ckpt")
    run_well("resume", "run.ckpt", "--quiet", cwd=tmp_path)
    assert without_times(tmp_path / "model.json") == whole_model


def test_a_disk_that_becomes_read_only_leaves_the_checkpoint(small_disk, tmp_path):
    process = start_fit(tmp_path, "--quiet", "--checkpoint-every", "0.05", checkpoint="disk/run.ckpt")
    wait_for(small_disk / "run.ckpt")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == CANNOT_WRITE
    assert stderr == "ta2s2: disk/run.ckpt: cannot be written: Read-only file system\n"
    shutil.copy(small_disk / "run.ckpt", tmp_path / "run.ckpt")
    run_well("resume", "run.ckpt", "--quiet", cwd=tmp_path)
