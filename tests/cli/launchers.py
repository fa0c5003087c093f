"""The program on several MPI ranks, by whatever launchers the build has modules for."""

import os
import subprocess

from program import DONE, PROGRAM

HANG = 120

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n"],
    "mpich": ["mpirun.mpich", "-n"],
}

# Those that the build says it has a module for: a module that is not where the program looks for it is a failure.
MODULES = os.environ.get("TA2S2_MPI_MODULES", "ta2s2_mpi_openmpi,ta2s2_mpi_mpich").split(",")
LIBRARIES = [name for name in LAUNCHERS if f"ta2s2_mpi_{name}" in MODULES]


def command(library, ranks, *arguments):
    return [*LAUNCHERS[library], str(ranks), PROGRAM, *map(str, arguments)]


def environment(**variables):
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **variables}


def run_ranks(library, ranks, *arguments, **variables):
    return subprocess.run(command(library, ranks, *arguments), capture_output=True, text=True, timeout=HANG,
                          check=False, stdin=subprocess.DEVNULL, env=environment(**variables))


def run_ranks_well(library, ranks, *arguments):
    result = run_ranks(library, ranks, *arguments)
    assert result.returncode == DONE, f"{arguments}: exit code {result.returncode}\n{result.stderr}"
    return result


def own_lines(text):
    """What the program said; launchers add lines of their own when a program fails."""
    return [line for line in text.splitlines() if line.startswith("ta2s2: ")]
