"""The notebooks run from top to bottom and say what they said when they were looked at."""

import re

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
import nbformat

FOLDER = ROOT / "examples" / "notebooks"


def printed(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs if output.get("name") == "stdout")


def num_pictures(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel has its own
    shown = nbformat.read(path, 4)
    fresh = nbformat.read(path, 4)
    # Outputs come on a channel of their own, for which nbclient waits four seconds after a cell has ended: too few on a busy machine.
    nbclient.NotebookClient(fresh, timeout=600, iopub_timeout=120, kernel_name="python3").execute()
    assert num_pictures(fresh) == num_pictures(shown) > 0
    # Another processor or numpy rounds otherwise, and a sampler makes a little of it, so words are compared and not digits.
    assert re.sub(r"-?\d+\.?\d*", "#", printed(fresh)).split() == re.sub(r"-?\d+\.?\d*", "#", printed(shown)).split()
