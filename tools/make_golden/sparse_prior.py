"""Writes tests/golden/data/sparse_prior.json: jointly robust priors, sparse and dense, on the boxes that go with them.

The density of docs/math.md, section 2, with mpmath and 50 digits. Its mass in the box by another road than the
library's: s_d = C exp(-z_d / 2) are independent gamma variables but for the factor t^a, and

    t^a = a / Gamma(1 - a) int_0^inf u^(-a - 1) (1 - exp(-u t)) du,

so the mass is an integral of B(b)^p - B(b + u)^p, B(r) an incomplete gamma function. With two inputs it is compared with
2-D quadrature.

Schema:
  cases[]  prior, n, p, box, z (rows of p), log_density (over R^p), log_box_mass, log_density_on_box
"""

import mpmath as mp

from golden_file import write_golden
from priors import plane_integral

A = mp.mpf(0.2)


class JointlyRobust:
    """Shares of t are Dirichlet(c, ..., c): c = 1 dense, c = 2/p sparse."""

    def __init__(self, prior, n, p):
        self.p, self.a = p, A
        self.c = mp.mpf(2) / p if prior == "sparse-jointly-robust" else mp.mpf(1)
        self.C = mp.mpf(n) ** (-mp.mpf(1) / p)
        self.b = self.C * (A + p * self.c)
        shape = A + p * self.c
        self.log_constant = (shape * mp.log(self.b) - mp.loggamma(shape) + mp.loggamma(p * self.c)
                             - p * mp.loggamma(self.c))

    def log_density(self, z):
        s = [self.C * mp.exp(-mp.mpf(v) / 2) for v in z]
        t = mp.fsum(s)
        return (self.log_constant + self.a * mp.log(t) - self.b * t
                + mp.fsum(self.c * mp.log(v) - mp.log(2) for v in s))

    def log_box_mass(self, box):
        first, last = self.C * mp.exp(-mp.mpf(box[1]) / 2), self.C * mp.exp(-mp.mpf(box[0]) / 2)

        def power(r):
            """B(r)^p."""
            return (mp.gammainc(self.c, r * first, r * last) * r ** -self.c) ** self.p

        whole = power(self.b)
        # In w = log u the integrand is analytic and falls as exp(0.8 w) and exp(-0.2 w): equal steps. Beyond `end`
        # B(b + u)^p is nothing, and what is left is a geometric series.
        step, begin, end = mp.mpf(1) / 8, -64, mp.log(100 / (self.p * first))
        count = int((end - begin) / step)
        total = mp.mpf(0)
        for k in range(count):
            u = mp.exp(begin + step * k)
            total += u ** -A * (whole - power(self.b + u))
        total += whole * mp.exp(-A * (begin + step * count)) / (1 - mp.exp(-A * step))
        return self.log_constant + mp.log(A / mp.gamma(1 - A) * step * total)


def entry(prior, n, p, box, rows):
    exact = JointlyRobust(prior, n, p)
    log_mass = exact.log_box_mass(box)
    values = [exact.log_density(z) for z in rows]
    return {"prior": prior, "n": n, "p": p, "box": box, "z": rows, "log_density": values, "log_box_mass": log_mass,
            "log_density_on_box": [value - log_mass for value in values]}


def rows_of(p, box):
    low, high = box
    spread = [low + (high - low) * ((7 * d + 3) % p + 0.5) / p for d in range(p)]
    few = [0.5 + 0.25 * d if d < 3 else high - 0.125 * (d % 8) for d in range(p)]
    return [[0.0] * p, spread, few, [float(high)] * p]


def main():
    check = JointlyRobust("sparse-jointly-robust", 20, 2).log_box_mass([-7, 7])
    by_quadrature = plane_integral(JointlyRobust("sparse-jointly-robust", 20, 2), -7.0, 7.0, 40)
    assert abs(mp.exp(check) - by_quadrature) < 1e-12, (mp.exp(check), by_quadrature)
    settings = [("sparse-jointly-robust", 20, 1, [-7, 100]), ("sparse-jointly-robust", 20, 3, [-7, 7]),
                ("sparse-jointly-robust", 100, 5, [-7, 100]), ("sparse-jointly-robust", 150, 40, [-7, 100]),
                ("sparse-jointly-robust", 100, 100, [-7, 100]), ("jointly-robust", 100, 5, [-7, 30]),
                ("jointly-robust", 150, 40, [-7, 7]), ("jointly-robust", 100, 100, [-7, 30])]
    cases = [entry(*setting, rows_of(setting[2], setting[3])) for setting in settings]
    write_golden("sparse_prior.json", "sparse_prior.py", "mpmath, 50 digits", {"cases": cases})


if __name__ == "__main__":
    main()
