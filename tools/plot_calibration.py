#!/usr/bin/env python3
"""Draws docs/figures/calibration.svg from the CSV files that the program `calibration` (tests/calibration) writes.

    calibration --data-sets 400 -o exact.csv
    calibration --data-sets 400 --kernel published --growth tmcmc -o published.csv
    tools/plot_calibration.py exact.csv published.csv

Needs matplotlib, which nothing else in this repository does.
"""
import argparse
import csv
import math
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "calibration", "font.size": 8, "svg.fonttype": "none"})
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINS = 10
PANELS = {"log phi": "log_phi_x1", "nugget": "z_nugget", "energy H": "energy", "sigma²": "sigma2",
          "new run": "new_run_1"}
BAND_LEVEL = 0.99


def read_ranks(path):
    ranks = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            ranks.setdefault(row["quantity"], []).append(float(row["rank"]))
    return ranks


def binomial_band(n, p, level):
    """The central interval of a binomial count."""
    outside = 0.5 * (1 - level)
    terms = [math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                      + k * math.log(p) + (n - k) * math.log1p(-p)) for k in range(n + 1)]
    low, below = 0, terms[0]
    while below < outside:
        low, below = low + 1, below + terms[low + 1]
    high, above = n, terms[n]
    while above < outside:
        high, above = high - 1, above + terms[high - 1]
    return low, high


def draw_histogram(axes, ranks, colour):
    counts = [0] * BINS
    for rank in ranks:
        counts[min(BINS - 1, int(rank * BINS))] += 1
    low, high = binomial_band(len(ranks), 1 / BINS, BAND_LEVEL)
    axes.axhspan(low, high, color="0.88", zorder=0)
    axes.axhline(len(ranks) / BINS, color="0.5", linewidth=0.8, zorder=1)
    axes.bar([(i + 0.5) / BINS for i in range(BINS)], counts, width=0.85 / BINS, color=colour, zorder=2)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1])


def draw_coverage(axes, ranks, colour):
    """What central predictive intervals cover beyond what they say, with the binomial band."""
    n = len(ranks)
    levels = [i / 100 for i in range(1, 100)]
    bands = [binomial_band(n, level, BAND_LEVEL) for level in levels]
    axes.fill_between(levels, [low / n - level for (low, _), level in zip(bands, levels)],
                      [high / n - level for (_, high), level in zip(bands, levels)], color="0.88", linewidth=0)
    axes.axhline(0, color="0.5", linewidth=0.8)
    axes.plot(levels, [sum(abs(rank - 0.5) <= level / 2 for rank in ranks) / n - level for level in levels],
              color=colour)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1])
    axes.set_ylim(-0.12, 0.12)


def draw_row(row, name, ranks, colour):
    for axes, (title, quantity) in zip(row, PANELS.items()):
        draw_histogram(axes, ranks[quantity], colour)
        axes.set_title(title, fontsize=8)
    draw_coverage(row[-1], ranks["new_run_1"], colour)
    row[-1].set_title("coverage − nominal", fontsize=8)
    row[0].set_ylabel(f"{name}\nproblems per bin")


def same_height(rows):
    tallest = max(axes.get_ylim()[1] for row in rows for axes in row[:-1])
    for row in rows:
        for axes in row[:-1]:
            axes.set_ylim(0, tallest)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exact", type=pathlib.Path)
    parser.add_argument("published", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs" / "figures" / "calibration.svg")
    arguments = parser.parse_args()
    figure, rows = plt.subplots(2, len(PANELS) + 1, figsize=(10, 3.6), layout="constrained")
    draw_row(rows[0], "exact (default)", read_ranks(arguments.exact), "tab:blue")
    draw_row(rows[1], "published", read_ranks(arguments.published), "tab:red")
    same_height(rows)
    for axes in rows[1][:-1]:
        axes.set_xlabel("rank of the truth")
    rows[1][-1].set_xlabel("nominal level")
    figure.suptitle(f"grey: {BAND_LEVEL:.0%} of binomial counts, for each bin or level by itself", fontsize=8)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(arguments.output, metadata={"Date": None})


if __name__ == "__main__":
    main()
