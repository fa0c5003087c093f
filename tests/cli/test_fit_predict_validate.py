"""The whole line: runs -> model -> predictions, scores, summaries and draws."""

import csv
import math

import pytest

from program import (ANNEALED, DATA, FEW, ONE, but_for_warnings, columns, draws, fit, predict, read_columns, read_model, run_well, show, table,
                     validate, without_times, write_csv)

TRAIN = DATA / "franke_train_1.csv"
TEST = DATA / "franke_test.csv"
SCORES = ["n", "rmse", "crps", "crps_normal_mixture", "nlpd", "interval_score_95", "coverage"]
COVERAGE_LEVELS = ["0.5", "0.8", "0.9", "0.95", "0.99"]


def mean(values):
    return sum(values) / len(values)


def sd(values):
    centre = mean(values)
    return math.sqrt(mean([(value - centre) ** 2 for value in values]))


def head_of(path, num_rows, folder):
    rows = list(csv.reader(path.open()))[: num_rows + 1]
    return write_csv(folder / "points.csv", rows[0], rows[1:])


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    return head_of(TEST, 12, tmp_path_factory.mktemp("points"))


# ---- predict ----


def test_predictions_have_inputs_mean_sd_and_quantiles(franke_model, tmp_path):
    result = run_well("predict", franke_model, TEST, "-o", tmp_path / "predictions.csv")
    assert result.stdout == ""
    header, rows = table((tmp_path / "predictions.csv").read_text())
    assert header == ["x1", "x2", "y_mean", "y_sd", "y_q0.025", "y_q0.5", "y_q0.975", "outside"]
    truth = read_columns(TEST)
    assert [row[0] for row in rows] == truth["x1"]  # exact doubles, in the file's order
    assert [row[1] for row in rows] == truth["x2"]
    assert all(row[3] > 0.0 for row in rows)


def test_predictions_on_standard_output_are_the_same(franke_model, tmp_path):
    run_well("predict", franke_model, TEST, "-o", tmp_path / "predictions.csv")
    printed = run_well("predict", franke_model, TEST)
    assert printed.stdout == (tmp_path / "predictions.csv").read_text()
    assert run_well("predict", franke_model, TEST, "-o", "-").stdout == printed.stdout


def test_quantiles_rise_with_their_levels(franke_model, points):
    levels = ["0.001", "0.025", "0.25", "0.5", "0.75", "0.975", "0.999"]
    table_ = predict(franke_model, points, "--quantiles", ",".join(levels))
    assert list(table_)[4:] == [f"y_q{level}" for level in levels] + ["outside"]
    for row in zip(*(table_[f"y_q{level}"] for level in levels)):
        assert all(a < b for a, b in zip(row, row[1:]))


def test_quantiles_keep_the_order_they_were_asked_in(franke_model, points):
    table_ = predict(franke_model, points, "--quantiles", "0.9,0.1")
    assert list(table_)[4:] == ["y_q0.9", "y_q0.1", "outside"]
    assert all(high > low for high, low in zip(table_["y_q0.9"], table_["y_q0.1"]))


def test_latent_leaves_out_the_nugget(franke_model, points):
    new_run = predict(franke_model, points)
    latent = predict(franke_model, points, "--latent")
    assert latent["y_mean"] == pytest.approx(new_run["y_mean"], rel=1e-9, abs=1e-12)
    assert all(a < b for a, b in zip(latent["y_sd"], new_run["y_sd"]))


def test_map_predicts_with_one_student_t(franke_model, points):
    plug_in = predict(franke_model, points, "--map", "--quantiles", "0.025,0.5,0.975")
    assert plug_in["y_q0.5"] == pytest.approx(plug_in["y_mean"], rel=1e-6)  # a single t is symmetric
    upper = [q - m for q, m in zip(plug_in["y_q0.975"], plug_in["y_mean"])]
    lower = [m - q for q, m in zip(plug_in["y_q0.025"], plug_in["y_mean"])]
    assert upper == pytest.approx(lower, rel=1e-6)
    # t with n - 1 = 19 degrees of freedom: 97.5% quantile 2.093024, sd sqrt(19 / 17) in units of its scale.
    assert [u / s for u, s in zip(upper, plug_in["y_sd"])] == pytest.approx([2.093024 / math.sqrt(19 / 17)] * 12,
                                                                            rel=1e-5)
    assert plug_in["y_mean"] != pytest.approx(predict(franke_model, points)["y_mean"], rel=1e-6)


def test_covariance_is_symmetric_with_the_variances_on_its_diagonal(franke_model, points, tmp_path):
    table_ = predict(franke_model, points, "--covariance", tmp_path / "covariance.csv")
    header, rows = table((tmp_path / "covariance.csv").read_text())
    assert header == [f"point{i}" for i in range(1, 13)]
    for i in range(12):
        assert rows[i][i] == pytest.approx(table_["y_sd"][i] ** 2, rel=1e-8)
        for j in range(i):
            scale = math.sqrt(rows[i][i] * rows[j][j])
            assert abs(rows[i][j] - rows[j][i]) < 1e-12 * scale
            assert abs(rows[i][j]) < scale
    # Not a diagonal matrix: some two of the points are close enough to know of each other.
    assert any(abs(rows[i][j]) > 0.05 * math.sqrt(rows[i][i] * rows[j][j]) for i in range(12) for j in range(i))


def test_joint_draws_have_the_predictive_mean_and_covariance(franke_model, tmp_path):
    """Two near points: their draws move together. 4000 draws; five standard errors are allowed."""
    near = write_csv(tmp_path / "near.csv", ["x1", "x2"], [(0.5, 0.85), (0.5, 0.88)])
    num_draws = 4000
    table_ = predict(franke_model, near, "--latent", "--draws", num_draws, "--covariance", tmp_path / "cov.csv")
    assert list(table_)[-2] == f"y_draw{num_draws}"
    both = [[table_[f"y_draw{i}"][point] for i in range(1, num_draws + 1)] for point in (0, 1)]
    for point, sample in enumerate(both):
        assert abs(mean(sample) - table_["y_mean"][point]) < 5 * table_["y_sd"][point] / math.sqrt(num_draws)
    _, covariance = table((tmp_path / "cov.csv").read_text())
    wanted = covariance[0][1] / math.sqrt(covariance[0][0] * covariance[1][1])
    found = mean([(a - mean(both[0])) * (b - mean(both[1])) for a, b in zip(*both)]) / (sd(both[0]) * sd(both[1]))
    assert wanted > 0.5
    # A correlation's standard error is (1 - r^2) / sqrt(n) for normal draws; a mixture of t costs less than twice that.
    assert abs(found - wanted) < 5 * 2 * (1 - wanted**2) / math.sqrt(num_draws)


def test_joint_draws_follow_their_seed(franke_model, points):
    first, same, other = [run_well("predict", franke_model, points, "--draws", 3, "--seed", seed).stdout
                          for seed in (1, 1, 2)]
    assert first == same
    assert columns(first)["y_draw1"] != columns(other)["y_draw1"]
    assert columns(first)["y_mean"] == columns(other)["y_mean"]


def test_points_may_come_in_any_column_order_with_others_beside(franke_model, points, tmp_path):
    source = read_columns(points)
    swapped = write_csv(tmp_path / "swapped.csv", ["note", "x2", "x1"],
                        [(i, b, a) for i, (a, b) in enumerate(zip(source["x1"], source["x2"]))])
    assert run_well("predict", franke_model, swapped).stdout == run_well("predict", franke_model, points).stdout


def test_a_noiseless_model_passes_through_its_runs(tmp_path):
    model = fit(TRAIN, tmp_path / "model.json", "--nugget", "fixed(1e-8)", *ONE)
    table_ = predict(model, TRAIN, "--latent")
    truth = read_columns(TRAIN)["y"]
    assert table_["y_mean"] == pytest.approx(truth, abs=1e-4)
    assert max(table_["y_sd"]) < 1e-3 < 0.1 * sd(truth)


# ---- validate ----


def test_validate_has_the_documented_keys(franke_model):
    scores = validate(franke_model, TEST)
    assert list(scores) == SCORES + ["map", "judgement"]
    assert list(scores["map"]) == SCORES
    for part in (scores, scores["map"]):
        assert part["n"] == 100
        assert list(part["coverage"]) == COVERAGE_LEVELS
        assert all(0.0 <= share <= 1.0 for share in part["coverage"].values())


@pytest.mark.parametrize("option, part", [([], lambda scores: scores), (["--map"], lambda scores: scores["map"])])
def test_scores_follow_from_predictions_and_truth(franke_model, option, part):
    scores = part(validate(franke_model, TEST))
    table_ = predict(franke_model, TEST, *option, "--quantiles", "0.025,0.05,0.95,0.975")
    truth = read_columns(TEST)["y"]
    errors = [m - y for m, y in zip(table_["y_mean"], truth)]
    assert scores["rmse"] == pytest.approx(math.sqrt(mean([e * e for e in errors])), rel=1e-9)

    def covered(low, high):
        return mean([float(a <= y <= b) for a, y, b in zip(table_[low], truth, table_[high])])

    assert scores["coverage"]["0.95"] == pytest.approx(covered("y_q0.025", "y_q0.975"), abs=1e-12)
    assert scores["coverage"]["0.9"] == pytest.approx(covered("y_q0.05", "y_q0.95"), abs=1e-12)
    interval = [(b - a) + 40.0 * (max(a - y, 0.0) + max(y - b, 0.0))  # 2 / alpha = 40
                for a, y, b in zip(table_["y_q0.025"], truth, table_["y_q0.975"])]
    assert scores["interval_score_95"] == pytest.approx(mean(interval), rel=1e-6)


def test_the_emulator_beats_the_mean_of_its_runs(franke_model):
    scores = validate(franke_model, TEST)
    truth = read_columns(TEST)["y"]
    climate = mean(read_columns(TRAIN)["y"])
    assert scores["rmse"] < 0.5 * math.sqrt(mean([(y - climate) ** 2 for y in truth]))
    assert scores["crps"] < scores["rmse"]
    assert scores["crps_normal_mixture"] == pytest.approx(scores["crps"], rel=0.05)
    assert scores["coverage"]["0.95"] > 0.8


def test_validate_without_json_is_a_table_of_the_same_numbers(franke_model):
    text = run_well("validate", franke_model, TEST).stdout
    scores = validate(franke_model, TEST)
    assert text.splitlines()[0] == "100 validation runs"
    assert "posterior" in text and "plug-in MAP" in text
    for line in text.splitlines():
        if line.startswith("RMSE"):
            assert line.split()[1:] == [f"{scores['rmse']:.6g}", f"{scores['map']['rmse']:.6g}"]


def test_one_test_run_is_enough(franke_model, tmp_path):
    write_csv(tmp_path / "one.csv", ["x1", "x2", "y"], [(0.4, 0.3, 0.7)])
    assert validate(franke_model, tmp_path / "one.csv")["n"] == 1


# ---- show and draws ----


def test_show_has_the_documented_parts(franke_model):
    summary = show(franke_model)
    assert list(summary) == ["output", "inputs", "runs", "added_runs", "data_fingerprint", "draws", "ess", "log_evidence",
                             "log_evidence_error", "log_evidence_is_normalised", "log_evidence_by_group",
                             "log_evidence_error_by_group", "verdict", "judgement", "check", "parameters", "coordinates", "map",
                             "modes", "moves", "levels", "settings", "notices", "warnings", "program_version",
                             "recalibration", "activity"]
    assert (summary["output"], summary["inputs"], summary["runs"]) == ("y", ["x1", "x2"], 20)
    assert list(summary["parameters"]) == ["length_scale_x1", "length_scale_x2", "nugget"]
    for parameter in summary["parameters"].values():
        assert list(parameter) == ["mean", "sd", "q0.025", "q0.5", "q0.975"]
        assert 0.0 < parameter["q0.025"] <= parameter["q0.5"] <= parameter["q0.975"]
    assert sum(mode["weight"] for mode in summary["modes"]) == pytest.approx(1.0)
    assert min(mode["energy"] for mode in summary["modes"]) == summary["map"]["energy"]
    assert 0.0 < summary["log_evidence_error"] < 1.0
    betas = [level["inverse_temperature"] for level in summary["levels"]]
    assert betas[0] == 0.0 and betas[-1] == 1.0 and betas == sorted(set(betas))
    assert summary["settings"]["samples"] == "400" and summary["settings"]["move"] == "exact"
    assert 0.0 < summary["ess"]["chains"] <= 1.5 * summary["draws"]


def test_default_model_is_the_documented_one(franke_model):
    settings = show(franke_model)["settings"]
    wanted = {"correlation": "matern52", "prior": "sparse-jointly-robust", "nugget": "log-uniform", "trend": "constant",
              "move": "exact", "growth": "equal", "start": "posterior", "exponent": "model", "box": "-7,100",
              "ess-target": "0.5", "seed": "1"}
    assert {name: settings[name] for name in wanted} == wanted


def test_show_without_json_tells_the_same(franke_model):
    text = run_well("show", franke_model).stdout
    summary = show(franke_model)
    assert f"log evidence {summary['log_evidence']:.3f} +- {summary['log_evidence_error']:.3f}" in text
    for word in ("length_scale_x1", "length_scale_x2", "nugget", "mode", "level", "temperature", "--samples 400"):
        assert word in text


def test_draws_hold_a_row_per_draw_in_both_units(franke_model):
    table_ = draws(franke_model)
    assert list(table_) == ["log_phi_x1", "log_phi_x2", "length_scale_x1", "length_scale_x2", "nugget", "energy",
                            "weight"]
    assert len(table_["weight"]) == show(franke_model)["draws"] >= 400
    assert sum(table_["weight"]) == pytest.approx(1.0, abs=1e-12)
    runs = read_columns(TRAIN)
    for name in ("x1", "x2"):
        width = max(runs[name]) - min(runs[name])
        scaled = [math.exp(0.5 * log_phi) * width for log_phi in table_[f"log_phi_{name}"]]
        assert table_[f"length_scale_{name}"] == pytest.approx(scaled, rel=1e-12)
        assert all(-7.0 <= log_phi <= 7.0 for log_phi in table_[f"log_phi_{name}"])
    assert all(1e-12 <= nugget <= 1.0 for nugget in table_["nugget"])


def test_show_summarises_the_draws(franke_model):
    table_ = draws(franke_model)
    for name, parameter in show(franke_model)["parameters"].items():
        assert parameter["mean"] == pytest.approx(mean(table_[name]), rel=1e-9)
        assert parameter["sd"] == pytest.approx(sd(table_[name]), rel=1e-9)


def test_no_draw_is_better_than_the_map(franke_model):
    assert min(draws(franke_model)["energy"]) >= show(franke_model)["map"]["energy"]


# ---- every choice of a fit ----

CHOICES = [
    *(("prior", spec) for spec in ("reference", "jointly-robust", "sparse-jointly-robust", "log-uniform", "exponential(0.2)",
                                   "gamma(2,1)", "log-normal(0,1)", "log-laplace(0,1)", "decaying", "x1=gamma(2,1);*=decaying")),
    *(("nugget", spec) for spec in ("log-uniform", "uniform", "beta(1,9)", "exponential(100)", "fixed(1e-8)")),
    *(("trend", spec) for spec in ("none", "constant", "linear", "terms(x1,x2^2)")),
    *(("correlation", spec) for spec in ("squared-exponential", "matern52", "matern32", "power-exponential(1.9)")),
    *(("move", spec) for spec in ("exact", "published", "neal", "random-walk")),
    *(("growth", spec) for spec in ("equal", "tmcmc")),
    *(("start", spec) for spec in ("posterior", "prior")),
    *(("box", spec) for spec in ("-7,7", "-3,3", "-50,100")),
    ("ess-target", "0.8"),
    ("samples", "150"),
    ("chain-length", "3"),
    ("groups", "8"),
    ("coordinates", "unbounded"),
    ("published-reading", "algorithm1"),
]


@pytest.mark.parametrize("name, spec", CHOICES)
def test_every_choice_fits_and_predicts_well(name, spec, tmp_path):
    options = [f"--{name}={spec}"]
    if name != "samples":
        options += ["--samples", "200"]
    if name in ("move", "growth", "start", "ess-target", "chain-length", "groups", "coordinates", "published-reading"):
        options += ANNEALED
    if name.startswith("published"):
        options += ["--kernel", "published"]
    options += ONE
    model = fit(TRAIN, tmp_path / "model.json", *options)
    summary = show(model)
    assert summary["settings"][name] == spec
    assert math.isfinite(summary["log_evidence"])
    assert summary["log_evidence_is_normalised"] == (spec != "reference")
    # The mean of the runs alone has an RMSE of 0.27 here.
    assert validate(model, TEST)["rmse"] < 0.15


def test_the_published_kernel_comes_with_a_warning(tmp_path):
    model = fit(TRAIN, tmp_path / "model.json", "--kernel", "published", "--growth", "tmcmc", *FEW)
    assert any("not leave the posterior invariant" in warning for warning in show(model)["warnings"])


def test_exponent_of_the_paper_is_another_posterior(tmp_path):
    options = ["--trend", "none", "--nugget", "fixed(1e-6)", "--prior", "log-uniform", *FEW]
    model = fit(TRAIN, tmp_path / "model.json", *options)
    paper = fit(TRAIN, tmp_path / "paper.json", *options, "--exponent", "paper")
    assert show(paper)["settings"]["exponent"] == "paper"
    assert show(paper)["map"]["energy"] != pytest.approx(show(model)["map"]["energy"], abs=0.01)


def test_map_only_takes_no_sample(franke_model, points, tmp_path):
    model = tmp_path / "model.json"
    result = run_well("fit", TRAIN, "--fast", "-o", model, *ONE)
    assert "posterior maximum" in result.stdout and "log evidence" not in result.stdout
    summary = show(model)
    assert (summary["draws"], summary["log_evidence"], summary["levels"]) == (1, None, [])
    # Both optimise the same posterior, from different starts.
    assert summary["map"]["energy"] == pytest.approx(show(franke_model)["map"]["energy"], abs=1e-4)
    assert predict(model, points)["y_mean"] == pytest.approx(predict(franke_model, points, "--map")["y_mean"],
                                                             rel=1e-2)
    scores = validate(model, TEST)
    plug_in = scores.pop("map")
    del scores["judgement"]
    assert scores == plug_in
    assert "emulator of y" in run_well("show", model).stdout


def test_draws_come_from_every_level_unless_told_otherwise(franke_model, tmp_path):
    last = fit(TRAIN, tmp_path / "model.json", "--output", "y", *ANNEALED, "--samples", "400", "--draws-from", "last-level")
    all_levels, last_level = draws(franke_model), draws(last)
    assert len(all_levels["weight"]) == len(last_level["weight"]) == 400
    assert all_levels["energy"] != last_level["energy"]
    assert sum(all_levels["weight"]) == pytest.approx(1.0, abs=1e-12)
    assert show(franke_model)["log_evidence"] == show(last)["log_evidence"]
    # The same posterior: means within five standard errors of the last level's, which has fewer draws' worth.
    for name in ("log_phi_x1", "log_phi_x2"):
        found = sum(w * value for w, value in zip(all_levels["weight"], all_levels[name]))
        error = sd(last_level[name]) / math.sqrt(show(last)["ess"]["chains"])
        assert abs(found - mean(last_level[name])) < 5 * error


def test_annealing_to_zero_closes_in_on_the_maximum(franke_model, tmp_path):
    model = fit(TRAIN, tmp_path / "model.json", "--output", "y", *ANNEALED, "--samples", "400", "--anneal-to", "0")
    levels = read_model(model)["levels"]
    at_one = [level for level in levels if level["inverse_temperature"] == 1.0]
    assert len(at_one) == 1
    assert levels[-1]["inverse_temperature"] > 1.0
    assert levels[-1]["sd_energy"] < 0.1 * at_one[0]["sd_energy"]
    best = show(franke_model)["map"]["energy"]
    energies = draws(model)["energy"]
    assert min(energies) >= best - 1e-6
    assert mean(energies) - best < 0.2 * (mean(draws(franke_model)["energy"]) - best)
    # The way up to temperature 1 is the same, and so is what it says of the evidence.
    assert show(model)["log_evidence"] == show(franke_model)["log_evidence"]


# ---- inputs and outputs by name, units, config ----


def test_chosen_inputs_and_output(tmp_path):
    source = read_columns(TRAIN)
    rows = [(b, y, a, 7.0 * i) for i, (a, b, y) in enumerate(zip(source["x1"], source["x2"], source["y"]))]
    runs = write_csv(tmp_path / "runs.csv", ["x2", "y", "x1", "cost"], rows)
    chosen = fit(runs, tmp_path / "chosen.json", "--output", "y", "--inputs", "x1,x2", *FEW)
    plain = fit(TRAIN, tmp_path / "plain.json", "--output", "y", "--inputs", "x1,x2", *FEW)
    assert without_times(chosen) == without_times(plain)
    other = fit(runs, tmp_path / "other.json", "--output", "cost", "--inputs", "x1", *FEW)
    assert (show(other)["output"], show(other)["inputs"]) == ("cost", ["x1"])


# A factor of 1e12 is not exact in binary: the standardised runs differ in their last bits, and everything follows them;
# the further the longer length-scales may be.
@pytest.mark.parametrize("output_scale, input_scale", [(1e12, 1e-12), (1e-12, 1e12), (1e12, 1e12)])
def test_units_change_nothing_but_units(output_scale, input_scale, points, tmp_path):
    source, new = read_columns(TRAIN), read_columns(points)
    runs = write_csv(tmp_path / "runs.csv", ["x1", "x2", "y"],
                     [(a * input_scale, b, y * output_scale) for a, b, y in zip(*source.values())])
    scaled_points = write_csv(tmp_path / "scaled.csv", ["x1", "x2"],
                              [(a * input_scale, b) for a, b in zip(new["x1"], new["x2"])])
    plain = fit(TRAIN, tmp_path / "plain.json", "--output", "y", "--box=-7,7", *FEW)
    scaled = fit(runs, tmp_path / "scaled.json", "--output", "y", "--box=-7,7", *FEW)
    here, there = predict(plain, points), predict(scaled, scaled_points)
    for name in ("y_mean", "y_sd", "y_q0.025", "y_q0.975"):
        in_old_units = [value / output_scale for value in there[name]]
        assert in_old_units == pytest.approx(here[name], rel=1e-6, abs=1e-8)
    # A density per unit of output for each of the n - 1 = 19 contrasts that the constant trend leaves.
    shift = show(scaled)["log_evidence"] - show(plain)["log_evidence"]
    assert shift == pytest.approx(-19 * math.log(output_scale), abs=1e-5)
    length_scales = [show(model)["parameters"]["length_scale_x1"]["mean"] for model in (plain, scaled)]
    assert length_scales[1] / input_scale == pytest.approx(length_scales[0], rel=1e-6)


def test_a_config_file_is_the_same_as_typing(tmp_path):
    config = tmp_path / "fit.toml"
    config.write_text('output = "y"\ninputs = ["x1", "x2"]\nprior = "gamma(2,1)"\nnugget = "fixed(1e-6)"\n'
                      'trend = "linear"\nbox = [-6, 6.5]\nsampler = "annealed"\nsamples = 80\ness-target = 0.6\nseed = 5\n'
                      'check = true\nmap-only = false\nthreads = 1  # a comment\n')
    typed = fit(TRAIN, tmp_path / "typed.json", "--output", "y", "--inputs", "x1,x2", "--prior", "gamma(2,1)",
                "--nugget", "fixed(1e-6)", "--trend", "linear", "--box", "-6,6.5", *ANNEALED, "--samples", 80, "--ess-target",
                0.6, "--seed", 5, "--check")
    filed = fit(TRAIN, tmp_path / "filed.json", "--config", config)
    # Only the times, which stand on a line of their own, may differ.
    assert without_times(filed) == without_times(typed)


def test_an_empty_config_file_changes_nothing(tmp_path):
    (tmp_path / "fit.toml").write_text("")
    filed = fit(TRAIN, tmp_path / "filed.json", "--config", tmp_path / "fit.toml", *FEW)
    assert without_times(filed) == without_times(fit(TRAIN, tmp_path / "plain.json", *FEW))


def test_typed_options_win_over_the_config_file(tmp_path):
    config = tmp_path / "fit.toml"
    config.write_text('output = "y"\nseed = 5\nsamples = 80\ntrend = "linear"\n')
    model = fit(TRAIN, tmp_path / "model.json", "--trend", "none", "--config", config, "--seed", 6, *ONE)
    settings = show(model)["settings"]
    assert (settings["seed"], settings["samples"], settings["trend"]) == ("6", "80", "none")


def test_without_a_named_output_y_is_taken_and_else_the_last_column(tmp_path):
    model = tmp_path / "model.json"
    result = run_well("fit", TRAIN, "-o", model, *FEW)
    assert but_for_warnings(result.stderr) == "" and show(model)["output"] == "y"
    runs = tmp_path / "runs.csv"
    runs.write_text(TRAIN.read_text().replace("x1,x2,y", "a,b,c"))
    result = run_well("fit", runs, "-o", model, *FEW)
    assert 'the last column, "c", is taken as the output' in result.stderr
    assert show(model)["output"] == "c"
