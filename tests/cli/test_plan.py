"""`ta2s2 plan`: what it tells, and that it refuses what `fit` refuses."""

import json

import pytest

from program import ANNEALED, BAD_DATA, BAD_FILE, DATA, FEW, ONE, PAIR, USAGE, fit, read_model, run, run_well, write_csv

FRANKE = DATA / "franke_train_1.csv"
WING = DATA / "wing_weight_train_1.csv"


def plan(runs, *options):
    return json.loads(run_well("plan", runs, "--json", *options).stdout)


def test_tells_time_work_and_memory():
    text = run_well("plan", WING, "--output", "weight", "--cores", "8,64").stdout
    for field in ("runs", "one evaluation", "levels", "evaluations", "chains per level", "1 core", "(this machine)",
                  "8 cores", "64 cores", "memory"):
        assert any(line.startswith(field) or field in line for line in text.splitlines()), field
    assert "100 of 10 inputs, 11 parameters" in text
    assert "note: 64 cores" not in text
    text = run_well("plan", WING, "--output", "weight", *ANNEALED, "--cores", "64").stdout
    assert "note: 64 cores are all used from --samples" in text


def test_json_has_the_same():
    told = plan(WING, "--output", "weight", *ANNEALED, "--cores", "64", "--samples", "2000", "--threads", "2", *ONE)
    assert (told["runs"], told["inputs"], told["parameters"]) == (100, 10, 11)
    work = told["work"]
    assert work["chains_per_level"] == 40 and work["chain_length"] == 50
    assert 1 <= work["tasks_per_level"] <= 40
    for name in ("levels", "evaluations", "mode_evaluations"):
        assert 0 < work[name]["low"] < work[name]["expected"] < work[name]["high"]
    assert work["times"][0]["cores"] == 1 and work["times"][-1]["cores"] == 64
    assert work["times"][-1]["samples_for_all_cores"] > 2000
    memory = told["memory_bytes"]
    assert memory["threads"] == 2
    assert memory["total"] == pytest.approx(memory["shared"] + 2 * memory["per_thread"])


def test_chains_are_those_of_the_fit(tmp_path):
    options = ("--output", "y", *ANNEALED, "--samples", "700", "--groups", "3", *ONE)
    model = read_model(fit(FRANKE, tmp_path / "model.json", *options))
    work = plan(FRANKE, *options)["work"]
    moved = [sum(move["steps"] for move in level["moves"]) for level in model["levels"][1:]]
    assert set(moved) == {work["chains_per_level"] * work["chain_length"]}


def test_passes_are_forecast_with_their_gradients():
    told = plan(WING, "--output", "weight", "--cores", "64", *ONE)
    work = told["work"]
    assert work["chains_per_level"] == 96 and work["chain_length"] == 5
    for name in ("levels", "evaluations", "gradients"):
        assert 0 < work[name]["low"] < work[name]["expected"] < work[name]["high"]
    assert work["times"][-1]["samples_for_all_cores"] == 0  # passes have as many chains for any number of draws
    seconds = told["models"][0]["evaluation_seconds"]
    assert seconds["with_gradient"] > seconds["in_block"]
    assert "gradients" in run_well("plan", WING, "--output", "weight", *ONE).stdout


def test_a_check_is_two_fits():
    once, twice = (plan(FRANKE, "--output", "y", *more)["work"] for more in (ONE, (*ONE, "--check")))
    assert (once["fits"], twice["fits"]) == (1, 2)


def test_models_and_outputs_are_told_of_one_by_one(tmp_path):
    rows = [[i / 9, (i * 4) % 10 / 9, (i * i) % 7, i % 4] for i in range(10)]
    runs = write_csv(tmp_path / "runs.csv", ["a", "b", "y", "z"], rows)
    options = ("--output", "y,z", *PAIR, "--cores", "512")
    told = plan(runs, *options)
    names = ["y, squared-exponential", "y, matern52", "z, squared-exponential", "z, matern52"]
    assert [model["name"] for model in told["models"]] == names
    assert told["work"]["fits"] == 4
    assert told["work"]["tasks_per_level"] == sum(model["tasks_per_level"] for model in told["models"])
    text = run_well("plan", runs, *options).stdout
    assert all(name in text for name in names)
    assert "4 model(s) side by side" in text and text.count("one evaluation") == 4


@pytest.mark.parametrize("settings", [["--sampler", "nuts"], ["--sampler", "plgp"], ["--fast"], ["--anneal-to", "0"]])
def test_without_a_law_it_says_so_and_tells_the_rest(settings):
    text = run_well("plan", FRANKE, "--output", "y", *settings).stdout
    assert "one evaluation" in text and "memory" in text and "levels  " not in text
    assert f"found {' '.join(settings)}" in text
    assert plan(FRANKE, "--output", "y", *settings)["work"] is None


def test_reads_a_config_file(tmp_path):
    (tmp_path / "fit.toml").write_text('output = "y"\nsampler = "annealed"\nsamples = 900\n')
    work = plan(FRANKE, "--config", tmp_path / "fit.toml")["work"]
    assert work["chains_per_level"] * work["chain_length"] >= 900


def test_notices_are_those_of_a_fit(tmp_path):
    rows = [[i / 7, 3.0, (i * i) % 5] for i in range(8)]
    runs = write_csv(tmp_path / "runs.csv", ["a", "dead", "y"], rows)
    notice = run("plan", runs, "--output", "y").stderr
    assert "dead" in notice
    assert notice.strip() in run("fit", runs, "--output", "y", *FEW, "-o", tmp_path / "model.json").stderr
    assert run("plan", runs, "--output", "y", "--quiet").stderr == ""


@pytest.mark.parametrize("arguments, code, text", [
    (["--output", "z"], BAD_DATA, 'expected a column "z"'),
    (["--samples", "3"], USAGE, "--samples"),
    (["--sampler", "magic"], USAGE, "magic"),
    (["--cores", "0"], USAGE, '--cores: found "0", expected whole numbers from 1 to 1000000, separated by commas'),
    (["--cores", "8,many"], USAGE, '--cores: found "many", expected whole numbers'),
    (["--prior", "reference(joint)", "--nugget", "fixed(1e-6)"], USAGE, "nugget"),
])
def test_refuses_what_fit_refuses(arguments, code, text):
    result = run("plan", FRANKE, *arguments)
    assert result.returncode == code and text in result.stderr and result.stdout == ""


def test_a_missing_file_is_named():
    result = run("plan", "nowhere.csv")
    assert result.returncode == BAD_FILE and "nowhere.csv" in result.stderr
