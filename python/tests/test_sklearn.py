"""scikit-learn's manners."""

import pickle
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from conftest import PAIR
from ta2s2 import EmulatorRegressor


def test_every_check_passes_and_none_is_skipped():
    results = check_estimator(EmulatorRegressor(sampler="annealed", samples=60), on_fail=None, on_skip=None)
    assert len(results) > 40
    assert {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"} == {}


def test_clone_and_repr():
    em = EmulatorRegressor(prior="reference", random_state=3)
    assert clone(em).get_params() == em.get_params()
    assert repr(em) == "EmulatorRegressor(prior='reference', random_state=3)"
    assert is_regressor(em)


def test_pickle_keeps_the_fit(emulator, franke):
    again = pickle.loads(pickle.dumps(emulator))
    assert again.fit_.text() == emulator.fit_.text()
    assert (again.predict(franke[0]) == emulator.predict(franke[0])).all()


def test_pipeline_and_grid_search(franke):
    pipeline = make_pipeline(StandardScaler(), EmulatorRegressor(samples=60))
    grid = {"emulatorregressor__correlation": ["matern52", "squared-exponential"]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(*franke)
    assert search.best_params_["emulatorregressor__correlation"] in grid["emulatorregressor__correlation"]
    assert len(cross_val_score(EmulatorRegressor(samples=60), *franke, cv=3)) == 3


def test_names_come_from_tables(franke):
    X, y = pd.DataFrame(franke[0], columns=["depth", "width"]), pd.Series(franke[1], name="load")
    em = EmulatorRegressor(samples=60).fit(X, y)
    assert list(em.feature_names_in_) == ["depth", "width"]
    assert em.fit_.input_names == ["depth", "width"] and em.fit_.output_name == "load"
    assert "length_scale_depth" in em.posterior_.names
    with pytest.raises(ValueError, match="same order"):
        em.predict(X[["width", "depth"]])


def test_inputs_choose_columns_of_a_table(franke):
    X = pd.DataFrame(franke[0], columns=["depth", "width"]).assign(note=1.0)
    em = EmulatorRegressor(samples=60, inputs=["width", "depth"]).fit(X, franke[1])
    assert em.fit_.input_names == ["width", "depth"]
    same = EmulatorRegressor(samples=60).fit(franke[0][:, ::-1], franke[1])
    assert (em.predict(X) == same.predict(franke[0][:, ::-1])).all()


def test_random_states(franke):
    fit = lambda state: EmulatorRegressor(samples=60, random_state=state).fit(*franke).fit_.settings["seed"]
    assert fit(5) == "5"
    assert fit(np.random.RandomState(1)) == fit(np.random.RandomState(1)) != fit(np.random.RandomState(2))
    assert fit(np.random.default_rng(1)) == fit(np.random.default_rng(1))


def test_import_needs_numpy_alone():
    """What a user has not asked for is not loaded: imports stay fast."""
    code = "import sys, ta2s2; print([m for m in ('sklearn', 'scipy', 'pandas', 'matplotlib', 'arviz', 'tqdm') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"


def test_unfitted_without_scikit_learn():
    code = (
        "from ta2s2 import EmulatorRegressor\n"
        "from ta2s2.errors import NotFittedError\n"
        "try:\n    EmulatorRegressor().predict([[1.0]])\n"
        "except NotFittedError as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "not fitted yet" in said


def test_other_threads_run_during_a_fit(franke):
    """The interpreter's lock is released: this thread counts while the other fits."""
    fitting = threading.Thread(target=EmulatorRegressor(samples=20000, **PAIR).fit, args=franke)
    fitting.start()
    turns = 0
    while fitting.is_alive():
        turns += 1
    assert turns > 10000
