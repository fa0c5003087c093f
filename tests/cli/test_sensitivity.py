"""ta2s2 sensitivity: which inputs matter, with intervals."""

import csv
import io
import json
import math
import re
import signal
import subprocess
import time

import pytest

from program import (BAD_FILE, CANNOT_WRITE, DATA, DONE, INTERRUPTED, ONE, PAIR, PROGRAM, USAGE, files_in, fit, run, run_well, show,
                     write_csv)


@pytest.fixture(scope="module")
def additive(tmp_path_factory):
    """y = sin(2 pi a) + b - 1/2, and c does nothing: variances 1/2, 1/12 and 0."""
    folder = tmp_path_factory.mktemp("additive")
    header, *rows = run_well("design", "--inputs", 3, "--runs", 40).stdout.splitlines()
    points = [[float(cell) for cell in row.split(",")] for row in rows]
    runs = write_csv(folder / "runs.csv", ["a", "b", "c", "y"],
                     [[*x, math.sin(2 * math.pi * x[0]) + x[1] - 0.5] for x in points])
    ranges = folder / "ranges.csv"
    ranges.write_text("name,min,max\na,0,1\nb,0,1\nc,0,1\n")
    return fit(runs, folder / "model.json", "--output", "y", "--samples", "400", "--ranges", ranges)


def rows_of(text):
    return {row.pop("input"): {name: float(cell) for name, cell in row.items()}
            for row in csv.DictReader(io.StringIO(text))}


def sensitivity(model, *options):
    return rows_of(run_well("sensitivity", model, "--format", "csv", "--quiet", *options).stdout)


def test_finds_an_additive_function_out(additive):
    found = sensitivity(additive)
    for name, share in [("a", 6 / 7), ("b", 1 / 7), ("c", 0)]:
        for index in ("first", "total"):
            assert found[name][f"{index}_q0.5"] == pytest.approx(share, abs=0.01)
            assert found[name][f"{index}_q0.025"] <= found[name][f"{index}_q0.5"] <= found[name][f"{index}_q0.975"]
    assert found["c"]["p_inert"] > 0.9
    assert found["a"]["p_inert"] == found["b"]["p_inert"] == 0


def test_says_which_inputs_act(additive):
    """The probability to be active is the fit's own, wherever it stands."""
    found, summary = sensitivity(additive, "--paths", 40), show(additive)
    shown = {row["input"]: row for row in summary["activity"]}
    assert list(shown) == ["a", "b", "c"]
    assert {name: row["probability"] for name, row in shown.items()} == {name: row["p_active"] for name, row in found.items()}
    assert shown["a"]["probability"] > 0.99 and shown["a"]["linear"] < 0.01
    assert shown["b"]["probability"] > 0.99 and shown["b"]["linear"] > 0.95
    assert shown["c"]["probability"] < 0.05
    text = run_well("show", additive).stdout
    assert re.search(r"^note: inert with probability 0\.9\d( or more)?: c$", text, re.MULTILINE)
    assert re.search(r"^note: acts linearly with probability 0\.9\d( or more)?: b$", text, re.MULTILINE)
    assert re.search(r"^input +P\(active\) +P\(linear\)\na +1\.000 +0\.000\n", text, re.MULTILINE)


def test_fit_says_which_inputs_act(additive, tmp_path):
    text = run_well("fit", additive.parent / "runs.csv", "--output", "y", "--fast", "-o", tmp_path / "fast.json").stdout
    assert re.search(r"^inputs +active: a, b \(linear\); inert: c$", text, re.MULTILINE)


def test_distributions_change_what_matters(additive, tmp_path):
    """With a confined to where the sine is flat, b has all of the variance but a little."""
    inputs = tmp_path / "inputs.toml"
    inputs.write_text('a = "normal(0.25,0.005)"\n# b is uniform\nc = "values(0.5)"\n')
    found = sensitivity(additive, "--inputs-distribution", inputs)
    assert found["b"]["first_q0.5"] > 0.99
    assert found["c"]["total_q0.975"] < 1e-9


def test_effects_follow_the_function(additive, tmp_path):
    effects = tmp_path / "effects.csv"
    run_well("sensitivity", additive, "--effects", effects, "-o", tmp_path / "table.txt", "--quiet")
    rows = [row for row in csv.DictReader(effects.open()) if row["input"] == "a"]
    assert len(rows) == 41
    for row in rows:
        assert float(row["q0.025"]) <= float(row["q0.5"]) <= float(row["q0.975"])
        assert float(row["mean"]) == pytest.approx(math.sin(2 * math.pi * float(row["value"])), abs=0.1)
    assert files_in(tmp_path) == ["effects.csv", "table.txt"]


def test_formats_agree(additive):
    table = run_well("sensitivity", additive, "--quiet").stdout
    document = json.loads(run_well("sensitivity", additive, "--format", "json", "--quiet").stdout)
    rows = sensitivity(additive)
    assert [row["name"] for row in document["inputs"]] == ["a", "b", "c"] == list(rows)
    assert document["output"] == "y" and document["paths"] == 400 and document["share_outside"] == 0
    for row in document["inputs"]:
        assert row["p_active"] == rows[row["name"]]["p_active"]
        for index in ("first", "total", "interactions"):
            for level in ("q0.025", "q0.5", "q0.975"):
                assert row[index][level] == rows[row["name"]][f"{index}_{level}"]
        assert f"{row['total']['q0.5']:7.4f}  [{row['total']['q0.025']:6.4f}, {row['total']['q0.975']:6.4f}]" in table
        assert len(row["main_effect"]["value"]) == len(row["main_effect"]["mean"]) == 41


def test_threads_change_no_byte_and_seeds_do(additive):
    first, again, other = (
        run_well("sensitivity", additive, "--format", "json", "--paths", 80, *options).stdout
        for options in (["--threads", 1], ["--threads", 3], ["--threads", 1, "--seed", 2]))
    assert first == again
    assert first != other


def test_extrapolation_is_noted(additive, tmp_path):
    inputs = tmp_path / "inputs.toml"
    inputs.write_text('b = "uniform(0,1.25)"\n')
    result = run_well("sensitivity", additive, "--inputs-distribution", inputs, "--paths", 40)
    assert "20% of the inputs' distribution lies outside" in result.stderr
    assert "20%" not in run_well("sensitivity", additive, "--inputs-distribution", inputs, "--quiet").stderr


def test_a_model_that_knows_no_sums_is_noted(additive, tmp_path):
    structures = fit(DATA / "franke_train_1.csv", tmp_path / "model.json", "--output", "y", "--samples", "200",
                     "--average-over", "structures", "--weighting", "equal")
    advice = "--average-over structures"
    assert advice in run_well("sensitivity", additive, "--paths", 40).stderr
    assert advice not in run_well("sensitivity", structures, "--paths", 40).stderr


@pytest.mark.parametrize("content, sentence", [
    ('depth = "uniform(0,1)"', 'inputs.toml, line 1: found the input "depth", expected one of a, b, c'),
    ('a = "cauchy(0,1)"', "line 1: a: 'cauchy(0,1)' is not a distribution; choose one of uniform(low,high)"),
    ('a = "uniform(1,0)"\nz = "normal(0,1)"', "expected rising numbers; "),
    ("a = 3", 'line 1: "a" must be a text such as "uniform(0,1)"'),
    ("a = ", "line 1"),
])
def test_bad_distributions_are_answered_by_a_sentence(additive, tmp_path, content, sentence):
    inputs = tmp_path / "inputs.toml"
    inputs.write_text(content + "\n")
    result = run("sensitivity", additive, "--inputs-distribution", inputs, "-o", tmp_path / "out.txt")
    assert result.returncode == USAGE
    assert sentence in result.stderr
    assert files_in(tmp_path) == ["inputs.toml"]


@pytest.mark.parametrize("options, code, sentence", [
    (["--inputs-distribution", "none.toml"], BAD_FILE, "none.toml: cannot be read"),
    (["--paths", "3"], USAGE, "--paths"),
    (["--points", "0"], USAGE, "--points"),
    (["--format", "xml"], USAGE, "expected one of table, csv, json"),
    (["-o", "a.csv", "--effects", "a.csv"], USAGE, "found for both -o and --effects"),
    (["-o", "no/such/folder.csv"], CANNOT_WRITE, "no/such"),
])
def test_bad_options_are_answered_by_a_sentence(additive, tmp_path, options, code, sentence):
    result = run("sensitivity", additive, *options, cwd=tmp_path)
    assert result.returncode == code
    assert sentence in result.stderr
    assert files_in(tmp_path) == []


def test_a_file_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "model.json").write_text("{}")
    assert run("sensitivity", tmp_path / "model.json").returncode == BAD_FILE


def test_interrupt_leaves_nothing(additive, tmp_path):
    output = tmp_path / "out.csv"
    process = subprocess.Popen([PROGRAM, "sensitivity", str(additive), "--paths", "100000", "-o", str(output)],
                               stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED, errors
    assert files_in(tmp_path) == []


def test_shipped_runs(tmp_path):
    """Wing weight (Forrester, Sobester and Keane 2008): paint weighs next to nothing; four inputs have nearly all."""
    model = fit(DATA / "wing_weight_train_1.csv", tmp_path / "model.json", "--output", "weight", "--samples", "400", *ONE)
    found = sensitivity(model)
    largest = sorted(found, key=lambda name: -found[name]["total_q0.5"])[:4]
    assert set(largest) == {"Nz", "A", "Wdg", "tc"} or set(largest) == {"Nz", "A", "Sw", "tc"}
    assert found["Wp"]["p_inert"] > 0.95


@pytest.fixture(scope="module")
def two_outputs(tmp_path_factory):
    """a moves the first output alone, b the second; each output is an average over two models."""
    folder = tmp_path_factory.mktemp("outputs")
    header, *rows = run_well("design", "--inputs", 2, "--runs", 20).stdout.splitlines()
    points = [[float(cell) for cell in row.split(",")] for row in rows]
    runs = write_csv(folder / "runs.csv", ["a", "b", "of_a", "of_b"],
                     [[*x, math.exp(x[0]), math.exp(-x[1])] for x in points])
    return fit(runs, folder / "model.json", "--output", "of_a,of_b", "--samples", "200", *PAIR)


@pytest.mark.parametrize("output, moved, inert", [("of_a", "a", "b"), ("of_b", "b", "a")])
def test_each_output_has_its_own_inputs(two_outputs, output, moved, inert):
    found = sensitivity(two_outputs, "--output", output, "--paths", 40)
    assert found[moved]["first_q0.5"] > 0.99
    assert found[inert]["p_inert"] == 1
