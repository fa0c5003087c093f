"""Runs bench_micro and reads its times: of every benchmark the least of its repetitions, in CPU time of the thread."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blas_core():
    """The kernels OpenBLAS should take: Debian's does not know every processor and then takes those of the year 2004."""
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").split()
    return "SKYLAKEX" if "avx512dq" in flags else "HASWELL" if "avx2" in flags else ""


def environment():
    core = blas_core()
    return {**({"OPENBLAS_CORETYPE": core} if core else {}), **os.environ}


def measure(pattern, repetitions=5, seconds=0.1):
    """Repetitions of all benchmarks that the pattern names, in random order, so that noise hits all alike."""
    subprocess.run([ROOT / "bench/build", "bench_micro"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "times.json"
        subprocess.run([ROOT / "build/release/bench/bench_micro", f"--benchmark_filter={pattern}",
                        f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={seconds}",
                        "--benchmark_enable_random_interleaving=true", f"--benchmark_out={out}"],
                       check=True, stdout=sys.stderr, env=environment())
        document = json.loads(out.read_text())
    least = {}
    for row in document["benchmarks"]:
        name = row["run_name"]
        if row["run_type"] == "iteration" and row["cpu_time"] <= least.get(name, row)["cpu_time"]:
            least[name] = row
    return document["context"], least


def microseconds(row):
    """Per evaluation."""
    assert row["time_unit"] == "us"
    return row["cpu_time"] / row["points"]


def digits(value):
    """Three significant digits, no exponent."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def print_table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)
