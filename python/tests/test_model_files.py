"""One model file, whoever writes it."""

import pandas as pd
import pytest
from conftest import DATA, needs_program, read_runs, run_program

from ta2s2 import EmulatorRegressor
from ta2s2._settings import OPTIONS, python_name, to_text

SETTINGS = {
    "defaults": {},
    "the paper's": {"prior": "reference", "sampler": "published"},
    "linear trend": {"trend": "linear", "correlation": "squared-exponential", "box": (-6, 6)},
    "fixed nugget": {"nugget": "fixed(1e-06)", "sampler": "annealed", "ess_target": 0.7, "groups": 2},
    "one input": {"inputs": ["x2"]},
    "maximum": {"fast": True},
    "checked": {"check": True},
    "chains": {"sampler": "slice"},
    "a prior each": {"prior": {"x1": "gamma(2,1)", "*": "log-uniform"}},
}


def arguments(settings):
    names = {python_name(name): name for name in OPTIONS}
    return [f"--{names[name]}={to_text(value)}" for name, value in settings.items()]


def without_times(path):
    lines = path.read_bytes().splitlines()
    kept = [line for line in lines if not line.startswith(b'"times"')]
    assert len(kept) == len(lines) - 1
    return kept


@needs_program
@pytest.mark.parametrize("name", SETTINGS)
def test_program_and_python_write_the_same_bytes(name, franke, tmp_path):
    settings = {"samples": 300, "random_state": 7, **SETTINGS[name]}
    program, python = tmp_path / "program.json", tmp_path / "python.json"
    said = run_program("fit", DATA / "franke_train_1.csv", *arguments(settings), "-o", program)
    assert said.returncode == 0, said.stderr
    EmulatorRegressor(**settings).fit(*franke).save(python)
    assert without_times(program) == without_times(python)


@needs_program
def test_declared_ranges_give_the_same_bytes(franke, tmp_path):
    ranges = tmp_path / "ranges.csv"
    ranges.write_text("name,min,max\nx1,-0.5,1.5\nx2,0,1\n")
    program, python = tmp_path / "program.json", tmp_path / "python.json"
    run_program("fit", DATA / "franke_train_1.csv", "--samples=100", "--ranges", ranges, "-o", program)
    EmulatorRegressor(samples=100, ranges=ranges).fit(*franke).save(python)
    assert without_times(program) == without_times(python)


@needs_program
def test_an_input_that_never_changes_is_left_out_alike(franke, tmp_path):
    X, y = franke
    runs = tmp_path / "runs.csv"
    rows = [f"{a!r},3.5,{b!r},{c!r}" for (a, b), c in zip(X.tolist(), y.tolist())]
    runs.write_text("\n".join(["x1,x2,x3,y", *rows]) + "\n")
    program, python = tmp_path / "program.json", tmp_path / "python.json"
    assert run_program("fit", runs, "--samples=100", "-o", program).returncode == 0
    _, wide, output = read_runs(runs)
    em = EmulatorRegressor(samples=100).fit(wide, output)
    em.save(python)
    assert without_times(program) == without_times(python)
    assert em.n_features_in_ == 3 and list(em.input_columns_) == [0, 2]
    table = pd.DataFrame(X, columns=["x1", "x3"])
    assert (em.predict(wide) == EmulatorRegressor.load(python).predict(table)).all()


@needs_program
def test_the_program_reads_what_python_wrote(emulator, franke_test, tmp_path):
    model = tmp_path / "model.json"
    emulator.save(model)
    points = tmp_path / "points.csv"
    points.write_text("x1,x2\n" + "".join(f"{a!r},{b!r}\n" for a, b in franke_test[0].tolist()))
    said = run_program("predict", model, points, "--quantiles", "0.1,0.9")
    rows = [[float(cell) for cell in line.split(",")] for line in said.stdout.splitlines()[1:]]
    mean, std, bands = emulator.predict(franke_test[0], return_std=True, quantiles=[0.1, 0.9])
    outside = emulator.outside(franke_test[0])
    assert [row[2:] for row in rows] == [[m, s, *b, far] for m, s, b, far in zip(mean, std, bands, outside)]


def test_load_gives_the_fit_back(emulator, franke, tmp_path):
    path = tmp_path / "model.json"
    emulator.save(path)
    loaded = EmulatorRegressor.load(path)
    assert loaded.samples == 400 and loaded.random_state == 1 and loaded.box == (-7, 100)
    assert (loaded.predict(franke[0]) == emulator.predict(franke[0])).all()
    again = tmp_path / "again.json"
    loaded.save(again)
    assert path.read_bytes() == again.read_bytes()
