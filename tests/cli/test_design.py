"""ta2s2 design: where to run the simulator."""

import itertools
import math

import pytest

from program import BAD_DATA, BAD_FILE, DONE, FEW, USAGE, files_in, run, run_well, table, write_csv

KINDS = ["maximin", "random", "sobol"]


def design(*options):
    return table(run_well("design", *options).stdout)


def strata(values, num_strata):
    """In how many equal slices of [0, 1] the values lie."""
    return len({min(int(value * num_strata), num_strata - 1) for value in values})


def least_distance(points):
    return min(math.dist(a, b) for a, b in itertools.combinations(points, 2))


@pytest.mark.parametrize("kind", KINDS)
def test_has_the_runs_and_inputs_asked_for(kind):
    header, rows = design("--inputs", 5, "--runs", 50, "--kind", kind)
    assert header == ["x1", "x2", "x3", "x4", "x5"]
    assert len(rows) == 50
    assert all(0.0 < cell < 1.0 for row in rows for cell in row)


# A shifted Sobol sequence of 2^k points has one point per slice too, since the shift is the same modulo 1 for all.
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_slice_of_every_input_holds_one_run(kind, seed):
    _, rows = design("--inputs", 3, "--runs", 32, "--kind", kind, "--seed", seed)
    for column in zip(*rows):
        assert strata(column, 32) == 32


def test_maximin_spreads_runs_further_than_chance():
    _, spread = design("--inputs", 2, "--runs", 20, "--kind", "maximin")
    _, chance = design("--inputs", 2, "--runs", 20, "--kind", "random")
    assert least_distance(spread) > 1.5 * least_distance(chance)


def test_maximin_is_the_default():
    assert design("--inputs", 2, "--runs", 12) == design("--inputs", 2, "--runs", 12, "--kind", "maximin")


@pytest.mark.parametrize("kind", KINDS)
def test_one_seed_gives_one_design(kind, tmp_path):
    for name, seed in [("a.csv", 7), ("b.csv", 7), ("c.csv", 8)]:
        run_well("design", "--inputs", 4, "--runs", 20, "--kind", kind, "--seed", seed, "-o", tmp_path / name)
    first, same, other = [(tmp_path / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv")]
    assert first == same
    assert first != other


def test_file_and_standard_output_hold_the_same_bytes(tmp_path):
    printed = run_well("design", "--inputs", 2, "--runs", 9)
    filed = run_well("design", "--inputs", 2, "--runs", 9, "-o", tmp_path / "design.csv")
    assert (tmp_path / "design.csv").read_text() == printed.stdout
    assert filed.stdout == "" and filed.stderr == "" and printed.stderr == ""


def test_ranges_give_names_and_units(tmp_path):
    ranges = tmp_path / "ranges.csv"
    ranges.write_text("name,min,max\nload [N],-5,5\n\"length, free\",2e12,3e12\n")
    header, rows = design("--ranges", ranges, "--runs", 16)
    assert header == ["load [N]", "length, free"]
    loads, lengths = zip(*rows)
    assert strata([(load + 5.0) / 10.0 for load in loads], 16) == 16
    assert strata([length / 1e12 - 2.0 for length in lengths], 16) == 16


def test_a_design_can_be_read_back_as_points(franke_model, tmp_path):
    run_well("design", "--inputs", 2, "--runs", 6, "-o", tmp_path / "design.csv")
    header, rows = table(run_well("predict", franke_model, tmp_path / "design.csv").stdout)
    assert header[:2] == ["x1", "x2"] and len(rows) == 6


@pytest.mark.parametrize(
    "options, words",
    [
        (["--inputs", "2"], ["--runs"]),
        (["--runs", "5"], ["--inputs", "--ranges"]),
        (["--inputs", "0", "--runs", "5"], ["--inputs", "1 to 1000"]),
        (["--inputs", "two", "--runs", "5"], ["--inputs", "two"]),
        (["--inputs", "2", "--runs", "0"], ["--runs", "1 to 1000000"]),
        (["--inputs", "2", "--runs", "5", "--kind", "halton"], ["--kind", "halton", "maximin", "random", "sobol"]),
        (["--inputs", "2", "--runs", "5", "--seed", "x"], ["--seed", "x"]),
        (["--inputs", "2", "--runs", "5", "--seed", "-1"], ["--seed", "-1"]),
        (["--inputs", "2", "--runs", "5", "--sede", "1"], ["--sede"]),
    ],
)
def test_bad_options_are_refused(options, words, tmp_path):
    result = run("design", *options, "-o", "design.csv", cwd=tmp_path)
    assert result.returncode == USAGE
    for word in words:
        assert word in result.stderr
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    "content, sentence",
    [
        ("name,min,max\na,0,1\nb,5,5\n", 'ranges.csv, line 3, column 3 "max": found a range from 5 to 5'),
        ("name,min,max\na,0,1\nb,6,5\n", 'ranges.csv, line 3, column 3 "max": found a range from 6 to 5'),
        ("name,min,max\na,0,1\na,0,1\n", 'ranges.csv, line 3, column 1 "name": found "a" again after line 2'),
        ("name,min,max\na,zero,1\n", 'ranges.csv, line 2, column 2 "min": found "zero", expected a number'),
        ("name,min,max\na,0,inf\n", 'ranges.csv, line 2, column 3 "max": found "inf", expected a finite number'),
        ("name,min,max\n,0,1\n", 'ranges.csv, line 2, column 1 "name": found an empty cell'),
        ("name,min\na,0\n", "ranges.csv, line 1: found the columns \"name\", \"min\", expected a column \"max\""),
        ("", "ranges.csv, line 1, column 1: found no text"),
    ],
)
def test_bad_ranges_are_refused(content, sentence, tmp_path):
    (tmp_path / "ranges.csv").write_text(content)
    result = run("design", "--ranges", "ranges.csv", "--runs", 5, "-o", "design.csv", cwd=tmp_path)
    assert result.returncode == BAD_DATA
    assert sentence in result.stderr
    assert files_in(tmp_path) == ["ranges.csv"]


def test_ranges_and_inputs_must_agree(tmp_path):
    (tmp_path / "ranges.csv").write_text("name,min,max\na,0,1\nb,0,1\n")
    assert run("design", "--ranges", "ranges.csv", "--inputs", 2, "--runs", 5, cwd=tmp_path).returncode == DONE
    result = run("design", "--ranges", "ranges.csv", "--inputs", 3, "--runs", 5, cwd=tmp_path)
    assert result.returncode == USAGE
    assert "found 2 ranges, expected 3" in result.stderr


def test_missing_ranges_file_is_unreadable(tmp_path):
    result = run("design", "--ranges", "nowhere.csv", "--runs", 5, "-o", "design.csv", cwd=tmp_path)
    assert result.returncode == BAD_FILE
    assert "nowhere.csv: cannot be opened (No such file or directory)" in result.stderr
    assert files_in(tmp_path) == []


def test_declared_ranges_also_serve_a_fit(tmp_path):
    write_csv(tmp_path / "runs.csv", ["a", "y"], [(0.1 * i, math.sin(i)) for i in range(8)])
    (tmp_path / "ranges.csv").write_text("name,min,max\na,-1,3\n")
    model = tmp_path / "model.json"
    run_well("fit", tmp_path / "runs.csv", "--ranges", tmp_path / "ranges.csv", *FEW, "-o", model)
    assert '"scaling": {"low":[-1.0],"width":[4.0]' in model.read_text()
