"""measure.py PEER PROBLEM FOLDER RUNS: runs one peer on one problem up to RUNS times, in this process, and writes FOLDER/PROBLEM.PEER.json."""
import importlib
import importlib.metadata
import json
import os
import pathlib
import sys
import time
import warnings

import numpy as np

import problems
from scores import score

BUDGET = 60.0  # seconds for all runs; after the second none begins that would not end by then
SCORED = 3


def chain_ess(runs, p):
    """ArviZ's bulk effective size of a run, the least over log phi: runs, and walkers in them, are chains."""
    import arviz

    chains = np.concatenate([run.draws.reshape(run.walkers, -1, p) for run in runs])
    return min(float(arviz.ess(chains[:, :, d], method="bulk")) for d in range(p)) / len(runs)


def moments(run):
    weights = np.full(len(run.draws), 1 / len(run.draws)) if run.weights is None else run.weights
    mean = weights @ run.draws
    return mean.tolist(), np.sqrt(weights @ (run.draws - mean) ** 2).tolist()


def make_runs(peer, most):
    """Two at least, to see how far they differ; then as many as fit the budget."""
    runs, begin, now = [], time.perf_counter(), 0.0
    while len(runs) < 2 or len(runs) < most and now + now / len(runs) < BUDGET:
        runs.append(peer.run(seed=len(runs) + 1))
        now = time.perf_counter() - begin
    return runs


def describe(runs, problem):
    found = {"seconds": [run.seconds for run in runs], "evaluations": [run.evaluations for run in runs],
             "own_ess": [run.own_ess for run in runs], "log_evidence": [run.log_evidence for run in runs],
             "scores": [score(problem, run, np.random.default_rng(seed)) for seed, run in enumerate(runs[:SCORED])]}
    if runs[0].draws is not None:
        found["means"], found["sds"] = zip(*map(moments, runs))
    if runs[0].is_chain:
        found["chain_ess"] = chain_ess(runs, problem.p)
    return found


def clock():
    """CPU time where others use the machine (TA2S2_BENCH_CLOCK=cpu): on one thread it is the time alone, but for caches."""
    name = os.environ.get("TA2S2_BENCH_CLOCK", "wall")
    if name == "cpu":
        time.perf_counter = time.process_time
    return name


def main(name, problem_name, folder, most_runs):
    warnings.simplefilter("ignore")
    clock_name = clock()
    problem = problems.load(problem_name)
    begin = time.perf_counter()
    module = importlib.import_module(f"peers.{name}")
    peer = module.Peer(problem)
    start = time.perf_counter() - begin
    found = {"title": module.TITLE, "posterior": module.POSTERIOR, "start_seconds": start, "clock": clock_name, "gradients": getattr(module, "GRADIENTS", False),
             "versions": {package: importlib.metadata.version(package) for package in module.PACKAGES}}
    found.update(describe(make_runs(peer, int(most_runs)), problem))
    pathlib.Path(folder, f"{problem_name}.{name}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
