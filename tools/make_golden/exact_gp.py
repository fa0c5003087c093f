"""An independent Gaussian process in extended precision: docs/math.md, section 1 as written there, in mpmath with 50 digits.

Plain formulas with explicit inverses on purpose: with 50 digits they lose nothing, and they share no idea with the
product's Cholesky path. Inputs are doubles taken exactly.
"""

import mpmath as mp

mp.mp.dps = 50

# That of a rational quadratic has the logarithm of its shape.
CORRELATIONS = ("squared-exponential", "matern52", "matern32", "power-exponential(1.9)", "rational(0.5)",
                "rational-quadratic(0.7)")
TRENDS = ("none", "constant", "linear")
NUGGET_LOWER_BOUND = mp.mpf(1e-12)  # the double 1e-12, as a program would hold it


def number_in(name):
    return mp.mpf(float(name[name.index("(") + 1:-1]))


def name_fields(name):
    """What names a correlation in a golden file: as on the command line, its shape apart."""
    if name.startswith("rational-quadratic("):
        return {"correlation": "rational-quadratic", "log_shape": number_in(name)}
    return {"correlation": name}


def correlation(name, x, w, phi):
    """k(x, w) of docs/math.md, section 1; phi linear, length-scale sqrt(phi)."""
    if name.startswith("rational-quadratic("):
        shape = mp.exp(number_in(name))
        square = sum((mp.mpf(xd) - mp.mpf(wd)) ** 2 / mp.mpf(phid) for xd, wd, phid in zip(x, w, phi))
        return (1 + square / shape / 2) ** -shape
    value = mp.mpf(1)
    for xd, wd, phid in zip(x, w, phi):
        distance = abs(mp.mpf(xd) - mp.mpf(wd))
        phid = mp.mpf(phid)
        if name == "squared-exponential":
            value *= mp.exp(-(distance**2) / phid / 2)
        elif name == "matern52":
            u = mp.sqrt(5) * distance / mp.sqrt(phid)
            value *= (1 + u + u**2 / 3) * mp.exp(-u)
        elif name == "matern32":
            u = mp.sqrt(3) * distance / mp.sqrt(phid)
            value *= (1 + u) * mp.exp(-u)
        elif name.startswith("power-exponential("):
            alpha = number_in(name)
            if distance > 0:
                value *= mp.exp(-(distance**alpha) / phid ** (alpha / 2) / 2)
        elif name.startswith("rational("):
            share = number_in(name)
            value *= share + (1 - share) / (1 + distance**2 / phid / 2)
        else:
            raise ValueError(name)
    return value


def correlation_matrix(name, X, phi):
    n = len(X)
    K = mp.eye(n)
    for i in range(n):
        for j in range(i):
            K[i, j] = K[j, i] = correlation(name, X[i], X[j], phi)
    return K


def trend_row(trend, x):
    if trend == "none":
        return []
    if trend == "constant":
        return [mp.mpf(1)]
    return [mp.mpf(1)] + [mp.mpf(v) for v in x]


def column(values):
    return mp.matrix([mp.mpf(v) for v in values])


def log_determinant(A):
    return mp.log(mp.det(A))


class ExactGp:
    """One (X, y, correlation, trend, phi, delta); every quantity of docs/math.md, section 1 in the units of y."""

    def __init__(self, X, y, name, trend, phi, delta):
        self.X, self.y, self.name, self.trend, self.phi = X, column(y), name, trend, phi
        n = len(X)
        self.K = correlation_matrix(name, X, phi) + mp.mpf(delta) * mp.eye(n)
        self.K_inverse = mp.inverse(self.K)
        rows = [trend_row(trend, x) for x in X]
        self.q = len(rows[0])
        self.m = n - self.q
        self.beta = mp.matrix(0, 1)
        self.Q = self.K_inverse
        residual = self.y
        if self.q > 0:
            self.H = mp.matrix(rows)
            self.information = self.H.T * self.K_inverse * self.H
            self.information_inverse = mp.inverse(self.information)
            projector = self.K_inverse * self.H * self.information_inverse
            self.beta = projector.T * self.y
            self.Q = self.K_inverse - projector * self.H.T * self.K_inverse
            residual = self.y - self.H * self.beta
        self.weights = self.K_inverse * residual
        self.s2 = (self.y.T * self.Q * self.y)[0]

    def log_likelihood(self):
        half = mp.mpf(self.m) / 2
        value = mp.loggamma(half) - half * mp.log(mp.pi) - log_determinant(self.K) / 2 - half * mp.log(self.s2)
        if self.q > 0:
            value -= log_determinant(self.information) / 2
        return value

    def paper_log_likelihood(self):
        """(2.10): no constants, exponent (n - p)/2; stated for trend none."""
        n, p = len(self.X), len(self.X[0])
        return -log_determinant(self.K) / 2 - mp.mpf(n - p) / 2 * mp.log(self.s2)

    def condition(self):
        """||K||_1 ||K^-1||_1: times n and the rounding unit, the relative error a double computation may have."""
        return mp.mnorm(self.K, 1) * mp.mnorm(self.K_inverse, 1)

    def cross(self, x):
        return mp.matrix([correlation(self.name, x, xi, self.phi) for xi in self.X])

    def mean(self, x):
        value = (self.cross(x).T * self.weights)[0]
        if self.q > 0:
            value += (mp.matrix([trend_row(self.trend, x)]) * self.beta)[0]
        return value

    def c(self, x, w):
        """c(x, w) of docs/math.md, section 1: latent, without the nugget."""
        tx, tw = self.cross(x), self.cross(w)
        value = correlation(self.name, x, w, self.phi) - (tx.T * self.K_inverse * tw)[0]
        if self.q > 0:
            rx = mp.matrix(trend_row(self.trend, x)) - self.H.T * self.K_inverse * tx
            rw = mp.matrix(trend_row(self.trend, w)) - self.H.T * self.K_inverse * tw
            value += (rx.T * self.information_inverse * rw)[0]
        return value
