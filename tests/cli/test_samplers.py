"""Every sampling system by its name: it fits, is recorded, and its model predicts."""

import pytest

from program import ANNEALED, DATA, ONE, but_for_warnings, draws, fit, predict, read_model, run_well, show, without_times

FRANKE = DATA / "franke_train_1.csv"

# What each name stands for, and whether it can tell the evidence.
SYSTEMS = {
    "ta2s2": ("exact", "equal", True),
    "published": ("published", "tmcmc", True),
    "tmcmc": ("random-walk", "tmcmc", True),
    "aims": ("aims", "equal", True),
    "slice": ("neal", "equal", False),
    "elliptical": ("elliptical", "equal", False),
    "nuts": ("exact", "equal", False),
    "plgp": ("random-walk", "equal", True),
    "map": ("exact", "equal", False),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_fits_and_predicts(name, tmp_path):
    kernel, growth, has_evidence = SYSTEMS[name]
    model = fit(FRANKE, tmp_path / "model.json", "--samples", 200, "--sampler", name, *ONE)
    settings = read_model(model)["settings"]
    found = settings["sampler"], settings.get("move", kernel), settings.get("growth", growth)  # what means nothing is not kept
    assert found == (name, kernel, growth)
    assert ("evidence" in read_model(model)) == has_evidence
    shown = show(model)
    assert (shown["log_evidence"] is not None) == has_evidence
    assert shown["draws"] == len(draws(model)["weight"]) == (1 if name == "map" else shown["draws"])
    assert len(predict(model, DATA / "franke_test.csv")["y_mean"]) > 0
    run_well("show", model)


def test_a_name_is_its_settings(tmp_path):
    named = read_model(fit(FRANKE, tmp_path / "a.json", "--samples", 100, "--sampler", "published"))
    spelt = read_model(fit(FRANKE, tmp_path / "b.json", "--samples", 100, *ANNEALED, "--kernel", "published", "--growth",
                                "tmcmc"))
    assert named["sample"] == spelt["sample"] and named["evidence"] == spelt["evidence"]


def test_settings_beside_a_name_win_also_in_a_config_file(tmp_path):
    (tmp_path / "fit.toml").write_text('sampler = "tmcmc"\nkernel = "neal"\nsamples = 100\n')
    by_file = fit(FRANKE, tmp_path / "a.json", "--config", tmp_path / "fit.toml")
    typed = fit(FRANKE, tmp_path / "b.json", "--samples", 100, "--kernel", "neal", "--sampler", "tmcmc")
    assert without_times(by_file) == without_times(typed)
    assert read_model(typed)["settings"]["move"] == "neal"


def test_a_sample_without_evidence_is_summed_up(tmp_path):
    printed = run_well("fit", FRANKE, "-o", tmp_path / "m.json", "--samples", 400, "--sampler", "slice", "--check").stdout
    assert "judgement" in printed and "log evidence" not in printed
    assert "log evidence unknown" in run_well("show", tmp_path / "m.json").stdout


def test_progress_knows_how_many_runs_are_left(tmp_path):
    result = run_well("fit", FRANKE, "-o", tmp_path / "m.json", "--samples", 100, "--sampler", "plgp",
                      "--progress", "plain")
    lines = but_for_warnings(result.stderr).splitlines()
    assert " levels, " in lines[0] and lines[-1].endswith("done")
    assert sum(line.endswith("done") for line in lines) == 1
