"""One seed gives one answer, on any number of threads, byte for byte."""

import json

import pytest

from program import ANNEALED, DATA, FEW, ONE, PAIR, fit, run, run_well, without_times

FRANKE = DATA / "franke_train_1.csv"
WING = DATA / "wing_weight_train_1.csv"

# What differs here is how work is cut into tasks: chains of equal and of unequal lengths, draws of a prior, starts of
# an optimiser, ten inputs. 200 samples are far more tasks than 7 threads. The box is given, so that scripts/same-draws can
# compare with programs of which no prior has a box of its own.
BOX = ["--box=-7,7"]
ANNEALED_200 = [*ANNEALED, "--samples", "200", *PAIR]
FITS = {
    "default": (FRANKE, [*BOX]),
    "annealed": (FRANKE, [*ANNEALED_200, *BOX]),
    "tmcmc": (FRANKE, [*ANNEALED_200, "--move", "published", "--growth", "tmcmc", *BOX]),
    "neal": (FRANKE, [*ANNEALED_200, "--move", "neal", *BOX]),
    "prior start": (FRANKE, [*ANNEALED_200, "--start", "prior", *BOX]),
    "last level": (FRANKE, [*ANNEALED_200, "--draws-from", "last-level", *BOX]),
    "reference prior": (FRANKE, [*ANNEALED_200, "--prior", "reference", *BOX]),
    "without a gradient": (FRANKE, ["--prior", "reference", *ONE]),
    "plain": (FRANKE, ["--simd", "plain", *ONE, *BOX]),
    "plain, annealed": (FRANKE, [*ANNEALED_200, "--simd", "plain", *BOX]),
    "baseline": (FRANKE, [*ANNEALED_200, "--simd", "baseline", *BOX]),
    "aims": (FRANKE, ["--samples", "200", "--sampler", "aims", *BOX]),
    "slice": (FRANKE, ["--samples", "200", "--sampler", "slice", *BOX]),
    "elliptical": (FRANKE, ["--samples", "200", "--sampler", "elliptical", *BOX]),
    "nuts": (FRANKE, ["--samples", "200", "--sampler", "nuts", *BOX]),
    "plgp": (FRANKE, ["--samples", "200", "--sampler", "plgp", *BOX]),
    "map only": (FRANKE, ["--samples", "200", "--fast", *BOX]),
    "ten inputs": (WING, [*ANNEALED, "--samples", "60", "--output", "weight", *BOX]),
    "ten inputs by passes": (WING, ["--output", "weight", *ONE]),
}


@pytest.mark.parametrize("name", FITS)
def test_model_files_do_not_depend_on_threads(name, tmp_path):
    runs, options = FITS[name]
    models = [fit(runs, tmp_path / f"{threads}.json", *options, "--threads", threads) for threads in (1, 2, 7)]
    first = without_times(models[0])
    assert without_times(models[1]) == first
    assert without_times(models[2]) == first


def test_the_instruction_path_is_recorded_and_repeats_the_fit(tmp_path):
    model = fit(FRANKE, tmp_path / "auto.json", *FEW)
    used = json.loads(model.read_text())["settings"]["simd"]
    assert used not in ("auto", "plain", "baseline")  # every processor this runs on has something better
    again = fit(FRANKE, tmp_path / "forced.json", "--simd", used, *FEW)
    assert without_times(again) == without_times(model)


# Of neon and avx512 no processor has both.
def test_a_path_the_processor_lacks_is_refused(tmp_path):
    results = [run("fit", FRANKE, "-o", tmp_path / f"{path}.json", *FEW, "--simd", path)
               for path in ("neon", "avx512")]
    refused = [result for result in results if result.returncode != 0]
    assert refused
    for result in refused:
        assert result.returncode == 2
        assert "is not available on this processor; there are auto, plain, baseline" in result.stderr


def test_a_fit_repeats_itself(tmp_path):
    models = [fit(FRANKE, tmp_path / f"{i}.json", *FEW) for i in range(2)]
    assert without_times(models[0]) == without_times(models[1])


def test_two_seeds_differ(tmp_path):
    models = [fit(FRANKE, tmp_path / f"{seed}.json", "--seed", seed, *FEW) for seed in (1, 2)]
    lines = [without_times(model).splitlines() for model in models]
    differing = {a.split(b":")[0] for a, b in zip(*lines) if a != b}
    assert {b'"sample"', b'"levels"', b'"evidence"'} <= differing
    assert b'"data"' not in differing and b'"scaling"' not in differing


@pytest.mark.parametrize("options", [[], ["--latent"], ["--map"], ["--draws", "5"]])
def test_predictions_do_not_depend_on_threads(options, franke_model):
    texts = [run_well("predict", franke_model, DATA / "franke_test.csv", *options, "--threads", threads).stdout
             for threads in (1, 2, 7)]
    assert texts[0] == texts[1] == texts[2]


def test_covariance_does_not_depend_on_threads(franke_model, tmp_path):
    for threads in (1, 2, 7):
        run_well("predict", franke_model, DATA / "franke_test.csv", "-o", tmp_path / "predictions.csv",
                 "--covariance", tmp_path / f"{threads}.csv", "--threads", threads)
    first, second, third = [(tmp_path / f"{threads}.csv").read_bytes() for threads in (1, 2, 7)]
    assert first == second == third


def test_scores_do_not_depend_on_threads(franke_model):
    texts = [run_well("validate", franke_model, DATA / "franke_test.csv", "--json", "--threads", threads).stdout
             for threads in (1, 2, 7)]
    assert texts[0] == texts[1] == texts[2]
