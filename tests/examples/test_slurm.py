"""examples/slurm/fit.sbatch without Slurm: srun, scontrol and the program are scripts that tell what happened to them."""

import os
import signal
import subprocess
import time

import pytest

from example import SOURCE

SCRIPT = SOURCE / "examples" / "slurm" / "fit.sbatch"
TIMEOUT = 60
WAITING = 'trap "echo USR1 >> signals; exit 7" USR1\ntouch ready\nfor _ in $(seq 600); do sleep 0.1; done'


@pytest.fixture
def cluster(tmp_path):
    """A folder with a `bin` that comes first on PATH."""
    (tmp_path / "bin").mkdir()
    write_command(tmp_path, "srun", 'exec "$@"')
    write_command(tmp_path, "scontrol", 'echo "$@" >> scontrol.log')
    return tmp_path


def write_command(folder, name, body):
    path = folder / "bin" / name
    path.write_text(f"#!/usr/bin/env bash\n{body}\n")
    path.chmod(0o755)


def start(folder, *arguments, job="42"):
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SLURM_JOB_ID": job, "SLURM_CPUS_PER_TASK": "2"}
    return subprocess.Popen(["bash", SCRIPT, *arguments], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)


def wait_for(path):
    end = time.monotonic() + TIMEOUT
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} never came"
        time.sleep(0.01)


def finish(process):
    _, errors = process.communicate(timeout=TIMEOUT)
    return process.returncode, errors


def test_a_signal_reaches_the_program_and_the_job_queues_again(cluster):
    write_command(cluster, "ta2s2", WAITING)
    process = start(cluster, "runs.csv", "y", "model.json")
    wait_for(cluster / "ready")
    process.send_signal(signal.SIGUSR1)
    code, errors = finish(process)
    assert code == 7
    assert (cluster / "signals").read_text() == "USR1\n"
    assert (cluster / "scontrol.log").read_text() == "requeue 42\n"
    assert "model.json.ckpt" in errors


def test_the_program_is_given_the_settings_and_a_checkpoint(cluster):
    write_command(cluster, "ta2s2", 'printf "%s\\n" "$@" > arguments')
    assert finish(start(cluster, "my runs.csv", "y", "model.json", "--prior", "reference"))[0] == 0
    assert (cluster / "arguments").read_text().splitlines() == [
        "fit", "my runs.csv", "--output", "y", "-o", "model.json", "--checkpoint", "model.json.ckpt", "--threads", "2",
        "--prior", "reference"]


@pytest.mark.parametrize("code", [0, 3, 5])
def test_any_other_end_is_the_jobs_end(cluster, code):
    write_command(cluster, "ta2s2", f"exit {code}")
    assert finish(start(cluster, "runs.csv", "y", "model.json"))[0] == code
    assert not (cluster / "scontrol.log").exists()


def test_outside_a_job_nothing_is_queued(cluster):
    write_command(cluster, "ta2s2", "exit 7")
    assert finish(start(cluster, "runs.csv", "y", "model.json", job=""))[0] == 7
    assert not (cluster / "scontrol.log").exists()


def test_missing_arguments_are_told(cluster):
    code, errors = finish(start(cluster, "runs.csv"))
    assert code == 2 and "usage:" in errors


def test_slurm_is_asked_for_the_signal():
    text = SCRIPT.read_text()
    assert "#SBATCH --signal=B:USR1@120\n" in text and "#SBATCH --requeue\n" in text
