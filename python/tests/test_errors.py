"""Errors are Python exceptions with sentences that say what was found and what was expected."""

import numpy as np
import pytest
from conftest import needs_program, run_program

from ta2s2 import EmulatorRegressor, errors, lhs


def test_settings_that_contradict_each_other(franke):
    with pytest.raises(errors.UsageError, match="--fast draws no sample, so --check has nothing to compare; choose one"):
        EmulatorRegressor(fast=True, check=True).fit(*franke)


def test_every_problem_is_named_at_once(franke):
    with pytest.raises(errors.UsageError) as raised:
        EmulatorRegressor(samples=1, groups=0).fit(*franke)
    assert "--samples" in str(raised.value) and "--groups" in str(raised.value)


def test_output_that_never_changes(franke):
    with pytest.raises(errors.DataError, match='output "y": found 2 in every run, expected an output that varies'):
        EmulatorRegressor().fit(franke[0], np.full(len(franke[0]), 2.0))


def test_inputs_that_never_change(franke):
    with pytest.raises(errors.DataError, match="expected at least one input that varies"):
        EmulatorRegressor().fit(np.ones((5, 2)), np.arange(5.0))


def test_runs_outside_their_declared_range(franke):
    with pytest.raises(errors.DataError, match="expected a value in its declared range, 0 to 0.1"):
        EmulatorRegressor(ranges={"x1": (0, 0.1)}).fit(*franke)


def test_column_that_is_not_there(franke):
    with pytest.raises(errors.UsageError, match='there is no column "depth"; expected one of x1, x2'):
        EmulatorRegressor(inputs="depth").fit(*franke)


@needs_program
def test_model_file_that_is_none(tmp_path):
    path = tmp_path / "model.json"
    for content in ("", "{}", "{"):
        path.write_text(content)
        with pytest.raises(errors.ModelFileError) as raised:
            EmulatorRegressor.load(path)
        assert f"ta2s2: {raised.value}" == run_program("show", path).stderr.strip()


def test_path_that_cannot_be_written(emulator, tmp_path):
    with pytest.raises(OSError):
        emulator.save(tmp_path / "no" / "such" / "folder.json")


def test_levels_of_quantiles(emulator, franke):
    with pytest.raises(errors.UsageError, match="expected probabilities between 0 and 1"):
        emulator.predict(franke[0], quantiles=[1.5])


def test_kind_of_design():
    with pytest.raises(errors.UsageError, match='found "grid", expected one of maximin, random, sobol'):
        lhs(5, [(0, 1)], kind="grid")


def test_a_fit_without_a_sample_has_nothing_for_arviz(franke):
    with pytest.raises(errors.UsageError, match="expected one with draws"):
        EmulatorRegressor(fast=True).fit(*franke).to_arviz()


def test_what_is_bad_is_a_warning(franke):
    with pytest.warns(errors.ConvergenceWarning, match="not converged"):
        EmulatorRegressor(max_evaluations=1).fit(*franke)
