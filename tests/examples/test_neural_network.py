"""examples/neural_network: eight copies of equal weight, the evidence and the predictive band against quadrature."""

import json
import math

import pytest
from example import SOURCE, output_of

GOLDEN = json.loads((SOURCE / "tests" / "golden" / "data" / "neural_network.json").read_text())


def parsed(text):
    """Evidence and its error; rows (copy, share, error, truth); mode weights; band rows by x."""
    cells = [line.removeprefix("# ").split(",") for line in text.splitlines()]
    evidence = next((float(row[1]), float(row[3])) for row in cells if row[0] == "log evidence")
    copies, modes, band, table = [], [], {}, None
    for row in cells:
        if row[0] in ("copy", "mode", "x"):
            table = row[0]
        elif table == "copy":
            copies.append([float(cell) for cell in row])
        elif table == "mode":
            modes.append(float(row[1]))
        elif table == "x":
            band[float(row[0])] = [float(cell) for cell in row[1:]]
    return evidence, copies, modes, band


def check_copies(copies):
    """Errors come from 16 groups: P(|t_15| > 5) = 1.6e-4 for each of eight shares. A share counts for nothing if its
    error is so large that a lost copy would pass, hence the second line: 5 * 0.02 < 1/8."""
    assert len(copies) == 8
    for _, share, error, truth in copies:
        assert truth == 0.125
        assert 0.0 < error < 0.02
        assert abs(share - truth) < 5.0 * error
    assert math.isclose(sum(share for _, share, _, _ in copies), 1.0, abs_tol=1e-3)


@pytest.fixture(scope="module")
def result():
    return parsed(output_of("neural_network"))


def test_the_copies_of_the_posterior_have_equal_shares(result):
    check_copies(result[1])


def test_a_lost_copy_is_caught(result):
    shared = [[copy, 0.0 if copy == 3 else share / (1.0 - result[1][3][1]), error, truth]
              for copy, share, error, truth in result[1]]
    with pytest.raises(AssertionError):
        check_copies(shared)


# 60 draws are 30 chains in 16 groups: nothing keeps eight copies alive.
def test_a_run_that_is_too_small_is_caught():
    with pytest.raises(AssertionError):
        check_copies(parsed(output_of("neural_network", "--samples", 60))[1])


def test_up_to_symmetry_there_is_one_mode(result):
    assert result[2] == [1.0]


# The error is that of a normal estimate from hundreds of chains: 4 of them are passed once in 16000 runs.
def test_the_evidence_is_that_of_quadrature(result):
    value, error = result[0]
    assert error < 0.15
    assert abs(value - GOLDEN["log_evidence"]) < 4.0 * error + GOLDEN["step_error"]["log_evidence"]


# The mean: as the shares, P(|t_15| > 5) = 1.6e-4 at each of five points. An error of the mean tells how many independent
# draws the sample is worth, at least sd^2 / error^2 of the network's own sd, which is below half the band's width over
# 1.96; the quantile's error is sqrt(0.025 * 0.975 / ESS) over the density there, near 0.058 / sd for a normal. A
# quantile that left the noise out would be off by 0.2 and more.
def test_the_band_is_that_of_quadrature(result):
    for x, mean, low, high in zip(GOLDEN["x"], GOLDEN["mean"], GOLDEN["low"], GOLDEN["high"]):
        found_mean, error, found_low, found_high = result[3][x]
        assert error < 0.01
        assert abs(found_mean - mean) < 5.0 * error + 1e-4
        sd = (high - low) / (2.0 * 1.96)
        network_sd = math.sqrt(sd**2 - 0.2**2)
        quantile_error = math.sqrt(0.025 * 0.975) * (error / network_sd) / (0.058 / sd)
        assert 5.0 * quantile_error < 0.1
        assert abs(found_low - low) < 5.0 * quantile_error
        assert abs(found_high - high) < 5.0 * quantile_error
