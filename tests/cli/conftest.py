"""Models that several tests look at and none changes."""

import pytest

from program import DATA, ONE, fit


@pytest.fixture(scope="session")
def franke_model(tmp_path_factory):
    """One model, default settings but for the size of the sample."""
    model = tmp_path_factory.mktemp("franke") / "model.json"
    return fit(DATA / "franke_train_1.csv", model, "--output", "y", "--samples", "400", *ONE)
