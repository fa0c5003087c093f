"""`ta2s2 compare`: its table, what it refuses, and that a row is the fit of its settings."""

import csv
import io
import json

import pytest

from program import BAD_DATA, BAD_FILE, DATA, FEW, USAGE, fit, read_model, run, run_well

FRANKE = DATA / "franke_train_1.csv"
QUICK = (FRANKE, "--output", "y", "--quiet", *FEW)


def compare(*options):
    return json.loads(run_well("compare", *QUICK, "--format", "json", *options).stdout)


def test_compares_three_degrees_of_smoothness_unless_told_otherwise():
    told = compare()
    models = told["models"]
    assert told["output"] == "y" and told["runs"] == 20
    assert {m["correlation"] for m in models} == {"squared-exponential", "matern52", "matern32"}
    evidences = [m["log_evidence"]["value"] for m in models]
    assert evidences == sorted(evidences, reverse=True)
    assert sum(m["weight"]["value"] for m in models) == pytest.approx(1.0)
    assert sum(m["stacking_weight"] for m in models) == pytest.approx(1.0)
    for model in models:
        assert model["log_evidence"]["standard_error"] > 0
        assert 0 <= model["weight"]["low"] <= model["weight"]["high"] <= 1
        assert model["leave_one_out"]["crps"] > 0
        assert model["trend_prior"] == "flat"


def test_all_correlations_have_the_power_exponential_and_the_rational_too():
    assert {m["correlation"] for m in compare("--correlation", "all")["models"]} == {
        "squared-exponential", "matern52", "matern32", "power-exponential(1.9)", "rational(0.5)",
        "rational-quadratic"}


def test_a_row_is_the_fit_of_its_settings(tmp_path):
    row = compare("--correlation", "matern32")["models"][0]
    model = read_model(fit(FRANKE, tmp_path / "model.json", "--output", "y", "--correlation", "matern32", *FEW))
    assert row["log_evidence"]["value"] == model["evidence"]["log_evidence"]


def test_trends_are_compared_under_a_proper_prior():
    models = compare("--correlation", "matern52", "--trend", "all")["models"]
    assert {m["trend"] for m in models} == {"constant", "linear"}
    assert {m["trend_prior"] for m in models} == {"unit-information"}


def test_priors_in_a_list_may_have_numbers():
    models = compare("--correlation", "matern52", "--prior", "jointly-robust,gamma(2,1),reference")["models"]
    assert {m["prior"] for m in models} == {"jointly-robust", "gamma(2,1)", "reference"}


def test_csv_and_table_say_the_same(tmp_path):
    options = ("--correlation", "matern52,matern32")
    run_well("compare", *QUICK, *options, "--format", "csv", "-o", tmp_path / "models.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "models.csv").read_text())))
    models = compare(*options)["models"]
    assert [r["correlation"] for r in rows] == [m["correlation"] for m in models]
    assert [float(r["log_evidence"]) for r in rows] == [m["log_evidence"]["value"] for m in models]
    table = run_well("compare", *QUICK, *options).stdout.splitlines()
    assert table[0].startswith("correlation") and len(table) == 3
    assert table[1].startswith(models[0]["correlation"])


def test_one_seed_gives_one_answer_on_any_number_of_threads():
    def numbers(threads):
        models = compare("--correlation", "matern52,matern32", "--threads", threads)["models"]
        return [{key: value for key, value in model.items() if key != "seconds"} for model in models]

    assert numbers("1") == numbers("3")


def test_progress_names_each_model():
    result = run_well("compare", FRANKE, "--output", "y", "--correlation", "matern52,matern32", "--progress", "plain", *FEW)
    assert "model 1 of 2: --correlation matern52" in result.stderr
    assert "model 2 of 2: --correlation matern32" in result.stderr


@pytest.mark.parametrize(("options", "words"), [
    (["--trend", "none,constant"], ["none has no intercept"]),
    (["--trend", "all", "--prior", "reference"], ["derived for flat coefficients"]),
    (["--correlation", "matern99"], ["matern99", "expected auto, squared-exponential"]),
    (["--correlation", "matern52,,matern32"], ["--correlation", "each once"]),
    (["--correlation", "matern52,matern52"], ["--correlation", "each once"]),
    (["--prior", "all"], ["all", "choose one of"]),
    (["--sampler", "slice"], ["--sampler slice", "gives no evidence"]),
    (["--fast"], ["gives no evidence"]),
    (["--exponent", "paper", "--trend", "none"], ["--exponent paper"]),
    (["--checkpoint", "x.ckpt"], ["--checkpoint"]),
    (["--format", "xml"], ["xml", "table, csv, json"]),
    (["--trend", "none,constant", "--sampler", "slice"], ["none has no intercept", "gives no evidence"]),
])
def test_what_cannot_be_compared_is_refused(options, words):
    result = run("compare", FRANKE, "--output", "y", *options)
    assert result.returncode == USAGE
    for word in words:
        assert word in result.stderr


def test_bad_runs_are_refused(tmp_path):
    assert run("compare", tmp_path / "absent.csv", "--output", "y").returncode == BAD_FILE
    (tmp_path / "few.csv").write_text("a,y\n1,2\n2,3\n")
    assert run("compare", tmp_path / "few.csv", "--output", "y").returncode == BAD_DATA
