"""Several ranks give one rank's answer, byte for byte, and end together whatever happens to one of them.

With every MPI library that the build has a module for. More ranks than cores are asked for on purpose. The time limits
are there for hangs, which is how programs on MPI usually fail.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from launchers import HANG, LAUNCHERS, LIBRARIES, command, environment, own_lines, run_ranks, run_ranks_well
from program import (ANNEALED, BAD_DATA, BAD_FILE, CANNOT_WRITE, DATA, DONE, FEW, INTERNAL, INTERRUPTED, ONE, PROGRAM, RESUMABLE, USAGE,
                     files_in, fit, is_sanitised, run_well, without_times)

FRANKE = DATA / "franke_train_1.csv"
WING = DATA / "wing_weight_train_1.csv"

# Sanitizers see leaks and races inside the MPI libraries, and their exit codes hide ours.
pytestmark = pytest.mark.skipif(is_sanitised(), reason="the MPI libraries are not built for sanitizers")


@pytest.fixture(params=LAUNCHERS)
def library(request):
    if request.param not in LIBRARIES:
        pytest.skip(f"this build has no module for {request.param}")
    return request.param


# --- The same bits ---

FITS = {
    "franke": [FRANKE],
    "wing weight": [WING, "--output", "weight", *ANNEALED, "--samples", "60"],
}
# How work is cut into maps and plans differs between these.
SYSTEMS = {
    "annealed": ANNEALED,
    "tmcmc": [*ANNEALED, "--kernel", "published", "--growth", "tmcmc"],
    "aims": ["--sampler", "aims"],
    "slice": ["--sampler", "slice"],
    "nuts": ["--sampler", "nuts"],
    "plgp": ["--sampler", "plgp"],
    "map only": ["--fast"],
    "check": ["--check"],
}
SHAPES = [(2, 1), (4, 1), (3, 2)]


@pytest.fixture(scope="module", params=FITS)
def serial(request, tmp_path_factory):
    """A fit's arguments and its model on one thread."""
    model = tmp_path_factory.mktemp("serial") / "model.json"
    fit(*FITS[request.param][:1], model, *FITS[request.param][1:], "--threads", 1)
    return FITS[request.param], without_times(model)


@pytest.mark.parametrize("threads", [2, 7])
def test_threads_give_the_model_of_one(serial, threads, tmp_path):
    arguments, expected = serial
    assert without_times(fit(arguments[0], tmp_path / "m.json", *arguments[1:], "--threads", threads)) == expected


@pytest.mark.parametrize("ranks, threads", SHAPES)
def test_ranks_give_the_model_of_one(serial, library, ranks, threads, tmp_path):
    arguments, expected = serial
    model = tmp_path / "model.json"
    result = run_ranks_well(library, ranks, "fit", *arguments, "--threads", threads, "-o", model)
    assert without_times(model) == expected
    assert files_in(tmp_path) == ["model.json"]
    assert result.stdout.count("judgement  ") == 1  # one of them speaks


# Which library carries the messages makes no difference to what is computed.
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_sampling_system_gives_the_model_of_one_rank(system, tmp_path):
    library, *_ = LIBRARIES or pytest.skip("this build has no module for MPI")
    options = [*SYSTEMS[system], "--samples", "120", "--quiet", "--threads", "1"]
    expected = fit(FRANKE, tmp_path / "serial.json", *options)
    run_ranks_well(library, 3, "fit", FRANKE, *options, "-o", tmp_path / "ranks.json")
    assert without_times(tmp_path / "ranks.json") == without_times(expected)


# The comparison can fail: it sees another seed.
def test_another_seed_gives_another_model(library, tmp_path):
    expected = fit(FRANKE, tmp_path / "serial.json", *FEW)
    run_ranks_well(library, 2, "fit", FRANKE, *FEW, "--seed", "2", "-o", tmp_path / "ranks.json")
    assert without_times(tmp_path / "ranks.json") != without_times(expected)


def test_config_and_ranges_reach_every_rank(library, tmp_path):
    config, ranges = tmp_path / "fit.toml", tmp_path / "ranges.csv"
    config.write_text('samples = 60\nseed = 3\ntrend = "linear"\n')
    ranges.write_text("name,min,max\nx1,-1,2\nx2,-1,2\n")
    options = ["--config", config, "--ranges", ranges]
    expected = fit(FRANKE, tmp_path / "serial.json", *options)
    run_ranks_well(library, 2, "fit", FRANKE, *options, "-o", tmp_path / "ranks.json")
    assert without_times(tmp_path / "ranks.json") == without_times(expected)


@pytest.mark.parametrize("options", [[], ["--draws", "5"]])
def test_ranks_predict_as_one(options, library, franke_model):
    arguments = ["predict", franke_model, DATA / "franke_test.csv", *options, "--threads", "1"]
    assert run_ranks_well(library, 3, *arguments).stdout == run_well(*arguments).stdout


def test_ranks_predict_the_covariance_of_one(library, franke_model, tmp_path):
    def written(name):
        return ["predict", franke_model, DATA / "franke_test.csv", "-o", tmp_path / f"{name}.csv", "--covariance",
                tmp_path / f"{name}_covariance.csv"]
    run_well(*written("serial"))
    run_ranks_well(library, 2, *written("ranks"))
    for suffix in (".csv", "_covariance.csv"):
        assert (tmp_path / f"ranks{suffix}").read_bytes() == (tmp_path / f"serial{suffix}").read_bytes()


def test_ranks_validate_as_one(library, franke_model):
    arguments = ["validate", franke_model, DATA / "franke_test.csv", "--json"]
    assert run_ranks_well(library, 3, *arguments).stdout == run_well(*arguments).stdout


# --- One of them reads, writes and prints ---

@pytest.mark.parametrize("arguments", [["--version"], ["design", "--inputs", "2", "--runs", "5"]])
def test_other_commands_run_once(arguments, library):
    assert run_ranks_well(library, 3, *arguments).stdout == run_well(*arguments).stdout


def test_notices_and_progress_are_said_once(library, tmp_path):
    result = run_ranks_well(library, 3, "fit", DATA / "messy_runs.csv", *FEW, "--progress", "plain", "-o",
                            tmp_path / "model.json")
    lines = [line for line in result.stderr.splitlines() if line.startswith(("note: ", "level  0"))]
    assert len(lines) >= 2 and len(set(lines)) == len(lines)


# --- Failures: one sentence, the documented code, no hang, nothing left behind ---

def check_refused(result, code, sentence, folder, files=()):
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    lines = own_lines(result.stderr)
    assert len(lines) == 1 and sentence in lines[0], result.stderr
    assert files_in(folder) == sorted(files)


def test_a_missing_file(library, tmp_path):
    result = run_ranks(library, 3, "fit", tmp_path / "none.csv", "-o", tmp_path / "model.json")
    check_refused(result, BAD_FILE, "none.csv: cannot be opened (No such file or directory)", tmp_path)


def test_a_bad_table(library, tmp_path):
    (tmp_path / "bad.csv").write_text("x,y\n" + "".join(f"{i},{i * i}\n" for i in range(10)) + "3,many\n")
    result = run_ranks(library, 4, "fit", tmp_path / "bad.csv", "-o", tmp_path / "model.json")
    check_refused(result, BAD_DATA, "bad.csv, line 12", tmp_path, ["bad.csv"])


def test_a_wrong_option(library, tmp_path):
    result = run_ranks(library, 3, "fit", FRANKE, "--samples", "none", "-o", tmp_path / "model.json")
    check_refused(result, USAGE, "samples", tmp_path)


def test_a_file_that_cannot_be_written(library, tmp_path):
    result = run_ranks(library, 3, "fit", FRANKE, *FEW, "-o", tmp_path / "no" / "folder" / "model.json")
    check_refused(result, CANNOT_WRITE, "model.json", tmp_path)


# Rank 0 alone finds out, after the others are done.
def test_a_full_disk(library, tmp_path):
    result = run_ranks(library, 3, "fit", FRANKE, *FEW, "-o", "/dev/full")
    check_refused(result, CANNOT_WRITE, "/dev/full", tmp_path)


def test_an_instruction_path_that_is_not_there(library, tmp_path):
    refused = [result for result in (run_ranks(library, 2, "fit", FRANKE, *FEW, "--simd", path, "-o", tmp_path / "m")
                                     for path in ("neon", "avx512")) if result.returncode != DONE]
    assert refused
    for result in refused:
        assert result.returncode == USAGE and len(own_lines(result.stderr)) == 1


def run_different(library, *commands):
    """Ranks that were started with different arguments: one command each."""
    words = []
    for arguments in commands:
        words += [*(LAUNCHERS[library] if not words else [":", "-n"]), "1", PROGRAM, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=HANG, check=False, stdin=subprocess.DEVNULL,
                          env=environment())


# Nobody does this on purpose, but it makes one rank fail, and one only.
@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_on_one_rank_only(failing, library, tmp_path):
    right = ["fit", FRANKE, *FEW, "-o", tmp_path / "model.json"]
    wrong = ["fit", FRANKE, "--samples", "none", "-o", tmp_path / "model.json"]
    result = run_different(library, *[wrong if rank == failing else right for rank in range(3)])
    check_refused(result, USAGE, "samples" if failing == 0 else f"rank {failing}: ", tmp_path)


def test_ranks_that_compute_different_things(library, tmp_path):
    commands = [["fit", FRANKE, "--samples", samples, "-o", tmp_path / "model.json"] for samples in (60, 60, 400)]
    check_refused(run_different(library, *commands), INTERNAL, "not at the same place", tmp_path)


def job_processes(model):
    """The ranks' own process numbers, by the file they were told to write."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == PROGRAM.encode() and str(model).encode() in words:
            found.append(int(folder.name))
    return sorted(found)


def started(library, ranks, model):
    process = subprocess.Popen(command(library, ranks, "fit", WING, "--output", "weight", "--samples", "200000",
                                       "--threads", "1", "-o", model),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
                               stdin=subprocess.DEVNULL)
    deadline = time.monotonic() + HANG
    while not (len(job_processes(model)) == ranks and files_in(model.parent)):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(1.0)
    return process


# Whichever rank a signal reaches, all of them stop.
@pytest.mark.parametrize("which", [0, 2])
def test_a_signal_to_one_rank_interrupts_all(which, library, tmp_path):
    model = tmp_path / "model.json"
    process = started(library, 3, model)
    os.kill(job_processes(model)[which], signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=HANG)
    assert process.returncode == INTERRUPTED, stderr
    assert stdout == "" and len(own_lines(stderr)) == 1 and "interrupted" in own_lines(stderr)[0]
    assert files_in(tmp_path) == []


# That is the launcher's to tell.
def test_a_killed_rank_ends_the_job(library, tmp_path):
    model = tmp_path / "model.json"
    process = started(library, 3, model)
    os.kill(job_processes(model)[1], signal.SIGKILL)
    process.communicate(timeout=HANG)
    assert process.returncode != DONE
    assert not model.exists()
    assert job_processes(model) == []


# As a build without MPI leaves it. As many programs as ranks would write one file.
def test_a_program_without_modules_is_whole_but_no_rank(library, tmp_path):
    alone = tmp_path / "ta2s2"
    shutil.copy(PROGRAM, alone)
    arguments = [alone, "fit", FRANKE, *FEW, "--quiet", "-o", tmp_path / "model.json"]
    words = [*LAUNCHERS[library], "2", *map(str, arguments)]
    result = subprocess.run(words, capture_output=True, text=True, timeout=HANG, check=False, env=environment())
    check_refused(result, USAGE, "started 2 processes of this program", tmp_path, ["ta2s2"])
    subprocess.run(arguments, check=True, timeout=HANG)
    assert without_times(tmp_path / "model.json") == without_times(fit(FRANKE, tmp_path / "whole.json", *FEW))


def test_a_library_that_does_not_fit_the_launcher_is_refused(library, tmp_path):
    other = {"openmpi": "mpich", "mpich": "openmpi"}[library]
    if other not in LIBRARIES:
        pytest.skip(f"this build has no module for {other}")
    result = run_ranks(library, 2, "fit", FRANKE, *FEW, "-o", tmp_path / "model.json", TA2S2_MPI=other)
    assert result.returncode != DONE
    assert files_in(tmp_path) == []


# Two programs that know nothing of each other.
def test_ranks_can_be_told_to_be_alone(library):
    assert run_ranks(library, 2, "--version", TA2S2_MPI="none").stdout == 2 * run_well("--version").stdout


def test_a_rank_of_one_is_the_program_alone(library, tmp_path):
    run_ranks_well(library, 1, "fit", FRANKE, *FEW, "-o", tmp_path / "ranks.json")
    assert without_times(tmp_path / "ranks.json") == without_times(fit(FRANKE, tmp_path / "serial.json", *FEW))


# --- Checkpoints ---

def test_other_ranks_go_on_from_a_checkpoint(library, tmp_path):
    options = ["--output", "weight", "--samples", "400", "--prior", "reference", *ONE]
    whole = without_times(fit(WING, tmp_path / "whole.json", *options))
    model, checkpoint = tmp_path / "model.json", tmp_path / "run.ckpt"
    arguments = ["fit", WING, *options, "--checkpoint", checkpoint, "-o", model, "--quiet"]
    result = run_ranks(library, 4, *arguments, "--time-limit", "0.5s", "--checkpoint-every", "0.1s")
    assert result.returncode == RESUMABLE
    assert own_lines(result.stderr) == [f"ta2s2: interrupted; what was done is kept: ta2s2 resume {checkpoint}"]
    before = checkpoint.stat().st_mtime_ns
    process = subprocess.Popen(command(library, 3, "resume", checkpoint, "--quiet"), env=environment(), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and checkpoint.exists() and checkpoint.stat().st_mtime_ns == before:
        time.sleep(0.01)  # it has begun once it saves
    process.send_signal(signal.SIGUSR1)  # which both launchers hand on
    _, stderr = process.communicate(timeout=HANG)
    assert process.returncode in (RESUMABLE, DONE), stderr
    if process.returncode == RESUMABLE:
        run_ranks_well(library, 2, *arguments)
    assert without_times(model) == whole
    assert files_in(tmp_path) == ["model.json", "whole.json"]


def test_a_checkpoint_that_is_refused_is_refused_once(library, tmp_path):
    (tmp_path / "run.ckpt").write_text("no checkpoint")
    result = run_ranks(library, 3, "resume", tmp_path / "run.ckpt")
    assert result.returncode == BAD_FILE
    assert len(own_lines(result.stderr)) == 1 and "is not a complete checkpoint" in result.stderr
