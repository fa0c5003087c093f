"""What Python says of a fit is what the program says of it."""

import json
import pathlib
import sys
import warnings
from dataclasses import asdict

import numpy as np
import pytest
from conftest import PAIR, needs_program, run_program

from ta2s2 import EmulatorRegressor, errors, lhs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "cli"))
from model_mutants import SPOILT, spoil  # noqa: E402


@pytest.fixture(scope="module")
def good_fits(tmp_path_factory):
    """Files of one model and of an average."""
    folder = tmp_path_factory.mktemp("good")
    X = lhs(60, [(0, 1), (0, 1)], seed=1)
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.05 * np.random.default_rng(1).standard_normal(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error", errors.JudgementWarning)
        for name, model in (("single", {"model": "single"}), ("average", PAIR)):
            EmulatorRegressor(sampler="annealed", samples=1000, random_state=1, **model).fit(X, y).save(folder / f"{name}.json")
    return folder / "single.json", folder / "average.json"


@needs_program
@pytest.mark.parametrize("name", SPOILT)
def test_of_a_spoilt_fit_the_program_says_the_same(name, good_fits, tmp_path):
    grade = spoil(name, *good_fits, tmp_path / "model.json")
    summary = json.loads(run_program("show", tmp_path / "model.json", "--json").stdout)
    judgement = EmulatorRegressor.load(tmp_path / "model.json").judgement_
    assert judgement.grade == grade
    assert {**asdict(judgement), "warnings": judgement.warnings} == {
        "output": summary["output"], **summary["judgement"], "warnings": summary["warnings"]}


def test_what_is_wrong_is_a_warning_each(franke):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        em = EmulatorRegressor(max_evaluations=1, model="single").fit(*franke)
    said = [str(each.message) for each in caught if issubclass(each.category, errors.JudgementWarning)]
    assert said == em.judgement_.warnings and len(said) > 0
    of_sampler = [str(each.message) for each in caught if issubclass(each.category, errors.ConvergenceWarning)]
    assert len(of_sampler) == 1 and of_sampler[0].startswith("sampler not converged: ")


def test_a_good_fit_warns_of_nothing(good_fits):
    for path in good_fits:
        judgement = EmulatorRegressor.load(path).judgement_
        assert (judgement.grade, judgement.warnings) == ("good", [])
