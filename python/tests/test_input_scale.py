"""An input with a log scale, from arrays: the model is that of its logarithm, points stay in the user's units."""

import numpy as np
import pytest

from ta2s2 import EmulatorRegressor
from ta2s2.errors import DataError

SETTINGS = {"model": "single", "fast": True}


def runs(count=16, seed=1):
    draw = np.random.default_rng(seed)
    points = np.column_stack([10.0 ** draw.uniform(-3, 3, count), draw.uniform(0, 1, count)])
    return points, np.sin(0.8 * np.log10(points[:, 0])) + 0.5 * points[:, 1] ** 2


def with_logs(points):
    return np.column_stack([np.log(points[:, 0]), points[:, 1]])


@pytest.fixture(scope="module")
def emulator():
    return EmulatorRegressor(input_scale={"x1": "log"}, **SETTINGS).fit(*runs())


def test_predictions_are_those_of_a_logarithm_by_hand(emulator):
    (points, output), (new, _) = runs(), runs(8, 2)
    by_hand = EmulatorRegressor(**SETTINGS).fit(with_logs(points), output)
    linear = EmulatorRegressor(**SETTINGS).fit(points, output)
    expected = by_hand.predict(with_logs(new))
    np.testing.assert_allclose(emulator.predict(new), expected, rtol=1e-5, atol=1e-6)
    assert np.abs(linear.predict(new) - expected).max() > 0.1


def test_a_text_says_the_same_and_the_file_keeps_it(emulator, tmp_path):
    new = runs(8, 2)[0]
    by_text = EmulatorRegressor(input_scale="x1=log", **SETTINGS).fit(*runs())
    assert (by_text.predict(new) == emulator.predict(new)).all()
    emulator.save(tmp_path / "model.json")
    loaded = EmulatorRegressor.load(tmp_path / "model.json")
    assert loaded.input_scale == "x1=log"
    assert loaded.fit_.input_scales == ["log", "linear"]
    assert (loaded.predict(new) == emulator.predict(new)).all()


def test_what_is_not_positive_is_refused(emulator):
    points, output = runs()
    with pytest.raises(DataError, match='row 2, column "x1": found -1.*positive'):
        emulator.predict([[1.0, 0.5], [-1.0, 0.5]])
    with pytest.raises(DataError, match='column "x1": found 0.*positive'):
        emulator.score_report([[0.0, 0.5]], [1.0])
    points[3, 0] = 0.0
    with pytest.raises(DataError, match='run 4, column "x1": found 0.*positive'):
        EmulatorRegressor(input_scale="x1=log", **SETTINGS).fit(points, output)


def test_predictions_are_drawn_along_the_scale(emulator):
    pytest.importorskip("matplotlib").use("Agg")
    left, right = emulator.plot_predictions().axes
    assert (left.get_xscale(), right.get_xscale()) == ("log", "linear")
    x = left.lines[0].get_xdata()
    np.testing.assert_allclose(x[1:] / x[:-1], x[1] / x[0], rtol=1e-9)
