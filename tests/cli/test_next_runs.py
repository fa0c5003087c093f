"""ta2s2 next-runs: where to run the simulator next."""

import json
import shutil
import signal
import subprocess

import pytest

from program import (BAD_DATA, BAD_FILE, CANNOT_WRITE, DATA, INTERRUPTED, PROGRAM, USAGE, columns, files_in, fit,
                     read_columns, run, run_well, table, write_csv)

CRITERIA = {"imse": "imse", "loo-imse": "imse", "variance": "variance", "entropy": "information", "ei-min": "improvement",
            "ei-max": "improvement", "boundary(0.5)": "boundary"}


@pytest.mark.parametrize("criterion", CRITERIA)
def test_gives_points_ready_to_run(franke_model, criterion):
    header, rows = table(run_well("next-runs", franke_model, "--count", 3, "--criterion", criterion).stdout)
    assert header == ["x1", "x2", "y_mean", "y_sd", "y_" + CRITERIA[criterion]]
    assert len(rows) == 3
    runs = read_columns(DATA / "franke_train_1.csv")
    for x1, x2, _, sd, value in rows:
        assert min(runs["x1"]) <= x1 <= max(runs["x1"]) and min(runs["x2"]) <= x2 <= max(runs["x2"])
        assert sd > 0 and value > 0


def test_predictions_are_those_of_predict(franke_model, tmp_path):
    run_well("next-runs", franke_model, "--count", 2, "-o", tmp_path / "next.csv")
    next_runs = read_columns(tmp_path / "next.csv")
    predicted = columns(run_well("predict", franke_model, tmp_path / "next.csv").stdout)
    assert next_runs["y_mean"] == predicted["y_mean"]
    assert next_runs["y_sd"] == predicted["y_sd"]


# The points of a finished study can be run and fitted with the ranges that were declared, to the last bit.
def test_points_on_the_border_are_in_the_declared_ranges(tmp_path):
    (tmp_path / "ranges.csv").write_text("name,min,max\na,0.1,0.3\nb,-3.141592653589793,3.141592653589793\n")
    run_well("design", "--ranges", tmp_path / "ranges.csv", "--runs", 10, "-o", tmp_path / "design.csv")
    design = read_columns(tmp_path / "design.csv")
    rows = [[a, b, a * b] for a, b in zip(design["a"], design["b"])]
    runs = write_csv(tmp_path / "runs.csv", ["a", "b", "y"], rows)
    options = ("--output", "y", "--samples", "60", "--ranges", tmp_path / "ranges.csv")
    model = fit(runs, tmp_path / "model.json", *options)
    _, chosen = table(run_well("next-runs", model, "--criterion", "variance", "--count", 6).stdout)
    assert any(row[0] in (0.1, 0.3) for row in chosen)
    more = write_csv(tmp_path / "more.csv", ["a", "b", "y"], rows + [[row[0], row[1], 0.5] for row in chosen])
    fit(more, tmp_path / "model2.json", *options)


def test_chooses_among_candidates(franke_model, tmp_path):
    candidates = write_csv(tmp_path / "c.csv", ["x2", "x1"], [[0.1, 0.9], [0.5, 0.5], [0.52, 0.52], [0.9, 0.1]])
    document = json.loads(run_well("next-runs", franke_model, "--candidates", candidates, "--count", 2,
                                   "--format", "json").stdout)
    assert len(document["points"]) == 2
    for point in document["points"]:
        x2, x1 = [[0.1, 0.9], [0.5, 0.5], [0.52, 0.52], [0.9, 0.1]][point["candidate"] - 1]
        assert point["inputs"] == {"x1": x1, "x2": x2}


def test_json_and_table_say_what_csv_says(franke_model):
    words = ("next-runs", franke_model, "--count", 2, "--criterion", "boundary(0.5)")
    header, rows = table(run_well(*words).stdout)
    document = json.loads(run_well(*words, "--format", "json").stdout)
    assert document["criterion"] == "boundary(0.5)"
    assert document["output"] == "y"
    assert document["draws"] == 100
    assert [[p["inputs"]["x1"], p["inputs"]["x2"], p["mean"], p["sd"], p["value"]] for p in document["points"]] == rows
    variance = document["average_variance"]
    assert len(variance) == 3 and variance[0] > variance[1] > variance[2]
    assert variance[0] - variance[1] == pytest.approx(rows[0][4], rel=1e-6)
    text = run_well(*words, "--format", "table").stdout
    assert all(name in text for name in header)
    assert "expected after these runs" in text


def test_is_the_same_for_any_number_of_threads(franke_model):
    words = ("next-runs", franke_model, "--count", 3)
    assert run_well(*words, "--threads", 1).stdout == run_well(*words, "--threads", 3).stdout


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="needs gnuplot")
def test_draws_a_picture(franke_model, tmp_path):
    run_well("next-runs", franke_model, "--count", 2, "--picture", tmp_path / "p.svg", "-o", tmp_path / "next.csv")
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")
    assert files_in(tmp_path) == ["next.csv", "p.svg"]


def test_without_gnuplot_says_so_and_writes_nothing(franke_model, tmp_path):
    result = run("next-runs", franke_model, "--count", 1, "--picture", tmp_path / "p.svg", "-o", tmp_path / "next.csv",
                 env={"PATH": str(tmp_path)})
    assert result.returncode == CANNOT_WRITE
    assert "gnuplot" in result.stderr
    assert files_in(tmp_path) == []


def test_notices(franke_model, tmp_path):
    candidates = write_csv(tmp_path / "c.csv", ["x1", "x2"], [[0.5, 0.5], [1.5, 0.5]])
    assert "1 of 2 candidates lie outside" in run_well("next-runs", franke_model, "--candidates", candidates,
                                                       "--count", 1).stderr
    assert "nowhere expected to be 1000" in run_well("next-runs", franke_model, "--count", 1, "--criterion",
                                                     "boundary(1000)").stderr
    assert run_well("next-runs", franke_model, "--count", 1, "--criterion", "boundary(0.5)").stderr == ""


@pytest.mark.parametrize("options, code, words", [
    (("--criterion", "best"), USAGE, 'found "best", expected one of imse'),
    (("--criterion", "boundary"), USAGE, "boundary(y0)"),
    (("--criterion", "boundary(high)"), USAGE, "high"),
    (("--count", "0"), USAGE, "--count"),
    (("--format", "xml"), USAGE, 'found "xml", expected one of csv, json, table'),
    (("--draws", "0"), USAGE, "--draws"),
    (("--candidates", "nowhere.csv"), BAD_FILE, "nowhere.csv"),
    (("-o", "nowhere/next.csv"), CANNOT_WRITE, "nowhere"),
])
def test_bad_input_gets_a_sentence(franke_model, tmp_path, options, code, words):
    result = run("next-runs", franke_model, *options, cwd=tmp_path)
    assert result.returncode == code
    assert words in result.stderr
    assert result.stdout == ""
    assert files_in(tmp_path) == []


def test_bad_candidates_get_a_sentence(franke_model, tmp_path):
    missing = write_csv(tmp_path / "missing.csv", ["x1", "z"], [[0.5, 0.5]])
    result = run("next-runs", franke_model, "--candidates", missing)
    assert result.returncode == BAD_DATA
    assert "x2" in result.stderr
    few = write_csv(tmp_path / "few.csv", ["x1", "x2"], [[0.5, 0.5]])
    result = run("next-runs", franke_model, "--candidates", few, "--count", 3)
    assert result.returncode == USAGE
    assert "found 1 candidates, expected at least 3" in result.stderr
    runs = read_columns(DATA / "franke_train_1.csv")
    known = write_csv(tmp_path / "known.csv", ["x1", "x2"], list(zip(runs["x1"], runs["x2"])))
    result = run("next-runs", franke_model, "--candidates", known, "--count", 1)
    assert result.returncode == USAGE
    assert "found 0 points that lie apart from the runs" in result.stderr


def test_a_picture_of_many_inputs_is_refused(tmp_path):
    model = fit(DATA / "wing_weight_train_1.csv", tmp_path / "m.json", "--output", "weight", "--samples", "60")
    result = run("next-runs", model, "--picture", tmp_path / "p.svg")
    assert result.returncode == USAGE
    assert "found 10 inputs, expected one or two" in result.stderr
    assert files_in(tmp_path) == ["m.json"]


def test_ctrl_c_ends_it_and_leaves_no_file(franke_model, tmp_path):
    process = subprocess.Popen([PROGRAM, "next-runs", franke_model, "--count", "500", "--progress", "plain",
                                "-o", tmp_path / "next.csv"], stderr=subprocess.PIPE, text=True)
    assert " of 500 next runs" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED, rest
    assert files_in(tmp_path) == []
