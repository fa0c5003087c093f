"""Writes tests/golden/data/test_functions.json: values of the test functions of lab/simulators.cpp.

  functions[]  name, ranges (low, high of every input), X (four points in the function's own units), y

Every formula is written again here, from its publication, with mpmath; points are uniform on the published ranges.
"""

import random

from mpmath import cos, exp, log, mp, mpf, pi, radians, sin, sqrt

from golden_file import write_golden
from simulators import WING_INPUTS

mp.dps = 40
UNIT = (0.0, 1.0)


def wing_weight(Sw, Wfw, A, Lam, q, lam, tc, Nz, Wdg, Wp):
    c = cos(radians(Lam))
    factors = (Sw ** mpf("0.758"), Wfw ** mpf("0.0035"), (A / c**2) ** mpf("0.6"), q ** mpf("0.006"), lam ** mpf("0.04"),
               (100 * tc / c) ** mpf("-0.3"), (Nz * Wdg) ** mpf("0.49"))
    product = mpf("0.036")
    for factor in factors:
        product *= factor
    return product + Sw * Wp


def franke(x, y):
    def bump(height, u, v):
        return mpf(height) * exp(-u - v)
    return (bump("0.75", (9 * x - 2) ** 2 / 4, (9 * y - 2) ** 2 / 4) + bump("0.75", (9 * x + 1) ** 2 / 49, (9 * y + 1) / 10)
            + bump("0.5", (9 * x - 7) ** 2 / 4, (9 * y - 3) ** 2 / 4) - bump("0.2", (9 * x - 4) ** 2, (9 * y - 7) ** 2))


def branin(x, y):
    a, b, c, r, s, t = 1, mpf("5.1") / (4 * pi**2), 5 / pi, 6, 10, 1 / (8 * pi)
    return a * (y - b * x**2 + c * x - r) ** 2 + s * (1 - t) * cos(x) + s


def goldstein_price(x, y):
    first = 1 + (x + y + 1) ** 2 * (19 - 14 * x + 3 * x**2 - 14 * y + 6 * x * y + 3 * y**2)
    return first * (30 + (2 * x - 3 * y) ** 2 * (18 - 32 * x + 12 * x**2 + 48 * y - 36 * x * y + 27 * y**2))


def currin(x, y):
    return (1 - exp(-1 / (2 * y))) * (2300 * x**3 + 1900 * x**2 + 2092 * x + 60) / (100 * x**3 + 500 * x**2 + 4 * x + 20)


def lim(x, y):
    return ((30 + 5 * x * sin(5 * x)) * (4 + exp(-5 * y)) - 100) / mpf(6)


def zhou(*x):
    d = len(x)

    def density(centre):
        return (2 * pi) ** (-mpf(d) / 2) * exp(-sum((10 * (v - centre)) ** 2 for v in x) / 2)
    return mpf(10) ** d / 2 * (density(mpf(1) / 3) + density(mpf(2) / 3))


def curved(x, y, z, *_):
    return 4 * (x - 2 + 8 * y - 8 * y**2) ** 2 + (3 - 4 * y) ** 2 + 16 * sqrt(z + 1) * (2 * z - 1) ** 2


def dette_pepelyshev_8(*x):
    return curved(*x) + sum(i * log(1 + sum(x[2:i])) for i in range(4, 9))


def hartmann(A, P):
    alpha = ["1.0", "1.2", "3.0", "3.2"]
    return lambda *x: -sum(mpf(a) * exp(-sum(mpf(str(w)) * (v - mpf(q) / 10000) ** 2 for w, v, q in zip(row, x, centre)))
                           for a, row, centre in zip(alpha, A, P))


HARTMANN_3 = hartmann([(3, 10, 30), (0.1, 10, 35), (3, 10, 30), (0.1, 10, 35)],
                      [(3689, 1170, 2673), (4699, 4387, 7470), (1091, 8732, 5547), (381, 5743, 8828)])
HARTMANN_6 = hartmann([(10, 3, 17, 3.5, 1.7, 8), (0.05, 10, 17, 0.1, 8, 14), (3, 3.5, 1.7, 10, 17, 8), (17, 8, 0.05, 10, 0.1, 14)],
                      [(1312, 1696, 5569, 124, 8283, 5886), (2329, 4135, 8307, 3736, 1004, 9991),
                       (2348, 1451, 3522, 2883, 3047, 6650), (4047, 8828, 8732, 5743, 1091, 381)])


def park(a, b, c, d):
    return a / 2 * (sqrt(1 + (b + c**2) * d / a**2) - 1) + (a + 3 * d) * exp(1 + sin(c))


def environmental(M, D, L, tau, s=mpf(1), t=mpf("40.1")):
    C = M / sqrt(4 * pi * D * t) * exp(-(s**2) / (4 * D * t))
    if tau < t:
        C += M / sqrt(4 * pi * D * (t - tau)) * exp(-((s - L) ** 2) / (4 * D * (t - tau)))
    return sqrt(4 * pi) * C


def g_function(*x):
    product = mpf(1)
    for i, v in enumerate(x, start=1):
        a = mpf(i - 1) / 2
        product *= (abs(4 * v - 2) + a) / (1 + a)
    return product


def otl_circuit(Rb1, Rb2, Rf, Rc1, Rc2, beta):
    Vb1 = 12 * Rb2 / (Rb1 + Rb2)
    return ((Vb1 + mpf("0.74")) * beta * (Rc2 + 9) / (beta * (Rc2 + 9) + Rf) + mpf("11.35") * Rf / (beta * (Rc2 + 9) + Rf)
            + mpf("0.74") * Rf * beta * (Rc2 + 9) / ((beta * (Rc2 + 9) + Rf) * Rc1))


def piston(M, S, V0, k, P0, Ta, T0):
    A = P0 * S + mpf("19.62") * M - k * V0 / S
    V = S / (2 * k) * (sqrt(A**2 + 4 * k * P0 * V0 / T0 * Ta) - A)
    return 2 * pi * sqrt(M / (k + S**2 * P0 * V0 / T0 * Ta / V**2))


def borehole(rw, r, Tu, Hu, Tl, Hl, L, Kw):
    return 2 * pi * Tu * (Hu - Hl) / (log(r / rw) * (1 + 2 * L * Tu / (log(r / rw) * rw**2 * Kw) + Tu / Tl))


def robot_arm(*x):
    theta, L = x[:4], x[4:]
    u = sum(L[i] * cos(sum(theta[: i + 1])) for i in range(4))
    v = sum(L[i] * sin(sum(theta[: i + 1])) for i in range(4))
    return sqrt(u**2 + v**2)


def welch(*x):
    linear = {2: "0.05", 3: "0.08", 5: "1", 6: "-0.03", 7: "0.03", 9: "-0.09", 10: "-0.01", 11: "-0.07", 14: "-0.04",
              15: "0.06", 17: "-0.01", 18: "-0.03", 19: "-5"}
    x = dict(enumerate(x, start=1))
    return (sum(mpf(c) * x[i] for i, c in linear.items()) + 5 * x[12] / (1 + x[1]) + 5 * (x[4] - x[20]) ** 2
            + 40 * x[19] ** 3 + x[13] ** 2 / 4)


PI = float(pi)
FUNCTIONS = {
    "franke": ([UNIT] * 2, franke),
    "wing-weight": (list(WING_INPUTS.values()), wing_weight),
    "damped-sine": ([UNIT], lambda x: exp(-2 * x) * sin(10 * x)),
    "forrester": ([UNIT], lambda x: (6 * x - 2) ** 2 * sin(12 * x - 4)),
    "branin": ([(-5, 10), (0, 15)], branin),
    "goldstein-price": ([(-2, 2)] * 2, goldstein_price),
    "currin": ([UNIT] * 2, currin),
    "lim": ([UNIT] * 2, lim),
    "zhou": ([UNIT] * 2, zhou),
    "ishigami": ([(-PI, PI)] * 3, lambda x, y, z: sin(x) + 7 * sin(y) ** 2 + z**4 * sin(x) / 10),
    "hartmann3": ([UNIT] * 3, HARTMANN_3),
    "dette-pepelyshev-curved": ([UNIT] * 3, curved),
    "park": ([(1e-6, 1)] + [UNIT] * 3, park),
    "environmental": ([(7, 13), (0.02, 0.12), (0.01, 3), (30.01, 30.295)], environmental),
    "friedman": ([UNIT] * 5, lambda a, b, c, d, e: 10 * sin(pi * a * b) + 20 * (c - mpf(1) / 2) ** 2 + 10 * d + 5 * e),
    "g-function": ([UNIT] * 5, g_function),
    "hartmann6": ([UNIT] * 6, HARTMANN_6),
    "otl-circuit": ([(50, 150), (25, 70), (0.5, 3), (1.2, 2.5), (0.25, 1.2), (50, 300)], otl_circuit),
    "piston": ([(30, 60), (0.005, 0.02), (0.002, 0.01), (1000, 5000), (90000, 110000), (290, 296), (340, 360)], piston),
    "borehole": ([(0.05, 0.15), (100, 50000), (63070, 115600), (990, 1110), (63.1, 116), (700, 820), (1120, 1680),
                  (9855, 12045)], borehole),
    "robot-arm": ([(0, 2 * PI)] * 4 + [UNIT] * 4, robot_arm),
    "dette-pepelyshev-8": ([UNIT] * 8, dette_pepelyshev_8),
    "g-function-10": ([UNIT] * 10, g_function),
    "welch": ([(-0.5, 0.5)] * 20, welch),
}


def entry(number, name, ranges, function):
    rng = random.Random(7000 + number)
    X = [[low + rng.random() * (high - low) for low, high in ranges] for _ in range(4)]
    return {"name": name, "ranges": [[float(low), float(high)] for low, high in ranges], "X": X,
            "y": [function(*map(mpf, x)) for x in X]}


def main():
    body = {"functions": [entry(i, name, *parts) for i, (name, parts) in enumerate(FUNCTIONS.items())]}
    write_golden("test_functions.json", "test_functions.py", "mpmath, 40 digits", body)


if __name__ == "__main__":
    main()
