"""Learning curves of plug-in loops: scikit-learn's GaussianProcessRegressor at the likelihood's maximum, of the squared
exponential or of Matern 5/2, whichever has the larger; its variance or its expected improvement as the criterion. Designs
and test points are those of bench_learning, by `ta2s2 design`.

    python bench/learning/peers.py PROGRAM FUNCTION METHOD SEED [LAST]      METHOD: sklearn-variance or sklearn-ei

Prints CSV rows. Batches of five are chosen one by one with the believed mean, the habit of such loops; the kernel is
fitted once a batch. A third of the points to choose from are stretched to the border, as `ta2s2 next-runs` has them.
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from scipy.stats import norm, qmc
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "make_golden"))
from test_functions import FUNCTIONS  # noqa: E402

TEST_RUNS, TEST_SEED, FIRST, BATCH, CANDIDATES = 500, 20261117, 20, 5, 2000


def design(program, ranges, runs, kind, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("name,min,max\n" + "".join(f"x{i},{low!r},{high!r}\n" for i, (low, high) in enumerate(ranges)))
        file.flush()
        words = [program, "design", "--ranges", file.name, "--runs", str(runs), "--kind", kind, "--seed", str(seed)]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return np.array([[float(cell) for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]])


def crps(mean, sd, y):
    """Of a normal prediction."""
    z = (y - mean) / sd
    return float(np.mean(sd * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi))))


class Loop:
    def __init__(self, program, function, method, seed):
        ranges, self.run_one = FUNCTIONS[function]
        self.low, self.width = np.array([(low, high - low) for low, high in ranges]).T
        self.label, self.method, self.seed = function, method, seed
        unit = lambda points: (points - self.low) / self.width
        self.X = unit(design(program, ranges, FIRST, "maximin", seed))
        self.y = self.simulate(self.X)
        self.X_test = unit(design(program, ranges, TEST_RUNS, "sobol", TEST_SEED))
        self.y_test = self.simulate(self.X_test)
        self.candidates = qmc.Sobol(len(self.low), seed=seed)

    def simulate(self, X):
        return np.array([float(self.run_one(*map(float, row))) for row in self.low + self.width * X])

    def fit(self):
        start, bounds = np.full(len(self.low), 0.5), (0.05, 50.0)
        models = [GaussianProcessRegressor(ConstantKernel(1.0, (1e-2, 1e6)) * correlation, alpha=1e-8, normalize_y=True,
                                           n_restarts_optimizer=2, random_state=self.seed).fit(self.X, self.y)
                  for correlation in (RBF(start, bounds), Matern(start, bounds, nu=2.5))]
        return max(models, key=lambda model: model.log_marginal_likelihood_value_)

    def points_to_choose_from(self):
        points = self.candidates.random(CANDIDATES)
        points[::3] = np.clip(0.5 + 1.5 * (points[::3] - 0.5), 0.0, 1.0)
        return points

    def report(self, model):
        mean, sd = model.predict(self.X_test, return_std=True)
        rmse = float(np.sqrt(np.mean((mean - self.y_test) ** 2)))
        print(f"{self.label},{self.method},{self.seed},{len(self.y)},{rmse:.6g},"
              f"{crps(mean, np.maximum(sd, 1e-12), self.y_test):.6g}", flush=True)

    def values(self, mean, sd, y):
        if self.method == "sklearn-variance":
            return sd
        z = (y.min() - mean) / np.maximum(sd, 1e-12)
        return sd * (z * norm.cdf(z) + norm.pdf(z))

    def choose(self, model):
        X, y = self.X, self.y
        for _ in range(BATCH):
            believed = GaussianProcessRegressor(model.kernel_, alpha=1e-8, normalize_y=True, optimizer=None).fit(X, y)
            candidates = self.points_to_choose_from()
            mean, sd = believed.predict(candidates, return_std=True)
            best = int(np.argmax(self.values(mean, sd, y)))
            X, y = np.vstack([X, candidates[best]]), np.append(y, mean[best])
        return X[len(self.X):]

    def learn(self, last):
        model = self.fit()
        self.report(model)
        while len(self.y) < last:
            new = self.choose(model)
            self.X, self.y = np.vstack([self.X, new]), np.append(self.y, self.simulate(new))
            model = self.fit()
            self.report(model)


def main():
    warnings.filterwarnings("ignore")  # of bounds that a length-scale has reached, and of 2000 not being a power of two
    program, function, method, seed = sys.argv[1:5]
    Loop(program, function, method, int(seed)).learn(int(sys.argv[5]) if len(sys.argv) > 5 else 60)


if __name__ == "__main__":
    main()
