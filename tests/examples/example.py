"""The example programs, as built."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("TA2S2_EXAMPLES", SOURCE / "build" / "release" / "examples"))


def run(name, *arguments):
    return subprocess.run([FOLDER / name, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False)


def output_of(name, *arguments):
    result = run(name, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout
