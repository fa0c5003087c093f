"""Writes tests/golden/data/correlations.json: docs/math.md, section 1's correlations in mpmath, 50 digits.

Schema: X (5 rows of 3 inputs; rows 1 and 2 share two coordinates), phi (3),
  matrices[] with correlation (its name, as on the command line), log_shape of one that has a shape, and K (5 rows of 5,
  no nugget).
"""

from exact_gp import CORRELATIONS, correlation_matrix, name_fields
from golden_file import write_golden

X = [[0.0, 0.0, 1.0], [0.25, 0.7, 0.1], [0.25, 0.7, 0.35], [0.9, 1.0, 0.0], [0.500001, 0.33, 0.62]]
PHI = [0.03, 0.8, 25.0]


def main():
    names = CORRELATIONS + ("power-exponential(1.0)", "power-exponential(2.0)", "rational(0.0)", "rational(0.9)",
                            "rational-quadratic(-3.0)", "rational-quadratic(3.0)", "rational-quadratic(8.0)")
    matrices = [name_fields(name) | {"K": correlation_matrix(name, X, PHI)} for name in names]
    write_golden("correlations.json", "correlations.py", "mpmath, 50 digits",
                 {"X": X, "phi": PHI, "matrices": matrices})


if __name__ == "__main__":
    main()
