"""Called by bench/python/run. Each peer on each problem in a process of its own, pinned to one core; then the page."""
import os
import pathlib
import subprocess
import sys

import page
import problems
from truth import truth

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "results/python"
LIMIT = 900  # seconds of a peer on a problem, start included; what did not finish a run by then says so on the page

RUNS = {False: 20, True: 3}  # at most, of a sampler and of a tool that fits a point

# In the order of the page's tables.
SAMPLERS = ["ta2s2_fit", "ta2s2_sample", "ta2s2_default", "pymc_nuts", "pymc_smc", "numpyro_nuts", "blackjax_smc", "gpy_hmc", "botorch_saas", "pocomc_flow",
            "zeus_slice", "emcee_stretch"]
POINTS = ["ta2s2_map", "sklearn_gpr", "smt_krg", "openturns_gpr", "libkriging"]


def core():
    """Not the first, which serves interrupts, where there is another."""
    return max(os.sched_getaffinity(0))


def wanted(arguments):
    every = [(problem, peer) for problem in problems.FILES for peer in SAMPLERS + POINTS]
    if arguments == ["page"]:
        return []
    for argument in arguments:
        if argument.split("/")[-1] not in SAMPLERS + POINTS:
            raise SystemExit(f'found "{argument}", expected page, or a peer: {", ".join(SAMPLERS + POINTS)}')
    return [(problem, peer) for problem, peer in every if not arguments or peer in arguments or f"{problem}/{peer}" in arguments]


def measure(problem, peer):
    """The last line of what it said if it failed, else nothing."""
    path = RESULTS / f"{problem}.{peer}.json"
    path.unlink(missing_ok=True)
    command = ["taskset", "-c", str(core()), sys.executable, "-B", HERE / "measure.py", peer, problem, RESULTS, str(RUNS[peer in POINTS])]
    print(problem, peer, file=sys.stderr, flush=True)
    failure = path.with_suffix(".failure")
    failure.unlink(missing_ok=True)
    try:
        done = subprocess.run(command, timeout=LIMIT, capture_output=True, text=True)
        if done.returncode:
            failure.write_text(done.stderr.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        failure.write_text(f"nothing finished within {LIMIT} seconds")


def main(arguments):
    pairs = wanted(arguments)  # what cannot be done is said before anything runs
    RESULTS.mkdir(parents=True, exist_ok=True)
    for problem, peer in pairs:
        measure(problem, peer)
    truths = {name: truth(problems.load(name), RESULTS) for name in problems.FILES}
    page.write(RESULTS, truths, SAMPLERS, POINTS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
