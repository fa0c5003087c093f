"""The examples at the top of docs/python.md run as they stand."""

import re

import pytest
from conftest import ROOT


def examples():
    """The first two blocks: what needs numpy alone, and what needs ArviZ and matplotlib. Later ones are fragments."""
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)[:2]


def test_examples_of_the_page(tmp_path, monkeypatch, capsys):
    pytest.importorskip("arviz")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names = {}
    for example in examples():
        exec(example, names)
    assert (tmp_path / "model.json").exists() and (tmp_path / "report.html").exists()
    assert "50 validation runs" in capsys.readouterr().out
    assert len(names["post"].modes) == 2
