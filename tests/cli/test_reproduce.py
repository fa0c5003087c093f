"""ta2s2-lab reproduce: the paper's experiments, and what it says when it cannot run them."""

import csv
import functools
import os
import signal

import pytest

import program
import test_interrupt
from program import BAD_FILE, CANNOT_WRITE, INTERRUPTED, LAB, USAGE, files_in
from test_interrupt import interrupt, wait_until

run = functools.partial(program.run, program=LAB)
run_well = functools.partial(program.run_well, program=LAB)
start = functools.partial(test_interrupt.start, program=LAB)

QUICK = ("--experiments", 1, "--samples", 200, "--quiet")
NO_DATA = {name: value for name, value in os.environ.items() if name != "TA2S2_DATA"}


def rows(folder, name="results.csv"):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def test_franke_gives_its_rows(tmp_path):
    run_well("reproduce", "franke", *QUICK, "--systems", "exact,map", "--out", tmp_path)
    found = rows(tmp_path)
    assert {(row["prior"], row["system"], row["sample"]) for row in found} == {
        (prior, system, sample)
        for prior in ("reference", "exponential", "default")
        for system, sample in (("exact", "full"), ("exact", "100"), ("map", "full"))}
    for row in found:
        assert (row["experiment"], row["design"], row["seed"], row["test_runs"]) == ("franke", "1", "1", "100")
        # The test runs' mean as a point forecast has CRPS 0.22 and RMSE 0.27.
        assert 0.0 < float(row["crps"]) < 0.1
        assert float(row["crps"]) < float(row["rmse"]) < 0.2
        assert float(row["coverage50"]) <= float(row["coverage80"]) <= float(row["coverage95"]) <= 1.0
        assert float(row["evaluations"]) > 200
    assert "franke, over seeds" in (tmp_path / "summary.md").read_text()
    assert len(rows(tmp_path, "summary.csv")) == len(found)


def test_one_seed_gives_one_answer_on_any_number_of_threads(tmp_path):
    tables = []
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        run_well("reproduce", "franke", *QUICK, "--out", folder, "--threads", threads)
        tables.append([{k: v for k, v in row.items() if k != "seconds"} for row in rows(folder)])
    assert tables[0] == tables[1]


def test_a_second_run_computes_nothing_again(tmp_path):
    run_well("reproduce", "franke", *QUICK, "--out", tmp_path)
    before = (tmp_path / "results.csv").read_bytes()
    result = run_well("reproduce", "franke", "--experiments", 1, "--samples", 200, "--progress", "plain", "--out", tmp_path)
    assert result.stderr == ""
    assert (tmp_path / "results.csv").read_bytes() == before


def test_missing_runs_are_named(tmp_path):
    alone = run("reproduce", "nilson-kuusk", *QUICK, "--out", tmp_path, env=NO_DATA)
    assert alone.returncode == BAD_FILE
    assert "agarbuno/ta2s2_codes" in alone.stderr and "TA2S2_DATA" in alone.stderr
    missing = tmp_path / "nowhere"
    alone = run("reproduce", "nilson-kuusk", *QUICK, "--out", tmp_path, "--data", missing)
    assert alone.returncode == BAD_FILE
    assert str(missing) in alone.stderr


@pytest.mark.parametrize("arguments, parts", [
    (["reproduce", "frank"], ["frank", "franke", "wing-weight"]),
    (["reproduce", "franke", "--systems", "exact,other"], ["--systems", "other", "published"]),
    (["reproduce", "franke", "--experiments", "0"], ["--experiments"]),
    (["reproduce", "franke", "--samples", "10"], ["--samples"]),
    (["reproduce", "franke", "--models", "all"], ["--models", "suite", "franke"]),
    (["reproduce", "suite", "--systems", "all"], ["--systems", "suite"]),
    (["reproduce", "suite", "--models", "other"], ["--models", "other", "default"]),
    (["reproduce", "suite", "--model", "trend=quartic"], ["--model", "quartic"]),
    (["reproduce", "suite", "--functions", "other"], ["other", "branin"]),
])
def test_bad_arguments_get_a_sentence(arguments, parts, tmp_path):
    result = run(*arguments, "--out", tmp_path / "out")
    assert result.returncode == USAGE
    assert all(part in result.stderr for part in parts)
    assert files_in(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "folder", "/proc/no_such_folder"):
        result = run("reproduce", "franke", *QUICK, "--out", folder)
        assert result.returncode == CANNOT_WRITE
        assert "cannot be written" in result.stderr


def test_an_interrupted_run_keeps_its_rows_and_goes_on(tmp_path):
    arguments = ("reproduce", "franke", "--experiments", 1000, "--samples", 200, "--out", "out", "--systems", "exact")
    process = start(tmp_path, *arguments)
    results = tmp_path / "out" / "results.csv"
    wait_until(lambda: results.exists() and results.read_text().count("\n") > 3)
    _, stderr = interrupt(process, signal.SIGINT)
    assert process.returncode == INTERRUPTED
    assert "keeps what was measured" in stderr
    before = results.read_text()
    process = start(tmp_path, *arguments)
    wait_until(lambda: len(results.read_text()) > len(before))
    interrupt(process, signal.SIGINT)
    assert results.read_text().startswith(before)


def test_the_suite_compares_models(tmp_path):
    model = "correlation=squared-exponential;trend=linear"
    run_well("reproduce", "suite", *QUICK, "--functions", "branin,lim", "--model", model, "--out", tmp_path)
    found = rows(tmp_path, "suite.csv")
    assert {(row["function"], row["runs"], row["model"]) for row in found} == {
        (function, runs, name) for function in ("branin", "lim") for runs in ("10", "20") for name in ("default", model)}
    assert all(row["test_runs"] == "500" and 0.0 < float(row["crps_over_sd"]) < 0.6 for row in found)
    summary = (tmp_path / "suite_summary.md").read_text()
    assert f"| {model} | 4 |" in summary


def test_the_product_names_the_program_that_has_it():
    result = program.run("reproduce", "franke", "--experiments", 1)
    assert result.returncode == USAGE
    assert "ta2s2-lab reproduce" in result.stderr and result.stderr.count("\n") == 1
    assert "reproduce" not in program.run_well("--help").stdout
