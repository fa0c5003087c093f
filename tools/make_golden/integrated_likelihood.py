"""Writes tests/golden/data/integrated_likelihood.json: docs/math.md, section 1 in mpmath, 50 digits.

Schema (all in standardised units, as the numbers are given; inputs are doubles and are taken exactly):
  data_sets[]     name, n, p, X (n rows of p, unit cube), y (n), new_points (3 rows of p)
  cases[]         data_set (its name), correlation, log_shape (of one that has a shape), trend (none | constant | linear: columns 1, x_1..x_p),
                  phi (p), delta, m (n - q), log_likelihood (with constants), s2, beta_hat (q),
                  paper_log_likelihood (only with trend none: -1/2 log|K| - (n-p)/2 log S2),
                  mean (at the 3 new points), c_diagonal (c(x, x), latent: no nugget),
                  c_pairs (c of the pairs (0,1), (0,2), (1,2)), condition (||K||_1 ||K^-1||_1, for tolerances)
  leave_one_out[] data_set, correlation, trend, phi, delta, then per run, by refitting without it:
                  mean, scale2 (of a new run: (S2/m) (c + delta)), df (one number), log_density at the left-out y
  transformed[]   as cases, of outputs g(y) (docs/math.md, section 15), with transform (its name), its constants sign,
                  origin and scale, its parameters, outputs (g(y)), log_jacobian ((m/n) sum log g'(y)),
                  log_likelihood (the Jacobian included), mean (at the 3 new points, in units of g)
"""

import mpmath as mp

from exact_gp import CORRELATIONS, TRENDS, ExactGp, name_fields
from golden_file import write_golden
from small_data import new_points, small_data

DATA_SETS = {"n8_p1": (8, 1, 11), "n12_p2": (12, 2, 12), "n20_p3": (20, 3, 13)}

# Length-scales that leave K usable in doubles: the condition number stays below 2e7.
SETTINGS = [
    ([0.02, 0.05, 0.03], 1e-12),
    ([0.15, 0.4, 1.3], 1e-6),
    ([5.0, 20.0, 50.0], 1e-6),
    ([0.7, 12.0, 0.05], 0.1),
]


def case(data_set, name, trend, phi, delta):
    gp = ExactGp(data_set["X"], data_set["y"], name, trend, phi, delta)
    points = data_set["new_points"]
    entry = {
        "data_set": data_set["name"],
        **name_fields(name),
        "trend": trend,
        "phi": phi,
        "delta": delta,
        "m": gp.m,
        "log_likelihood": gp.log_likelihood(),
        "s2": gp.s2,
        "beta_hat": list(gp.beta),
        "mean": [gp.mean(x) for x in points],
        "c_diagonal": [gp.c(x, x) for x in points],
        "c_pairs": [gp.c(points[i], points[j]) for i, j in ((0, 1), (0, 2), (1, 2))],
        "condition": gp.condition(),
    }
    if trend == "none":
        entry["paper_log_likelihood"] = gp.paper_log_likelihood()
    return entry


def student_log_density(y, mean, scale2, df):
    df = mp.mpf(df)
    return (mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2) - mp.log(df * mp.pi * scale2) / 2
            - (df + 1) / 2 * mp.log(1 + (mp.mpf(y) - mean) ** 2 / (df * scale2)))


def leave_one_out(data_set, name, trend, phi, delta):
    X, y = data_set["X"], data_set["y"]
    full = ExactGp(X, y, name, trend, phi, delta)
    means, scales, densities = [], [], []
    for i in range(len(y)):
        kept = [j for j in range(len(y)) if j != i]
        gp = ExactGp([X[j] for j in kept], [y[j] for j in kept], name, trend, phi, delta)
        mean, scale2 = gp.mean(X[i]), gp.s2 / gp.m * (gp.c(X[i], X[i]) + mp.mpf(delta))
        density = student_log_density(y[i], mean, scale2, gp.m)
        # The chain rule ties three quantities made in different ways: p(y) = p(y_-i) p(y_i | y_-i).
        assert abs(full.log_likelihood() - gp.log_likelihood() - density) < mp.mpf(10) ** -30
        means.append(mean)
        scales.append(scale2)
        densities.append(density)
    return {
        "data_set": data_set["name"], "correlation": name, "trend": trend, "phi": phi, "delta": delta,
        "df": full.m - 1, "mean": means, "scale2": scales, "log_density": densities,
    }


def log_image(u, _):
    return mp.log(u)


def box_cox_image(u, parameters):
    v, power = u + mp.exp(parameters[0]), mp.mpf(parameters[1])
    return mp.log(v) if power == 0 else (v**power - 1) / power


def sinh_arcsinh_image(u, parameters):
    return mp.sinh(mp.exp(parameters[0]) * mp.asinh(u) - mp.mpf(parameters[1]))


# Name, g of u, sign, origin and scale of u = (sign y - origin) / scale, parameters. Standardised outputs are within 3.
TRANSFORMS = [
    ("log", log_image, 1, -4.0, 1.0, []),
    ("log", log_image, -1, -4.0, 1.0, []),
    ("box-cox", box_cox_image, 1, -3.0, 5.0, [-2.0, 0.3]),
    ("box-cox", box_cox_image, -1, -3.0, 5.0, [0.5, -1.2]),
    ("box-cox", box_cox_image, 1, -3.0, 5.0, [1.0, 0.0]),
    ("box-cox", box_cox_image, 1, -3.0, 5.0, [-1.0, 1e-7]),
    ("sinh-arcsinh", sinh_arcsinh_image, 1, 0.1, 0.8, [0.4, -0.7]),
    ("sinh-arcsinh", sinh_arcsinh_image, 1, -0.2, 1.1, [-1.5, 1.3]),
]


def transformed(data_set, name, trend, transform):
    label, image, sign, origin, scale, parameters = transform
    parameters = [mp.mpf(v) for v in parameters]

    def g(y):
        return sign * image((sign * y - mp.mpf(origin)) / mp.mpf(scale), parameters)

    def slope(y):  # by differences: no formula for it is shared
        with mp.workdps(100):
            return mp.diff(g, y)

    y = [mp.mpf(v) for v in data_set["y"]]
    phi, delta = [0.15, 0.4, 1.3][:data_set["p"]], 1e-6
    outputs = [g(v) for v in y]
    gp = ExactGp(data_set["X"], outputs, name, trend, phi, delta)
    log_jacobian = mp.mpf(gp.m) / len(y) * sum(mp.log(slope(v)) for v in y)
    return {
        "data_set": data_set["name"], **name_fields(name), "trend": trend, "phi": phi, "delta": delta,
        "transform": label, "sign": sign, "origin": origin, "scale": scale, "parameters": parameters,
        "outputs": outputs, "log_jacobian": log_jacobian, "log_likelihood": gp.log_likelihood() + log_jacobian,
        "mean": [gp.mean(x) for x in data_set["new_points"]], "s2": gp.s2, "condition": gp.condition(),
        "c_diagonal": [gp.c(x, x) for x in data_set["new_points"]],
    }


def main():
    data_sets = []
    for name, (n, p, seed) in DATA_SETS.items():
        X, y = small_data(n, p, seed)
        data_sets.append({"name": name, "n": n, "p": p, "X": X.tolist(), "y": y.tolist(),
                          "new_points": new_points(p, seed + 100).tolist()})
    cases = [
        case(data_set, name, trend, phi[:data_set["p"]], delta)
        for data_set in data_sets for name in CORRELATIONS for trend in TRENDS for phi, delta in SETTINGS
    ]
    left_out = [leave_one_out(data_sets[1], "matern52", trend, [0.15, 0.4], 1e-6) for trend in TRENDS]
    of_transforms = [
        transformed(data_set, name, trend, transform)
        for data_set in data_sets[:2] for name in ("matern52", "rational-quadratic(0.7)")
        for trend in ("constant", "linear") for transform in TRANSFORMS
    ]
    write_golden("integrated_likelihood.json", "integrated_likelihood.py", "mpmath, 50 digits",
                 {"data_sets": data_sets, "cases": cases, "leave_one_out": left_out,
                  "transformed": of_transforms})


if __name__ == "__main__":
    main()
