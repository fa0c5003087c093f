"""Predictions: all that `predict` can return holds together, in any layout and any number of rows."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import PAIR

from ta2s2 import EmulatorRegressor


def test_results_come_in_the_order_of_the_arguments(emulator, franke_test):
    X = franke_test[0][:20]
    mean, std, cov, bands = emulator.predict(X, return_std=True, return_cov=True, quantiles=[0.1, 0.5, 0.9])
    assert mean.shape == std.shape == (20,) and cov.shape == (20, 20) and bands.shape == (20, 3)
    assert (emulator.predict(X) == mean).all()
    np.testing.assert_allclose(np.sqrt(np.diag(cov)), std, rtol=1e-8)
    np.testing.assert_allclose(cov, cov.T, rtol=1e-12)
    assert (np.diff(bands, axis=1) > 0).all()


def test_the_latent_function_is_less_uncertain(emulator, franke_test):
    _, new_run = emulator.predict(franke_test[0], return_std=True)
    _, latent = emulator.predict(franke_test[0], return_std=True, latent=True)
    assert (latent < new_run).all()


def test_the_maximum_alone_predicts_otherwise(emulator, franke_test):
    assert (emulator.predict(franke_test[0], map=True) != emulator.predict(franke_test[0])).any()


def test_any_layout_gives_the_same_numbers(emulator, franke_test):
    X = franke_test[0]
    expected = emulator.predict(X)
    wide = np.zeros((len(X), 5))
    wide[:, 1:4:2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    for layout in (np.asfortranarray(X), wide[:, 1:4:2], X[::-1][::-1], X.tolist(), read_only):
        assert (emulator.predict(layout) == expected).all()


def test_blocks_of_rows_change_nothing(emulator):
    X = np.random.default_rng(1).random((10000, 2))  # more than two blocks
    whole = emulator.predict(X)
    parts = np.concatenate([emulator.predict(part) for part in np.array_split(X, 7)])
    assert (whole == parts).all()


def test_threads_change_nothing(emulator, franke_test):
    X = franke_test[0]
    one = EmulatorRegressor(samples=400, random_state=1, threads=1, **PAIR).fit(emulator.fit_.inputs, emulator.fit_.output)
    assert (one.predict(X) == emulator.predict(X)).all()


def test_joint_draws_have_the_predicted_moments(emulator, franke_test):
    """Means and variances of n draws against predict's; a wrong standard deviation must not pass."""
    X = franke_test[0][:5]
    n = 4000
    draws = emulator.sample_y(X, n_samples=n, random_state=1)
    assert draws.shape == (5, n)
    mean, std = emulator.predict(X, return_std=True)
    # The mean of n draws has standard error std / sqrt(n); five means stay within 4 of them but for 3 in 10000 seeds.
    assert (np.abs(draws.mean(axis=1) - mean) < 4 * std / np.sqrt(n)).all()

    # The variance's error follows from the draws' own fourth moments, the tails being a t mixture's.
    squares = (draws - mean[:, None]) ** 2
    error = squares.std(axis=1) / np.sqrt(n)

    def agrees(std):
        return (np.abs(squares.mean(axis=1) - std**2) < 4 * error).all()

    assert agrees(std) and not agrees(1.25 * std)
    assert (draws == emulator.sample_y(X, n_samples=n, random_state=1)).all()


@pytest.fixture(scope="module")
def transformed(franke):
    """The default's first member alone, so that its draws are far from Student t."""
    return EmulatorRegressor(
        samples=100, random_state=1, model="single", correlation="matern52", output_transform="box-cox"
    ).fit(*franke)


def test_joint_draws_of_transformed_outputs_have_the_predicted_moments(transformed):
    """As above; and two near points covary as `return_cov` says."""
    X = np.array([[0.3, 0.4], [0.6, 0.6], [0.5, 0.85], [0.5, 0.88]])
    n = 4000
    draws = transformed.sample_y(X, n_samples=n, random_state=1)
    mean, std, cov = transformed.predict(X, return_std=True, return_cov=True)
    assert (np.abs(draws.mean(axis=1) - mean) < 4 * std / np.sqrt(n)).all()
    residuals = draws - mean[:, None]
    products = residuals[:, None] * residuals[None]
    error = products.std(axis=2) / np.sqrt(n)
    assert (np.abs(products.mean(axis=2) - cov) < 4 * error).all()
    assert (np.abs(np.diag(products.mean(axis=2)) - std**2) < 4 * np.diag(error)).all()


def test_score_report_is_the_program_s(emulator, franke_test):
    report = emulator.score_report(*franke_test)
    assert report.posterior.n == 100
    assert report.posterior.rmse == pytest.approx(np.sqrt(np.mean((emulator.predict(franke_test[0]) - franke_test[1]) ** 2)))
    assert "plug-in MAP" in str(report) and len(str(report).splitlines()) == 12
    assert emulator.score(*franke_test) == pytest.approx(
        1 - report.posterior.rmse**2 * 100 / np.sum((franke_test[1] - franke_test[1].mean()) ** 2)
    )


# In its own process, whose highest memory use is that of the predictions. 60 draws and 20 runs keep it quick; a block's
# size falls as the number of draws rises, so the memory does not grow with it.
MILLION = f"""
import resource, warnings
import numpy as np
from ta2s2 import EmulatorRegressor
warnings.simplefilter("ignore")
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
rng = np.random.default_rng(1)
runs = rng.random((20, 2))
em = EmulatorRegressor(samples=60, **{PAIR}).fit(runs, np.sin(4 * runs[:, 0]) + runs[:, 1])
em.predict(rng.random((100, 2)))
X = rng.random((1_000_000, 2))
before = peak()
mean, std = em.predict(X, return_std=True)
print(peak() - before - mean.nbytes - std.nbytes)
"""


def test_a_million_predictions_stay_within_the_stated_memory():
    said = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True).stdout
    assert float(said) < 200e6
