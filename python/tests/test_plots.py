"""Pictures hold the marks they should."""

import numpy as np
import pytest

from ta2s2 import EmulatorRegressor

pytest.importorskip("matplotlib")


def shown(figure):
    return [axis for axis in figure.axes if axis.get_visible()]


def test_posterior(emulator):
    axes = shown(emulator.plot_posterior())
    assert [a.get_xlabel() for a in axes] == ["log10 length-scale of x1", "log10 length-scale of x2", "log10 nugget"]
    for axis in axes:
        assert sum(bar.get_height() for bar in axis.patches) == pytest.approx(1.0)
        assert len(axis.lines) == len(emulator.posterior_.modes)


def test_predictions(emulator, franke):
    left, right = shown(emulator.plot_predictions())
    x, mean = left.lines[0].get_data()
    middle = np.tile((franke[0].min(axis=0) + franke[0].max(axis=0)) / 2, (len(x), 1))
    middle[:, 0] = x
    assert (mean == emulator.predict(middle)).all()
    assert right.get_xlabel() == "x2"


def test_runs_are_drawn_over_a_single_input():
    x = np.linspace(0, 1, 6)[:, None]
    (axis,) = shown(EmulatorRegressor(samples=60).fit(x, x[:, 0] ** 2).plot_predictions())
    assert (axis.lines[1].get_ydata() == x[:, 0] ** 2).all()


def test_validation(emulator, franke_test):
    left, middle, right = shown(emulator.plot_validation(*franke_test))
    assert (left.lines[0].get_xdata() == franke_test[1]).all()
    assert sum(bar.get_height() for bar in middle.patches[:10]) == 100
    level, inside = right.lines[0].get_data()
    report = emulator.score_report(*franke_test).posterior
    assert inside[np.argmin(np.abs(level - 0.95))] == pytest.approx(report.coverage[0.95])


def test_levels(emulator):
    axes = shown(emulator.plot_levels())
    levels = emulator.posterior_.levels
    stages = list(dict.fromkeys(level["stage"] for level in levels))
    assert stages[:3] == ["scout", "pass 1", "pass 2"] and len(axes[0].lines) == len(stages)
    for line, stage in zip(axes[0].lines, stages):
        betas = [level["inverse_temperature"] for level in levels if level["stage"] == stage]
        assert list(line.get_ydata()) == betas[1:]


def test_levels_of_no_sample(franke):
    with pytest.raises(ValueError, match="expected one with levels"):
        EmulatorRegressor(fast=True).fit(*franke).plot_levels()
