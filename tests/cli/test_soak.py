"""Fits that are killed (SIGKILL) at random moments, again and again, and go on each time.

Half of the kills hit the only process, the other half one rank of four. Every model that comes out is that of a fit nobody
killed, and no checkpoint is ever refused. TA2S2_LONG=1 asks for 50 kills, 25 of each kind; otherwise there are six.
"""

import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from launchers import HANG, LIBRARIES, command, environment
from program import DATA, PROGRAM, files_in, fit, is_sanitised, without_times

KILLS = 25 if os.environ.get("TA2S2_LONG") else 3
FIT = ("--output", "weight", "--model", "single")
KINDS = ["alone"] + LIBRARIES[:1]

pytestmark = pytest.mark.skipif(is_sanitised(), reason="says nothing more there, and takes very long")


class Soak:
    def __init__(self, folder, kind):
        self.folder = folder
        self.kind = kind
        # Savings before, within and after levels.
        self.every = random.Random(7)
        self.moments = random.Random(20261117)
        shutil.copy(DATA / "wing_weight_train_1.csv", folder / "runs.csv")

    def start(self):
        """Goes on from the checkpoint if there is one."""
        every = ("--checkpoint-every", self.every.choice(["0.02s", "0.5s", "60s"]))
        arguments = ("fit", "runs.csv", "-o", "model.json", "--checkpoint", "run.ckpt", *FIT)
        if (self.folder / "run.ckpt").exists():
            arguments = ("resume", "run.ckpt")
        arguments += (*every, "--quiet", "--threads", self.every.choice("12"))
        line = [PROGRAM, *arguments] if self.kind == "alone" else command(self.kind, 4, *arguments)
        return subprocess.Popen(line, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def victim(self, process):
        """The process, or one of its ranks once there are any."""
        if self.kind == "alone":
            return process.pid
        ranks = subprocess.run(["pgrep", "-s", str(process.pid), "-f", f"^{PROGRAM} "], capture_output=True, text=True)
        return self.moments.choice([int(pid) for pid in ranks.stdout.split()] or [process.pid])

    def run_and_kill(self, longest):
        """True if the kill came in time; else the fit must have ended well."""
        process = self.start()
        try:
            _, stderr = process.communicate(timeout=self.moments.uniform(0.0, longest))
        except subprocess.TimeoutExpired:
            os.kill(self.victim(process), signal.SIGKILL)
            _, stderr = process.communicate(timeout=HANG)
        # A checkpoint that is refused would say so. A launcher may end the ranks that are left by a signal.
        sentences = {line for line in stderr.splitlines() if line.startswith("ta2s2: ")}
        assert sentences <= {"ta2s2: interrupted; what was done is kept: ta2s2 resume run.ckpt"}, stderr
        return process.returncode != 0

    def run_to_the_end(self):
        process = self.start()
        _, stderr = process.communicate(timeout=HANG)
        assert process.returncode == 0, stderr


@pytest.mark.parametrize("kind", KINDS)
def test_no_kill_loses_anything(kind, tmp_path):
    begin = time.monotonic()
    whole = without_times(fit(DATA / "wing_weight_train_1.csv", tmp_path / "whole.json", *FIT))
    duration = time.monotonic() - begin
    folder = tmp_path / "soak"
    folder.mkdir()
    soak = Soak(folder, kind)
    kills = 0
    while kills < KILLS:
        if soak.run_and_kill(duration):
            kills += 1
        else:
            assert without_times(folder / "model.json") == whole
            (folder / "model.json").unlink()
    soak.run_to_the_end()
    assert without_times(folder / "model.json") == whole
    assert [name for name in files_in(folder) if name.startswith("run.ckpt")] == []
