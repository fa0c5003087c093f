"""Called by bench/peers/run. One evaluation of H by each peer, interleaved in rounds so that noise hits all alike."""
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy
import sklearn
from threadpoolctl import threadpool_info, threadpool_limits

from python_peers import NumpyScipy, ScikitLearn

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "build/release/bench"
SIZES = [(20, 2), (100, 5), (100, 10), (300, 10), (500, 10), (1000, 10)]
NUGGET = 1e-6
POSITIONS = 16  # a multiple of every number of lanes
ROUNDS = 15
SECONDS = 0.03  # of one peer in one round, at least one pass


def make_problem(n, p):
    rng = np.random.default_rng(11)
    X = (np.array([rng.permutation(n) for _ in range(p)]).T + rng.random((n, p))) / n
    y = sum(np.sin(1.3 * (d + 1) * X[:, d]) + 0.3 * X[:, d] * X[:, (d + 1) % p] for d in range(p))
    return X, (y - y.mean()) / y.std(), rng.uniform(-1.5, 1.5, (POSITIONS, p))


class Program:
    """A peer in C++ behind a pipe (serve.cpp)."""

    def __init__(self, name, program, X, y):
        self.name = name
        self.process = subprocess.Popen([PROGRAMS / program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        numbers = [*X.T.ravel(), *y]
        self.process.stdin.write(f"{X.shape[0]} {X.shape[1]} {NUGGET}\n" + " ".join(map(repr, map(float, numbers))) + "\n")

    def ask(self, request, positions):
        numbers = " ".join(map(repr, map(float, positions.ravel())))
        self.process.stdin.write(f"{request} {len(positions)} {numbers}\n")
        self.process.stdin.flush()
        answer = [float(word) for word in self.process.stdout.readline().split()]
        if not answer:
            raise SystemExit(f"{self.name} ended without an answer")
        return answer

    def energies(self, positions):
        return np.array(self.ask("evaluate", positions))

    def seconds(self, repeats, positions):
        return self.ask(f"time {repeats}", positions)[0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class InThisProcess:
    """A peer in Python."""

    def __init__(self, peer):
        self.name, self.peer = peer.name, peer

    def energies(self, positions):
        return np.array([self.peer.energy(z) for z in positions])

    def seconds(self, repeats, positions):
        begin = time.thread_time()
        for _ in range(repeats):
            for z in positions:
                self.peer.energy(z)
        return time.thread_time() - begin

    def close(self):
        pass


def require(close, what):
    if not close:
        raise SystemExit(f"peers disagree: {what}")


def check(ours, others, numpy_scipy, scikit_learn, positions):
    """Each against one another, to what the nugget leaves of double precision. Returns the largest difference of H."""
    known = numpy_scipy.energies(positions)
    differences = {peer.name: np.abs(peer.energies(positions) - known).max() for peer in [ours, *others]}
    for name, difference in differences.items():
        require(difference < 1e-6, f"{name} and {numpy_scipy.name} by {difference:.1e}")
    for z in positions:
        expected = scikit_learn.peer.log_likelihood_from(*numpy_scipy.peer.parts(z))
        require(abs(scikit_learn.peer.log_likelihood(z) / expected - 1) < 1e-8, f"{scikit_learn.name} at {z}")
    return differences[ours.name]


def repeats_for(peer, positions):
    """As many passes as take SECONDS; a first pass alone, cold, would mislead where one takes microseconds."""
    repeats = 1
    while (seconds := peer.seconds(repeats, positions)) < SECONDS / 4:
        repeats *= 4
    return max(1, round(repeats * SECONDS / seconds))


def rounds(peers, positions):
    """Microseconds per evaluation: by peer, one number for each round."""
    repeats = {peer.name: repeats_for(peer, positions) for peer in peers}
    times = {peer.name: [] for peer in peers}
    for _ in range(ROUNDS):
        for peer in peers:
            seconds = peer.seconds(repeats[peer.name], positions)
            times[peer.name].append(1e6 * seconds / (repeats[peer.name] * len(positions)))
    return times


def measure(n, p):
    X, y, positions = make_problem(n, p)
    ours, eigen = Program("ours", "bench_peer_ours", X, y), Program("Eigen", "bench_peer_eigen", X, y)
    numpy_scipy, scikit_learn = InThisProcess(NumpyScipy(X, y, NUGGET)), InThisProcess(ScikitLearn(X, y, NUGGET))
    if n >= 500:
        positions = positions[:8]
    difference = check(ours, [eigen], numpy_scipy, scikit_learn, positions)
    peers = [ours, eigen, numpy_scipy, scikit_learn]
    times = rounds(peers, positions)
    for peer in peers:
        peer.close()
    return times, difference


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def row(n, p, times, difference):
    ratio = lambda name: statistics.median(a / b for a, b in zip(times[name], times["ours"]))
    others = [name for name in times if name != "ours"]
    return " | ".join([f"| {n}, {p}", *[number(statistics.median(values)) for values in times.values()],
                       *[number(ratio(name)) for name in others], f"{difference:.0e} |"])


def describe_libraries():
    blas = sorted({f"{info['internal_api']} {info['version']} ({info.get('architecture', 'unknown')})"
                   for info in threadpool_info() if info["user_api"] == "blas"})
    print(f"numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, {', '.join(blas)}, one thread.\n")


def main():
    describe_libraries()
    print("| n, p | ours, us | Eigen, us | numpy + scipy, us | scikit-learn, us | Eigen / ours | numpy / ours | scikit-learn / ours "
          "| ours - numpy |")
    print("|" + "---|" * 9, flush=True)
    with threadpool_limits(1):
        for n, p in SIZES:
            print(row(n, p, *measure(n, p)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
