"""One fit and its scores, by our program or by a peer: a row of the results."""
import hashlib
import json
import os
import shlex
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from problems import ROOT, Problem
from results import SCORES

HERE = Path(__file__).resolve().parent
SETTINGS_OF_PEERS = "peer"
PEERS = {"scikit-learn": "scikit-learn", "libKriging": "pylibkriging", "BoTorch": "botorch"}  # and their packages


@dataclass(frozen=True)
class Program:
    """Ours is named by a fingerprint of its file: a version does not tell builds apart. A peer's path is its Python."""
    path: Path
    name: str


@dataclass(frozen=True)
class Job:
    problem: Problem
    program: Program
    settings: str
    seed: int = 1
    threads: int = 1

    def key(self):
        problem = self.problem
        return {
            "data": problem.fingerprint(), "name": problem.name, "split": problem.split, "seed": self.seed,
            "settings": self.settings, "program": self.program.name, "threads": self.threads
        }


FROM_OUTSIDE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
INTERRUPTED = 5  # exit code of our program after Ctrl-C


class Interrupted(Exception):
    """The child was ended from outside: this is no result, and the job is to be run again."""


def call(words, seconds):
    """What it printed, its CPU seconds and wall seconds; RuntimeError with its own sentence if it failed."""
    one_thread = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(list(map(str, words)), stdout=out, stderr=errors, env=one_thread)
        is_late = threading.Event()
        alarm = threading.Timer(seconds, lambda: (is_late.set(), process.kill()))
        alarm.start()
        _, status, used = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = code = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begin
        out.seek(0), errors.seek(0)
        text, complaint = out.read(), errors.read()
    if is_late.is_set():
        raise RuntimeError(f"not done after {seconds:g} seconds")
    if -code in FROM_OUTSIDE or code == INTERRUPTED:
        raise Interrupted(f"ended by a signal: {' '.join(map(str, words[:3]))}")
    if code:
        raise RuntimeError(
            next((line for line in reversed(complaint.splitlines()) if line.strip()), f"exit code {code}"))
    return text, used.ru_utime + used.ru_stime, wall


def scores(found, prefix=""):
    coverage = found["coverage"]
    values = [
        found["crps"], found["rmse"], *(coverage[level] for level in ("0.5", "0.8", "0.95", "0.99")),
        found["interval_score_95"]
    ]
    return {prefix + name: value for name, value in zip(SCORES, values)}


def weights(shown):
    return {model["model"]: model["weight"] for model in shown.get("models", []) if "weight" in model}


def activity(shown):
    """The probability that each input is active, by input, if the program tells."""
    found = shown.get("activity", {})
    return {entry["input"]: entry["probability"] for entry in found} if isinstance(found, list) else found


def describe(problem):
    test = problem.outputs(problem.test)
    return {
        "runs": len(problem.outputs(problem.train)), "inputs": problem.num_inputs(), "test_runs": len(test),
        "test_sd": statistics.pstdev(test)
    }


def fit(job, seconds):
    problem = job.problem
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.json")
        words = [
            job.program.path, "fit", problem.train, "--output", problem.output, "-o", model, "--quiet", "--seed",
            job.seed, "--threads", job.threads, *shlex.split(job.settings)
        ]
        _, cpu, wall = call(words, seconds)
        text, validate_cpu, _ = call(
            [job.program.path, "validate", model, problem.test, "--json", "--quiet", "--threads", job.threads], seconds)
        shown = json.loads(call([job.program.path, "show", model, "--json"], seconds)[0])
    found = json.loads(text)
    return {
        **scores(found), **scores(found["map"], "map_"), "cpu_seconds": cpu, "seconds": wall,
        "validate_seconds": validate_cpu, "grade": shown["judgement"]["grade"], "converged": shown["verdict"]["status"],
        "weights": json.dumps(weights(shown)), "activity": json.dumps(activity(shown))
    }


def ask_peer(job, seconds):
    problem = job.problem
    words = [
        job.program.path, HERE / "peers.py",
        job.program.name.split()[0], problem.train, problem.test, problem.output, job.seed
    ]
    text, cpu, wall = call(words, seconds)
    return {**json.loads(text.splitlines()[-1]), "cpu_seconds": cpu, "seconds": wall}


def measure(job, seconds):
    """A failure is a result too: its sentence stands where "ok" would."""
    row = {**job.key(), "suite": job.problem.suite, **describe(job.problem)}
    try:
        found = ask_peer(job, seconds) if job.settings == SETTINGS_OF_PEERS else fit(job, seconds)
        return {**row, "status": "ok", **found}
    except RuntimeError as error:
        return {**row, "status": str(error).replace(f"{job.problem.train.parent}{os.sep}", "")}


# ---- programs ----


def ours(path):
    return Program(path, hashlib.sha256(path.read_bytes()).hexdigest()[:12])


def knows(program, option):
    """Whether `fit` has this option."""
    return option in call([program.path, "fit", "--help-all"], 60)[0]


def peers(names):
    """In a virtual environment that is made on demand; named with the versions that are in it."""
    python = ROOT / "build" / "accuracy-peers" / "bin" / "python"
    if not python.exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", python.parents[1]], check=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
    listed = json.loads(subprocess.run([*pip, "list", "--format", "json"], check=True, capture_output=True).stdout)
    versions = {package["name"].lower(): package["version"] for package in listed}
    return [Program(python, f"{name} {versions[PEERS[name]]}") for name in names]
