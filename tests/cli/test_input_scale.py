"""An input with a log scale: the model is that of its logarithm, and everything that users see is in their own units."""

import json
import math
import random

import pytest

from program import BAD_DATA, FEW, USAGE, columns, fit, predict, read_columns, read_model, run, run_well, show, table, validate, write_csv

LOG_K = ("--input-scale", "k=log")


def output_at(k, x):
    return math.sin(0.8 * math.log10(k)) + 0.5 * x * x


def some_points(count, seed):
    draw = random.Random(seed)
    return [(10.0 ** draw.uniform(-3.0, 3.0), draw.uniform(0.0, 1.0)) for _ in range(count)]


def write_runs(path, points):
    return write_csv(path, ["k", "x", "y"], [[k, x, output_at(k, x)] for k, x in points])


def write_points(path, points):
    return write_csv(path, ["k", "x"], points)


def write_ranges(folder, *lines):
    path = folder / "ranges.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def with_logs(points):
    return [(math.log(k), x) for k, x in points]


def assert_alike(found, expected):
    for name in ("y_mean", "y_sd", "y_q0.025", "outside"):
        assert found[name] == pytest.approx(expected[name], rel=1e-6, abs=1e-9), name


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Runs with k over six decades, and the same with the logarithm taken by hand; a model of either; points."""
    folder = tmp_path_factory.mktemp("scales")
    runs, points = some_points(18, 1), [*some_points(10, 2), (1e4, 0.5)]
    by_hand = write_csv(folder / "by_hand.csv", ["k", "x", "y"], [[math.log(k), x, output_at(k, x)] for k, x in runs])
    raw = write_runs(folder / "runs.csv", runs)
    return {
        "runs": raw,
        "model": fit(raw, folder / "model.json", *FEW, *LOG_K),
        "by_hand": fit(by_hand, folder / "by_hand.json", *FEW),
        "linear": fit(raw, folder / "linear.json", *FEW),
        "points": write_points(folder / "points.csv", points),
        "log_points": write_points(folder / "log_points.csv", with_logs(points)),
    }


def test_predictions_are_those_of_a_logarithm_by_hand(made):
    found = predict(made["model"], made["points"])
    assert_alike(found, predict(made["by_hand"], made["log_points"]))
    assert found["k"] == read_columns(made["points"])["k"]  # the user's units
    assert found["outside"][-1] > 0.1


def test_without_it_predictions_differ(made):
    linear, log = predict(made["linear"], made["points"]), predict(made["model"], made["points"])
    assert max(abs(a - b) for a, b in zip(linear["y_mean"], log["y_mean"])) > 0.1


def test_a_column_of_the_ranges_says_the_same_and_the_option_wins(made, tmp_path):
    ranges = write_ranges(tmp_path, "name,min,max,scale", "k,1e-3,1e3,Log", "x,0,1,")
    by_file = fit(made["runs"], tmp_path / "by_file.json", *FEW, "--ranges", ranges)
    both = fit(made["runs"], tmp_path / "both.json", *FEW, "--ranges", ranges, "--input-scale", "k=linear")
    assert read_model(by_file)["scaling"]["scales"] == ["log", "linear"]
    assert "scales" not in read_model(both)["scaling"]


def test_the_model_file_has_the_setting_and_the_users_ranges(made):
    model, linear = read_model(made["model"]), read_model(made["linear"])
    assert model["settings"]["input-scale"] == "k=log"
    assert model["scaling"]["low"] == linear["scaling"]["low"]
    assert model["scaling"]["width"] == linear["scaling"]["width"]
    assert "scales" not in linear["scaling"]


def test_length_scales_are_those_of_the_logarithm(made):
    found, by_hand = (columns(run_well("draws", made[model]).stdout) for model in ("model", "by_hand"))
    assert found["length_scale_k"] == pytest.approx(by_hand["length_scale_k"], rel=1e-5)


def test_validate_and_add_runs_keep_the_scale(made, tmp_path):
    more = some_points(4, 3)
    raw = write_runs(tmp_path / "more.csv", more)
    by_hand = write_csv(tmp_path / "logs.csv", ["k", "x", "y"], [[math.log(k), x, output_at(k, x)] for k, x in more])
    scores, expected = validate(made["model"], raw), validate(made["by_hand"], by_hand)
    assert scores["crps"] == pytest.approx(expected["crps"], rel=1e-6)
    for model, runs in (("model", raw), ("by_hand", by_hand)):
        run_well("add-runs", made[model], runs, "--quiet", "-o", tmp_path / f"{model}.json")
    found, expected = predict(tmp_path / "model.json", made["points"]), predict(tmp_path / "by_hand.json", made["log_points"])
    assert found["outside"] == pytest.approx(expected["outside"], rel=1e-9, abs=1e-12)
    # The draws differ: the streams of an update are named by the runs, whose numbers are not the same. The mean of a draw
    # varies by no more than y_sd, so that two means of n independent draws differ by sqrt(2 / n) y_sd; five times that.
    independent = min(show(tmp_path / f"{model}.json")["ess"]["chains"] for model in ("model", "by_hand"))
    for mean, by_hand_mean, sd in zip(found["y_mean"], expected["y_mean"], expected["y_sd"]):
        assert abs(mean - by_hand_mean) < 5 * math.sqrt(2 / independent) * sd


def test_sensitivity_is_log_uniform_by_default(made, tmp_path):
    options = ("--format", "csv", "--paths", "40", "--effects")
    indices = [columns_of_text(run_well("sensitivity", made[model], *options, tmp_path / f"{model}.csv").stdout)
               for model in ("model", "by_hand")]
    assert float(indices[0]["total_q0.5"][0]) == pytest.approx(float(indices[1]["total_q0.5"][0]), abs=1e-4)
    values = [[float(v) for v, name in zip(rows["value"], rows["input"]) if name == "k"]
              for rows in (columns_of_text((tmp_path / f"{model}.csv").read_text()) for model in ("model", "by_hand"))]
    assert values[0] == pytest.approx([math.exp(value) for value in values[1]], rel=1e-9)
    (tmp_path / "inputs.toml").write_text('k = "normal(1,1)"\n')
    refused = run("sensitivity", made["model"], "--inputs-distribution", tmp_path / "inputs.toml")
    assert refused.returncode == USAGE
    assert "normal(1,1)" in refused.stderr and "positive" in refused.stderr


def columns_of_text(text):
    header, *rows = [line.split(",") for line in text.splitlines()]
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


def test_next_runs_are_chosen_along_the_logarithm(made, tmp_path):
    header, rows = table(run_well("next-runs", made["model"], "--count", "3", "--draws", "16").stdout)
    low, high = min(read_columns(made["runs"])["k"]), max(read_columns(made["runs"])["k"])
    assert header[:2] == ["k", "x"]
    assert all(low <= row[0] <= high for row in rows)
    _, expected = table(run_well("next-runs", made["by_hand"], "--count", "3", "--draws", "16").stdout)
    assert [math.log(row[0]) for row in rows] == pytest.approx([row[0] for row in expected], abs=1e-3)
    candidates = write_points(tmp_path / "candidates.csv", [(1.0, 0.5), (-1.0, 0.5), (2.0, 0.1)])
    refused = run("next-runs", made["model"], "--count", "1", "--candidates", candidates)
    assert refused.returncode == BAD_DATA and 'row 2, column "k": found -1' in refused.stderr


def test_a_design_fills_the_logarithm(tmp_path):
    ranges = write_ranges(tmp_path, "name,min,max,scale", "k,1e-3,1e3,log", "x,0,1,linear")
    design = columns(run_well("design", "--ranges", ranges, "--runs", "20").stdout)
    assert sum(k < 1.0 for k in design["k"]) == 10


def test_the_report_has_the_scale(made):
    record = json.loads(run_well("report", made["model"], "--record").stdout)
    assert record["emulator"]["scales"] == ["log", "linear"]
    assert [effect.get("is_log", False) for effect in record["main_effects"]["inputs"]] == [True, False]


# ---- refused ----


@pytest.mark.parametrize("scales, parts", [
    ("q=log", ['--input-scale: found "q"', 'expected one of the inputs "k", "x"']),
    ("k=log10", ['--input-scale: found "k=log10"', "linear or log"]),
    ("k", ['--input-scale: found "k"']),
])
def test_unknown_inputs_and_scales_are_refused(made, tmp_path, scales, parts):
    result = run("fit", made["runs"], "-o", tmp_path / "model.json", *FEW, "--input-scale", scales)
    assert result.returncode == USAGE
    assert all(part in result.stderr for part in parts), result.stderr


def test_an_unknown_scale_of_a_range_is_refused_with_its_place(made, tmp_path):
    ranges = write_ranges(tmp_path, "name,min,max,scale", "k,1e-3,1e3,ln")
    result = run("fit", made["runs"], "-o", tmp_path / "model.json", *FEW, "--ranges", ranges)
    assert result.returncode == BAD_DATA
    assert 'ranges.csv, line 2, column 4 "scale": found "ln", expected linear or log' in result.stderr


def test_values_without_a_logarithm_are_refused_with_their_place(made, tmp_path):
    runs = write_csv(tmp_path / "runs.csv", ["k", "x", "y"], [[1, 0, 1], [0, 0.5, 2], [10, 1, 3], [5, 0.2, 1]])
    result = run("fit", runs, "-o", tmp_path / "model.json", *FEW, *LOG_K)
    assert result.returncode == BAD_DATA
    assert 'runs.csv, line 3, column "k": found 0, expected a positive number' in result.stderr
    ranges = write_ranges(tmp_path, "name,min,max", "k,0,1e3")
    result = run("fit", made["runs"], "-o", tmp_path / "model.json", *FEW, *LOG_K, "--ranges", ranges)
    assert result.returncode == BAD_DATA
    assert 'ranges.csv, line 2, column 2 "min": found 0, expected a positive number' in result.stderr


@pytest.mark.parametrize("options", [(), ("--covariance", "c.csv")])
def test_points_without_a_logarithm_are_refused_with_their_place(made, tmp_path, options):
    points = write_points(tmp_path / "points.csv", [(1.0, 0.5), (-2.0, 0.5)])
    result = run("predict", made["model"], points, *options, cwd=tmp_path)
    assert result.returncode == BAD_DATA
    assert 'points.csv, line 3, column "k": found -2, expected a positive number' in result.stderr
    runs = write_csv(tmp_path / "more.csv", ["k", "x", "y"], [[-3, 0.5, 1]])
    for command in (("validate", made["model"], runs), ("add-runs", made["model"], runs, "-o", tmp_path / "new.json")):
        refused = run(*command)
        assert refused.returncode == BAD_DATA
        assert 'more.csv, line 2, column "k": found -3, expected a positive number' in refused.stderr
