"""Writes tests/golden/data/franke_posterior.json and examples/data/franke_golden_{1,2,3}.csv (columns x1, x2, y).

The golden posterior: Franke's function (paper (5.5)), 20 runs of a random Latin hypercube, inputs scaled to the unit
cube from their observed ranges, y centred and divided by its sd (n - 1), squared exponential (2.3), no trend, nugget
fixed at 1e-6, log-uniform prior on [-7, 7]^2 (density 1/196 in z = log phi), by dense Simpson quadrature.

Schema:
  box [-7, 7], nugget, correlation, trend, prior, grid_points (per axis), quantile_levels, border_width (1.4)
  designs[]: csv, seed, sd (of y), mean_y, posteriors {"model": .., "paper": ..}, each with
    log_evidence_standardised  log of the integral of likelihood / 196, y standardised
    log_evidence               in the units of y: minus m log(sd) ("model", with constants),
                               minus (n - p) log(sd) ("paper", (2.10) without constants)
    mean, sd, quantiles        of log_phi_1, log_phi_2 (quantiles: a row per input, a column per level)
    correlation                between the two
    map, map_log_posterior     the highest point (good to about 1e-6), and log(likelihood / 196) there, y standardised
    modes                      local maxima by mass of their basins (steepest ascent on the grid, at least 1e-4):
                               location, relative_density (to the highest), mass, on_border
    density_at_quantiles       the marginal densities there: a quantile's Monte Carlo error is
                               sqrt(level (1 - level) / ESS) / density
    far_weight                 mass of the far mode, by the rule below; the near mode has 1 - far_weight
    far_rule, far_input, far_above
                               "log_phi_d > c" in words, d - 1 (0 or 1), and c. The line is the valley of the marginal
                               under the paper's exponent; both exponents use it
    far_mean, near_mean        means of z on either side (far_mean only where far_weight > 1e-3)
    border_mass                mass with some coordinate within border_width of the border of the box
    border_mass_by_side        [[low, high] of log_phi_1, [low, high] of log_phi_2]
    quadrature_error           largest absolute change of each quantity when the grid is halved; log_likelihood: the
                               largest error of the double-precision likelihood against mpmath at five points
"""

import math

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, minimize

from exact_gp import ExactGp
from franke_likelihood import BOX, NUGGET, RUNS, FrankeDesign, determinant_and_s2, log_likelihood
from franke_seed_search import basins, separating_line
from golden_file import plain, write_csv, write_golden

SEEDS = (11, 302, 652)
POINTS = 1401
LEVELS = (0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975)
BORDER = 1.4  # a tenth of the box's width
LOG_PRIOR = -2 * math.log(2 * BOX)


def simpson_weights(count, step):
    assert count % 2 == 1
    weights = np.full(count, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    return weights * step / 3


def integral_between(axis, values, low, high):
    """Of a smooth function given on the axis: by its interpolating cubic spline."""
    return float(CubicSpline(axis, values).integrate(low, high))


def marginal_quantiles(axis, marginal):
    cdf = CubicSpline(axis, marginal).antiderivative()
    total = cdf(axis[-1])
    return [brentq(lambda z: cdf(z) - level * total, axis[0], axis[-1], xtol=1e-13) for level in LEVELS]

def summarise(axis, log_likelihoods, line_dim, line):
    """All integrals of the posterior on one grid, as a flat dictionary of numbers and arrays."""
    weights = simpson_weights(len(axis), axis[1] - axis[0])
    top = log_likelihoods.max()
    p = np.exp(log_likelihoods - top)
    total = weights @ p @ weights
    p /= total
    marginals = [p @ weights, weights @ p]
    means = np.array([weights @ (marginal * axis) for marginal in marginals])
    variances = np.array([weights @ (marginal * (axis - mean) ** 2) for marginal, mean in zip(marginals, means)])
    sds = np.sqrt(variances)
    covariance = (weights * (axis - means[0])) @ p @ (weights * (axis - means[1]))
    quantiles = np.array([marginal_quantiles(axis, marginal) for marginal in marginals])
    inside = box_mass(axis, p, -BOX + BORDER, BOX - BORDER)
    return {
        "log_evidence_standardised": math.log(total) + top + LOG_PRIOR,
        "mean": means,
        "sd": sds,
        "correlation": covariance / (sds[0] * sds[1]),
        "quantiles": quantiles,
        "density_at_quantiles": np.array([CubicSpline(axis, marginal)(places)
                                          for marginal, places in zip(marginals, quantiles)]),
        "far_weight": integral_between(axis, marginals[line_dim], line, BOX),
        "border_mass": 1 - inside,
        "border_mass_by_side": np.array([[integral_between(axis, marginal, -BOX, -BOX + BORDER),
                                          integral_between(axis, marginal, BOX - BORDER, BOX)]
                                         for marginal in marginals]),
        "moments_beyond": beyond(axis, p, weights, line_dim, line),
    }


def box_mass(axis, p, low, high):
    rows = np.array([integral_between(axis, row, low, high) for row in p])
    return integral_between(axis, rows, low, high)


def beyond(axis, p, weights, line_dim, line):
    """Integrals of z_1, z_2 over the far side of the line."""
    along = p if line_dim == 0 else p.T  # first index: the coordinate that the line cuts
    own = integral_between(axis, (along @ weights) * axis, line, BOX)
    other = integral_between(axis, along @ (weights * axis), line, BOX)
    return np.array([own, other] if line_dim == 0 else [other, own])


def refine_map(design, start, exponent):
    def energy(z):
        return -float(log_likelihood(*determinant_and_s2(design, z[:1], z[1:]), exponent)[0, 0])

    best = minimize(energy, start, bounds=[(-BOX, BOX)] * 2, method="Nelder-Mead",
                    options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 2000})
    return best.x, -best.fun


def modes(design, axis, log_likelihoods, exponent):
    p = np.exp(log_likelihoods - log_likelihoods.max())
    found = []
    for mass, i, j in basins(p):
        if mass >= 1e-4:
            location, height = refine_map(design, np.array([axis[i], axis[j]]), exponent)
            found.append({"location": location, "log_posterior": height + LOG_PRIOR, "mass": mass,
                          "on_border": bool(np.any(np.abs(location) > BOX - 1e-6))})
    highest = max(mode["log_posterior"] for mode in found)
    for mode in found:
        mode["relative_density"] = math.exp(mode.pop("log_posterior") - highest)
    return found, found[0]["location"], highest


def likelihood_error(design, places, exponent):
    """Largest error of the double-precision likelihood against mpmath at the given places."""
    worst = 0.0
    for z in places:
        gp = ExactGp(design.unit_X.tolist(), design.standard_y.tolist(), "squared-exponential", "none",
                     [math.exp(v) for v in z], NUGGET)
        exact = gp.log_likelihood() if exponent == "model" else gp.paper_log_likelihood()
        double = log_likelihood(*determinant_and_s2(design, np.array(z[:1]), np.array(z[1:])), exponent)[0, 0]
        worst = max(worst, abs(float(exact - double)))
    return worst


def posterior(design, axis, grid, exponent, line_dim, line):
    values = log_likelihood(*grid, exponent)
    fine, coarse = (summarise(a, v, line_dim, line) for a, v in ((axis, values), (axis[::2], values[::2, ::2])))
    error = {key: float(np.max(np.abs(np.asarray(fine[key]) - np.asarray(coarse[key])))) for key in fine}
    found, top, height = modes(design, axis, values, exponent)
    error["log_likelihood"] = likelihood_error(
        design, [tuple(top), (-BOX, -BOX), (BOX, BOX), (BOX, 0.0), (0.0, BOX)], exponent)
    power = RUNS if exponent == "model" else RUNS - 2
    far, moments = fine["far_weight"], fine.pop("moments_beyond")
    del error["moments_beyond"]
    result = {"log_evidence": fine["log_evidence_standardised"] - power * math.log(design.sd)}
    result.update(fine)
    result.update({"map": top, "map_log_posterior": height, "modes": found,
                   "far_rule": f"log_phi_{line_dim + 1} > {line!r}", "far_input": line_dim, "far_above": line,
                   "near_mean": (fine["mean"] - moments) / (1 - far)})
    if far > 1e-3:
        result["far_mean"] = moments / far
    result["quadrature_error"] = error
    return result


def valley(design, axis, grid):
    """The line log_phi_d = c under the paper's exponent, to a tenth: the deeper of the two marginals' valleys."""
    values = log_likelihood(*grid, "paper")
    p = np.exp(values - values.max())
    (_, i1, j1), (_, i2, j2) = basins(p)[:2]
    cuts = [separating_line(p.sum(axis=1 - d), *ends) for d, ends in enumerate([(i1, i2), (j1, j2)])]
    line_dim = int(cuts[1][1] < cuts[0][1])
    return line_dim, round(float(axis[cuts[line_dim][0]]), 1)


def rounded(value, digits):
    """To so many significant digits: beyond them a threaded BLAS need not repeat itself."""
    value = plain(value)
    if isinstance(value, dict):
        return {key: rounded(item, digits) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if type(value) is float else value


def golden_design(number, seed):
    design = FrankeDesign(seed)
    csv = f"franke_golden_{number}.csv"
    write_csv(csv, ["x1", "x2", "y"], np.column_stack([design.X, design.y]))
    axis = np.linspace(-BOX, BOX, POINTS)
    grid = determinant_and_s2(design, axis, axis)
    line_dim, line = valley(design, axis, grid)
    results = {exponent: posterior(design, axis, grid, exponent, line_dim, line) for exponent in ("model", "paper")}
    for result in results.values():
        result["quadrature_error"] = rounded(result["quadrature_error"], 2)
    return {"csv": f"examples/data/{csv}", "seed": seed, "sd": design.sd, "mean_y": design.y.mean(),
            "posteriors": rounded(results, 12)}


def main():
    body = {
        "box": [-BOX, BOX],
        "nugget": NUGGET,
        "correlation": "squared-exponential",
        "trend": "none",
        "prior": "log-uniform",
        "grid_points": POINTS,
        "quantile_levels": LEVELS,
        "border_width": BORDER,
        "designs": [golden_design(number, seed) for number, seed in enumerate(SEEDS, start=1)],
    }
    write_golden("franke_posterior.json", "franke_posterior.py", "numpy, Simpson quadrature in double precision", body)


if __name__ == "__main__":
    main()
