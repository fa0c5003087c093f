"""Ctrl-C ends a fit, a prediction and a sampler, wherever they are."""

import signal
import subprocess
import sys

import pytest

# Each would take minutes or hours; its process says when it begins.
LONG = {
    "fit": (
        "X = np.random.random((1500, 2))\nem = EmulatorRegressor()\nprint('begins', flush=True)\n"
        "em.fit(X, np.sin(9 * X).sum(axis=1))"
    ),
    "the search for modes": (
        "X = np.random.random((1500, 2))\nem = EmulatorRegressor(fast=True, samples=60, threads=1)\n"
        "print('begins', flush=True)\nem.fit(X, np.sin(9 * X).sum(axis=1))"
    ),
    "predict": (
        "em = EmulatorRegressor(samples=2000, random_state=1).fit(X, y)\n"
        "new = np.random.random((5_000_000, 2))\nprint('begins', flush=True)\nem.predict(new)"
    ),
    "sample": (
        "import time\nprint('begins', flush=True)\n"
        "sample(lambda x: time.sleep(0.01) or -float(x @ x), [(-7, 7)] * 3)"
    ),
}

START = """
import warnings
import numpy as np
from ta2s2 import EmulatorRegressor, sample
warnings.simplefilter("ignore")
X = np.random.default_rng(1).random((20, 2))
y = np.sin(4 * X[:, 0]) + X[:, 1]
"""


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c(work):
    process = subprocess.Popen(
        [sys.executable, "-c", START + LONG[work]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline().strip() == "begins"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)  # under way: beyond its first steps
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said.strip().splitlines()[-1] == "KeyboardInterrupt"
