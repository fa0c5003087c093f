"""The memory formula of `ta2s2 plan` against the peak that the system reports of a fit."""
import json
import pathlib
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/bin/ta2s2"
# Beyond some hundred runs a process has its peak as soon as every thread has evaluated once: a long fit is ended then.
MOST_SECONDS = 20

CASES = [(100, 1, ["--samples", "1000"]), (100, 2, ["--samples", "20000"]), (100, 1, ["--samples", "1000", "--prior", "reference"]),
         (1000, 1, ["--samples", "500"]), (1000, 2, ["--samples", "500"]),
         (1000, 1, ["--samples", "500", "--prior", "reference"]),
         (1000, 2, ["--samples", "500", "--correlation", "power-exponential(1.9)"]),
         (3000, 1, ["--samples", "500"]), (3000, 2, ["--samples", "500"])]


def simulate(path, n):
    """Runs of ten inputs on a Latin hypercube; what they are changes no matrix's size."""
    design = subprocess.run([PROGRAM, "design", "--inputs", "10", "--runs", str(n), "--kind", "random"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    with open(path, "w", encoding="ascii") as file:
        file.write(design[0] + ",y\n")
        for line in design[1:]:
            x = [float(cell) for cell in line.split(",")]
            file.write(f"{line},{x[0] * x[1] + sum(v * v / (k + 1) for k, v in enumerate(x))!r}\n")
    return path


def high_water_bytes(pid):
    """Of a running process; its rusage would count what the interpreter held when it was started."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0
    return next((1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def peak_bytes(command):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    peak, end = 0, time.monotonic() + MOST_SECONDS
    while process.poll() is None:
        peak = max(peak, high_water_bytes(process.pid))
        if time.monotonic() > end:
            process.send_signal(signal.SIGTERM)
            end += MOST_SECONDS
        time.sleep(0.001)
    return peak


def planned_bytes(runs, settings):
    done = subprocess.run([PROGRAM, "plan", runs, "--json", "--quiet", *settings], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["memory_bytes"]["total"]


def print_memory():
    print("| runs | threads | settings | formula, MB | peak, MB | formula / peak |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for n, threads, settings in CASES:
            runs = pathlib.Path(folder) / f"{n}.csv"
            if not runs.exists():
                simulate(runs, n)
            all_settings = [*settings, "--model", "single", "--threads", str(threads)]
            planned = planned_bytes(runs, all_settings)
            model = pathlib.Path(folder) / "model.json"
            peak = peak_bytes([PROGRAM, "fit", runs, "--quiet", "-o", model, *all_settings])
            print(f"| {n} | {threads} | {' '.join(settings)} | {planned / 1e6:.1f} | {peak / 1e6:.1f} | {planned / peak:.2f} |",
                  flush=True)
    print()

