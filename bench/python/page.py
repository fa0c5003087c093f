"""docs/benchmarks.md from the results of measure.py."""
import json
import math
import os
import pathlib
import subprocess

import numpy as np
from scipy.stats import t as student

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OURS = "ta2s2_fit"
LEVEL = 0.01  # family-wise over the coordinates of a peer, two-sided


def squared_errors(result, truth):
    """Of each run: the mean over coordinates of (posterior mean - truth)^2 in posterior variances."""
    errors = (np.array(result["means"]) - truth["mean"]) / truth["sd"]
    return (errors**2).mean(axis=1)


def error_ess(result, truth):
    """How many independent draws would err as much, and its standard error: the larger of what the runs show and what normal,
    independent errors would have, since a few runs show little."""
    squares = squared_errors(result, truth)
    ess = 1 / squares.mean()
    shown = squares.std(ddof=1) / math.sqrt(len(squares)) / squares.mean()
    return ess, ess * max(shown, math.sqrt(2 / (len(squares) * len(truth["mean"]))))


def agreement(result, truth):
    """Do the means, averaged over runs, agree with the truth within their standard errors, and the sds to a tenth?"""
    errors = (np.array(result["means"]) - truth["mean"]) / truth["sd"]
    R, p = errors.shape
    shift = errors.mean(axis=0)
    statistic = np.abs(shift) / (errors.std(axis=0, ddof=1) / math.sqrt(R))
    narrow = np.exp(np.log(np.array(result["sds"]) / truth["sd"]).mean(axis=0))
    worst = narrow[np.argmax(np.abs(np.log(narrow)))]
    differs = statistic.max() > student.ppf(1 - LEVEL / (2 * p), R - 1) or abs(math.log(worst)) > 0.1
    verdict = "**no**" if differs else "yes" if np.abs(shift).max() < 0.1 else "cannot tell"
    return f"{verdict}: {np.abs(shift).max():.2f} sd, {worst:.2f}"


def number(value, digits=3):
    if value is None or not math.isfinite(value):
        return ""
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:.0f}" if abs(rounded) >= 10 ** (digits - 1) else f"{rounded:.{digits}g}"


def average(values):
    return None if values[0] is None else float(np.mean(values))


def scores(result):
    mean = {key: average([score[key] for score in result["scores"]]) for key in ("rmse", "crps", "coverage")}
    return [number(mean["rmse"]), number(mean["crps"]), f"{mean['coverage']:.3f}"]


def own_ess(result):
    return result.get("chain_ess") or average(result["own_ess"])


def evidence(result):
    found = result["log_evidence"]
    if found[0] is None:
        return ""
    return f"{np.mean(found):.2f} ({np.std(found, ddof=1):.2f})" if len(found) > 1 else f"{found[0]:.2f}"


def sampler_row(result, truth, ours_per_second):
    seconds, shared, R = average(result["seconds"]), result["posterior"] == "shared", len(result["seconds"])
    evaluations = number(average(result["evaluations"])) + (" g" if result["gradients"] and result["evaluations"][0] else "")
    own = own_ess(result)
    cells = [result["title"] + (" (CPU time)" if result.get("clock") == "cpu" else ""), str(R), number(result["start_seconds"]), number(seconds), evaluations]
    if shared and R > 1:
        ess, error = error_ess(result, truth)
        cells += [f"{number(ess)} ({number(error, 2)})", number(ess / seconds), number(ours_per_second / (ess / seconds))]
    else:
        cells += ["", "", ""]
    cells += [number(own), number(own / seconds) if own else "", evidence(result), *scores(result)]
    cells.append(agreement(result, truth) if shared and R > 1 else "" if shared else "own")
    return "| " + " | ".join(cells) + " |"


def point_row(result):
    return "| " + " | ".join([result["title"], number(average(result["seconds"])), *scores(result), result["posterior"].removeprefix("point: ")]) + " |"


def read(folder, problem, peers):
    paths = {peer: pathlib.Path(folder, f"{problem}.{peer}.json") for peer in peers}
    return {peer: json.loads(path.read_text()) for peer, path in paths.items() if path.exists()}


def missing(folder, problem, peers):
    """A line for each peer without a row: what it said, or that it was not run."""
    for peer in peers:
        result = pathlib.Path(folder, f"{problem}.{peer}.json")
        failure = result.with_suffix(".failure")
        if not result.exists():
            reason = failure.read_text() if failure.exists() else f"not measured in this run; `bench/python/run {problem}/{peer}` adds it"
            yield f"- `{peer}`: {reason}"


def sampler_table(folder, problem, truth, peers):
    results = read(folder, problem, peers)
    ours = results[OURS]
    ours_per_second = error_ess(ours, truth)[0] / average(ours["seconds"])
    head = ["", "runs", "start, s", "run, s", "evaluations", "ESS by error", "per s", "ta2s2 / it", "ESS, own", "per s", "log evidence", "RMSE", "CRPS",
            "95% covers", "agrees"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += [sampler_row(result, truth, ours_per_second) for result in results.values()]
    return "\n".join([*lines, "", *missing(folder, problem, peers)])


def point_table(folder, problem, peers):
    head = ["", "s", "RMSE", "CRPS", "95% covers", "model"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += [point_row(result) for result in read(folder, problem, peers).values()]
    return "\n".join([*lines, "", *missing(folder, problem, peers)])


def truth_sentence(truth):
    sentence = f"Truth: {truth['how']}; log evidence {truth['log_evidence']:.2f}."
    if "largest_z_between" in truth:
        sentence += f" Its means and those of a long run of ta2s2's NUTS differ by at most {truth['largest_z_between']:.1f} standard errors."
    return sentence


def versions(folder, problems, peers):
    found = {}
    for problem in problems:
        for result in read(folder, problem, peers).values():
            found.update(result["versions"])
    return ", ".join(f"{name} {version}" for name, version in sorted(found.items(), key=lambda item: item[0].lower()))


def write(folder, truths, samplers, points):
    # nproc, which bench/machine asks, would count OpenMP's threads.
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    machine = subprocess.run([ROOT / "bench/machine"], capture_output=True, text=True, check=True, env=environment)
    parts = {"machine": machine.stdout.strip(),
             "versions": versions(folder, truths, samplers + points)}
    for problem, truth in truths.items():
        parts[f"{problem}-samplers"] = truth_sentence(truth) + "\n\n" + sampler_table(folder, problem, truth, samplers)
        parts[f"{problem}-points"] = point_table(folder, problem, points)
    text = (HERE / "page.md.in").read_text()
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part.strip())
    (ROOT / "docs/benchmarks.md").write_text(text)
