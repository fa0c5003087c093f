"""The two problems that all peers share: inputs on the unit cube by their observed ranges, output centred and divided by its sd."""
import csv
import dataclasses
import pathlib

import numpy as np

DATA = pathlib.Path(__file__).resolve().parents[2] / "examples/data"
FILES = {"franke": ("franke_train_1.csv", "franke_test.csv"), "wing-weight": ("wing_weight_train_1.csv", "wing_weight_test.csv")}

NUGGET = 1e-6  # relative to the process variance; fixed, since most peers cannot be given a prior of it
BOX = (-7.0, 7.0)  # of every log phi, phi the square of a length-scale; the prior is flat on it


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str
    X: np.ndarray  # (n, p)
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray  # in the user's units, as scores are
    y_mean: float
    y_sd: float

    @property
    def p(self):
        return self.X.shape[1]


def read(name):
    with open(DATA / name, newline="") as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    return rows[:, :-1], rows[:, -1]


def load(name):
    (X, y), (X_test, y_test) = map(read, FILES[name])
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    return Problem(name, (X - low) / width, (y - y.mean()) / y.std(), (X_test - low) / width, y_test, y.mean(), y.std())
