"""Fits the laws of `ta2s2 plan`, prints them as the C++ table has them, and holds them against other fits (Markdown)."""
import argparse
import json
import math
import pathlib
import subprocess

import numpy

import cases
import memory

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = ROOT / "build/plan/rows.jsonl"
MEASURE = ROOT / "build/release/bench/bench_plan"
NINE_IN_TEN = 1.645


def measure(lines):
    asked = "".join(line + "\n" for line in lines)
    done = subprocess.run([MEASURE], input=asked, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Law:
    """A sum of terms with least-squares coefficients."""

    def __init__(self, rows, terms, value, weight=lambda row: 1.0):
        self.terms, self.value = terms, value
        weights = numpy.array([weight(row) for row in rows])
        design = numpy.array([terms(row) for row in rows]) * weights[:, None]
        values = numpy.array([value(row) for row in rows]) * weights
        self.coefficients = numpy.linalg.lstsq(design, values, rcond=None)[0]
        residual = values - design @ self.coefficients
        self.scatter = math.sqrt(residual @ residual / (len(rows) - design.shape[1]))

    def __call__(self, row):
        return float(numpy.dot(self.terms(row), self.coefficients))


def ess_term(row):
    return math.log(math.log(float(row.get("ess-target", 0.5))) / math.log(0.5))


def serial_seconds(row):
    """Per state and level."""
    return (row["planning_seconds"] + row["after_seconds"]) / (row["N"] * row["levels"])


def move_seconds(row):
    """Of an evaluation and the step around it, all of the start points' being evaluations alone."""
    return (row["task_seconds"] - row["N"] * row["in_block_seconds"]) / row["evaluations"]


def fit_laws(rows):
    log = math.log
    levels = Law(rows, lambda r: [1, log(r["dim"]), log(r["n"]), ess_term(r)], lambda r: log(r["levels"]))
    evaluations = Law(rows, lambda r: [1, log(r["dim"]), log(r["N"])], lambda r: log(r["evaluations"] / r["states"]))
    modes = Law(rows, lambda r: [1, log(r["dim"])], lambda r: log(r["mode_evaluations"]))
    # Relative errors count: a small fit's as much as a large one's.
    moves = Law(rows, lambda r: [r["in_block_seconds"] * (r["lanes"] > 1), 1e-6, 1e-6 * r["dim"]],
                lambda r: move_seconds(r) - r["in_block_seconds"] * (r["lanes"] == 1), lambda r: 1 / move_seconds(r))
    serial = Law([r for r in rows if r["n"] <= 160], lambda r: [1e-6, 1e-6 * r["dim"], 1e-6 * r["dim"] ** 2], serial_seconds,
                 lambda r: 1 / serial_seconds(r))
    return {"levels": levels, "evaluations": evaluations, "modes": modes, "moves": moves, "serial": serial}


def seconds_in_levels(row, laws, evaluations):
    lanes = row["lanes"] > 1
    per_evaluation = laws["moves"](row) + (0 if lanes else row["in_block_seconds"])
    return evaluations * per_evaluation + row["N"] * row["in_block_seconds"] + row["N"] * row["levels"] * laws["serial"](row)


def measured_in_levels(row):
    return row["seconds"] - row["mode_seconds"]


def errors(row, laws):
    """Of logarithms, measured minus expected."""
    per_state = math.log(row["evaluations"] / row["states"]) - laws["evaluations"](row)
    levels = math.log(row["levels"]) - laws["levels"](row)
    known = seconds_in_levels(row, laws, row["evaluations"])
    expected = seconds_in_levels({**row, "levels": math.exp(laws["levels"](row))}, laws,
                                 row["evaluations"] / math.exp(levels + per_state))
    return {"levels": levels, "evaluations": levels + per_state, "modes": math.log(row["mode_evaluations"]) - laws["modes"](row),
            "seconds, the evaluations being known": math.log(measured_in_levels(row) / known),
            "seconds without the search for modes": math.log(measured_in_levels(row) / expected)}


def scatters(rows):
    """Root mean squares of the errors on a function that the laws were not fitted to, each function in turn: fits of one
    function resemble each other, so what remains after a fit to all would be too small."""
    found = []
    for function in sorted({row["function"] for row in rows}):
        laws = fit_laws([row for row in rows if row["function"] != function])
        found += [errors(row, laws) for row in rows if row["function"] == function]
    return {name: math.sqrt(sum(error[name] ** 2 for error in found) / len(found)) for name in found[0]}


def print_table(laws, scatter):
    numbers = lambda name, unit="", digits=4: ", ".join(f"{c:.{digits}g}{unit}" for c in laws[name].coefficients)
    moves = laws["moves"].coefficients
    remaining = [scatter[name] for name in ("levels", "evaluations", "modes", "seconds without the search for modes")]
    print("```")
    print(f"kLevels = {{{numbers('levels')}}}")
    print(f"kEvaluations = {{{numbers('evaluations')}}}")
    print(f"kModes = {{{numbers('modes')}}}")
    print(f"kScatter = {{{', '.join(f'{value:.3f}' for value in remaining)}}}")
    print(f"kLaneWaste = {moves[0]:.4g}")
    print(f"kMoveSeconds = {{{moves[1]:.3g}e-6, {moves[2]:.3g}e-6}}")
    print(f"kSerialSeconds = {{{numbers('serial', 'e-6', 3)}}}")
    print("```\n")


def print_held_out(rows, laws, scatter):
    """Functions, designs and sizes that no law was fitted to."""
    found = [errors(row, laws) for row in rows]
    print("| of the logarithm | scatter | held out: fits | in the range of nine in ten | median of measured / expected | worst |")
    print("|---|---|---|---|---|---|")
    for name, expected in scatter.items():
        error = numpy.array([each[name] for each in found])
        worst = error[numpy.argmax(numpy.abs(error))]
        inside = numpy.mean(numpy.abs(error) <= NINE_IN_TEN * expected)
        print(f"| {name} | {expected:.3f} | {len(rows)} | {inside:.0%} | {math.exp(numpy.median(error)):.2f} | "
              f"{math.exp(worst):.2f} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.rows:
        rows = [json.loads(line) for line in arguments.rows.read_text().splitlines()]
    else:
        rows = [{**row, "held_out": False} for row in measure(cases.fitted())]
        rows += [{**row, "held_out": True} for row in measure(cases.held_out())]
        ROWS.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fitted = [row for row in rows if not row["held_out"]]
    laws, scatter = fit_laws(fitted), scatters(fitted)
    print(f"From {len(fitted)} fits:\n")
    print_table(laws, scatter)
    print_held_out([row for row in rows if row["held_out"]], laws, scatter)
    memory.print_memory()


if __name__ == "__main__":
    main()
