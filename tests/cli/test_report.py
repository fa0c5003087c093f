"""The report as a file: what it holds, what is refused. What it looks like is tests/report's business."""

import json
import re

import pytest

from program import (ANNEALED, BAD_DATA, BAD_FILE, CANNOT_WRITE, DATA, FEW, ONE, USAGE, files_in, fit, run, run_well, show,
                     table, validate, write_csv)

TRAIN = DATA / "franke_train_1.csv"
TEST = DATA / "franke_test.csv"


def record_in(page):
    return json.loads(re.search(r'<script type="application/json" id="record">([^<]*)<', page).group(1))


@pytest.fixture(scope="module")
def page(franke_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    run_well("report", franke_model, "--validation", TEST, "-o", path)
    return path


def test_scores_are_those_of_validate(franke_model, page):
    scores = record_in(page.read_text())["validation"]["scores"]
    expected = validate(franke_model, TEST)
    for key in ("rmse", "crps", "nlpd", "interval_score_95"):
        assert scores["posterior"][key] == pytest.approx(expected[key], rel=1e-12)
        assert scores["map"][key] == pytest.approx(expected["map"][key], rel=1e-12)


def test_evidence_and_medians_are_those_of_show(franke_model, page):
    record, summary = record_in(page.read_text()), show(franke_model)
    assert record["totals"]["evidence"]["log_evidence"] == summary["log_evidence"]
    assert record["verdict"]["sampler"] == summary["verdict"]["status"]
    for row in record["models"][0]["length_scales"]["rows"]:
        assert row["length_scale"]["q50"] == summary["parameters"]["length_scale_" + row["name"]]["q0.5"]


def test_fit_writes_the_report_of_its_model(tmp_path):
    fit(TRAIN, tmp_path / "model.json", "--output", "y", *FEW, "--report", tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == run_well("report", tmp_path / "model.json").stdout


def test_an_old_page_is_drawn_anew(page):
    assert run_well("report", page).stdout == page.read_text()


def test_a_record_is_drawn_as_its_page(page, tmp_path):
    (tmp_path / "record.json").write_text(run_well("report", page, "--record").stdout)
    assert run_well("report", tmp_path / "record.json").stdout == page.read_text()


def test_next_runs_and_indices_are_those_of_the_commands(franke_model, page):
    record = record_in(page.read_text())
    next_runs = record["next_runs"]
    assert next_runs["command"] == f"ta2s2 next-runs model.json --output y --count 5 --draws {next_runs['draws']} -o next.csv"
    _, rows = table(run_well("next-runs", franke_model, "--count", 5, "--draws", next_runs["draws"]).stdout)
    assert [row["at"] for row in next_runs["rows"]] == [row[:2] for row in rows]
    for row, expected in zip(next_runs["rows"], rows):
        assert [row["mean"], row["sd"], row["value"]] == pytest.approx(expected[2:], rel=1e-7)
    said = run_well("sensitivity", franke_model, "--paths", record["inputs"]["paths"], "--format", "json").stdout
    expected = {row["name"]: row for row in json.loads(said)["inputs"]}
    for row in record["inputs"]["rows"]:
        for index in ("first", "total"):
            for ours, theirs in (("q025", "q0.025"), ("q50", "q0.5"), ("q975", "q0.975")):
                assert row[index][ours] == pytest.approx(expected[row["name"]][index][theirs], rel=1e-7, abs=1e-12)
        assert row["p_inert"] == expected[row["name"]]["p_inert"]


@pytest.fixture(scope="module")
def average(tmp_path_factory):
    folder = tmp_path_factory.mktemp("average")
    fit(TRAIN, folder / "model.json", "--output", "y", *ANNEALED, "--samples", "60", "--report", folder / "report.html")
    return folder


def test_an_average_has_one_report(average):
    page = run_well("report", average / "model.json", "--validation", TEST).stdout
    record, expected = record_in(page), validate(average / "model.json", TEST)
    assert record["validation"]["scores"]["posterior"]["crps"] == pytest.approx(expected["crps"], rel=1e-12)
    weights = {model["label"]: model["weight"] for model in record["models"]}
    assert weights == pytest.approx({model["model"]: model["weight"] for model in show(average / "model.json")["models"]}, rel=1e-7)
    assert " --model average" in record["provenance"]["command"]


def test_fit_writes_the_report_of_an_average(average):
    assert (average / "report.html").read_text() == run_well("report", average / "model.json").stdout


def test_one_model_of_an_average(average, tmp_path):
    apart = fit(TRAIN, tmp_path / "apart.json", "--output", "y", "--correlation", "matern52", *FEW)
    scores = [record_in(run_well("report", *choice).stdout)["leave_one_out"]["scores"]
              for choice in ((average / "model.json", "--model", "matern52"), (apart,))]
    assert scores[0] == scores[1]


def test_two_fits_are_compared(franke_model, tmp_path):
    other = fit(TRAIN, tmp_path / "other.json", "--output", "y", "--correlation", "matern32", *FEW)
    record = record_in(run_well("report", franke_model, other, "--validation", TEST).stdout)
    assert [part["label"] for part in record["fits"]] == [str(franke_model), str(other)]
    expected = show(franke_model)["log_evidence"] - show(other)["log_evidence"]
    assert record["evidence"]["difference"] == pytest.approx(expected)
    assert {row["name"] for row in record["settings"]} == {"correlation", "samples"}


def test_threads_change_no_bit(franke_model):
    assert run_well("report", franke_model, "--threads", 1).stdout == run_well("report", franke_model, "--threads", 3).stdout


def refused(code, *arguments, says):
    result = run(*arguments)
    assert result.returncode == code, result.stderr
    for part in says:
        assert part in result.stderr


def test_bad_input_gets_a_sentence(franke_model, page, tmp_path):
    other = write_csv(tmp_path / "other.csv", ["a", "b"], [[1, 2]])
    damaged = tmp_path / "damaged.html"
    damaged.write_text(page.read_text().replace('"format":"ta2s2-report"', '"format":"ta2s2-report'))
    newer = tmp_path / "newer.html"
    text = page.read_text()
    assert '"format_version":4' in text
    newer.write_text(text.replace('"format_version":4', '"format_version":9'))
    refused(BAD_FILE, "report", tmp_path / "missing.json", says=["missing.json", "cannot be read"])
    refused(BAD_DATA, "report", franke_model, "--validation", other, says=['other.csv', 'expected a column "y"'])
    refused(BAD_FILE, "report", damaged, says=["damaged.html", "holds no report record"])
    refused(BAD_FILE, "report", newer, says=["newer.html", "version 9"])
    refused(USAGE, "report", page, "--validation", TEST, says=["is a report"])
    refused(USAGE, "report", franke_model, "-o", franke_model, says=["is read by this command"])
    refused(CANNOT_WRITE, "report", franke_model, "-o", tmp_path / "no" / "report.html", says=["report.html"])


def test_too_few_runs_to_leave_one_out(tmp_path):
    rows = [(0, 0), (0.3, 0.2), (0.7, 0.9), (1, 1), (0.5, 0.6)]
    few = "ta2s2: 4 runs are too few to predict each from all others: at least 5 are needed with this trend\n"
    for count, code, said in ((4, BAD_DATA, few), (5, 0, "")):
        write_csv(tmp_path / "runs.csv", ["x", "y"], rows[:count])
        fit(tmp_path / "runs.csv", tmp_path / "model.json", "--output", "y", *FEW)
        result = run("report", tmp_path / "model.json")
        assert (result.returncode, result.stderr) == (code, said)


def test_fit_refuses_a_report_that_cannot_be_written_before_it_begins(tmp_path):
    model = tmp_path / "model.json"
    refused(CANNOT_WRITE, "fit", TRAIN, *ONE, "-o", model, "--report", tmp_path / "no" / "report.html", says=["report.html"])
    refused(USAGE, "fit", TRAIN, *ONE, "-o", model, "--report", model, says=["expected two files"])
    assert files_in(tmp_path) == []
