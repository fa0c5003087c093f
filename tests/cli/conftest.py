"""Models that several tests look at and none changes."""

import pytest

from program import ANNEALED, DATA, ONE, fit


@pytest.fixture(scope="session")
def franke_model(tmp_path_factory):
    """One model, by levels that are tempered once: its settings are in its file, and its sample has as many draws as they say."""
    model = tmp_path_factory.mktemp("franke") / "model.json"
    return fit(DATA / "franke_train_1.csv", model, "--output", "y", *ANNEALED, "--samples", "400", *ONE)
