"""docs/options.md is the output of `ta2s2 options`: a setting is described once."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_documented_options_are_the_programs_own():
    run = subprocess.run([os.environ["TA2S2_PROGRAM"], "options"], capture_output=True, text=True, check=True)
    document = (ROOT / "docs" / "options.md").read_text()
    assert document.endswith(run.stdout)
    assert run.stdout.count("\n") > 20
