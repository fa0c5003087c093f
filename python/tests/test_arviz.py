"""ArviZ's tools work on what we give them."""

import warnings

import numpy as np
import pytest
from conftest import needs_program, run_program

from ta2s2 import sample

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    arviz = pytest.importorskip("arviz")
    import xarray


def group(data, name):
    """A group's dataset, of an InferenceData or of a DataTree."""
    found = data[name]
    return found if isinstance(found, xarray.Dataset) else found.to_dataset()


@pytest.mark.filterwarnings("ignore")
def test_summary_and_pair_plot(emulator):
    data = emulator.to_arviz()
    assert group(data, "posterior")["length_scale"].dims == ("chain", "draw", "input")
    assert list(group(data, "posterior")["input"].values) == ["x1", "x2"]
    summary = arviz.summary(data, var_names=["length_scale", "nugget"], kind="stats")
    assert list(summary.index) == ["length_scale[x1]", "length_scale[x2]", "nugget"]
    assert arviz.plot_pair(data, var_names=["log_phi"]) is not None


def test_repeated_draws_have_the_weighted_mean(emulator):
    """Systematic resampling of N draws moves a mean by less than the spread of the draws over N per unit of weight."""
    posterior = emulator.posterior_
    given = group(emulator.to_arviz(), "posterior")["log_phi"].values[0]
    n = len(posterior)
    for d in range(2):
        values = posterior[f"log_phi_x{d + 1}"]
        # Each draw is repeated floor or ceil of n w times: the residues are independent of nothing but bounded by 1/n each,
        # and behave as a random sum of n terms: its standard deviation is at most sd / (2 sqrt(n)).
        error = values.std() / (2 * np.sqrt(n))
        assert abs(given[:, d].mean() - posterior.weights @ values) < 4 * error


def test_levels_and_data(emulator, franke):
    data = emulator.to_arviz()
    stats = group(data, "sample_stats")
    betas = [level["inverse_temperature"] for level in emulator.posterior_.levels]
    assert list(stats["inverse_temperature"].values) == betas and betas[-1] == 1.0
    assert stats["temperature"].values[-1] == 1.0 and np.isinf(stats["temperature"].values[0])
    assert stats["lp"].dims == ("chain", "draw")
    assert (group(data, "observed_data")["y"].values == franke[1]).all()
    assert (group(data, "constant_data")["inputs"].values == franke[0]).all()


@needs_program
@pytest.mark.filterwarnings("ignore")
def test_the_program_exports_the_same(emulator, tmp_path):
    model, exported = tmp_path / "model.json", tmp_path / "posterior.nc"
    emulator.save(model)
    said = run_program("export", model, "-o", exported)
    assert said.returncode == 0, said.stderr
    expected, found = emulator.to_arviz(), arviz.from_netcdf(str(exported))
    for name in ("posterior", "sample_stats", "observed_data", "constant_data"):
        ours, theirs = group(expected, name), group(found, name)
        assert set(ours.variables) == set(theirs.variables)
        for variable in ours.variables:
            assert ours[variable].dims == theirs[variable].dims
            assert (ours[variable].values == theirs[variable].values).all()


@needs_program
def test_export_of_a_fit_without_draws(franke, tmp_path):
    from ta2s2 import EmulatorRegressor

    model = tmp_path / "model.json"
    EmulatorRegressor(fast=True).fit(*franke).save(model)
    said = run_program("export", model, "-o", tmp_path / "posterior.nc")
    assert said.returncode == 2 and "expected one with draws" in said.stderr
    assert not (tmp_path / "posterior.nc").exists()


@pytest.mark.filterwarnings("ignore")
def test_samples_of_a_density():
    post = sample(lambda x: -0.5 * float(x @ x), [(-7, 7)] * 2, n=500, names=["a", "b"])
    data = post.to_arviz()
    assert list(arviz.summary(data, kind="stats").index) == ["a", "b"]
    assert group(data, "sample_stats")["inverse_temperature"].values[-1] == 1.0
