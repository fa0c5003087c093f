"""Every CSV dialect that real tools write gives the model that plain CSV gives."""

import math

import pytest

from program import BAD_DATA, DATA, FEW, ONE, but_for_warnings, draws, fit, files_in, predict, run, run_well, show, without_times

PLAIN = (DATA / "franke_train_1.csv").read_text()
ROWS = [line.split(",") for line in PLAIN.splitlines()]


def joined(rows, separator=",", line_end="\n"):
    return "".join(separator.join(row) + line_end for row in rows)


def with_decimal_commas(rows, separator):
    return joined([rows[0]] + [[cell.replace(".", ",") for cell in row] for row in rows[1:]], separator)


def with_index(rows, header, start=0):
    return joined([[*header, *rows[0]]] + [[str(i), *row] for i, row in enumerate(rows[1:], start)])


DIALECTS = {
    "semicolons": joined(ROWS, ";"),
    "tabs": joined(ROWS, "\t"),
    "CR LF": joined(ROWS, line_end="\r\n"),
    "CR": joined(ROWS, line_end="\r"),
    "no last line end": PLAIN.rstrip("\n"),
    "byte-order mark": "\ufeff" + PLAIN,
    "byte-order mark before a quoted header": "\ufeff" + PLAIN.replace("x1,x2,y", '"x1","x2","y"'),
    "quoted header": PLAIN.replace("x1,x2,y", '"x1","x2","y"'),
    "quoted cells": joined([[f'"{cell}"' for cell in row] for row in ROWS]),
    "spaces around cells": joined(ROWS, " , "),
    "trailing separators": joined([[*row, ""] for row in ROWS]),
    "trailing separators in the rows only": joined([ROWS[0]] + [[*row, ""] for row in ROWS[1:]]),
    "many trailing separators": joined([[*row, "", "", ""] for row in ROWS]),
    "decimal commas": with_decimal_commas(ROWS, ";"),
    "decimal commas with tabs": with_decimal_commas(ROWS, "\t"),
    "decimal commas, CR LF, byte-order mark": "\ufeff" + with_decimal_commas(ROWS, ";").replace("\n", "\r\n"),
    "comment lines": "# made by hand\n" + PLAIN.replace("\n", "\n# a comment, with; separators\n", 4) + "# end\n",
    "blank lines": "\n\n" + PLAIN.replace("\n", "\n\n", 3) + "\n  \n",
    "lines of separators only": PLAIN + ",,\n,,\n",
    "unnamed index": with_index(ROWS, [""]),
    "unnamed quoted index": with_index(ROWS, ['""'], start=1),
    "row names under a shorter header": with_index(ROWS, [], start=1),
    "Fortran exponents": joined([ROWS[0]] + [[cell + "D+00" for cell in row] for row in ROWS[1:]]),
    "plus signs": joined([ROWS[0]] + [["+" + cell for cell in row] for row in ROWS[1:]]),
}
WITH_ROW_LABELS = {"unnamed index", "unnamed quoted index", "row names under a shorter header"}


@pytest.fixture(scope="module")
def plain_model(tmp_path_factory):
    return fit(DATA / "franke_train_1.csv", tmp_path_factory.mktemp("plain") / "model.json", *FEW)


def but_for_notices(model):
    """Row labels are left out with a notice, which the checksum covers."""
    lines = without_times(model).splitlines()
    return [line for line in lines if not line.startswith((b'"notices"', b'"checksum"'))]


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_gives_the_same_model(name, plain_model, tmp_path):
    (tmp_path / "runs.csv").write_text(DIALECTS[name], newline="")
    result = run_well("fit", tmp_path / "runs.csv", "-o", tmp_path / "model.json", *FEW)
    if name in WITH_ROW_LABELS:
        assert "column 1 has no name and was left out as row labels" in result.stderr
        assert but_for_notices(tmp_path / "model.json") == but_for_notices(plain_model)
    else:
        assert but_for_warnings(result.stderr) == ""
        assert without_times(tmp_path / "model.json") == without_times(plain_model)


@pytest.mark.parametrize("name", ["semicolons", "CR", "decimal commas", "unnamed index", "trailing separators"])
def test_points_and_test_runs_have_dialects_too(name, plain_model, tmp_path):
    (tmp_path / "points.csv").write_text(DIALECTS[name], newline="")
    for command in ("predict", "validate"):
        there = run_well(command, plain_model, tmp_path / "points.csv").stdout
        assert there == run_well(command, plain_model, DATA / "franke_train_1.csv").stdout


@pytest.mark.parametrize("missing", ["", "NaN", "nan", "NA", "N/A", "null", "None", "inf", "-Infinity", "1e999"])
def test_failed_runs_are_left_out_and_counted(missing, plain_model, tmp_path):
    rows = ROWS[:3] + [["0.5", "0.5", missing]] + ROWS[3:] + [["0.1", "0.9", missing]]
    (tmp_path / "runs.csv").write_text(joined(rows))
    result = run_well("fit", tmp_path / "runs.csv", "-o", tmp_path / "model.json", *FEW)
    assert "2 of 22 runs have no output and were left out (lines 4, 23)" in result.stderr
    assert but_for_notices(tmp_path / "model.json") == but_for_notices(plain_model)
    assert show(tmp_path / "model.json")["notices"] == ["2 of 22 runs have no output and were left out (lines 4, 23)"]


def test_a_failed_test_run_is_left_out_of_the_scores(plain_model, tmp_path):
    (tmp_path / "runs.csv").write_text(joined(ROWS + [["0.5", "0.5", "NaN"]]))
    result = run_well("validate", plain_model, tmp_path / "runs.csv", "--json")
    assert "1 of 21 runs has no output and was left out (line 22)" in result.stderr
    assert '"n": 20' in result.stdout


def test_constant_inputs_are_dropped_with_a_notice(plain_model, tmp_path):
    (tmp_path / "runs.csv").write_text(joined([["g", *ROWS[0]]] + [["9.81", *row] for row in ROWS[1:]]))
    result = run_well("fit", tmp_path / "runs.csv", "-o", tmp_path / "model.json", *FEW)
    assert 'note: input "g" is 9.81 in every run and was left out' in result.stderr
    assert but_for_notices(tmp_path / "model.json") == but_for_notices(plain_model)
    # New points need not have it.
    assert len(predict(tmp_path / "model.json", DATA / "franke_test.csv")["y_mean"]) == 100


def test_duplicate_inputs_with_other_outputs_are_allowed_with_a_nugget(tmp_path):
    rows = ROWS + [[*ROWS[1][:2], "0.3"]]
    (tmp_path / "runs.csv").write_text(joined(rows))
    sentence = "equal inputs and different outputs (first: lines 2 and 22)"
    for nugget in ("log-uniform", "fixed(1e-3)"):
        result = run_well("fit", tmp_path / "runs.csv", "--nugget", nugget, "-o", tmp_path / "model.json", *FEW)
        assert sentence in result.stderr


def test_names_may_hold_separators_quotes_and_other_alphabets(tmp_path):
    names = ["load; live [N]", 'length, "free"', "Größe µ"]
    header = ";".join('"' + name.replace('"', '""') + '"' for name in names)
    (tmp_path / "runs.csv").write_text(header + "\n" + joined(ROWS[1:], ";"))
    model = fit(tmp_path / "runs.csv", tmp_path / "model.json", "--output", names[2], *FEW)
    assert show(model)["inputs"] == names[:2]
    assert f"length_scale_{names[1]}" in draws(model)
    predictions = run_well("predict", model, tmp_path / "runs.csv").stdout
    assert predictions.startswith('"load; live [N]","length, ""free""",Größe µ_mean,Größe µ_sd,')
    # What was written can be read again.
    (tmp_path / "again.csv").write_text(predictions)
    assert run_well("predict", model, tmp_path / "again.csv").stdout == predictions


def test_a_mixed_decimal_mark_is_not_guessed_at(tmp_path):
    (tmp_path / "runs.csv").write_text("a;y\n0,1;1\n0,2;2\n0.3;1\n0,4;0\n0,5;1\n")
    result = run("fit", "runs.csv", "-o", "model.json", *FEW, cwd=tmp_path)
    assert result.returncode == BAD_DATA
    assert 'runs.csv, line 4, column 1 "a": found "0.3", expected the same decimal mark' in result.stderr
    assert files_in(tmp_path) == ["runs.csv"]


def test_the_messy_example_fits_with_its_notices(tmp_path):
    runs = DATA / "messy_runs.csv"  # mark, comment, ";", decimal commas, quoted header, index, a failed run
    model = tmp_path / "model.json"
    result = run_well("fit", runs, "--output", "deflection [mm]", "-o", model, "--samples", 400, *ONE)
    assert result.stderr.splitlines() == ["note: column 1 has no name and was left out as row labels",
                                          "note: 1 of 24 runs has no output and was left out (line 9)"]
    summary = show(model)
    assert summary["inputs"] == ["load [N]", "length; free end [m]", "modulus [Pa]"]
    assert summary["runs"] == 23
    table = predict(model, runs, "--latent")
    assert table["load [N]"][0] == 299.6 and table["modulus [Pa]"][0] == 9.7765e10
    assert all(math.isfinite(value) for value in table["deflection [mm]_mean"])
    assert table["deflection [mm]_mean"][0] == pytest.approx(9.280445, rel=0.2)
