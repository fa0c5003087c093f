"""ta2s2.compare against the command line."""

import json

import pytest
from conftest import DATA, needs_program, run_program

import ta2s2


@needs_program
def test_numbers_are_those_of_the_command_line(franke):
    models = ta2s2.compare(*franke, correlation=["matern52", "matern32"], trend="all", samples=60, random_state=1)
    runs = DATA / "franke_train_1.csv"
    told = run_program("compare", runs, "--output", "y", "--correlation", "matern52,matern32", "--trend", "all", "--samples", "60",
                       "--seed", "1", "--format", "json", "--quiet")
    expected = json.loads(told.stdout)["models"]
    assert [m["log_evidence"] for m in models] == [m["log_evidence"]["value"] for m in expected]
    assert [m["stacking_weight"] for m in models] == [m["stacking_weight"] for m in expected]
    assert [m["loo_crps"] for m in models] == [m["leave_one_out"]["crps"] for m in expected]


def test_weights_sum_to_one_and_the_best_comes_first(franke):
    models = ta2s2.compare(*franke, samples=60, random_state=1)
    assert len(models) == 3
    assert sum(m["weight"] for m in models) == pytest.approx(1)
    assert models[0]["log_bayes_factor"] == 0 and all(m["log_bayes_factor"] <= 0 for m in models)


def test_what_cannot_be_compared_is_refused(franke):
    with pytest.raises(ta2s2.errors.UsageError, match="none has no intercept"):
        ta2s2.compare(*franke, trend=["none", "constant"])
