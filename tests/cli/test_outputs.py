"""Several outputs of the same runs: one model file, a column or table per output."""

import csv
import json
import re
import shutil
import subprocess

import pytest

from program import (ANNEALED, BAD_DATA, DATA, FEW, MEMBERS, PAIR, PROGRAM, RESUMABLE, USAGE, columns, draws, fit, predict, run, run_well, show, validate,
                     without_times)

RUNS = DATA / "franke_train_1.csv"
AVERAGE = (*PAIR, *ANNEALED, "--samples", "60")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def inputs():
    return [name for name in rows_of(RUNS)[0] if name != "y"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, inputs):
    """Franke's runs with two more outputs; one of the runs failed for the second."""
    folder = tmp_path_factory.mktemp("outputs")
    rows = rows_of(RUNS)
    for number, row in enumerate(rows):
        value, first = float(row["y"]), float(row[inputs[0]])
        row["y_square"] = "" if number == 3 else repr(value**2 + first)
        row["drift"] = repr(3.0 * first - value)
    write(folder / "runs.csv", rows)
    return folder


@pytest.fixture(scope="module")
def model(folder):
    return fit(folder / "runs.csv", folder / "all.json", "--output", "y*,drift", *FEW)


@pytest.fixture(scope="module")
def alone(folder, inputs):
    """The model file of each output, fitted by itself."""
    return {name: fit(folder / "runs.csv", folder / f"{name}.json", "--output", name, "--inputs", ",".join(inputs), *FEW)
            for name in ("y", "y_square", "drift")}


def test_predictions_of_each_output_are_those_of_its_own_fit(model, alone):
    together = predict(model, RUNS)
    for name, own in alone.items():
        apart = predict(own, RUNS)
        for column in (f"{name}_mean", f"{name}_sd", f"{name}_q0.975"):
            assert together[column] == apart[column]


def test_one_output_can_be_chosen(model, alone):
    assert run_well("predict", model, RUNS, "--output", "drift").stdout == run_well("predict", alone["drift"], RUNS).stdout
    assert draws(alone["y"]) == columns(run_well("draws", model, "--output", "y").stdout)


def test_threads_change_no_bit(model, folder):
    again = fit(folder / "runs.csv", folder / "again.json", "--output", "y*,drift", "--threads", "3", *FEW)
    assert without_times(again) == without_times(model)


def test_show_and_validate_tell_of_each(model, alone, folder):
    shown = show(model)["outputs"]
    assert [output["output"] for output in shown] == ["y", "y_square", "drift"]
    assert shown[1]["runs"] == shown[0]["runs"] - 1
    scores = validate(model, folder / "runs.csv")["outputs"]
    assert scores["drift"] == validate(alone["drift"], folder / "runs.csv")
    text = run_well("validate", model, folder / "runs.csv").stdout
    assert "y_square: " in text and text.count("coverage of 95%") == 3
    assert run_well("show", model).stdout.count("emulator of") == 3


def test_joint_draws_of_each_output(model, alone):
    together = predict(model, RUNS, "--draws", "2", "--seed", "5")
    apart = predict(alone["drift"], RUNS, "--draws", "2", "--seed", "5")
    assert together["drift_draw2"] == apart["drift_draw2"]


def test_what_follows_a_fit_takes_one_output(model, alone):
    for command in (["sensitivity", "--paths", "40", "--format", "csv"], ["next-runs", "--count", "1"]):
        chosen = run_well(command[0], model, "--output", "drift", *command[1:]).stdout
        assert chosen == run_well(command[0], alone["drift"], *command[1:]).stdout


# ---- averages over models ----

@pytest.fixture(scope="module")
def average(folder):
    return fit(RUNS, folder / "average.json", *AVERAGE)


def test_an_average_lies_between_its_models(average, folder):
    members = [predict(fit(RUNS, folder / f"{name}.json", "--correlation", name, *FEW), DATA / "franke_test.csv")["y_mean"]
               for name in MEMBERS]
    shown = show(average)
    weights = [model["weight"] for model in shown["models"]]
    assert shown["weighting"] == "evidence" and sum(weights) == pytest.approx(1.0)
    for mean, first, second in zip(predict(average, DATA / "franke_test.csv")["y_mean"], *members):
        expected = weights[0] * float(first) + weights[1] * float(second)
        assert float(mean) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_default_is_the_documented_average(folder):
    default = fit(RUNS, folder / "default.json", "--samples", "60")
    shown = show(default)
    members = ["matern52*box-cox", "rational-quadratic*box-cox", "matern52"]
    assert [model["model"] for model in shown["models"]] == members
    assert (shown["weighting"], shown["settings"]["average-over"]) == ("stacking", ",".join(members))
    assert {model["settings"]["prior"] for model in shown["models"]} == {"sparse-jointly-robust"}
    spelt_out = fit(RUNS, folder / "spelt_out.json", "--samples", "60", "--model", "average", "--average-over", ",".join(members),
                    "--weighting", "stacking", "--prior", "sparse-jointly-robust", "--box=-7,100")
    assert predict(default, DATA / "franke_test.csv") == predict(spelt_out, DATA / "franke_test.csv")


def test_a_correlation_leaves_the_members_that_have_it(folder):
    shown = show(fit(RUNS, folder / "fast.json", "--correlation", "matern52", "--fast"))
    assert [model["model"] for model in shown["models"]] == ["matern52*box-cox", "matern52"]


def test_an_average_works_wherever_one_model_does(average, folder):
    assert validate(average, DATA / "franke_test.csv")["coverage"]["0.95"] > 0.5
    run_well("sensitivity", average, "--paths", "40")
    run_well("next-runs", average, "--count", "1")
    run_well("report", average, "--model", "matern52", "-o", folder / "report.html")
    apart = fit(RUNS, folder / "matern52.json", "--correlation", "matern52", *FEW)
    assert run_well("draws", average, "--model", "matern52").stdout == run_well("draws", apart).stdout


def test_draws_of_an_average_are_those_of_all_its_models(average):
    rows = list(csv.DictReader(run_well("draws", average).stdout.splitlines()))
    weights = {model["model"]: model["weight"] for model in show(average)["models"]}
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(1.0)
    for name, weight in weights.items():
        own = [row for row in rows if row["model"] == name]
        alone = columns(run_well("draws", average, "--model", name).stdout)
        assert [float(row["length_scale_x1"]) for row in own] == alone["length_scale_x1"]
        assert sum(float(row["weight"]) for row in own) == pytest.approx(weight)


def test_names_of_models_with_commas_are_quoted_in_draws(folder):
    model = fit(RUNS, folder / "linear.json", *AVERAGE, "--trend", "linear")
    rows = list(csv.DictReader(run_well("draws", model).stdout.splitlines()))
    assert {row["model"] for row in rows} == {"squared-exponential, linear trend", "matern52, linear trend"}
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(1.0)


def test_export_of_an_average_is_its_heaviest_model(average, folder):
    shown = show(average)["models"]
    heaviest = max(shown, key=lambda model: model["weight"])["model"]
    result = run("export", average, "-o", folder / "average.nc")
    if "without the NetCDF library" in result.stderr:
        pytest.skip("built without NetCDF")
    assert result.returncode == 0, result.stderr
    assert f"posterior of {heaviest}, which weighs most" in result.stderr
    run_well("export", average, "--model", heaviest, "-o", folder / "heaviest.nc")
    assert (folder / "average.nc").read_bytes() == (folder / "heaviest.nc").read_bytes()


def test_export_without_its_module_says_so(average, folder):
    alone = shutil.copy(PROGRAM, folder / "alone")
    result = subprocess.run([alone, "export", average, "-o", folder / "none.nc"], capture_output=True, text=True)
    assert result.returncode == USAGE
    assert "built without the NetCDF library" in result.stderr
    assert not (folder / "none.nc").exists()


def test_an_averages_threads_change_no_bit(average, folder):
    again = fit(RUNS, folder / "average2.json", *AVERAGE, "--threads", "3")
    assert without_times(again) == without_times(average)


def record_in(page):
    return json.loads(re.search(r'<script type="application/json" id="record">([^<]*)<', page).group(1))


def test_a_report_has_every_output_as_its_own_report_has_it(model, folder):
    record = record_in(run_well("report", model).stdout)
    assert [output["model"]["output"] for output in record["outputs"]] == ["y", "y_square", "drift"]
    for output in record["outputs"]:
        name = output["model"]["output"]
        assert record_in(run_well("report", model, "--output", name).stdout) == output


def test_fit_writes_the_report_of_all_outputs(folder):
    fit(folder / "runs.csv", folder / "two.json", "--output", "y,drift", "--inputs", "x1,x2", *FEW, "--report", folder / "two.html")
    assert (folder / "two.html").read_text() == run_well("report", folder / "two.json").stdout


def test_a_run_that_failed_for_one_output_is_told_once(folder):
    result = run_well("fit", folder / "runs.csv", "--output", "y,y_square", "-o", folder / "two.json", *FEW)
    assert result.stderr.count("1 of 20 runs has no output") == 1


@pytest.mark.parametrize(("arguments", "code", "parts"), [
    (["fit", "runs.csv", "--output", "y,heft", "-o", "no.json"], BAD_DATA, ['"heft"']),
    (["fit", "runs.csv", "--output", "moment*", "-o", "no.json"], BAD_DATA, ["fits", '"moment*"']),
    (["predict", "all.json", "runs.csv", "--output", "mass"], USAGE, ["--output", '"mass"', "y; y_square; drift"]),
    (["predict", "all.json", "runs.csv", "--covariance", "c.csv"], USAGE, ["3 outputs", "--output"]),
    (["sensitivity", "all.json"], USAGE, ["--output", "nothing", "y; y_square; drift"]),
    (["next-runs", "all.json", "--output", "mass"], USAGE, ["--output", '"mass"', "y; y_square; drift"]),
    (["report", "all.json", "all.json"], USAGE, ["several outputs", "one output"]),
    (["report", "all.json", "--output", "mass"], USAGE, ["--output", '"mass"', "y; y_square; drift"]),
    (["add-runs", "all.json", str(RUNS), "-o", "no.json"], BAD_DATA, ['"y_square"']),
    (["fit", "runs.csv", "--model", "average", "--correlation", "matern32", "-o", "no.json"], USAGE,
     ["--correlation matern32", "--average-over"]),
    (["fit", "runs.csv", "--model", "average", "--weighting", "evidence", "--sampler", "nuts", "-o", "no.json"], USAGE,
     ["--weighting evidence", "--sampler nuts"]),
    (["draws", "all.json"], USAGE, ["--output", "nothing", "y; y_square; drift"]),
    (["draws", "all.json", "--output", "y", "--model", "rough"], USAGE, ["--member", '"rough"', "matern52"]),
])
def test_bad_input(model, folder, arguments, code, parts):
    result = run(*arguments, cwd=folder)
    assert result.returncode == code, result.stderr
    for part in parts:
        assert part in result.stderr
    assert not (folder / "no.json").exists() and not (folder / "c.csv").exists()


def test_goes_on_from_a_checkpoint(folder):
    options = ("--output", "y*,drift", *PAIR, "--samples", "6000")
    whole = fit(folder / "runs.csv", folder / "whole.json", *options)
    result = run("fit", folder / "runs.csv", "-o", folder / "resumed.json", "--checkpoint", folder / "run.ckpt",
                 "--time-limit", "0.1", *options)
    assert result.returncode == RESUMABLE, result.stderr
    run_well("resume", folder / "run.ckpt")
    assert without_times(folder / "resumed.json") == without_times(whole)
