"""Statistics of the rows: means over splits, then outputs, then simulators, so that each simulator has one vote."""
import csv
import json
import math
import pathlib
import random
import statistics
from dataclasses import dataclass, field

from measure import SETTINGS_OF_PEERS, Job, Program
from problems import ACTIVE, FUNCTIONS, REAL, finite, simulator
from results import SCORES, key_of

REFERENCE = "RobustGaSP+nugget"
INSIDE = (0.92, 0.98)  # of an output's 95% intervals
RESAMPLES = 10000

# ---- means ----


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def by_output(values, mean):
    """Of {(name, split): value} the means over splits."""
    found = {}
    for (name, _), value in values.items():
        found.setdefault(name, []).append(value)
    return {name: mean(each) for name, each in found.items()}


def by_simulator(values, mean):
    """The means over each simulator's outputs of means over splits."""
    found = {}
    for name, value in by_output(values, mean).items():
        found.setdefault(simulator(name), []).append(value)
    return {name: mean(each) for name, each in found.items()}


def overall(values, mean=geometric):
    return mean(by_simulator(values, mean).values())


def ratios(ours, theirs, score="crps"):
    """Of rows by (name, split), where both have the score and it is not zero."""
    pairs = {key: (ours[key].get(score), theirs[key].get(score)) for key in ours if key in theirs}
    return {key: a / b for key, (a, b) in pairs.items() if a and b}


def interval(values, level=0.9):
    """Bootstrap over simulators of the geometric mean: what another collection might have shown."""
    each, chance = sorted(by_simulator(values, geometric).values()), random.Random(1)
    means = sorted(geometric(chance.choices(each, k=len(each))) for _ in range(RESAMPLES))
    cut = round((1 - level) / 2 * RESAMPLES)
    return means[cut], means[-1 - cut]


def column(rows, score):
    return {key: row[score] for key, row in rows.items() if row.get(score) is not None}


def coverage(rows):
    return overall(column(rows, "cov95"), statistics.fmean)


def share_inside(rows):
    outputs = by_output(column(rows, "cov95"), statistics.fmean).values()
    return statistics.fmean(INSIDE[0] <= value <= INSIDE[1] for value in outputs)


def plug_in(rows):
    """The rows' scores of the plug-in maximum, as rows of their own."""
    return {key: {score: row[f"map_{score}"] for score in SCORES} for key, row in rows.items()}


def worst(values):
    """The largest geometric mean of a simulator, and its name."""
    each = by_simulator(values, geometric)
    name = max(each, key=each.get)
    return each[name], name


def won(values):
    each = by_simulator(values, geometric).values()
    return sum(value < 1 for value in each), len(each)


def best_of(peers):
    """Of each split the best score of any peer, known only afterwards."""
    found = {}
    for rows in peers.values():
        for key, row in rows.items():
            if row["crps"] and (key not in found or row["crps"] < found[key]["crps"]):
                found[key] = row
    return found


# ---- what was asked for ----


@dataclass
class Asked:
    """The rows of these problems by these variants and this program; found are all rows there are."""
    problems: list
    variants: list  # label and settings
    plain: str  # settings of the member without a transformation
    program: str
    seed: int
    peers_file: pathlib.Path
    found: dict = field(default_factory=dict)

    def of(self, suite):
        return [problem for problem in self.problems if problem.suite == suite]

    def row(self, problem, settings="", threads=1, program=None):
        job = Job(problem, Program(None, program or self.program), settings, self.seed, threads)
        return self.found.get(key_of(job.key()))

    def rows(self, suite, settings="", program=None):
        """Those that are there and are no failures, by (name, split)."""
        found = {(p.name, p.split): self.row(p, settings, program=program) for p in self.of(suite)}
        return {key: row for key, row in found.items() if row and row["status"] == "ok"}

    def measured_peers(self, suite):
        names = sorted({row["program"] for row in self.found.values() if row["settings"] == SETTINGS_OF_PEERS})
        found = {f"{name}, run here": self.rows(suite, SETTINGS_OF_PEERS, name) for name in names}
        return {name: rows for name, rows in found.items() if rows}

    def peers(self):
        """On real runs: those of peers.csv, and those that were run."""
        keys = {(p.name, p.split) for p in self.of(REAL)}
        return {**read_peers(self.peers_file, keys), **self.measured_peers(REAL)}

    def failures(self):
        for _, settings in self.variants:
            for problem in self.problems:
                row = self.row(problem, settings)
                if row and row["status"] != "ok":
                    yield problem, settings, row["status"]


def read_peers(path, keys):
    found = {}
    if not path.exists():
        return found
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = row["set"], int(row["split"])
            if key in keys:
                found.setdefault(row["method"], {})[key] = {score: finite(row[score]) for score in SCORES}
    return found


# ---- functions ----


def designs(rows, name):
    return {split: row for (each, split), row in rows.items() if each == name}


def mean_score(rows, name, score="crps"):
    found = [row[score] for row in designs(rows, name).values()]
    return statistics.fmean(found) if found else None


def inert_ratios(rows, name, inert):
    """Of each design CRPS with inert inputs over CRPS without."""
    none, some = designs(rows, f"{name}+0"), designs(rows, f"{name}+{inert}")
    return [some[split]["crps"] / none[split]["crps"] for split in sorted(none.keys() & some.keys())]


def activities(rows, names):
    """Probabilities to be active of the active inputs, and of the inert ones, over all designs."""
    active, inert = [], []
    for (name, _), row in rows.items():
        if name in names:
            for d, probability in json.loads(row["activity"] or "{}").items():
                (active if int(d.removeprefix("x")) <= ACTIVE[name] else inert).append(probability)
    return active, inert


def hostile_names(problems):
    return list(dict.fromkeys(p.name for p in problems if p.suite == FUNCTIONS and simulator(p.name) == "hostile"))
