"""What emulators are fitted to: the real runs in a folder, and test functions with designs of their own."""
import csv
import fnmatch
import hashlib
import math
import pathlib
import random
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEST_POINTS = 300
INERT = {0: 5, 10: 5, 30: 5, 96: 2}  # inert inputs added, and designs of each
REAL, FUNCTIONS = "real", "functions"


@dataclass(frozen=True)
class Problem:
    suite: str
    name: str
    split: int  # of a function: the design
    train: pathlib.Path
    test: pathlib.Path
    output: str

    def fingerprint(self):
        """Rows of other runs must not be taken for rows of these."""
        return hashlib.sha256(self.train.read_bytes() + self.test.read_bytes()).hexdigest()[:12]

    def outputs(self, path):
        """Those of runs that did not fail."""
        with open(path, encoding="utf-8", newline="") as file:
            values = [finite(row[self.output]) for row in csv.DictReader(file)]
        return [value for value in values if value is not None]

    def num_inputs(self):
        with open(self.train, encoding="utf-8", newline="") as file:
            return len(next(csv.reader(file))) - 1


def finite(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def simulator(name):
    return name.split(".")[0]


# ---- real runs ----


def real(folder):
    """Folders <simulator>.<output> with <split>_train.csv and <split>_test.csv, output y."""
    found = []
    for path in sorted(folder.glob("*/*_train.csv"), key=lambda path: (path.parent.name, split_of(path))):
        split = split_of(path)
        found.append(Problem(REAL, path.parent.name, split, path, path.with_name(f"{split}_test.csv"), "y"))
    return found


def split_of(path):
    return int(path.name.split("_")[0])


# ---- functions on the unit cube ----


def smooth(x):
    return math.sin(3 * x[0]) + x[1]**2 + x[2] * x[3] + 0.5 * math.exp(x[1] * x[2])


def park(x):
    """Park's first function, kept away from its corner at zero."""
    a, b, c, d = (0.02 + 0.98 * value for value in x[:4])
    return a / 2 * (math.sqrt(1 + (b + c * c) * d / a**2) - 1) + (a + 3 * d) * math.exp(1 + math.sin(c))


def friedman(x):
    """Friedman's function without its fifth input."""
    return 2 * math.sin(math.pi * x[0] * x[1]) + 4 * (x[2] - 0.5)**2 + 2 * x[3]


BOREHOLE = ((0.05, 0.15), (100, 50000), (63070, 115600), (990, 1110), (63.1, 116), (700, 820), (1120, 1680), (9855,
                                                                                                              12045))


def borehole(x):
    rw, r, upper, head, lower, low_head, length, k = (low + (high - low) * u for u, (low, high) in zip(x, BOREHOLE))
    log_ratio = math.log(r / rw)
    leak = 2 * length * upper / (log_ratio * rw * rw * k)
    return 2 * math.pi * upper * (head - low_head) / (log_ratio * (1 + leak + upper / lower))


WELCH = {2: 0.05, 3: 0.08, 6: -0.03, 7: 0.03, 9: -0.09, 10: -0.01, 11: -0.07, 14: -0.04, 15: 0.06, 17: -0.01, 18: -0.03}


def welch(x):
    """Welch et al. (1992): 20 inputs, of which few matter."""
    u = [None] + [value - 0.5 for value in x]
    strong = 5 * u[12] / (1 + u[1]) + 5 * (u[4] - u[20])**2 + u[5] + 40 * u[19]**3 - 5 * u[19]
    return strong + 0.25 * u[13]**2 + sum(slope * u[d] for d, slope in WELCH.items())


def morris(x):
    """40 inputs: ten strong ones, some of which interact, ten weak ones, twenty inert ones."""
    w = [2 * value - 1 for value in x]
    strong = sum((2 - d / 6) * w[d] for d in range(10))
    return strong + 0.1 * sum(w[10:20]) + 1.5 * w[0] * w[1] - w[2] * w[3] + math.sin(2 * w[4]) * w[5]


def bump(x, scale, i, a, j, b):
    return math.exp(-scale * ((x[i] - a)**2 + (x[j] - b)**2))


def noise(x):
    """A standard normal number that belongs to the point."""
    return random.Random(f"noise {x[0]!r} {x[1]!r} {x[2]!r}").gauss(0, 1)


# Outputs on which a transformation can do harm, or some transformation is needed: n = 50, three inputs.
HOSTILE = {
    "squared-zero-crossing": lambda x: (math.sin(4 * x[0]) + x[1] - 0.9)**2,
    "abs": lambda x: abs(math.sin(4 * x[0]) + x[1] - 0.9) + 1e-6,
    "floor-square": lambda x: max(0.0, x[0] + x[1] * x[2] - 0.8)**2 + 1e-5,
    "floor-ramp": lambda x: max(0.0, x[0] + x[1] * x[2] - 0.6) + 1e-3,
    "eight-decades": lambda x: math.exp(18 * math.sin(2 * x[0]) * x[1]),
    "spike": lambda x: 1 / (1e-3 + (x[0] - 0.31)**2 + (x[1] - 0.62)**2),
    "bumps": lambda x: bump(x, 40, 0, 0.3, 1, 0.6) + 0.3 * bump(x, 30, 0, 0.8, 2, 0.2) + 1e-4,
    "lognormal-noise": lambda x: math.exp(1.5 * math.sin(5 * x[0]) + x[1] + 0.3 * noise(x)),
    "additive-noise": lambda x: 3 + math.sin(5 * x[0]) + x[1] + 0.3 * noise(x),
}
FOUR_INPUTS = {"smooth": smooth, "park": park, "friedman": friedman}
# name: function, inputs, runs, designs
LONGER = {"borehole": (borehole, 8, 60, 5), "welch": (welch, 20, 150, 3), "morris": (morris, 40, 150, 2)}
ACTIVE = {**{f"{name}+{inert}": 4 for name in FOUR_INPUTS for inert in INERT}, "morris": 20}  # the first so many inputs


def hypercube(n, p, chance):
    columns = []
    for _ in range(p):
        cells = list(range(n))
        chance.shuffle(cells)
        columns.append([(cell + chance.random()) / n for cell in cells])
    return [list(point) for point in zip(*columns)]


def uniform(n, p, chance):
    return [[chance.random() for _ in range(p)] for _ in range(n)]


def table(points, function):
    lines = [",".join(f"x{d + 1}" for d in range(len(points[0]))) + ",y"]
    lines += [",".join(map(repr, [*x, function(x)])) for x in points]
    return "\n".join(lines) + "\n"


def write_if_new(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def written(folder, name, split, function, train, test):
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{split}_{kind}.csv" for kind in ("train", "test")]
    for path, points in zip(paths, (train, test)):
        write_if_new(path, table(points, function))
    return Problem(FUNCTIONS, name, split, *paths, "y")


def plain(folder, name, function, inputs, runs, designs):
    for split in range(designs):
        chance = random.Random(f"{name} {split}")
        yield written(folder, name, split, function, hypercube(runs, inputs, chance),
                      uniform(TEST_POINTS, inputs, chance))


def with_inert(folder, name, function, inert, designs):
    """The columns of the four active inputs are the same for every number of inert ones."""
    for split in range(designs):
        active, others = random.Random(f"{name} {split}"), random.Random(f"{name} {split} + {inert}")
        train = [x + z for x, z in zip(hypercube(100, 4, active), hypercube(100, inert, others) or [[]] * 100)]
        test = [x + z for x, z in zip(uniform(TEST_POINTS, 4, active), uniform(TEST_POINTS, inert, others))]
        yield written(folder, f"{name}+{inert}", split, function, train, test)


def wing_weight():
    data = ROOT / "examples" / "data"
    for split in range(5):
        yield Problem(FUNCTIONS, "wing-weight", split, data / f"wing_weight_train_{split + 1}.csv",
                      data / "wing_weight_test.csv", "weight")


def functions(folder):
    found = list(wing_weight())
    for name, arguments in LONGER.items():
        found += plain(folder, name, *arguments)
    for inert, designs in INERT.items():
        for name, function in FOUR_INPUTS.items():
            found += with_inert(folder, name, function, inert, designs)
    for name, function in HOSTILE.items():
        found += plain(folder, f"hostile.{name}", function, 3, 50, 5)
    return found


# ---- choosing ----


def chosen(problems, suites, names, splits):
    """names are patterns of problems or simulators; of them and of splits an empty list allows all."""

    def is_named(problem):
        return not names or any(
            fnmatch.fnmatch(problem.name, name) or simulator(problem.name) == name for name in names)

    return [
        problem for problem in problems
        if problem.suite in suites and is_named(problem) and (not splits or problem.split in splits)
    ]
