"""What the program says of its own sampling: whether it converged, why not, and a second run."""

import json
import re

import pytest

from model_mutants import parse, sealed
from program import ANNEALED, DATA, FEW, ONE, PAIR, fit, read_model, run_well, show, without_times

FRANKE = DATA / "franke_train_1.csv"
WING = DATA / "wing_weight_train_1.csv"
ENOUGH = (*ANNEALED, "--samples", 1000, *ONE)  # to converge on FRANKE, and no more: sanitizers make each fit slow


def sentences_of(summary, question="convergence"):
    return [finding["sentence"] for finding in summary["judgement"]["findings"] if finding["question"] == question]


@pytest.fixture(scope="module")
def checked_model(tmp_path_factory):
    return fit(FRANKE, tmp_path_factory.mktemp("checked") / "model.json", "--output", "y", "--check", *ENOUGH)


def test_a_good_fit_is_converged_and_a_second_run_agrees(checked_model):
    summary = show(checked_model)
    sentence = "sampler converged: groups of chains agree; a second run with seed 2 agrees"
    assert summary["verdict"] == {"status": "converged", "sentence": sentence}
    assert sentence in sentences_of(summary)
    assert re.search("^judgement: good: .*; sampler converged$", run_well("show", checked_model).stdout, re.MULTILINE)
    check = summary["check"]
    assert list(check) == ["seed", "modes", "quantities"] and check["seed"] == 2
    names = list(check["quantities"])
    assert names[:7] == ["mean of log_phi_x1", "sd of log_phi_x1", "mean of log_phi_x2", "sd of log_phi_x2",
                         "mean of z_nugget", "sd of z_nugget", "log evidence"]
    for quantity in check["quantities"].values():
        assert list(quantity) == ["name", "first", "second", "error", "difference"]
    assert read_model(checked_model)["check"]["seed"] == 2


def test_passes_that_agree_are_converged(tmp_path):
    summary = show(fit(FRANKE, tmp_path / "model.json", "--output", "y", "--check", *ONE))
    sentence = "sampler converged: its last two passes agree; a second run with seed 2 agrees"
    assert summary["verdict"] == {"status": "converged", "sentence": sentence}
    assert sentence in sentences_of(summary)


def test_a_fit_that_ends_early_is_not_converged(tmp_path):
    result = run_well("fit", FRANKE, "-o", tmp_path / "model.json", "--output", "y", "--max-evaluations", 1, *ONE)
    assert re.search(r"^judgement +bad: .*; sampler not converged$", result.stdout, re.MULTILINE)
    assert "there was only one pass" in result.stderr and "leave out --max-evaluations" in result.stderr


def test_the_second_run_is_the_fit_with_the_next_seed(checked_model, tmp_path):
    quantity = show(checked_model)["check"]["quantities"]["log evidence"]
    assert quantity["first"] == show(checked_model)["log_evidence"]
    second = fit(FRANKE, tmp_path / "2.json", "--output", "y", "--seed", 2, *ENOUGH)
    assert quantity["second"] == show(second)["log_evidence"]


def test_a_fit_prints_its_judgement_in_one_line(tmp_path):
    text = run_well("fit", FRANKE, "-o", "model.json", "--output", "y", *ENOUGH, cwd=tmp_path).stdout
    good = r"^judgement +good: typical error [^;]* of the range\); 95% intervals held \d+ of \d+ left-out runs; sampler converged$"
    assert re.search(good, text, re.MULTILINE)
    result = run_well("fit", FRANKE, "-o", "model.json", "--output", "y", *FEW, cwd=tmp_path)
    assert re.search(r"^judgement +bad: .*; sampler not converged$", result.stdout, re.MULTILINE)
    why = r"^warning: sampler not converged: .* independent draws .*; raise --samples to \d+$"
    assert re.search(why, result.stderr, re.MULTILINE)


def test_a_model_on_standard_output_leaves_its_warnings_to_stderr():
    result = run_well("fit", FRANKE, "-o", "-", "--output", "y", *FEW)
    assert result.stderr.startswith("warning: sampler not converged: ")
    assert json.loads(result.stdout)["format"] == "ta2s2-model"


def test_diagnostics_have_the_documented_keys(checked_model):
    summary = show(checked_model)
    assert list(summary["coordinates"]) == ["log_phi_x1", "log_phi_x2", "z_nugget"]
    for coordinate in summary["coordinates"].values():
        assert list(coordinate) == ["name", "effective_sample_size", "mass_near_low", "mass_near_high", "r_hat"]
        assert 1.0 <= coordinate["r_hat"] < 1.14
    assert len(summary["log_evidence_by_group"]) == 4
    assert summary["log_evidence_error_by_group"] > 0.0
    for mode in summary["modes"]:
        assert len(mode["weight_by_group"]) == 4 and mode["weight_error"] >= 0.0
    assert sum(move["steps"] for move in summary["moves"].values()) == summary["draws"]
    for move in summary["moves"].values():
        assert list(move) == ["name", "steps", "moved", "evaluations", "squared_jump", "acceptance", "jump"]
        assert 0.0 <= move["acceptance"] <= 1.0 and move["jump"] > 0.0


def test_too_few_draws_for_ten_inputs_are_not_converged(tmp_path):
    for seed in (1, 2, 3):
        summary = show(fit(WING, tmp_path / "model.json", "--output", "weight", "--seed", seed, *FEW))
        assert summary["verdict"]["status"] == "not-converged"
        assert summary["judgement"]["grade"] == "bad"
        finding, = [each for each in summary["judgement"]["findings"] if each["question"] == "convergence"]
        assert finding["grade"] == "bad" and finding["advice"].startswith("raise --samples to ")
        assert 0.0 < finding["value"] < 100.0


def test_one_group_cannot_be_called_converged(tmp_path):
    summary = show(fit(FRANKE, tmp_path / "model.json", "--output", "y", "--groups", 1, *ENOUGH))
    assert summary["verdict"]["status"] == "unchecked"
    assert all(coordinate["r_hat"] is None for coordinate in summary["coordinates"].values())
    assert summary["log_evidence_error_by_group"] is None
    assert summary["judgement"]["grade"] == "caution" and "--groups 4" in summary["warnings"][0]
    assert " - " in run_well("show", tmp_path / "model.json").stdout


@pytest.mark.parametrize("options", [["--kernel", "published"], ["--growth", "tmcmc"], ["--anneal-to", "0"]])
def test_what_does_not_sample_the_posterior_is_not_exact(options, tmp_path):
    summary = show(fit(FRANKE, tmp_path / "model.json", "--output", "y", *options, *FEW))
    assert summary["verdict"]["status"] == "not-exact"
    assert summary["judgement"]["grade"] == "bad"
    assert any(warning.startswith("sampler not exact: ") for warning in summary["warnings"])


def test_map_only_has_no_sample_to_judge(tmp_path):
    summary = show(fit(FRANKE, tmp_path / "model.json", "--fast", *ONE))
    assert (summary["verdict"]["status"], summary["warnings"], summary["moves"]) == ("no-sample", [], {})
    assert summary["judgement"]["grade"] == "unknown"
    assert sentences_of(summary) == ["no posterior sample: --fast predicts by the posterior's maximum (plug-in), as if "
                                     "length-scales and nugget were known"]


def test_warnings_do_not_repeat_the_judgement(tmp_path):
    text = run_well("show", fit(FRANKE, tmp_path / "model.json", "--kernel", "published", *FEW)).stdout
    assert text.count("not leave the posterior invariant") == 1


def test_a_check_does_not_depend_on_threads(tmp_path):
    models = [fit(FRANKE, tmp_path / f"{threads}.json", "--samples", 200, *PAIR, "--check", "--threads", threads)
              for threads in (1, 2, 7)]
    assert without_times(models[0]) == without_times(models[1]) == without_times(models[2])


def test_a_file_from_before_the_groups_is_read_and_unchecked(checked_model, tmp_path):
    """Format version 1, as it was written before it held any of this."""
    document = parse(checked_model)
    del document["check"], document["evidence"]["by_group"]
    for name in ("groups", "coordinates", "check"):
        del document["settings"][name]
    for coordinate in document["diagnostics"]:
        del coordinate["r_hat"]
    for mode in document["modes"]:
        del mode["group_weights"], mode["effective_sample_size"]
    (tmp_path / "old.json").write_text(sealed(document))
    summary = show(tmp_path / "old.json")
    assert summary["verdict"]["status"] == "unchecked"
    assert summary["check"] is None and summary["log_evidence_by_group"] == []
    assert summary["parameters"] == show(checked_model)["parameters"]
    run_well("show", tmp_path / "old.json")
