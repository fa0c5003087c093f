"""What the program says, and where: results on stdout, progress and notices on stderr, help that teaches."""

import os
import pty
import re
import subprocess
import time
from pathlib import Path

import pytest

from program import (ANNEALED, DATA, DONE, FEW, JUDGED_BAD, ONE, PROGRAM, TIMEOUT, RESUMABLE, USAGE, but_for_warnings, files_in, is_sanitised,
                     read_columns, run, run_well, write_csv)

TRAIN = DATA / "franke_train_1.csv"
COMMANDS = ["design", "plan", "fit", "resume", "predict", "validate", "next-runs", "show", "draws", "export"]
LEVEL = re.compile(r"level +(\d+)  temperature (\S+) +ESS +(\d+)  acceptance (\d\.\d\d)  evaluations +(\d+) +"
                   r"(\d+\.\d\d) s  (.*)")


def fit_on_terminal(folder, *options, env=None):
    """Exit code and what a terminal on stderr received."""
    terminal, stderr = pty.openpty()
    command = [PROGRAM, "fit", str(TRAIN), "-o", "model.json", *FEW, *options]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=stderr) as process:
        os.close(stderr)
        received = b""
        try:
            while chunk := os.read(terminal, 4096):
                received += chunk
        except OSError:  # Linux says EIO when the last writer closes
            pass
        process.communicate(timeout=TIMEOUT)
    os.close(terminal)
    return process.returncode, received.decode()


def environment(**changes):
    kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return {**kept, **changes}


# ---- progress ----


def test_no_progress_without_a_terminal(tmp_path):
    result = run_well("fit", TRAIN, "-o", "model.json", *FEW, cwd=tmp_path)
    assert but_for_warnings(result.stderr) == ""


def test_plain_progress_is_a_line_per_level(tmp_path):
    result = run_well("fit", TRAIN, "-o", "model.json", "--progress", "plain", *ANNEALED, "--samples", 200, *ONE, cwd=tmp_path)
    lines = [LEVEL.fullmatch(line) for line in but_for_warnings(result.stderr).splitlines()]
    assert all(lines) and len(lines) >= 3
    assert [int(line[1]) for line in lines] == list(range(len(lines)))
    temperatures = [float(line[2]) for line in lines]
    assert temperatures[0] == float("inf") and temperatures[-1] == 1.0
    assert temperatures == sorted(temperatures, reverse=True)
    assert all(int(line[5]) > 0 for line in lines)
    assert any("left" in line[7] for line in lines[:-1])
    assert lines[-1][7] == "done"
    assert "\033" not in result.stderr


def test_progress_of_passes_names_the_stage(tmp_path):
    result = run_well("fit", TRAIN, "-o", "model.json", "--progress", "plain", *ONE, cwd=tmp_path)
    stages = [line.split(", level")[0] for line in but_for_warnings(result.stderr).splitlines()]
    assert list(dict.fromkeys(stages))[:3] == ["scout", "pass 1", "pass 2"]


def test_progress_on_a_terminal(tmp_path):
    code, text = fit_on_terminal(tmp_path, env=environment())
    assert code == DONE
    assert len(re.findall(r"^level +\d", text, re.MULTILINE)) >= 3
    assert "\033[" in text


def test_no_color_is_respected(tmp_path):
    code, text = fit_on_terminal(tmp_path, env=environment(NO_COLOR="1"))
    assert code == DONE
    assert "level" in text and "\033" not in text
    # https://no-color.org: an empty value does not count.
    assert "\033[" in fit_on_terminal(tmp_path, env=environment(NO_COLOR=""))[1]


@pytest.mark.parametrize("options", [["--quiet"], ["-q"], ["--progress", "none"], ["--quiet", "--progress", "plain"]])
def test_a_silent_fit_is_silent_on_a_terminal_too(options, tmp_path):
    code, text = fit_on_terminal(tmp_path, *options)
    is_quiet = "--progress" not in options or "--quiet" in options
    assert (code, text if is_quiet else but_for_warnings(text)) == (DONE, "")
    assert files_in(tmp_path) == ["model.json"]


# ---- results and notices ----


def test_a_fit_summarises_itself_on_standard_output(tmp_path):
    result = run_well("fit", TRAIN, "-o", "model.json", *FEW, cwd=tmp_path)
    for line in (r"model +model\.json", r"runs +20, inputs 2", r"log evidence +-?\d+\.\d+ \+- \d+\.\d+",
                 r"seconds +\d+\.\d+", r"next +ta2s2 show model\.json"):
        assert re.search(line, result.stdout), line


def test_quiet_says_nothing_but_errors(tmp_path):
    runs = tmp_path / "runs.csv"
    runs.write_text(TRAIN.read_text() + "0.5,0.5,NaN\n")
    result = run_well("fit", runs, "-o", tmp_path / "model.json", "--quiet", *FEW)
    assert (result.stdout, result.stderr) == ("", "")
    assert run("fit", runs, "-o", tmp_path / "other.json", "--quiet", "--output", "z").stderr != ""


def test_notices_stay_off_standard_output(franke_model, tmp_path):
    runs = tmp_path / "runs.csv"
    runs.write_text(TRAIN.read_text() + "0.5,0.5,NaN\n")
    result = run_well("validate", franke_model, runs, "--json")
    assert result.stderr == "note: 1 of 21 runs has no output and was left out (line 22)\n"
    assert result.stdout.startswith("{") and "note:" not in result.stdout
    assert run_well("validate", franke_model, runs, "--json", "--quiet").stderr == ""


def test_a_model_on_standard_output_is_nothing_but_the_model(tmp_path):
    """`ta2s2 fit runs.csv -o -`, for a pipe."""
    result = run_well("fit", TRAIN, "-o", "-", *FEW, cwd=tmp_path)
    (tmp_path / "model.json").write_text(result.stdout)
    run_well("show", tmp_path / "model.json")


# ---- help ----


def test_version():
    result = run_well("--version")
    assert re.fullmatch(r"ta2s2 \d+\.\d+\.\d+(-dev)?\n", result.stdout) and result.stderr == ""


def test_help_names_every_command_and_the_exit_codes():
    text = run_well("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.MULTILINE)
    assert "ta2s2 fit runs.csv --output y -o model.json" in text
    codes = " ".join(text.split("Exit codes:")[1].split())
    assert codes == ("0 done, 1 internal error, 2 usage, 3 bad data, 4 unreadable or incompatible file, "
                     "5 interrupted, 6 cannot write, 7 interrupted, but `ta2s2 resume` goes on, 8 done, but judged bad (--strict).")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_shows_an_example(command):
    result = run_well(command, "--help")
    assert re.search(rf"Examples?:\n  ta2s2 {command} ", result.stdout)
    assert result.stderr == ""


def examples():
    for command in COMMANDS:
        footer = run_well(command, "--help").stdout.split("Example")[1]
        for line in footer.splitlines():
            if line.startswith("  ta2s2 "):
                yield line.split()[1:]


def test_the_examples_of_the_help_work(franke_model, tmp_path):
    runs = read_columns(TRAIN)
    write_csv(tmp_path / "runs.csv", ["a", "b", "c", "y"], zip(runs["x1"], runs["x2"], range(20), runs["y"]))
    (tmp_path / "ranges.csv").write_text("name,min,max\na,0,1\nb,0,1\nc,0,20\n")
    (tmp_path / "results").mkdir()
    (tmp_path / "model.json").write_bytes(franke_model.read_bytes())
    for name in ("new.csv", "test.csv"):
        (tmp_path / name).write_text((DATA / "franke_test.csv").read_text())
    # Predictions first: their examples are about the model that is there, before the fits replace it.
    for arguments in sorted(examples(), key=lambda words: words[0] == "fit"):
        if arguments[0] == "resume":  # a fit that ends well removes its checkpoint, so each example needs its own
            begun = run("fit", "runs.csv", "--output", "y", "--samples", "20000", *ONE, "-o", "resumed.json", "--checkpoint",
                        "run.ckpt", "--time-limit", "0.001s", cwd=tmp_path)
            assert begun.returncode == RESUMABLE
        result = run(*arguments, *(FEW if arguments[0] == "fit" else ()), cwd=tmp_path)
        assert result.returncode == (JUDGED_BAD if "--strict" in arguments else DONE), (arguments, result.stderr)


def test_help_of_fit_names_every_choice():
    text = run_well("fit", "--help-all").stdout
    for word in ("reference", "jointly-robust", "log-uniform", "exponential(", "gamma(", "log-normal(", "log-laplace(",
                 "decaying", "beta(", "fixed(", "none, constant, linear", "squared-exponential", "matern52", "matern32",
                 "power-exponential(", "exact", "published", "neal", "random-walk", "equal, tmcmc", "posterior, prior",
                 "[auto]", "[0.5]", "[-7,100]", "model, paper", "--config", "--fast", "--draws-from", "--anneal-to"):
        assert word in text


def test_help_of_fit_is_one_screen():
    assert len(run_well("fit", "--help").stdout.splitlines()) <= 40


def test_no_command_shows_what_to_do():
    result = run()
    assert result.returncode == USAGE
    assert "--help" in result.stderr


# ---- memory ----


def peak_memory(folder, *arguments):
    """Bytes, as last seen in the process's own VmHWM: getrusage would count Python's pages before exec too."""
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=folder)
    status = Path(f"/proc/{process.pid}/status")
    peak = 0
    while process.poll() is None:
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        peak = max(peak, 1024 * int(found[1]) if found else 0)
        time.sleep(0.002)
    assert process.returncode == DONE
    return peak


def test_predicting_many_points_takes_no_more_memory_than_few(tmp_path):
    """15000 more points times 60 draws, a mean and a scale each, would be 14 MB more if they were kept.
    (A block has at most 4096 points, so both predictions fill one.)"""
    write_csv(tmp_path / "runs.csv", ["x", "y"], [(i / 19, (i * 7 % 20) / 19) for i in range(20)])
    run_well("fit", "runs.csv", "-o", "model.json", *FEW, cwd=tmp_path)
    peaks = []
    for num_points in (5000, 20000):
        write_csv(tmp_path / "new.csv", ["x"], [(i / num_points,) for i in range(num_points)])
        peaks.append(peak_memory(tmp_path, "predict", "model.json", "new.csv", "-o", "predictions.csv"))
        assert (tmp_path / "predictions.csv").read_text().count("\n") == num_points + 1
    if not is_sanitised():
        assert 1e6 < peaks[0] and peaks[1] < 200e6
        assert peaks[1] - peaks[0] < 5e6
