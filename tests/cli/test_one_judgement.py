"""One judgement of a fit: every command says the same of it, in the same sentences."""

import json
import math
import random
import re

import pytest

from model_mutants import SPOILT, Number, parse, sealed, spoil
from program import ANNEALED, DATA, DONE, FEW, JUDGED_BAD, ONE, PAIR, RESUMABLE, files_in, fit, run, run_well, show, write_csv

ENOUGH = ("--output", "y", *ANNEALED, "--samples", 1000)
LEFT_OUT = ("accuracy", "coverage", "reliability")  # questions that validation runs answer instead


def write_runs(path, count, seed):
    """A Latin hypercube and a smooth function of it with a little noise."""
    chance = random.Random(seed)
    other = chance.sample(range(count), count)
    rows = []
    for i in range(count):
        a, b = (i + chance.random()) / count, (other[i] + chance.random()) / count
        rows.append([a, b, math.sin(2 * a) + b * b + 0.05 * chance.gauss(0.0, 1.0)])
    return write_csv(path, ["a", "b", "y"], rows)


def write_noise(path, count):
    chance = random.Random(1)
    return write_csv(path, ["a", "b", "y"], [[chance.gauss(0.0, 1.0) for _ in range(3)] for _ in range(count)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fits")
    write_runs(folder / "runs.csv", 60, 2)
    write_runs(folder / "unseen.csv", 40, 5)
    write_runs(folder / "few.csv", 12, 1)
    write_noise(folder / "noise.csv", 60)
    return folder


@pytest.fixture(scope="module")
def single(folder):
    return fit(folder / "runs.csv", folder / "single.json", *ENOUGH, *ONE)


@pytest.fixture(scope="module")
def average(folder):
    return fit(folder / "runs.csv", folder / "average.json", *ENOUGH, *PAIR)


def report(model, *options):
    """What a report's record says of the judgement."""
    return json.loads(run_well("report", model, "--record", *options).stdout)["verdict"]


def alone(sentence):
    """As the report writes a sentence that stands alone."""
    return sentence[0].upper() + sentence[1:] + "."


def judged_line(text):
    line, = re.findall(r"^judgement:? +(.*)$", text.split("\n\n")[0], re.MULTILINE)
    return line


def sentences(judgement):
    return [finding["sentence"] for finding in judgement["findings"]]


def expect_report_says(judgement, verdict):
    assert verdict["grade"] == judgement["grade"]
    assert verdict["summary"] == judgement["headline"]
    assert sorted(reason["text"] for reason in verdict["reasons"]) == sorted(map(alone, sentences(judgement)))
    assert verdict["level"] == {"good": "green", "bad": "red"}.get(judgement["grade"], "amber")


def expect_one_judgement(model):
    """The judgement that all commands agree on."""
    summary = show(model)
    judgement = summary["judgement"]
    grades = [finding["grade"] for finding in judgement["findings"]]
    assert judgement["grade"] == max(grades, key=["note", "good", "unknown", "caution", "bad"].index)

    text = run_well("show", model).stdout
    assert judged_line(text) == f"{judgement['grade']}: {judgement['headline']}"
    for warning in summary["warnings"]:
        assert f"warning: {warning}\n" in text
    for finding in judgement["findings"]:
        warned = any(warning.startswith(finding["sentence"]) for warning in summary["warnings"])
        assert warned == (finding["grade"] in ("caution", "bad"))
        assert finding["grade"] not in ("note", "unknown") or f"note: {finding['sentence']}\n" in text

    expect_report_says(judgement, report(model))
    return judgement


def expect_unseen_runs_judged_alike(model, unseen, judgement):
    strict = run("validate", model, unseen, "--json", "--strict")
    by_unseen = json.loads(strict.stdout)["judgement"]
    assert strict.returncode == (JUDGED_BAD if by_unseen["grade"] == "bad" else DONE)
    expect_report_says(by_unseen, report(model, "--validation", unseen))
    # Unseen runs change nothing of what is said of the sample, the box and the runs.
    for finding in judgement["findings"]:
        if finding["question"] not in LEFT_OUT:
            assert finding in by_unseen["findings"]
        elif finding["question"] != "accuracy":
            assert {**finding, "grade": "note"} in by_unseen["findings"]


PASSES = {"evidence_difference": "1.7", "mean_difference": "2.5", "sd_difference": "1.3", "drift": "-4.2",
          "effective_sample_size": "120.5", "log_sd_error": "0.3", "evidence_error": "0.8"}


@pytest.mark.parametrize("name", PASSES)
def test_of_passes_that_fail_all_say_the_same(name, folder, tmp_path):
    model = fit(folder / "runs.csv", tmp_path / "model.json", "--output", "y", *ONE)
    assert expect_one_judgement(model)["grade"] == "good"
    document = parse(model)
    document["passes"]["agreement"][name] = Number(PASSES[name])
    model.write_text(sealed(document))
    judgement = expect_one_judgement(model)
    assert judgement["grade"] == "bad" and judgement["headline"].endswith("sampler not converged")


def test_good_fits_are_good(single, average, folder):
    default = fit(folder / "runs.csv", folder / "default.json", "--output", "y")
    for model in (single, average, default):
        judgement = expect_one_judgement(model)
        assert judgement["grade"] == "good"
        expect_unseen_runs_judged_alike(model, folder / "unseen.csv", judgement)


@pytest.mark.parametrize("name", SPOILT)
def test_of_a_spoilt_fit_all_say_the_same(name, single, average, folder, tmp_path):
    grade = spoil(name, single, average, tmp_path / "model.json")
    judgement = expect_one_judgement(tmp_path / "model.json")
    assert judgement["grade"] == grade
    # Nothing else is wrong with it.
    assert [finding["grade"] for finding in judgement["findings"] if finding["grade"] not in ("note", "good")] == [grade]
    # One for each of what validation takes from the sample, from leave-one-out and from the box.
    if name in ("light member", "intervals hold too few", "box decides"):
        expect_unseen_runs_judged_alike(tmp_path / "model.json", folder / "unseen.csv", judgement)


def test_the_light_member_is_named(single, average, tmp_path):
    spoil("light member", single, average, tmp_path / "model.json")
    judgement = show(tmp_path / "model.json")["judgement"]
    finding, = [each for each in judgement["findings"] if each["grade"] == "bad"]
    assert re.fullmatch(r"\S.* \(weight 0\.0050\)", finding["member"])
    assert f"sampler not converged in {finding['member']}: the sample is worth only 31 " in finding["sentence"]


# ---- true fits ----


# Which runs, with which settings, and what follows for one question.
FITS = {
    "good": ("runs.csv", (*ENOUGH, *ONE), "coverage", "good"),
    "noise": ("noise.csv", (*ENOUGH, *ONE), "accuracy", "bad"),
    "not converged": ("runs.csv", ("--output", "y", *FEW), "convergence", "bad"),
    "few runs": ("few.csv", (*ENOUGH, *ONE), "coverage", "unknown"),
}


@pytest.mark.parametrize("name", FITS)
def test_a_fit_says_what_its_file_says(name, folder, tmp_path):
    runs, options, question, grade = FITS[name]
    model = tmp_path / "model.json"
    fitted = run("fit", folder / runs, "-o", model, "--strict", *options)
    assert fitted.returncode == (JUDGED_BAD if grade == "bad" else DONE), fitted.stderr
    judgement, shown = show(model)["judgement"], run_well("show", model).stdout
    assert [finding["grade"] for finding in judgement["findings"] if finding["question"] == question] == [grade]
    assert (judgement["grade"] == "bad") == (grade == "bad")
    assert judged_line(fitted.stdout) == judged_line(shown)
    warned = re.findall(r"^warning: .*$", fitted.stderr, re.MULTILINE)
    assert warned == re.findall(r"^warning: .*$", shown, re.MULTILINE)
    expect_report_says(judgement, report(model))
    if grade == "bad":
        assert fitted.stderr.endswith("ta2s2: --strict: the judgement of y is bad\n")


def test_only_strict_commands_end_with_another_code(single, average, folder, tmp_path):
    model = tmp_path / "model.json"
    spoil("few draws", single, average, model)
    run_well("validate", model, folder / "unseen.csv")
    run_well("fit", folder / "runs.csv", "-o", model, "--output", "y", *FEW)


def test_a_resumed_fit_may_be_strict(tmp_path):
    options = ("--output", "weight", *ANNEALED, "--samples", 300, "--prior", "reference", "--checkpoint", "run.ckpt", *ONE)
    ended = run("fit", DATA / "wing_weight_train_1.csv", "-o", "model.json", "--time-limit", "0.3", *options,
                cwd=tmp_path)
    assert ended.returncode == RESUMABLE
    resumed = run("resume", "run.ckpt", "--strict", "--time-limit", "1000", cwd=tmp_path)
    assert resumed.returncode == JUDGED_BAD, resumed.stderr
    assert files_in(tmp_path) == ["model.json"]
    assert judged_line(resumed.stdout) == judged_line(run_well("show", "model.json", cwd=tmp_path).stdout)


def test_facts_of_an_old_file_are_found_when_they_are_asked_for(single, tmp_path):
    """Formats 1 and 2 held none, and version 0.1 did not tell which inputs act; what is found is what the fit would have stored."""
    document = parse(single)
    assert document["format_version"] == "5"
    del document["left_out"], document["activity"]
    document["format_version"] = Number("1")
    (tmp_path / "old.json").write_text(sealed(document))
    assert show(tmp_path / "old.json")["judgement"] == show(single)["judgement"]
    assert show(tmp_path / "old.json")["activity"] == show(single)["activity"]
    expect_one_judgement(tmp_path / "old.json")
