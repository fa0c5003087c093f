"""Several outputs of the same runs, and averages over models."""

import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import DATA, MEMBERS, PAIR, needs_program, run_program
from sklearn.base import clone
from sklearn.metrics import r2_score
from test_model_files import without_times

from ta2s2 import EmulatorRegressor
from ta2s2.errors import UsageError

SETTINGS = {"samples": 100, "random_state": 3, "model": "single"}


@pytest.fixture(scope="module")
def table(franke):
    """Inputs and two outputs by name."""
    X, y = franke
    return pd.DataFrame(X, columns=["x1", "x2"]), pd.DataFrame({"y": y, "drift": 3.0 * X[:, 0] - y})


@pytest.fixture(scope="module")
def both(table):
    return EmulatorRegressor(**SETTINGS).fit(*table)


@pytest.fixture(scope="module")
def alone(table):
    X, Y = table
    return {name: EmulatorRegressor(**SETTINGS).fit(X, Y[name]) for name in Y}


@pytest.fixture(scope="module")
def average(franke):
    return EmulatorRegressor(samples=100, **PAIR).fit(*franke)


# ---- several outputs ----


def test_each_output_is_predicted_as_its_own_emulator_does(both, alone, franke_test):
    X = pd.DataFrame(franke_test[0], columns=["x1", "x2"])
    asked = {"return_std": True, "return_cov": True, "quantiles": [0.1, 0.5, 0.9]}
    mean, std, cov, bands = both.predict(X[:7], **asked)
    assert mean.shape == std.shape == (7, 2) and cov.shape == (7, 7, 2) and bands.shape == (7, 2, 3)
    draws = both.sample_y(X[:7], n_samples=4, random_state=5)
    assert draws.shape == (7, 2, 4)
    for k, em in enumerate(alone.values()):
        own = em.predict(X[:7], **asked)
        for together, apart in zip((mean[:, k], std[:, k], cov[..., k], bands[:, k]), own):
            assert np.array_equal(together, apart)
        assert np.array_equal(draws[:, k], em.sample_y(X[:7], n_samples=4, random_state=5))


def test_scores_of_several_outputs(both, alone, table):
    X, Y = table
    assert both.score(X, Y) == pytest.approx(r2_score(Y, both.predict(X)))
    weights = np.arange(1.0, len(X) + 1)
    assert both.score(X, Y, weights) == pytest.approx(r2_score(Y, both.predict(X), sample_weight=weights))
    reports = both.score_report(X, Y)
    assert list(reports) == ["y", "drift"]
    assert str(reports["drift"]) == str(alone["drift"].score_report(X, Y["drift"]))


@needs_program
def test_program_and_python_write_the_same_file(both, table, tmp_path):
    runs, program, python = (tmp_path / name for name in ("runs.csv", "program.json", "python.json"))
    pd.concat(table, axis=1).to_csv(runs, index=False)
    told = run_program("fit", runs, "--output", "y,drift", "--samples=100", "--seed=3", "--model=single", "-o", program)
    assert told.returncode == 0, told.stderr
    both.save(python)
    assert without_times(program) == without_times(python)


def test_files_and_pickles_keep_all_outputs(both, table, tmp_path):
    X = table[0]
    both.save(tmp_path / "model.json")
    loaded = EmulatorRegressor.load(tmp_path / "model.json")
    assert np.array_equal(loaded.predict(X), both.predict(X))
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "model.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    one = EmulatorRegressor.load(tmp_path / "model.json", output="drift")
    assert np.array_equal(one.predict(X), both.predict(X)[:, 1])
    again = pickle.loads(pickle.dumps(both))
    assert np.array_equal(again.predict(X), both.predict(X))
    assert np.array_equal(loaded.fit(X, table[1]).predict(X), both.predict(X))  # its settings are those of the fit


def test_outputs_one_by_one(both, alone, table):
    assert list(both.outputs_) == ["y", "drift"]
    drift = both.outputs_["drift"]
    assert np.array_equal(drift.posterior_.draws, alone["drift"].posterior_.draws)
    assert np.array_equal(drift.predict(table[0]), alone["drift"].predict(table[0]))
    assert both.model_weights_ == {"y": {"matern52": 1.0}, "drift": {"matern52": 1.0}}


@pytest.mark.parametrize("ask", [
    lambda em, X, Y: em.posterior_,
    lambda em, X, Y: em.to_arviz(),
    lambda em, X, Y: em.sensitivity(),
    lambda em, X, Y: em.next_runs(1),
    lambda em, X, Y: em.plot_validation(X, Y),
])
def test_what_is_about_one_output_says_how_to_choose_it(both, table, ask):
    with pytest.raises(UsageError, match=r"found 2 outputs, expected one: take it as outputs_\['y'\]; there are y, drift"):
        ask(both, *table)


def test_a_notebook_shows_every_output(both):
    assert "output y<" in both._repr_html_() and "output drift<" in both._repr_html_()


def test_names_of_outputs(franke):
    X, y = franke
    Y = np.column_stack([y, y**2])
    fit = lambda output, y: [f.output_name for f in EmulatorRegressor(fast=True, model="single", output=output).fit(X, y).fits_]
    assert fit(None, Y) == ["y1", "y2"]
    assert fit("drag,lift", Y) == ["drag", "lift"]
    assert fit(["lift"], pd.DataFrame(Y, columns=["drag", "lift"])) == ["lift"]
    assert fit(None, Y[:, :1]) == ["y"]
    with pytest.raises(UsageError, match="found 1 name"):
        fit("drag", Y)
    with pytest.raises(UsageError, match='no column "heft"'):
        fit("heft", pd.DataFrame(Y, columns=["drag", "lift"]))


def test_a_single_column_is_one_output(franke):
    X, y = franke
    em = EmulatorRegressor(fast=True, model="single").fit(X, y[:, None])
    assert em.predict(X).shape == (len(X),)
    assert em.score(X, y[:, None]) == em.score(X, y)


def test_bad_outputs(both, table):
    X, Y = table
    with pytest.raises(ValueError, match="expected 2: one for each output"):
        both.score(X, Y["y"])
    with pytest.raises(ValueError, match="expected 2: one for each output"):
        both.add_runs(X[:2] + 0.01, Y["y"][:2])
    with pytest.raises(ValueError, match="1d or 2d"):
        clone(both).fit(X, np.zeros((len(X), 2, 2)))
    with pytest.raises(ValueError, match="Input y contains NaN"):
        clone(both).fit(X, Y.where(Y > 0))


# ---- averages ----


def test_an_average_has_a_weight_and_a_posterior_of_each_model(average, franke):
    weights = average.model_weights_
    assert list(weights) == MEMBERS and sum(weights.values()) == pytest.approx(1.0)
    posteriors = average.posteriors_
    heaviest = max(weights, key=weights.get)
    assert np.array_equal(average.posterior_.draws, posteriors[heaviest].draws)
    for name, posterior in posteriors.items():
        own = EmulatorRegressor(correlation=name, model="single", samples=100).fit(*franke).posterior_
        assert np.array_equal(posterior.draws, own.draws)


def test_arviz_of_an_average(average):
    weights = average.model_weights_
    heaviest, lightest = (choose(weights, key=weights.get) for choose in (max, min))
    assert average.to_arviz().posterior.attrs["model"] == heaviest
    other = average.to_arviz(model=lightest)
    assert other.posterior.attrs["model"] == lightest
    with pytest.raises(UsageError, match="squared-exponential; matern52"):
        average.to_arviz(model="rough")


def test_an_average_has_every_method_of_one_model(average, franke, franke_test, tmp_path):
    X, y = franke_test
    average.predict(X, return_std=True, return_cov=True, quantiles=[0.5], latent=True)
    average.predict(X, map=True)
    assert average.sample_y(X, 2).shape == (len(X), 2)
    assert average.score(X, y) > 0.5
    average.score_report(X, y)
    average.next_runs(1)
    average.sensitivity(paths=40)
    assert "average" in average._repr_html_()
    for plot in (average.plot_posterior, average.plot_predictions, average.plot_levels):
        plot()
    average.plot_validation(X, y)
    average.save(tmp_path / "model.json")
    loaded = EmulatorRegressor.load(tmp_path / "model.json")
    assert loaded.model == "average" and np.array_equal(loaded.predict(X), average.predict(X))
    assert np.array_equal(pickle.loads(pickle.dumps(average)).predict(X), average.predict(X))


def test_a_bar_is_as_far_as_the_slowest_model(franke, capsys):
    EmulatorRegressor(samples=60, progress=True, **PAIR).fit(*franke)
    shown = capsys.readouterr().err
    assert "squared-exponential: scout, level" in shown and "matern52: pass 2, level" in shown
    percents = [int(part.split("%")[0].split()[-1]) for part in shown.split("\r") if "%|" in part]
    assert percents == sorted(percents) and percents[-1] == 100
