"""More runs for a fitted emulator."""

import numpy as np
import pandas as pd
import pytest

import ta2s2
from conftest import DATA, PAIR, needs_program, read_runs, run_program
from ta2s2 import EmulatorRegressor


@pytest.fixture(scope="module")
def known(franke):
    return EmulatorRegressor(samples=400, random_state=1).fit(franke[0][:18], franke[1][:18])


def test_it_returns_another_emulator_and_leaves_the_first_as_it_was(known, franke):
    before = known.fit_.text()
    more = known.add_runs(franke[0][18:], franke[1][18:])
    assert known.fit_.text() == before and more is not known
    assert more.fit_.inputs.shape == (20, 2) and known.fit_.inputs.shape == (18, 2)
    assert more.get_params() == known.get_params()
    assert "2 run(s) added to 18" in more.fit_.notices[-1]
    assert np.all(np.isfinite(more.predict(franke[0], return_std=True)))


def test_the_new_runs_are_learnt(known, franke):
    more = known.add_runs(franke[0][18:], franke[1][18:])
    before = np.abs(known.predict(franke[0][18:]) - franke[1][18:])
    after = np.abs(more.predict(franke[0][18:]) - franke[1][18:])
    assert after.max() < 0.5 * before.max()  # runs that are not learnt leave the ratio at 1


@needs_program
def test_it_is_what_the_command_line_does(known, franke, tmp_path):
    known.save(tmp_path / "model.json")
    rows = ["x1,x2,y"] + [f"{a!r},{b!r},{y!r}" for (a, b), y in zip(franke[0][18:].tolist(), franke[1][18:].tolist())]
    (tmp_path / "more.csv").write_text("\n".join(rows) + "\n")
    result = run_program("add-runs", tmp_path / "model.json", tmp_path / "more.csv", "-o", tmp_path / "model2.json", "--seed", 4)
    assert result.returncode == 0, result.stderr
    here = known.add_runs(franke[0][18:], franke[1][18:], random_state=4)
    assert np.array_equal(here.posterior_.draws, EmulatorRegressor.load(tmp_path / "model2.json").posterior_.draws)


def test_columns_are_those_of_the_fit(franke):
    X = pd.DataFrame(franke[0], columns=["depth", "width"]).assign(note=1.0)
    em = EmulatorRegressor(samples=60, inputs=["width", "depth"]).fit(X[:18], franke[1][:18])
    more = em.add_runs(X[18:], franke[1][18:])
    assert np.array_equal(more.fit_.inputs[18:], franke[0][18:, ::-1])
    with pytest.raises(ValueError):
        em.add_runs(franke[0][18:], franke[1][18:])  # two columns, not three


def test_refusals(known, franke):
    with pytest.raises(ValueError, match="fit"):
        EmulatorRegressor().add_runs(franke[0], franke[1])
    with pytest.raises(ValueError, match="fit all runs again"):
        known.add_runs([[9.0, 0.5]], [0.0])
    with pytest.raises(ValueError, match="has no sample"):
        EmulatorRegressor(fast=True).fit(*franke).add_runs([[0.5, 0.5]], [0.0])
    with pytest.raises(ValueError):
        known.add_runs([[0.5, 0.5]], [np.nan])


def test_runs_somewhat_outside_bring_a_notice(known):
    with pytest.warns(ta2s2.errors.DataNotice, match="outside the range that the model is scaled by"):
        known.add_runs([[1.2, 0.5]], [0.1])


@needs_program
def test_averages_of_several_outputs_as_the_command_line_does(franke, tmp_path):
    X, Y = franke[0], np.column_stack([franke[1], 2.0 * franke[0][:, 0] - franke[1]])
    em = EmulatorRegressor(samples=100, output="y,z", **PAIR).fit(X[:18], Y[:18])
    em.save(tmp_path / "model.json")
    rows = ["x1,x2,y,z"] + [",".join(map(repr, row)) for row in np.column_stack([X, Y])[18:].tolist()]
    (tmp_path / "more.csv").write_text("\n".join(rows) + "\n")
    told = run_program("add-runs", tmp_path / "model.json", tmp_path / "more.csv", "-o", tmp_path / "model2.json")
    assert told.returncode == 0, told.stderr
    here, there = em.add_runs(X[18:], Y[18:]), EmulatorRegressor.load(tmp_path / "model2.json")
    assert np.array_equal(here.predict(X), there.predict(X))
    assert here.model_weights_ == there.model_weights_ != em.model_weights_
    assert here.outputs_["z"].fit_.inputs.shape == (20, 2)


def test_a_notice_is_told_of_an_average_too(franke):
    em = EmulatorRegressor(samples=60, **PAIR).fit(*franke)
    with pytest.warns(ta2s2.errors.DataNotice, match="outside the range that the model is scaled by") as told:
        em.add_runs([[1.2, 0.5]], [0.1])
    assert sum("outside the range" in str(one.message) for one in told) == 1
