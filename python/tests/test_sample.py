"""Densities of one's own."""

import math
import traceback
import warnings

import numpy as np
import pytest

from ta2s2 import errors, lhs, sample

BOUNDS = [(-20, 20)] * 3
LOG_EVIDENCE = 1.5 * math.log(2 * math.pi)


def bimodal(right):
    """Two normals far apart, of weights 1 - right and right, sd 1 and 0.5; the integral is (2 pi)^1.5."""

    def log_density(x):
        first = np.log(1 - right) - 0.5 * np.sum((x + 5) ** 2, axis=-1)
        second = np.log(right / 0.5**3) - 0.5 * np.sum(((x - 5) / 0.5) ** 2, axis=-1)
        return np.logaddexp(first, second)

    return log_density


def weight_of_right(post):
    return float(post.weights @ (post.draws[:, 0] > 0))


def test_both_modes_with_their_weights_and_the_evidence():
    post = sample(bimodal(0.2), BOUNDS, n=4000, seed=1, vectorized=True)
    # The share of independent draws in a mode has standard deviation sqrt(0.2 * 0.8 / ESS); ESS is the mode's own.
    error = math.sqrt(0.2 * 0.8 / min(mode.effective_sample_size for mode in post.modes))
    assert error < 0.04

    def agrees(post):
        return abs(weight_of_right(post) - 0.2) < 4 * error

    assert agrees(post)
    assert not agrees(sample(bimodal(0.5), BOUNDS, n=4000, seed=1, vectorized=True))  # the mutant
    assert abs(post.log_evidence - LOG_EVIDENCE) < 4 * post.log_evidence_error < 1
    assert [round(float(m.position[0])) for m in post.modes] == [-5, 5]


def test_points_and_blocks_are_the_same_draws():
    blocks = sample(bimodal(0.2), BOUNDS, n=500, seed=3, vectorized=True)
    points = sample(bimodal(0.2), BOUNDS, n=500, seed=3)
    threads = sample(bimodal(0.2), BOUNDS, n=500, seed=3, vectorized=True, threads=4)
    assert (blocks.draws == points.draws).all() and (blocks.draws == threads.draws).all()
    assert blocks.log_evidence == points.log_evidence == threads.log_evidence
    assert (sample(bimodal(0.2), BOUNDS, n=500, seed=4).draws != blocks.draws).any()


def test_blocks_have_many_rows():
    sizes = []

    def log_density(x):
        sizes.append(len(x))
        return bimodal(0.2)(x)

    post = sample(log_density, BOUNDS, n=2000, vectorized=True)
    assert post.evaluations <= sum(sizes)
    assert np.mean(sizes) > 20


def test_what_the_density_raises_comes_back_with_its_traceback():
    calls = []

    def my_own_density(x):
        calls.append(x)
        if len(calls) > 3000:
            raise LookupError("no such table")
        return -float(x @ x)

    with pytest.raises(LookupError, match="no such table") as raised:
        sample(my_own_density, BOUNDS)
    assert "my_own_density" in "".join(traceback.format_tb(raised.value.__traceback__))
    assert len(calls) < 3000 + 300  # the run ended there


def test_an_exception_in_the_search_for_modes():
    """NLopt calls the density then: its C code must not meet the exception."""
    total = sample(bimodal(0.2), BOUNDS, n=500, vectorized=True).evaluations
    seen = [0]

    def log_density(x):
        seen[0] += len(x)
        if seen[0] > total:
            raise LookupError("late")
        return bimodal(0.2)(x)

    with pytest.raises(LookupError, match="late"):
        sample(log_density, BOUNDS, n=500, vectorized=True)


def test_nan_counts_as_impossible_and_is_reported():
    def log_density(x):
        values = -0.5 * np.sum(x**2, axis=1)
        return np.where(x[:, 0] < 0, np.nan, values)

    with pytest.warns(errors.DataNotice, match=r"NaN at \d+ of \d+ points; they count as impossible"):
        post = sample(log_density, [(-7, 7)] * 2, n=500, vectorized=True)
    assert (post.draws[:, 0] >= 0).all()
    # Half of a normal of integral 2 pi.
    assert abs(post.log_evidence - math.log(math.pi)) < 4 * post.log_evidence_error


def test_minus_infinity_is_no_mistake():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        post = sample(lambda x: -0.5 * float(x @ x) if x[0] > 0 else -math.inf, [(-7, 7)] * 2, n=500)
    assert (post.draws[:, 0] > 0).all() and post.notices == []


def test_bad_arguments():
    normal = lambda x: -float(x @ x)
    with pytest.raises(errors.UsageError, match="each lower below its upper"):
        sample(normal, [(1, 0)])
    with pytest.raises(errors.UsageError, match="found 1 names for 2 pairs of bounds"):
        sample(normal, [(0, 1)] * 2, names=["a"])
    with pytest.raises(errors.UsageError, match='no setting of the sampler called "prior"'):
        sample(normal, [(0, 1)], prior="reference")
    with pytest.raises(errors.UsageError, match="--samples"):
        sample(normal, [(0, 1)], n=3)
    with pytest.raises(errors.UsageError, match=r"shape \(3, 1\)|expected \(\d+,\)"):
        sample(lambda x: x[:, :1], [(0, 1)], vectorized=True)
    with pytest.raises(errors.UsageError, match="samples fits only"):
        sample(normal, [(0, 1)], sampler="nuts")
    with pytest.raises(errors.DataError, match="start points has a finite density"):
        sample(lambda x: -math.inf, [(0, 1)])


def test_names_and_progress(capsys):
    post = sample(lambda x: -float(x @ x), [(-3, 3)] * 2, n=60, names=["a", "b"], progress=True)
    assert post.names == ["a", "b"] and "level" in capsys.readouterr().err


def test_designs_are_the_program_s(tmp_path):
    from conftest import PROGRAM, run_program

    design = lhs(8, [(0, 1), (10, 20)], seed=3)
    strata = np.sort(np.floor(8 * (design - [0, 10]) / [1, 10]), axis=0)
    assert (strata == np.arange(8)[:, None]).all()
    if PROGRAM.exists():
        rows = run_program("design", "--inputs", 3, "--runs", 9, "--seed", 5, "--kind", "random").stdout.splitlines()[1:]
        assert [[float(cell) for cell in row.split(",")] for row in rows] == lhs(9, [(0, 1)] * 3, 5, "random").tolist()
