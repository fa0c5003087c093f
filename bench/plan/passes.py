"""run passes [PROGRAM]: the laws of `ta2s2 plan` for the sampler ta2s2, from default fits and fits of one model to test
functions (bench/real/problems.py).

Counts follow log count = constant + by_dim log d, plus by_transform where the output is transformed and by_part where
the model is one of an average, which wants fewer draws. The scatter is that of the logarithms for functions that are
left out of the fit in turn. Prints the lines of src/ta2s2/workflow/forecast.cpp.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/real"))
import problems  # noqa: E402

SINGLE = [["--correlation", "matern52", "--transform", transform, "--model", "single"] for transform in ("none", "box-cox")]
SETTINGS = [[], *SINGLE]
FUNCTIONS = ["wing-weight", "borehole", "welch", "smooth+0", "park+0", "friedman+0", "smooth+10", "park+10",
             "hostile.abs", "hostile.bumps", "hostile.floor-square", "hostile.additive-noise"]


def members_of(program, problem, settings, folder):
    model = pathlib.Path(folder) / "model.json"
    subprocess.run([program, "fit", problem.train, "--output", problem.output, "-o", model, "-q", *settings],
                   check=True, stderr=subprocess.DEVNULL)
    document = json.loads(model.read_text())
    outputs = document.get("outputs")
    return outputs[0]["models"] if outputs else [document]


def row_of(member, function, is_part):
    levels = member["levels"]
    gradients = sum(level.get("gradients", 0) for level in levels)
    return {"function": function, "dim": len(member["sample"]["positions"][0]), "is_part": is_part,
            "is_transformed": member["settings"]["transform"] != "none", "levels": len(levels), "gradients": gradients,
            "evaluations": sum(level["evaluations"] for level in levels) - gradients}


def measure(program):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        found = problems.functions(pathlib.Path(folder) / "functions")
        for name in FUNCTIONS:
            problem = next(each for each in found if each.name == name)
            for settings in SETTINGS:
                members = members_of(program, problem, settings, folder)
                rows += [row_of(member, name, len(members) > 1) for member in members]
            print(f"{name}: {len(rows)} fits", file=sys.stderr, flush=True)
    return rows


def terms(rows):
    return numpy.array([[1.0, math.log(row["dim"]), row["is_transformed"], row["is_part"]] for row in rows], dtype=float)


def law(rows, count):
    logs = numpy.array([math.log(row[count]) for row in rows])
    errors = []
    for function in FUNCTIONS:
        is_left_out = numpy.array([row["function"] == function for row in rows])
        fitted = numpy.linalg.lstsq(terms(rows)[~is_left_out], logs[~is_left_out], rcond=None)[0]
        errors += list(logs[is_left_out] - terms(rows)[is_left_out] @ fitted)
    return [*numpy.linalg.lstsq(terms(rows), logs, rcond=None)[0], numpy.sqrt(numpy.mean(numpy.square(errors)))]


rows = measure(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/ta2s2")
for name in ("levels", "evaluations", "gradients"):
    numbers = ", ".join(f"{value:.3f}" for value in law(rows, name))
    print(f"constexpr PassLaw kPass{name.capitalize()} = {{{numbers}}};")
print(f"// {len(rows)} fits of {len(FUNCTIONS)} functions, {min(r['dim'] for r in rows)} to {max(r['dim'] for r in rows)} coordinates")
