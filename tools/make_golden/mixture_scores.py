"""Writes tests/golden/data/mixture_scores.json: predictive mixtures and their scores, mpmath with 30 digits.

Schema:
  student_mixtures[]  name, weights (sum 1 to rounding; divide by the sum), locations, scales (not squared),
                      df (common), mean, variance (of the mixture), x (points), cdf, log_density (at x),
                      levels, quantiles (at levels), y (observations), crps (at y, by quadrature of the cdf)
  normal_mixtures[]   name, weights, locations, sds, mean, variance, x, cdf, log_density, levels, quantiles, y,
                      crps (Grimit et al., paper (5.3), (5.4)), crps_by_quadrature
"""

import mpmath as mp

from golden_file import write_golden

mp.mp.dps = 30

LEVELS = [0.001, 0.025, 0.25, 0.5, 0.9, 0.975, 0.9999]

# Name: weights, locations, scales, df. Tails, separation and scales of a kind that an emulator meets.
STUDENT = {
    "single": ([1.0], [0.3], [1.7], 5),
    "two modes, unequal": ([0.8, 0.2], [-1.0, 4.0], [0.5, 0.05], 18),
    "heavy tails": ([0.5, 0.3, 0.2], [0.0, 0.4, -2.0], [1.0, 0.01, 3.0], 3),
    "many degrees of freedom": ([0.25, 0.25, 0.5], [10.0, 10.2, 9.7], [0.3, 0.2, 0.1], 95),
}
NORMAL = {
    "single": ([1.0], [0.3], [1.7]),
    "two modes, unequal": ([0.8, 0.2], [-1.0, 4.0], [0.5, 0.05]),
    "scales apart": ([0.5, 0.3, 0.2], [0.0, 0.4, -2.0], [1.0, 0.001, 3.0]),
}
OBSERVATIONS = {
    "single": [0.3, -2.0, 9.0],
    "two modes, unequal": [-1.2, 1.5, 4.01],
    "heavy tails": [0.4, -3.0, 25.0],
    "many degrees of freedom": [9.7, 10.3, 12.0],
    "scales apart": [0.4, 0.0, -9.0],
}


def student_cdf(u, df):
    """Of the standard t, by the regularised incomplete beta function: from the centre near it, else from the tail."""
    if u * u < df:
        centre = mp.betainc(mp.mpf(1) / 2, mp.mpf(df) / 2, 0, u * u / (df + u * u), regularized=True)
        return (1 + mp.sign(u) * centre) / 2
    tail = mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, df / (df + u * u), regularized=True) / 2
    return tail if u < 0 else 1 - tail


def student_density(u, df):
    df = mp.mpf(df)
    return mp.gamma((df + 1) / 2) / mp.gamma(df / 2) / mp.sqrt(df * mp.pi) * (1 + u * u / df) ** (-(df + 1) / 2)


class Mixture:
    """Location-scale mixture of a standard distribution given by its cdf and density."""

    def __init__(self, weights, locations, scales, cdf, density, unit_variance):
        total = mp.fsum(mp.mpf(w) for w in weights)
        self.weights = [mp.mpf(w) / total for w in weights]
        self.locations = [mp.mpf(v) for v in locations]
        self.scales = [mp.mpf(v) for v in scales]
        self.standard_cdf, self.standard_density, self.unit_variance = cdf, density, unit_variance

    def parts(self):
        return zip(self.weights, self.locations, self.scales)

    def cdf(self, x):
        return mp.fsum(w * self.standard_cdf((x - m) / s) for w, m, s in self.parts())

    def survival(self, x):
        """1 - cdf without cancellation, by symmetry of the standard distribution."""
        return mp.fsum(w * self.standard_cdf((m - x) / s) for w, m, s in self.parts())

    def density(self, x):
        return mp.fsum(w * self.standard_density((x - m) / s) / s for w, m, s in self.parts())

    def mean(self):
        return mp.fsum(w * m for w, m, _ in self.parts())

    def variance(self):
        second = mp.fsum(w * (s**2 * self.unit_variance + m**2) for w, m, s in self.parts())
        return second - self.mean() ** 2

    def quantile(self, level):
        """Bisection on the cdf, to all digits."""
        level = mp.mpf(level)
        low, high = min(self.locations) - 1, max(self.locations) + 1
        while self.cdf(low) > level:
            low -= 2 * (high - low)
        while self.cdf(high) < level:
            high += 2 * (high - low)
        for _ in range(110):
            middle = (low + high) / 2
            low, high = (middle, high) if self.cdf(middle) < level else (low, middle)
        return (low + high) / 2

    def crps(self, y):
        """Integral of (F - 1{x >= y})^2: panels at y and around every component on its own scale, then both tails."""
        y = mp.mpf(y)
        knots = {y}
        for _, m, s in self.parts():
            knots.update(m + s * k for k in (-32, -16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16, 32))
        knots = sorted(knots)
        left = [-mp.inf] + [k for k in knots if k <= y]
        right = [k for k in knots if k >= y] + [mp.inf]
        return mp.quad(lambda x: self.cdf(x) ** 2, left) + mp.quad(lambda x: self.survival(x) ** 2, right)


def closed_student_crps(y, location, scale, df):
    """One component (Jordan, Krueger and Lerch 2019)."""
    u, df = (mp.mpf(y) - location) / scale, mp.mpf(df)
    tail = 2 * mp.sqrt(df) / (df - 1) * mp.beta(mp.mpf(1) / 2, df - mp.mpf(1) / 2) / mp.beta(mp.mpf(1) / 2, df / 2) ** 2
    return scale * (u * (2 * student_cdf(u, df) - 1) + 2 * student_density(u, df) * (df + u * u) / (df - 1) - tail)


def closed_normal_crps(mixture, y):
    """Paper (5.3), (5.4)."""
    def A(mu, variance):
        sd = mp.sqrt(variance)
        return 2 * sd * mp.npdf(mu / sd) + mu * (2 * mp.ncdf(mu / sd) - 1)

    first = mp.fsum(w * A(mp.mpf(y) - m, s**2) for w, m, s in mixture.parts())
    pairs = mp.fsum(w * v * A(m - l, s**2 + r**2) for w, m, s in mixture.parts() for v, l, r in mixture.parts())
    return first - pairs / 2


def describe(mixture, observations):
    spread = [m + s * k for _, m, s in mixture.parts() for k in (-6, -1, 0, 2.5)]
    x = sorted({float(v) for v in spread})
    return {
        "mean": mixture.mean(),
        "variance": mixture.variance(),
        "x": x,
        "cdf": [mixture.cdf(mp.mpf(v)) for v in x],
        "log_density": [mp.log(mixture.density(mp.mpf(v))) for v in x],
        "levels": LEVELS,
        "quantiles": [mixture.quantile(level) for level in LEVELS],
        "y": observations,
    }


def student_entry(name, weights, locations, scales, df):
    mixture = Mixture(weights, locations, scales, lambda u: student_cdf(u, df), lambda u: student_density(u, df),
                      mp.mpf(df) / (df - 2))
    entry = {"name": name, "weights": weights, "locations": locations, "scales": scales, "df": df}
    entry.update(describe(mixture, OBSERVATIONS[name]))
    entry["crps"] = [mixture.crps(y) for y in OBSERVATIONS[name]]
    if len(weights) == 1:
        for y, crps in zip(OBSERVATIONS[name], entry["crps"]):
            assert abs(crps - closed_student_crps(y, mixture.locations[0], mixture.scales[0], df)) < mp.mpf(10) ** -20
    return entry


def normal_entry(name, weights, locations, sds):
    mixture = Mixture(weights, locations, sds, mp.ncdf, mp.npdf, mp.mpf(1))
    entry = {"name": name, "weights": weights, "locations": locations, "sds": sds}
    entry.update(describe(mixture, OBSERVATIONS[name]))
    entry["crps"] = [closed_normal_crps(mixture, y) for y in OBSERVATIONS[name]]
    entry["crps_by_quadrature"] = [mixture.crps(y) for y in OBSERVATIONS[name]]
    for closed, numerical in zip(entry["crps"], entry["crps_by_quadrature"]):
        assert abs(closed - numerical) < mp.mpf(10) ** -18
    return entry


def main():
    write_golden("mixture_scores.json", "mixture_scores.py", "mpmath, 30 digits", {
        "student_mixtures": [student_entry(name, *parts) for name, parts in STUDENT.items()],
        "normal_mixtures": [normal_entry(name, *parts) for name, parts in NORMAL.items()],
    })


if __name__ == "__main__":
    main()
