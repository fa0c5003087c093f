#!/usr/bin/env python3
"""Runs a simulator where an emulator of it has most to learn, batch after batch, until there are enough runs.

    loop.py --run './sim {inputs}' --ranges ranges.csv --output y --folder study --start 20 --batch 5 --runs 40

{inputs} stands for the values in the order of ranges.csv, {name} for one of them. The simulator's last line of output is
the result, one number. All that the loop knows is in the folder: started again with the same words, it goes on.

    runs.csv     the runs so far          todo.csv    the batch under way, written before any of it is run
    failed.csv   runs that gave nothing   model.json  the latest fit
"""
import argparse
import csv
import math
import os
import pathlib
import shlex
import subprocess
import sys

CANDIDATES = 1000  # once a run has failed


def read_rows(path):
    """Header and rows; a last line that a kill cut off is not one."""
    if not path.exists():
        return [], []
    text = path.read_text()
    rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
    return (rows[0], [[float(cell) for cell in row] for row in rows[1:]]) if rows else ([], [])


def write_rows(path, header, rows):
    """Whole or not at all."""
    partial = path.with_suffix(".partial")
    with open(partial, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([repr(cell) for cell in row] for row in rows)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


class Study:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = pathlib.Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(arguments.ranges, newline="") as file:
            ranges = list(csv.DictReader(file))
        self.names = [row["name"] for row in ranges]
        self.widths = [float(row["max"]) - float(row["min"]) for row in ranges]
        self.runs, self.failed = self.load("runs.csv"), self.load("failed.csv")

    def load(self, name):
        return read_rows(self.folder / name)[1]

    def program(self, *words):
        subprocess.run([self.arguments.program, *map(str, words)], check=True)

    def is_done(self, point):
        return any(run[:len(point)] == point for run in self.runs + self.failed)

    def todo(self):
        return [point for point in self.load("todo.csv") if not self.is_done(point)]

    def plan_start(self):
        path = self.folder / "design.csv"
        self.program("design", "--ranges", self.arguments.ranges, "--runs", self.arguments.start,
                     "--seed", self.arguments.seed, "-o", path)
        write_rows(self.folder / "todo.csv", self.names, read_rows(path)[1])

    def plan_batch(self):
        """A fit to all runs, then the next ones. (A model brought up to date with new runs would do as well.)"""
        model, proposed = self.folder / "model.json", self.folder / "next.csv"
        self.program("fit", self.folder / "runs.csv", "--output", self.arguments.output, "--ranges",
                     self.arguments.ranges, "--seed", self.arguments.seed, "--quiet", "-o", model)
        count = min(self.arguments.batch, self.arguments.runs - len(self.runs))
        self.program("next-runs", model, "--count", count, "--criterion", self.arguments.criterion,
                     "--seed", self.arguments.seed, "--quiet", "-o", proposed, *self.away_from_failures(count))
        points = [row[:len(self.names)] for row in read_rows(proposed)[1]]
        write_rows(self.folder / "todo.csv", self.names, points)

    def away_from_failures(self, count):
        """The emulator knows nothing of failed runs: after one, only points are tried whose nearest run did not fail."""
        if not self.failed:
            return []
        design, candidates = self.folder / "design.csv", self.folder / "candidates.csv"
        self.program("design", "--ranges", self.arguments.ranges, "--runs", CANDIDATES, "--kind", "sobol",
                     "--seed", self.arguments.seed, "-o", design)
        points = [point for point in read_rows(design)[1]
                  if self.distance(point, self.runs) < self.distance(point, self.failed)]
        if len(points) < count:
            sys.exit(f"loop: found {len(points)} points away from failed runs, expected at least {count}")
        write_rows(candidates, self.names, points)
        return ["--candidates", candidates]

    def distance(self, point, others):
        return min(math.hypot(*((a - b) / width for a, b, width in zip(point, other, self.widths))) for other in others)

    def simulate(self, point):
        """The result, or None."""
        values = [repr(value) for value in point]
        words = [part for word in shlex.split(self.arguments.run)
                 for part in (values if word == "{inputs}" else [word])]
        for name, value in zip(self.names, values):
            words = [word.replace("{" + name + "}", value) for word in words]
        finished = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
        try:
            result = float(finished.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            return None
        return result if finished.returncode == 0 and math.isfinite(result) else None

    def run_batch(self):
        for point in self.todo():
            result = self.simulate(point)
            if result is None:
                self.failed.append(point)
                write_rows(self.folder / "failed.csv", self.names, self.failed)
                print(f"failed: {point}", file=sys.stderr)
                if len(self.failed) > self.arguments.failures:
                    sys.exit(f"loop: found {len(self.failed)} failed runs, expected at most {self.arguments.failures}")
            else:
                self.runs.append([*point, result])
                write_rows(self.folder / "runs.csv", [*self.names, self.arguments.output], self.runs)

    def go_on(self):
        while True:
            self.run_batch()
            print(f"{len(self.runs)} runs, {len(self.failed)} failed", file=sys.stderr)
            if len(self.runs) >= self.arguments.runs:
                return
            if not (self.folder / "todo.csv").exists():
                self.plan_start()
            else:
                self.plan_batch()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="the simulator: './sim {inputs}'")
    parser.add_argument("--ranges", required=True, help="CSV file with columns name,min,max")
    parser.add_argument("--output", required=True, help="name of the result")
    parser.add_argument("--folder", required=True, help="where the study is kept")
    parser.add_argument("--start", type=int, default=20, help="runs of the first design")
    parser.add_argument("--batch", type=int, default=5, help="runs between two fits")
    parser.add_argument("--runs", type=int, default=40, help="runs in all")
    parser.add_argument("--criterion", default="imse", help="as for `ta2s2 next-runs`")
    parser.add_argument("--failures", type=int, default=10, help="failed runs before giving up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="ta2s2", help="the program, if it is not on the PATH")
    Study(parser.parse_args()).go_on()


if __name__ == "__main__":
    main()
