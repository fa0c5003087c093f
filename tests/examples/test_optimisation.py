"""examples/optimisation finds every global minimum, and only those.

The known minima are found here again, by other means than the example's table: Newton's method from a fine grid.
"""

import math
import re

import pytest
from example import output_of, run

# The last temperature is near 1e-4 (cooling_threshold) times sd(f) at temperature 1, which is about 1 in two dimensions.
COLDEST = 2e-4


def himmelblau(x, y):
    return (x * x + y - 11.0) ** 2 + (x + y * y - 7.0) ** 2


def shubert(x, y):
    return math.prod(sum(i * math.cos((i + 1) * z + i) for i in range(1, 6)) for z in (x, y))


FUNCTIONS = {"himmelblau": (himmelblau, 6.0, 4), "shubert": (shubert, 10.0, 18)}


def derivatives(f, x, y, h=1e-4):
    gradient = [(f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)]
    xx = (f(x + h, y) - 2 * f(x, y) + f(x - h, y)) / h**2
    yy = (f(x, y + h) - 2 * f(x, y) + f(x, y - h)) / h**2
    xy = (f(x + h, y + h) - f(x + h, y - h) - f(x - h, y + h) + f(x - h, y - h)) / (4 * h * h)
    return gradient, (xx, xy, yy)


def refined(f, x, y):
    for _ in range(20):
        (gx, gy), (xx, xy, yy) = derivatives(f, x, y)
        det = xx * yy - xy * xy
        x, y = x - (yy * gx - xy * gy) / det, y - (xx * gy - xy * gx) / det
    return x, y


def global_minima(f, bound, step=0.05):
    """Points of a grid that lie below their neighbours, refined; those of the least value."""
    count = round(2 * bound / step)
    at = [[f(-bound + i * step, -bound + j * step) for j in range(count + 1)] for i in range(count + 1)]
    valleys = [refined(f, -bound + i * step, -bound + j * step)
               for i in range(1, count) for j in range(1, count)
               if at[i][j] == min(at[k][m] for k in (i - 1, i, i + 1) for m in (j - 1, j, j + 1))]
    least = min(f(*valley) for valley in valleys)
    return [valley for valley in valleys if f(*valley) < least + 1e-6]


@pytest.fixture(scope="module", params=FUNCTIONS)
def problem(request):
    f, bound, count = FUNCTIONS[request.param]
    minima = global_minima(f, bound)
    assert len(minima) == count
    return request.param, f, minima


def parsed(text):
    """The last temperature, how many optima were found, and rows (x, y, least value, found value, distance, share)."""
    rows = [line.split() for line in text.splitlines() if re.match(r"\s*-?\d+\.\d", line)]
    temperature = float(re.search(r"last temperature +(\S+)", text)[1])
    return temperature, int(re.search(r"optima +(\d+) found", text)[1]), rows


def check(text, f, minima):
    """At temperature t a draw's value exceeds the least one by t times a standard exponential (a quadratic minimum in
    two dimensions), so a given draw is within 14 t but for once in 10^6, and the best one of a valley all the more; its
    distance then is below sqrt(2 * 14 t / smallest curvature)."""
    temperature, num_found, rows = parsed(text)
    assert temperature < COLDEST
    assert num_found == len(minima) == len(rows)
    for minimum in minima:
        row = min(rows, key=lambda row: math.dist(minimum, (float(row[0]), float(row[1]))))
        assert math.dist(minimum, (float(row[0]), float(row[1]))) < 5e-6  # six decimals, and Newton's on differences
        assert "lost" not in row, f"the minimum at {minimum} is lost"
        xx, xy, yy = derivatives(f, *minimum)[1]
        curvature = 0.5 * (xx + yy) - math.hypot(0.5 * (xx - yy), xy)
        assert float(row[3]) - f(*minimum) < 14 * temperature
        assert float(row[4]) < math.sqrt(2 * 14 * temperature / curvature)


def test_every_global_minimum_is_found(problem):
    name, f, minima = problem
    check(output_of("optimisation", "--function", name, "--anneal-to", 0), f, minima)


def test_a_sample_at_temperature_one_does_not_pass_for_optima(problem):
    name, f, minima = problem
    with pytest.raises(AssertionError):
        check(output_of("optimisation", "--function", name, "--anneal-to", 1), f, minima)


# 400 draws have 40 chains, so few per minimum that resampling level after level loses most of them.
def test_a_run_that_loses_a_minimum_is_caught():
    text = output_of("optimisation", "--function", "shubert", "--anneal-to", 0, "--samples", 400)
    assert "lost" in text
    with pytest.raises(AssertionError):
        check(text, shubert, global_minima(shubert, 10.0))


def test_zero_temperature_is_the_default():
    fast = ["--function", "himmelblau", "--samples", 2000]
    assert output_of("optimisation", *fast) == output_of("optimisation", *fast, "--anneal-to", 0)


def test_other_temperatures_are_refused():
    result = run("optimisation", "--anneal-to", "0.5")
    assert result.returncode != 0 and "--anneal-to" in result.stderr
