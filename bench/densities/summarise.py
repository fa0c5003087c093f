#!/usr/bin/python3
"""Tables of runs of bench_densities: right, wrong, flagged and silently wrong.

    bench/densities/summarise.py [--short] [--reasons] results/densities/*.csv

--short: the columns of docs/exactness.md; --reasons: every run that is wrong or flagged, in a line.
"""
import csv
import math
import statistics
import sys

GROUPS = {"chosen": "chosen on", "confirm": "confirmed on", "apart": "apart: narrow modes"}
HEADER = ("density", "runs", "right", "wrong", "flagged", "silently wrong", "right but flagged", "log Z: bias",
          "rms error", "stated", "rms of error / stated", "worst mean", "spreads", "worst mode weight", "ESS", "passes",
          "H-eq / 1000", "seconds")
SHORT = ("density", "right", "wrong", "flagged", "silently wrong", "log Z: bias", "rms error", "stated", "worst mean",
         "spreads", "ESS", "H-eq / 1000")


def is_right(run):
    return run["verdict"] == "right"


def has_converged(run):
    return run["status"] == "converged"


def count(runs, *conditions):
    return sum(all(condition(run) for condition in conditions) for run in runs)


def is_wrong(run):
    return not is_right(run)


def is_flagged(run):
    return not has_converged(run)


def numbers(runs, column):
    return [float(run[column]) for run in runs if run[column] != ""]


def rms(values):
    return math.sqrt(statistics.fmean(value * value for value in values))


def outcome_cells(runs):
    return [len(runs), count(runs, is_right), count(runs, is_wrong), count(runs, is_flagged),
            count(runs, is_wrong, has_converged), count(runs, is_right, is_flagged)]


def case_cells(name, runs):
    errors = [e - t for e, t in zip(numbers(runs, "log_evidence"), numbers(runs, "truth"))]
    stated = numbers(runs, "stated_error")
    weights = [abs(value) for value in numbers(runs, "mode_weight_error")]
    return [name, *outcome_cells(runs), f"{statistics.fmean(errors):+.2f}", f"{rms(errors):.2f}",
            f"{statistics.fmean(stated):.2f}", f"{rms([e / s for e, s in zip(errors, stated)]):.2f}",
            f"{max(numbers(runs, 'centre_error')):.2f}",
            f"{min(numbers(runs, 'least_ratio')):.2f}-{max(numbers(runs, 'most_ratio')):.2f}",
            f"{max(weights):.2f}" if weights else "", f"{statistics.median(numbers(runs, 'effective_size')):.0f}",
            f"{statistics.fmean(numbers(runs, 'passes')):.1f}",
            f"{statistics.median(numbers(runs, 'h_equivalents')) / 1000:.0f}",
            f"{statistics.median(numbers(runs, 'seconds')):.1f}"]


def line(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def case_table(runs, columns):
    by_case = {}
    for run in runs:
        by_case.setdefault(run["case"], []).append(run)
    places = [HEADER.index(column) for column in columns]
    lines = [line(columns), "|---" * len(columns) + "|"]
    for name, own in by_case.items():
        cells = case_cells(name, own)
        lines.append(line(cells[place] for place in places))
    return "\n".join(lines)


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "none"


def total_line(name, runs):
    right, converged = count(runs, is_right), count(runs, has_converged)
    silent, alarmed = count(runs, is_wrong, has_converged), count(runs, is_right, is_flagged)
    ratios = [(float(r["log_evidence"]) - float(r["truth"])) / float(r["stated_error"]) for r in runs if is_right(r)]
    return line([name, len({run["case"] for run in runs}), share(right, len(runs)),
                 share(silent, converged), share(alarmed, right),
                 f"{rms(ratios):.2f}" if ratios else ""])


def totals_table(runs):
    lines = [line(["", "densities", "runs right", "wrong among converged", "flagged among right",
                   "rms of error / stated, right runs"]), "|---" * 6 + "|"]
    groups = {title: [run for run in runs if run["group"] == group] for group, title in GROUPS.items()}
    groups["collection (all but apart)"] = [run for run in runs if run["group"] != "apart"]
    return "\n".join(lines + [total_line(title, own) for title, own in groups.items() if own])


def reasons_list(runs):
    """Every run that is wrong or flagged, in a line."""
    lines = []
    for run in runs:
        if is_right(run) and has_converged(run):
            continue
        lines.append(f"{run['case']} seed {run['seed']}: {run['verdict']} ({run['wrong']}), {run['status']}"
                     f" ({run['reasons']}) {run['remarks']}")
    return "\n".join(lines)


def read(paths):
    """In the order of the files' first seeds: case by case as the program lists them."""
    runs = {}
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            for run in csv.DictReader(file):
                runs[run["case"], int(run["seed"]), run["settings"]] = run
    order = {name: place for place, name in enumerate(dict.fromkeys(key[0] for key in runs))}
    group = {name: place for place, name in enumerate(GROUPS)}
    return sorted(runs.values(), key=lambda run: (group[run["group"]], order[run["case"]], int(run["seed"])))


def main():
    words = sys.argv[1:]
    runs = read([word for word in words if not word.startswith("--")])
    columns = SHORT if "--short" in words else HEADER
    if not runs:
        sys.exit("no runs")
    for group, title in GROUPS.items():
        own = [run for run in runs if run["group"] == group]
        if own:
            print(f"{title}:\n\n{case_table(own, columns)}\n")
    print(totals_table(runs))
    if "--reasons" in words:
        print("\n" + reasons_list(runs))


if __name__ == "__main__":
    main()
