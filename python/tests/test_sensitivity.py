"""Sensitivity: the command line's numbers, as arrays."""

import csv
import io
import json

import numpy as np
import pytest

import ta2s2
from conftest import needs_program, run_program


@needs_program
def test_equals_the_command_line(emulator, tmp_path):
    emulator.save(tmp_path / "model.json")
    (tmp_path / "inputs.toml").write_text('x1 = "normal(0.5,0.1)"\n')
    result = run_program("sensitivity", tmp_path / "model.json", "--inputs-distribution", tmp_path / "inputs.toml",
                         "--format", "csv", "--paths", 60, "--effects", tmp_path / "effects.csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    found = emulator.sensitivity({"x1": "normal(0.5,0.1)"}, paths=60)
    table = found.to_dict()
    assert table["input"] == [row["input"] for row in rows]
    for name in rows[0]:
        if name != "input":
            np.testing.assert_array_equal(table[name], [float(row[name]) for row in rows], err_msg=name)
    curves = list(csv.DictReader(io.StringIO((tmp_path / "effects.csv").read_text())))
    effect = found.effects["x1"]
    shown = [row for row in curves if row["input"] == "x1"]
    np.testing.assert_array_equal(effect.values, [float(row["value"]) for row in shown])
    np.testing.assert_array_equal(effect.interval()[1], [float(row["q0.5"]) for row in shown])


def test_indices_hold_together(emulator):
    found = emulator.sensitivity(paths=80)
    assert found.first.shape == found.total.shape == (80, 2)
    assert (found.first >= 0).all() and (found.total <= 1 + 1e-12).all()
    # With two inputs the rest of one's total index is the other's first-order one, but for errors of integration.
    np.testing.assert_allclose(found.first[:, 0] + found.total[:, 1], 1, atol=0.05)
    assert found.share_outside == 0
    assert "P(inert)  P(active)" in str(found)
    assert list(found.p_active) == [each["probability"] for each in emulator.activity_.values()]


def test_one_seed_gives_one_sample(emulator):
    first, again = emulator.sensitivity(paths=40), emulator.sensitivity(paths=40)
    other = emulator.sensitivity(paths=40, random_state=2)
    assert (first.total == again.total).all() and (first.total != other.total).any()


def test_distributions_beyond_the_ranges_are_noted(emulator):
    with pytest.warns(ta2s2.errors.DataNotice, match="extrapolates"):
        found = emulator.sensitivity({"x1": "uniform(0,2)"}, paths=40)
    assert found.share_outside == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    "distributions, sentence",
    [
        ({"depth": "uniform(0,1)"}, 'found the input "depth", expected one of x1, x2'),
        ({"x1": "cauchy(0,1)"}, "is not a distribution"),
        ({"x1": "uniform(1,0)", "x3": "normal(0,1)"}, "expected rising numbers.*x3"),
    ],
)
def test_bad_distributions_are_refused(emulator, distributions, sentence):
    with pytest.raises(ta2s2.errors.UsageError, match=sentence):
        emulator.sensitivity(distributions)


def test_too_few_paths_are_refused(emulator):
    with pytest.raises(ta2s2.errors.UsageError, match="expected at least 40 paths"):
        emulator.sensitivity(paths=3)


@needs_program
def test_activity_is_what_the_program_shows(emulator, tmp_path):
    emulator.save(tmp_path / "model.json")
    shown = json.loads(run_program("show", tmp_path / "model.json", "--json").stdout)["activity"]
    assert [{"input": name, **of_input} for name, of_input in emulator.activity_.items()] == shown
    assert [row["input"] for row in shown] == ["x1", "x2"]


def test_activity_of_several_outputs_is_by_output():
    X = ta2s2.lhs(20, [(0, 1), (0, 1)], seed=1)
    y = np.column_stack([np.sin(6 * X[:, 0]), 2 * X[:, 1]])
    found = ta2s2.EmulatorRegressor(fast=True, model="single").fit(X, y).activity_
    assert list(found) == ["y1", "y2"]
    assert [found["y1"][name]["probability"] for name in ("x1", "x2")] == [1, 0]
    assert [found["y2"][name]["probability"] for name in ("x1", "x2")] == [0, 1]
    assert found["y2"]["x2"]["linear"] == 1
