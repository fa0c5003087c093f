"""next_runs: what the command gives, by the same numbers."""

import json
import os
import subprocess

import numpy as np
import pytest

from ta2s2 import EmulatorRegressor
from ta2s2.errors import DataNotice, UsageError


@pytest.mark.parametrize("criterion", ["imse", "loo-imse", "variance", "entropy", "ei-min", "ei-max", "boundary(0.5)"])
def test_gives_points_within_the_ranges(emulator, criterion):
    found = emulator.next_runs(3, criterion)
    inputs = emulator.fit_.inputs
    assert found.points.shape == (3, 2)
    assert (found.points >= inputs.min(axis=0)).all() and (found.points <= inputs.max(axis=0)).all()
    assert (found.values > 0).all()
    mean, std = emulator.predict(found.points, return_std=True)
    assert (found.mean == mean).all() and (found.std == std).all()
    assert len(found.average_variance) == (4 if criterion in ("imse", "loo-imse", "boundary(0.5)") else 0)


def test_is_what_the_command_gives(emulator, tmp_path):
    program = os.environ.get("TA2S2_PROGRAM")
    if not program:
        pytest.skip("no TA2S2_PROGRAM")
    emulator.save(tmp_path / "model.json")
    words = [program, "next-runs", str(tmp_path / "model.json"), "--count", "2", "--format", "json"]
    document = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    found = emulator.next_runs(2)
    assert [list(point["inputs"].values()) for point in document["points"]] == found.points.tolist()
    assert [point["value"] for point in document["points"]] == found.values.tolist()
    assert document["value_is"] == found.meaning


def test_chooses_among_candidates(emulator):
    candidates = np.random.default_rng(1).random((20, 2))
    found = emulator.next_runs(4, candidates=candidates)
    assert (candidates[found.rows] == found.points).all()
    assert len(set(found.rows.tolist())) == 4
    with pytest.warns(DataNotice, match="1 of 2 candidates lie outside"):
        emulator.next_runs(1, candidates=[[0.5, 0.5], [2.0, 0.5]])


def test_bad_arguments_get_a_sentence(emulator):
    with pytest.raises(UsageError, match="expected one of imse"):
        emulator.next_runs(criterion="best")
    with pytest.raises(UsageError, match="found a count of 0, expected at least 1; found 0 draws"):
        emulator.next_runs(0, draws=0)
    with pytest.raises(UsageError, match="found 1 candidates, expected at least 5"):
        emulator.next_runs(candidates=[[0.5, 0.5]])
    with pytest.raises(Exception, match="not fitted"):
        EmulatorRegressor().next_runs()
