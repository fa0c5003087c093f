"""More runs for a model: what it leaves, what it says, what it refuses."""

import csv

import pytest

from program import (ANNEALED, BAD_DATA, BAD_FILE, DATA, FEW, ONE, PAIR, USAGE, files_in, fit, predict, read_model, run,
                     run_well, show, without_times, write_csv)

TEST = DATA / "franke_test.csv"
ROWS = list(csv.reader((DATA / "franke_train_1.csv").open()))


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """A model of 18 runs, and a file with two more."""
    folder = tmp_path_factory.mktemp("known")
    write_csv(folder / "runs.csv", ROWS[0], ROWS[1:19])
    write_csv(folder / "more.csv", ROWS[0], ROWS[19:])
    fit(folder / "runs.csv", folder / "model.json", "--output", "y", "--samples", "400", *ONE)
    return folder


def add(folder, runs, out, *options):
    return run("add-runs", folder / "model.json", runs, "-o", out, *options)


def refused(folder, rows, tmp_path, code, *texts, header=None, model=None):
    runs = write_csv(tmp_path / "bad.csv", header or ROWS[0], rows)
    result = run("add-runs", model or folder / "model.json", runs, "-o", tmp_path / "out.json")
    assert result.returncode == code, result.stderr
    for text in texts:
        assert text in result.stderr
    assert not (tmp_path / "out.json").exists()


def test_the_new_model_has_all_runs_and_predicts(known, tmp_path):
    result = add(known, known / "more.csv", tmp_path / "model2.json")
    assert result.returncode == 0, result.stderr
    assert "2 run(s) added to 18" in result.stderr
    assert "runs            20, inputs 2" in result.stdout
    model = read_model(tmp_path / "model2.json")
    assert len(model["data"]["output"]) == 20
    assert model["history"]["batches"] == [18, 2]
    assert model["prior_runs"] == 18
    assert model["scaling"] == read_model(known / "model.json")["scaling"]
    assert len(predict(tmp_path / "model2.json", TEST)["y_mean"]) == 100
    assert show(tmp_path / "model2.json")["verdict"]["status"] == "converged"


def test_it_does_not_depend_on_threads(known, tmp_path):
    models = []
    for threads in (1, 2, 7):
        models.append(tmp_path / f"{threads}.json")
        run_well("add-runs", known / "model.json", known / "more.csv", "-q", "-o", models[-1], "--threads", threads)
    assert without_times(models[0]) == without_times(models[1]) == without_times(models[2])


def test_several_batches(known, tmp_path):
    write_csv(tmp_path / "a.csv", ROWS[0], ROWS[19:20])
    write_csv(tmp_path / "b.csv", ROWS[0], ROWS[20:])
    run_well("add-runs", known / "model.json", tmp_path / "a.csv", "-q", "-o", tmp_path / "a.json")
    run_well("add-runs", tmp_path / "a.json", tmp_path / "b.csv", "-q", "-o", tmp_path / "b.json", "--seed", 5)
    model = read_model(tmp_path / "b.json")
    assert model["history"]["batches"] == [18, 1, 1]
    assert model["settings"]["seed"] == "5"


def test_afresh_has_the_same_scaling_and_more_levels(known, tmp_path):
    run_well("add-runs", known / "model.json", known / "more.csv", "-q", "-o", tmp_path / "added.json")
    run_well("add-runs", known / "model.json", known / "more.csv", "-q", "-o", tmp_path / "fresh.json", "--afresh")
    added, fresh = read_model(tmp_path / "added.json"), read_model(tmp_path / "fresh.json")
    assert fresh["scaling"] == added["scaling"] and fresh["prior_runs"] == added["prior_runs"] == 18
    assert fresh["data"] == added["data"]
    assert "history" not in fresh
    assert len(fresh["levels"]) > len(added["levels"])


def test_columns_may_stand_in_any_order_and_failed_runs_are_left_out(known, tmp_path):
    (tmp_path / "more.csv").write_text(
        "y,extra,x2,x1\n" + "".join(f"{y},0,{b},{a}\n" for a, b, y in ROWS[19:]) + "nan,0,0.5,0.5\n")
    result = add(known, tmp_path / "more.csv", tmp_path / "model2.json")
    assert result.returncode == 0, result.stderr
    assert read_model(tmp_path / "model2.json")["data"]["inputs"][-1] == [float(cell) for cell in ROWS[20][:2]]


def test_standard_output_is_the_model_alone(known, tmp_path):
    result = add(known, known / "more.csv", "-")
    assert result.returncode == 0
    (tmp_path / "model.json").write_text(result.stdout)
    assert len(predict(tmp_path / "model.json", TEST)["y_mean"]) == 100


def test_show_tells_of_added_runs(known, tmp_path):
    run_well("add-runs", known / "model.json", known / "more.csv", "-q", "-o", tmp_path / "model2.json")
    told = show(tmp_path / "model2.json")["added_runs"]
    history = read_model(tmp_path / "model2.json")["history"]
    assert told["batches"] == [18, 2]
    assert told["log_evidence_increment"] == history["log_evidence_increment"]
    assert 0.0 < told["share_of_evaluations"] < 1.0
    assert "18 runs fitted, 2 added; the latest, 20" in run_well("show", tmp_path / "model2.json").stdout
    assert show(known / "model.json")["added_runs"] is None
    assert "runs fitted" not in run_well("show", known / "model.json").stdout


# ---- several outputs, averages ----


def with_second_output(rows):
    return [[*row, 2.0 * float(row[0]) - float(row[2])] for row in rows]


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """Averages of two outputs from 18 runs, and a file with two more runs."""
    folder = tmp_path_factory.mktemp("several")
    header = [*ROWS[0], "z"]
    write_csv(folder / "runs.csv", header, with_second_output(ROWS[1:19]))
    write_csv(folder / "more.csv", header, with_second_output(ROWS[19:]))
    fit(folder / "runs.csv", folder / "model.json", "--output", "y,z", *PAIR, "--samples", "200")
    return folder


def test_every_model_of_every_output_is_continued(several, tmp_path):
    result = add(several, several / "more.csv", tmp_path / "model2.json")
    assert result.returncode == 0, result.stderr
    for name in ("y, squared-exponential", "y, matern52", "z, squared-exponential", "z, matern52"):
        assert f"{name}: 2 run(s) added to 18" in result.stderr
    outputs = show(tmp_path / "model2.json")["outputs"]
    assert [output["output"] for output in outputs] == ["y", "z"]
    for before, output in zip(show(several / "model.json")["outputs"], outputs):
        assert sum(model["weight"] for model in output["models"]) == pytest.approx(1.0)
        for old, model in zip(before["models"], output["models"]):
            assert model["runs"] == 20 and model["added_runs"]["batches"] == [18, 2]
            assert model["log_evidence"] == pytest.approx(
                old["log_evidence"] + model["added_runs"]["log_evidence_increment"], abs=1e-9)
    assert set(predict(tmp_path / "model2.json", TEST)) >= {"y_mean", "z_mean"}


def test_an_average_does_not_depend_on_threads(several, tmp_path):
    models = []
    for threads in (1, 3):
        models.append(tmp_path / f"{threads}.json")
        run_well("add-runs", several / "model.json", several / "more.csv", "-q", "-o", models[-1], "--threads", threads)
    assert without_times(models[0]) == without_times(models[1])


def test_an_output_is_continued_as_if_it_were_alone(several, tmp_path):
    alone = fit(several / "runs.csv", tmp_path / "z.json", "--output", "z", "--inputs", "x1,x2", *PAIR, "--samples", "200")
    run_well("add-runs", alone, several / "more.csv", "-q", "-o", tmp_path / "z2.json")
    run_well("add-runs", several / "model.json", several / "more.csv", "-q", "-o", tmp_path / "both2.json")
    assert run_well("predict", tmp_path / "both2.json", TEST, "--output", "z").stdout == run_well(
        "predict", tmp_path / "z2.json", TEST).stdout


def test_a_run_that_failed_for_one_output_counts_for_the_other(several, tmp_path):
    rows = with_second_output(ROWS[19:])
    rows[0][3] = float("nan")
    write_csv(tmp_path / "more.csv", [*ROWS[0], "z"], rows)
    result = add(several, tmp_path / "more.csv", tmp_path / "model2.json")
    assert result.returncode == 0, result.stderr
    assert "z, matern52: 1 of 2 runs has no output" in result.stderr
    assert [output["models"][0]["runs"] for output in show(tmp_path / "model2.json")["outputs"]] == [20, 19]


def test_an_average_afresh(several, tmp_path):
    run_well("add-runs", several / "model.json", several / "more.csv", "-q", "-o", tmp_path / "fresh.json", "--afresh")
    for output in show(tmp_path / "fresh.json")["outputs"]:
        assert [model["runs"] for model in output["models"]] == [20, 20]
        assert [model["added_runs"] for model in output["models"]] == [None, None]


def test_every_output_column_is_needed(several, tmp_path):
    refused(several, ROWS[19:], tmp_path, BAD_DATA, "bad.csv, line 1", '"z"')


# ---- bad input ----


def test_bad_runs(known, tmp_path):
    refused(known, [[0.1, 0.2]], tmp_path, BAD_DATA, "bad.csv, line 1", '"y"', header=["x1", "x2"])
    refused(known, [[0.1, 0.2]], tmp_path, BAD_DATA, '"x2"', header=["x1", "y"])
    refused(known, [], tmp_path, BAD_DATA, "found no rows after the header")
    refused(known, [[float("nan"), 0.5, 1.0]], tmp_path, BAD_DATA, "bad.csv, line 2, column 1")
    refused(known, [[7.0, 0.5, 1.0]], tmp_path, BAD_DATA, 'bad.csv, line 2, column "x1": found 7, expected',
            "fit all runs again")


def test_a_contradiction_without_a_nugget(known, tmp_path):
    fit(known / "runs.csv", tmp_path / "fixed.json", "--output", "y", *FEW, "--nugget", "fixed(1e-9)")
    row = [float(cell) for cell in ROWS[3]]
    refused(known, [[row[0], row[1], row[2] + 1.0]], tmp_path, BAD_DATA,
            "bad.csv, line 2: the inputs of run 3 of the model with another output", model=tmp_path / "fixed.json")


@pytest.mark.parametrize("sampler", ["map", "published", "nuts"])
def test_models_without_exact_draws(known, tmp_path, sampler):
    fit(known / "runs.csv", tmp_path / "other.json", "--output", "y", *ONE, "--samples", "60", "--sampler", sampler)
    refused(known, ROWS[19:], tmp_path, USAGE, f"found a model of --sampler {sampler}", model=tmp_path / "other.json")


def test_bad_files_and_options(known, tmp_path):
    result = run("add-runs", tmp_path / "none.json", known / "more.csv", "-o", tmp_path / "out.json")
    assert result.returncode == BAD_FILE and "none.json: cannot be read" in result.stderr
    result = run("add-runs", known / "model.json", tmp_path / "none.csv", "-o", tmp_path / "out.json")
    assert result.returncode == BAD_FILE, result.stderr
    result = run("add-runs", known / "model.json", known / "more.csv")
    assert result.returncode == USAGE and "--out" in result.stderr
    result = add(known, known / "more.csv", tmp_path / "out.json", "--seed", "x", "--simd", "quick")
    assert result.returncode == USAGE and "seed" in result.stderr and "simd" in result.stderr
    result = add(known, known / "more.csv", known / "model.json")
    assert result.returncode == USAGE
    assert files_in(tmp_path) == []
