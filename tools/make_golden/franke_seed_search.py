"""How the three seeds of franke_posterior.py were chosen: prints a line for each suitable design, writes nothing.

The mass of a mode is the mass of its basin: the grid points from which steepest ascent over the eight neighbours ends
there. Suitable: under the model's exponent one basin has at least 99.9% of the mass; under the paper's, two basins
have at least 99.5% together, the second 2% to 30%; a line log_phi_d = c, the lowest point of a marginal between
the two, has marginal density below a tenth of the lower of the two peaks, and cuts the mass as the basins do (to 0.2%).
"""

import numpy as np

from franke_likelihood import BOX, FrankeDesign, determinant_and_s2, log_likelihood

SEEDS = range(1, 1001)
AXIS = np.linspace(-BOX, BOX, 141)


def density(log_det, s2, exponent):
    log_p = log_likelihood(log_det, s2, exponent)
    return np.exp(log_p - log_p.max())


def cell_areas(shape):
    """Trapezoid weights in units of a cell: a grid point on the border of the box owns half of one."""
    sides = [np.ones(count) for count in shape]
    for side in sides:
        side[[0, -1]] = 0.5
    return np.outer(*sides)


def basins(p):
    """[(share of the mass, i, j of its peak)] in order of mass."""
    rows, columns = p.shape
    index = np.arange(p.size).reshape(p.shape)
    padded = np.pad(p, 1, constant_values=-1.0)
    padded_index = np.pad(index, 1)
    shifts = [(i, j) for i in (0, -1, 1) for j in (0, -1, 1)]
    window = [(slice(1 + i, 1 + i + rows), slice(1 + j, 1 + j + columns)) for i, j in shifts]
    best = np.argmax([padded[w] for w in window], axis=0)
    upward = np.choose(best, [padded_index[w] for w in window]).ravel()
    while not np.array_equal(upward, upward[upward]):
        upward = upward[upward]
    mass = np.bincount(upward, weights=(p * cell_areas(p.shape)).ravel(), minlength=p.size)
    mass /= mass.sum()
    order = np.argsort(-mass)
    return [(mass[k], *divmod(int(k), columns)) for k in order if mass[k] > 1e-6]


def separating_line(marginal, first, second):
    """(index of the lowest point between two indices, its density relative to the lower of the peaks either side)."""
    low, high = min(first, second), max(first, second)
    cut = low + int(marginal[low:high + 1].argmin())
    return cut, marginal[cut] / min(marginal[:cut + 1].max(), marginal[cut:].max())


def describe(seed):
    design = FrankeDesign(seed)
    log_det, s2 = determinant_and_s2(design, AXIS, AXIS)
    model, paper = density(log_det, s2, "model"), density(log_det, s2, "paper")
    model_basins, paper_basins = basins(model), basins(paper)
    if model_basins[0][0] < 0.999 or len(paper_basins) < 2:
        return
    (first, i1, j1), (second, i2, j2) = paper_basins[:2]
    if first + second < 0.995 or not 0.02 <= second <= 0.30:
        return
    weighted = paper * cell_areas(paper.shape)
    for d, (a, b) in enumerate([(i1, i2), (j1, j2)]):
        marginal = weighted.sum(axis=1 - d) / weighted.sum()
        cut, depth = separating_line(marginal, a, b)
        far = marginal[cut:].sum()
        if depth < 0.1 and abs(far - second) < 0.002:
            print(f"{seed}: log_phi_{d + 1} > {AXIS[cut]:.1f}, depth {depth:.4f}, far {far:.4f}, basin {second:.4f}, "
                  f"peaks ({AXIS[i1]:.1f}, {AXIS[j1]:.1f}) and ({AXIS[i2]:.1f}, {AXIS[j2]:.1f}), "
                  f"rest {1 - first - second:.4f}, model's others {1 - model_basins[0][0]:.1e}", flush=True)


if __name__ == "__main__":
    for seed in SEEDS:
        describe(seed)
