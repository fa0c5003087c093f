"""Writes tests/golden/data/priors.json: priors as densities of z (Jacobian included), mpmath with 50 digits.

Each density is stated on its natural parameter and carried to z by mp.diff of the map z -> parameter, so no hand-made
Jacobian is repeated here. Box masses are integrals of the natural density.

Schema:
  box [-7, 7] (log phi), nugget_box [-35, 10] (z_delta), nugget_lower_bound
  log_phi[]     prior (as on the command line), z (points), log_density (of one z, before renormalisation on the box),
                log_box_mass (log of the prior mass of the box, one input), log_density_on_box (after)
                With p inputs the density is the product, and so is its box mass.
                gamma(a, b): shape a, rate b. log-normal(m, s): z ~ N(m, s^2).
                log-laplace(m, b): z ~ Laplace(m, scale b).
                decaying: sqrt(phi) ~ half-Cauchy(1). log-uniform has no density off the box: log_density is null.
  jointly_robust[]  n, p, z (rows of p), log_density, log_box_mass, log_density_on_box
  jointly_robust_checks  integral over R^p (p = 1: 1-D, p = 2: 2-D quadrature), box mass for p = 2 by 2-D quadrature
  nugget[]      prior, z, delta, log_density (of z_delta, over R), log_box_mass, log_density_on_box
  reference     data_sets[] (name, n, p, X), cases[]: data_set, correlation, log_shape (of one that has a shape), trend,
                z (p), z_delta, delta,
                log_prior (log |I|^(1/2) over z given delta), log_prior_joint (over z and z_delta); unnormalised,
                with exactly docs/math.md, section 2's I; condition (||K||_1 ||K^-1||_1, for tolerances)
"""

import mpmath as mp
import numpy as np

from exact_gp import CORRELATIONS, NUGGET_LOWER_BOUND, TRENDS, ExactGp, correlation, name_fields
from golden_file import write_golden
from small_data import small_data

BOX = (-7, 7)
NUGGET_BOX = (-35, 10)
Z_POINTS = [-7.0, -4.3, -1.5, -0.2, 0.1, 0.75, 2.0, 4.6, 7.0]
Z_DELTA_POINTS = [-35.0, -29.0, -27.631, -20.0, -10.0, -3.5, 0.0, 2.2, 10.0]


def exponential(rate):
    return lambda x: rate * mp.exp(-rate * x)


def gamma(shape, rate):
    return lambda x: rate**shape * x ** (shape - 1) * mp.exp(-rate * x) / mp.gamma(shape)


def log_normal(m, s):
    return lambda x: mp.npdf(mp.log(x), m, s) / x


def log_laplace(m, b):
    return lambda x: mp.exp(-abs(mp.log(x) - m) / b) / (2 * b) / x


def half_cauchy(s):
    return 2 / mp.pi / (1 + s**2)


# Name: (density of the natural parameter, that parameter as a function of z, kinks of the density in z).
# Decimal settings are the doubles that a program reads.
LOG_PHI_PRIORS = {
    "exponential(0.2)": (exponential(mp.mpf(0.2)), mp.exp, []),
    "gamma(2,0.5)": (gamma(2, mp.mpf(0.5)), mp.exp, []),
    "log-normal(0.3,1.2)": (log_normal(mp.mpf(0.3), mp.mpf(1.2)), mp.exp, []),
    "log-laplace(0.1,0.8)": (log_laplace(mp.mpf(0.1), mp.mpf(0.8)), mp.exp, [mp.mpf(0.1)]),
    "decaying": (half_cauchy, lambda z: mp.exp(z / 2), []),
}


def nugget_of(z):
    """(5.1)."""
    return NUGGET_LOWER_BOUND + (1 - NUGGET_LOWER_BOUND) / (1 + mp.exp(-z))


# On delta, before truncation to [lower bound, 1].
NUGGET_PRIORS = {
    "uniform": lambda x: mp.mpf(1),
    "beta(2,5)": lambda x: x * (1 - x) ** 4 / mp.beta(2, 5),
    "log-uniform": lambda x: 1 / x,
    "exponential(10)": exponential(mp.mpf(10)),
}


def log_density_of_z(density, to_parameter, z):
    z = mp.mpf(z)
    return mp.log(density(to_parameter(z))) + mp.log(mp.diff(to_parameter, z))


def mass_between(density, to_parameter, breaks):
    """Integral of the natural density, over a geometric ladder of panels so that every scale is resolved."""
    points = []
    for low, high in zip(breaks, breaks[1:]):
        steps = 24
        points += [to_parameter(low + (high - low) * k / steps) for k in range(steps)]
    points.append(to_parameter(breaks[-1]))
    return mp.quad(density, points)


def log_phi_entry(name, density, to_parameter, kinks):
    breaks = [mp.mpf(BOX[0])] + kinks + [mp.mpf(BOX[1])]
    log_mass = mp.log(mass_between(density, to_parameter, breaks))
    values = [log_density_of_z(density, to_parameter, z) for z in Z_POINTS]
    return {"prior": name, "z": Z_POINTS, "log_density": values, "log_box_mass": log_mass,
            "log_density_on_box": [value - log_mass for value in values]}


def log_uniform_entry():
    return {"prior": "log-uniform", "z": Z_POINTS, "log_density": None, "log_box_mass": None,
            "log_density_on_box": [-mp.log(BOX[1] - BOX[0])] * len(Z_POINTS)}


def nugget_entry(name, density):
    low, high = (mp.mpf(v) for v in NUGGET_BOX)
    middle = [mp.mpf(v) for v in (-27, -15, 0)]
    box_mass = mass_between(density, nugget_of, [low] + middle + [high])
    outside = mp.quad(density, [NUGGET_LOWER_BOUND, nugget_of(low)]) + mp.quad(density, [nugget_of(high), 1])
    log_total = mp.log(box_mass + outside)
    log_mass = mp.log(box_mass) - log_total
    values = [log_density_of_z(density, nugget_of, z) - log_total for z in Z_DELTA_POINTS]
    return {"prior": name, "z": Z_DELTA_POINTS, "delta": [nugget_of(mp.mpf(z)) for z in Z_DELTA_POINTS],
            "log_density": values, "log_box_mass": log_mass,
            "log_density_on_box": [value - log_mass for value in values]}


class JointlyRobust:
    """docs/math.md, section 2's density of z; its box mass by inclusion and exclusion on the simplex, then one integral."""

    def __init__(self, n, p):
        self.n, self.p = n, p
        self.a = mp.mpf(0.2)
        self.C = mp.mpf(n) ** (-mp.mpf(1) / p)
        self.b = self.C * (self.a + p)

    def log_density(self, z):
        a, b, C, p = self.a, self.b, self.C, self.p
        t = C * mp.fsum(mp.exp(-mp.mpf(v) / 2) for v in z)
        return ((a + p) * mp.log(b) - mp.loggamma(a + p) + mp.loggamma(p) + p * mp.log(C / 2)
                + a * mp.log(t) - b * t - mp.fsum(z) / 2)

    def share_of_simplex(self, low, high):
        """Probability that all shares of a uniform point of the simplex lie in [low, high]."""
        p = self.p
        if p == 1:
            return mp.mpf(low <= 1 <= high)
        total = mp.mpf(0)
        for k in range(p + 1):
            left = 1 - (p - k) * low - k * high
            if left > 0:
                total += (-1) ** k * mp.binomial(p, k) * left ** (p - 1)
        return total

    def box_mass(self):
        """u_d = phi_d^(-1/2) has sum t / C with t ~ Gamma(a + p, rate b), and uniform shares given it."""
        low, high = mp.exp(-mp.mpf(BOX[1]) / 2), mp.exp(-mp.mpf(BOX[0]) / 2)
        p = self.p
        rate, shape = self.b * self.C, self.a + p

        def integrand(u):
            return gamma(shape, rate)(u) * self.share_of_simplex(low / u, high / u)

        kinks = sorted((p - k) * low + k * high for k in range(p + 1))
        ladder = [kinks[0] * (kinks[1] / kinks[0]) ** (mp.mpf(j) / 16) for j in range(16)]
        rest = [left + (right - left) * j / 8 for left, right in zip(kinks[1:], kinks[2:]) for j in range(8)]
        points = ladder + rest + [kinks[-1]]
        return mp.quad(integrand, points)


def jointly_robust_entry(n, p, rows):
    prior = JointlyRobust(n, p)
    log_mass = mp.log(prior.box_mass())
    values = [prior.log_density(z) for z in rows]
    return {"n": n, "p": p, "z": rows, "log_density": values, "log_box_mass": log_mass,
            "log_density_on_box": [value - log_mass for value in values]}


def gauss_legendre(low, high, panels):
    """Nodes and weights of a composite rule, 20 points per panel."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    width = (high - low) / panels
    starts = low + width * np.arange(panels)
    return (starts[:, None] + width * (nodes + 1) / 2).ravel(), np.tile(weights * width / 2, panels)


def plane_integral(prior, low, high, panels):
    """2-D quadrature in doubles; its constant is read off the mpmath density at the origin."""
    nodes, weights = gauss_legendre(low, high, panels)
    a, b, C = (float(v) for v in (prior.a, prior.b, prior.C))
    constant = float(prior.log_density([0, 0]) - prior.a * mp.log(2 * prior.C) + 2 * prior.b * prior.C)
    root = np.exp(-nodes / 2)
    t = C * (root[:, None] + root[None, :])
    return weights @ (np.exp(constant + a * np.log(t) - b * t) * np.outer(root, root)) @ weights


def jointly_robust_checks():
    """That docs/math.md's density integrates to 1 over R^p, and that the one-integral box mass is right."""
    one, two = JointlyRobust(20, 1), JointlyRobust(20, 2)
    total_1 = mp.quad(lambda z: mp.exp(one.log_density([z])), mp.linspace(-25, 400, 86))
    total_2 = plane_integral(two, -15.0, 200.0, 400)
    box_2 = plane_integral(two, float(BOX[0]), float(BOX[1]), 40)
    exact_box = two.box_mass()
    assert abs(total_1 - 1) < 1e-30 and abs(total_2 - 1) < 1e-12 and abs(box_2 - exact_box) < 1e-12
    return {"n": 20, "integral_p1": total_1, "integral_p2": total_2, "box_mass_p2": exact_box,
            "box_mass_p2_by_2d_quadrature": box_2}


def derivative_in_log_phi(data_set, name, z, d):
    """dK/dz_d, each entry by numerical differentiation of k with extended precision."""
    X, n = data_set["X"], data_set["n"]
    derivative = mp.zeros(n)
    for i in range(n):
        for j in range(i):
            def entry(v, i=i, j=j):
                phi = [mp.exp(v if k == d else mp.mpf(z[k])) for k in range(len(z))]
                return correlation(name, X[i], X[j], phi)
            derivative[i, j] = derivative[j, i] = mp.diff(entry, mp.mpf(z[d]))
    return derivative


def contrast_projector(K, H):
    """Q = B (B' K B)^-1 B' with B spanning the complement of H: docs/math.md's Q by another road."""
    n, q = H.rows, H.cols
    full = mp.zeros(n)
    for i in range(n):
        for j in range(n):
            full[i, j] = H[i, j] if j < q else mp.mpf(int(i == j))
    orthogonal, _ = mp.qr(full)
    B = orthogonal[:, q:n]
    return B * mp.inverse(B.T * K * B) * B.T


def half_log_determinant(m, W):
    r = len(W)
    I = mp.zeros(r + 1)
    I[0, 0] = m
    for i in range(r):
        n = W[i].rows
        I[0, i + 1] = I[i + 1, 0] = mp.fsum(W[i][k, k] for k in range(n))
        for j in range(r):
            I[i + 1, j + 1] = mp.fsum(W[i][k, l] * W[j][l, k] for k in range(n) for l in range(n))
    return mp.log(mp.det(I)) / 2


def reference_case(data_set, name, trend, z, z_delta):
    delta = nugget_of(mp.mpf(z_delta))
    n = data_set["n"]
    gp = ExactGp(data_set["X"], [0.0] * n, name, trend, [mp.exp(mp.mpf(v)) for v in z], delta)
    if gp.q > 0:
        assert mp.mnorm(gp.Q - contrast_projector(gp.K, gp.H), 1) < mp.mpf(10) ** -25 * mp.mnorm(gp.Q, 1)
    W = [derivative_in_log_phi(data_set, name, z, d) * gp.Q for d in range(len(z))]
    W_delta = mp.diff(nugget_of, mp.mpf(z_delta)) * gp.Q
    return {"data_set": data_set["name"], **name_fields(name), "trend": trend, "z": z, "z_delta": z_delta,
            "delta": delta, "log_prior": half_log_determinant(gp.m, W),
            "log_prior_joint": half_log_determinant(gp.m, W + [W_delta]), "condition": gp.condition()}


def reference_section():
    sizes = {"n8_p1": (8, 1, 21), "n10_p2": (10, 2, 22), "n12_p3": (12, 3, 23)}
    data_sets = [{"name": name, "n": n, "p": p, "X": small_data(n, p, seed)[0].tolist()}
                 for name, (n, p, seed) in sizes.items()]
    settings = [([-3.0, -2.1, -2.6], -20.0), ([-0.5, 1.7, -1.2], -9.0), ([2.0, 0.3, 4.0], -2.5)]
    cases = [reference_case(data_set, name, trend, z[:data_set["p"]], z_delta)
             for data_set in data_sets for name in CORRELATIONS for trend in TRENDS for z, z_delta in settings]
    return {"data_sets": data_sets, "cases": cases}


def main():
    rows_2 = [[0.0, 0.0], [-3.0, -2.5], [1.2, 6.5], [-6.8, 4.0], [7.0, 7.0]]
    rows_5 = [[0.0] * 5, [-3.0, -2.5, 0.4, 1.1, 6.0], [2.0, 2.5, 3.0, 3.5, 4.0], [-7.0, 7.0, -1.0, 1.0, 0.2]]
    body = {
        "box": BOX,
        "nugget_box": NUGGET_BOX,
        "nugget_lower_bound": NUGGET_LOWER_BOUND,
        "log_phi": [log_phi_entry(name, *parts) for name, parts in LOG_PHI_PRIORS.items()] + [log_uniform_entry()],
        "jointly_robust": [jointly_robust_entry(20, 2, rows_2), jointly_robust_entry(100, 5, rows_5)],
        "jointly_robust_checks": jointly_robust_checks(),
        "nugget": [nugget_entry(name, density) for name, density in NUGGET_PRIORS.items()],
        "reference": reference_section(),
    }
    write_golden("priors.json", "priors.py", "mpmath, 50 digits", body)


if __name__ == "__main__":
    main()
