"""bench/real/run: its statistics, and that rows are computed once; the program is a script that prints scores."""
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "real"))

import acceptance  # noqa: E402
import summary  # noqa: E402


def test_each_simulator_has_one_vote_and_in_it_each_output():
    # a: outputs 2 (splits 1 and 4) and 8, so 4; b: 1. The geometric mean of 4 and 1 is 2.
    ratios = {("a.x", 0): 1.0, ("a.x", 1): 4.0, ("a.y", 0): 8.0, ("b", 0): 1.0}
    assert summary.by_simulator(ratios, summary.geometric) == pytest.approx({"a": 4.0, "b": 1.0})
    assert summary.overall(ratios) == pytest.approx(2.0)
    assert summary.worst(ratios) == (pytest.approx(4.0), "a")
    low, high = summary.interval(ratios)
    assert (low, high) == (pytest.approx(1.0), pytest.approx(4.0)
                          )  # a quarter of resamples has a alone, a quarter b alone


def test_ratios_are_of_what_both_have():
    ours, theirs = {("a", 0): {"crps": 1.0}, ("b", 0): {"crps": 3.0}}, {("a", 0): {"crps": 2.0},
                                                                        ("b", 0): {"crps": None}}
    assert summary.ratios(ours, theirs) == {("a", 0): 0.5}
    assert summary.won({("a", 0): 0.5, ("b", 0): 1.0}) == (1, 2)


def test_coverage_is_inside_by_output_and_a_mean_by_simulator():
    rows = {("a.x", 0): {"cov95": 0.9}, ("a.x", 1): {"cov95": 1.0}, ("a.y", 0): {"cov95": 0.85},
            ("b", 0): {"cov95": 0.92}}
    assert summary.share_inside(rows) == pytest.approx(2 / 3)
    assert summary.coverage(rows) == pytest.approx((0.9 + 0.92) / 2)


def test_inert_inputs_are_compared_design_by_design():
    rows = {("f+0", 0): {"crps": 1.0}, ("f+0", 1): {"crps": 2.0}, ("f+0", 2): {"crps": 9.0}, ("f+30", 1): {"crps": 3.0},
            ("f+30", 0): {"crps": 1.25}}
    assert summary.inert_ratios(rows, "f", 30) == [1.25, 1.5]


def test_a_line_is_met_only_with_a_value_and_tells_what_is_missing():
    assert acceptance.at_most("", 0.5, 0.65, 2, 2).state() == "met"
    assert acceptance.at_most("", 0.7, 0.65, 1, 2).state() == "**not met**, on 1 of 2"
    assert acceptance.at_most("", None, 0.65, 0, 2).state() == acceptance.NOT_MEASURED
    assert not acceptance.between("", 0.97, 0.94, 0.965, 1, 1).is_met


PROGRAM = """#!{python}
import json, sys
command = sys.argv[1]
open({calls!r}, "a").write(" ".join(sys.argv[1:3]) + "\\n")
if command == "fit" and "broken" in sys.argv[2]:
    sys.exit("ta2s2: column 'y' is constant")
score = dict(rmse=2.0, crps=1.0, interval_score_95=9.0, coverage={{"0.5": 0.5, "0.8": 0.8, "0.95": 0.95, "0.99": 0.99}})
if command == "validate":
    print(json.dumps(dict(score, map=dict(score, crps=1.25))))
if command == "show":
    print(json.dumps(dict(judgement=dict(grade="good"), verdict=dict(status="converged"))))
"""


@pytest.fixture
def collection(tmp_path):
    """Two simulators of one split each, the second of which cannot be fitted; a peer is twice as bad as the program."""
    for name in ("sim.a", "broken.b"):
        (tmp_path / "real" / name).mkdir(parents=True)
        for kind in ("train", "test"):
            (tmp_path / "real" / name / f"0_{kind}.csv").write_text("x1,y\n0,1\n1,2\n2,\n")
    with open(tmp_path / "real" / "peers.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("set,split,method,crps,rmse,cov50,cov80,cov95,cov99,interval_score".split(","))
        writer.writerows([name, 0, "RobustGaSP+nugget", 2, 3, 0.5, 0.8, 0.9, 0.99, 9] for name in ("sim.a", "broken.b"))
    program = tmp_path / "ta2s2"
    program.write_text(PROGRAM.format(python=sys.executable, calls=str(tmp_path / "calls")))
    program.chmod(0o755)
    return tmp_path


def run(folder, *options):
    words = [
        sys.executable, ROOT / "bench/real/run", folder / "ta2s2", "--suites", "real", "--results", folder / "results",
        *options
    ]
    environment = dict(os.environ, TA2S2_DATA=str(folder))
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment, check=True).stdout


def test_rows_are_computed_once_and_failures_are_kept_and_told(collection):
    first = run(collection)
    calls = (collection / "calls").read_text()
    assert calls.count("fit /") == 2
    for expected in ("| CRPS over that of RobustGaSP+nugget | at most 0.65 | 0.5 | met, on 1 of 2 |",
                     "column 'y' is constant"):
        assert expected in first
    path = collection / "results" / "results.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert rows["sim.a"]["runs"] == "2" and json.loads(rows["sim.a"]["activity"]) == {}

    text = path.read_text()
    path.write_text(text[:-5])  # ended while it wrote the last row
    assert "| 0.5 | met, on 1 of 2 |" in run(collection)
    assert (collection / "calls").read_text().count("fit /") == 3
    assert path.read_text().count("\n") == 3
