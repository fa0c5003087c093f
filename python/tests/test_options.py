"""A setting exists once: the command line, the config file and Python have the same names, defaults and ranges.

In Python a setting that is not given is None, so that one that is given always counts; the table says what None becomes.
"""

import inspect
import re
import subprocess
import sys

import pytest
from conftest import DATA, ROOT, needs_program, run_program

from ta2s2 import EmulatorRegressor, _core
from ta2s2._settings import from_text, python_name, to_text

PYTHON_ONLY = {"progress"}


def printed_table():
    """Rows of `ta2s2 options`: name, symbol, default, range, help."""
    lines = run_program("options").stdout.splitlines()[2:]
    rows = [[cell.strip().replace("\\|", "|") for cell in line.strip("|").split(" | ")] for line in lines]
    return [[row[0].split("`")[1], *row[1:]] for row in rows]


def defaults():
    return {name: p.default for name, p in inspect.signature(EmulatorRegressor).parameters.items()}


@needs_program
def test_names_and_ranges_are_those_of_the_command_line():
    printed = printed_table()
    assert len(printed) > 20
    assert set(defaults()) - PYTHON_ONLY == {python_name(name) for name, *_ in printed}
    table = [[o["name"], o["symbol"], o["default"], o["range"], o["help"]] for o in _core.option_table()]
    assert [[cell.strip() for cell in row] for row in table] == printed


def test_only_progress_is_pythons_own():
    assert set(defaults()) - {python_name(option["name"]) for option in _core.option_table()} == PYTHON_ONLY


def test_a_default_is_none_or_the_table_s():
    for option in _core.option_table():
        default = defaults()[python_name(option["name"])]
        assert default is None or default == from_text(option["default"])


def test_a_setting_that_is_not_given_becomes_the_table_s_default(franke):
    """What the model file says of a fit without settings is what the table says."""
    settings = EmulatorRegressor().fit(*franke).fits_[0].settings
    for name in ("prior", "nugget", "trend", "box", "samples", "max-evaluations"):
        option = next(o for o in _core.option_table() if o["name"] == name)
        assert to_text(settings[name]) == option["default"]


def test_every_setting_is_documented_with_its_range():
    for option in _core.option_table():
        assert python_name(option["name"]) + " : default" in EmulatorRegressor.__doc__
        assert option["range"] in EmulatorRegressor.__doc__


# Of each kind of setting, a value beyond its range.
OUT_OF_RANGE = {"samples": 10, "ess_target": 2.0, "move": "none-such", "box": (3, -3), "groups": 0, "simd": "abacus",
                "nugget": "wide", "correlation": "flat", "chain_length": -1, "sampler": "oracle", "threads": 5000}


@needs_program
@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_a_value_out_of_range_gets_the_command_line_s_sentence(name, franke, tmp_path):
    value = OUT_OF_RANGE[name]
    option = next(o["name"] for o in _core.option_table() if python_name(o["name"]) == name)
    said = run_program("fit", DATA / "franke_train_1.csv", f"--{option}={to_text(value)}", "-o", tmp_path / "m.json")
    assert said.returncode == 2
    with pytest.raises(ValueError) as raised:
        EmulatorRegressor(**{name: value}).fit(*franke)
    assert said.stderr.strip() == f"ta2s2: {raised.value}"

    config = tmp_path / "fit.toml"
    config.write_text(f'{option} = "{to_text(value)}"\n')
    said = run_program("fit", DATA / "franke_train_1.csv", "--config", config, "-o", tmp_path / "m.json")
    assert said.returncode == 2 and str(raised.value) in said.stderr


def test_unknown_setting_is_a_type_error():
    with pytest.raises(TypeError, match="sample_size"):
        EmulatorRegressor(sample_size=3)
    with pytest.raises(ValueError, match="Invalid parameter 'sample_size'"):
        EmulatorRegressor().set_params(sample_size=3)


def test_stub_is_what_the_table_gives():
    sys.path.insert(0, str(ROOT / "tools"))
    import make_python_stub

    assert make_python_stub.stub() == make_python_stub.TARGET.read_text(), "run tools/make_python_stub.py"


def test_types(tmp_path):
    """The package type-checks, and its stubs know a setting's type."""
    user = tmp_path / "user.py"
    user.write_text(
        "from ta2s2 import EmulatorRegressor\n"
        "em = EmulatorRegressor(samples=100, box=(-7, 7))\n"
        "reveal_type(em.samples)\n"
        "EmulatorRegressor(samples='many')\n"
    )
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--no-incremental", str(user)],
        capture_output=True, text=True, cwd=tmp_path,
    ).stdout
    assert re.search(r'Revealed type is "(Union\[)?(builtins\.)?int', said)
    assert re.search(r"""incompatible type "(str|Literal\['many'\])"; expected "(Optional\[|Union\[)?int""", said)
    assert "Found 1 error in 1 file" in said
