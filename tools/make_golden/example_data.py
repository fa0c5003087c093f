"""Writes examples/data/*.csv, the data that the examples and the acceptance runs use.

  franke_train_{1..5}.csv       x1, x2, y: 20 runs of a random Latin hypercube; franke_test.csv: 100 uniform points
  wing_weight_train_{1..5}.csv  Sw .. Wp in natural units, weight: 100 runs of a random Latin hypercube;
                                wing_weight_test.csv: 300 uniform points
  messy_runs.csv                valid, but as spreadsheets write it: byte-order mark, comment line, semicolons, decimal
                                commas, CR LF, a quoted header with a semicolon in it, an unnamed index column,
                                one failed run with an empty output. A cantilever's deflection in millimetres.
"""

from golden_file import EXAMPLE_FOLDER, write_csv
from simulators import WING_INPUTS, franke, latin_hypercube, to_ranges, uniform_points, wing_weight

FAILED_RUN = 7  # this row of messy_runs.csv has no output


def write_franke(name, X):
    write_csv(name, ["x1", "x2", "y"], [[*x, franke(*x)] for x in X])


def write_wing_weight(name, unit_points):
    X = to_ranges(unit_points, WING_INPUTS.values())
    write_csv(name, [*WING_INPUTS, "weight"], [[*x, wing_weight(*x)] for x in X])


def cantilever_deflection(load, length, modulus):
    """Newtons, metres, pascals; a square section 40 mm wide; millimetres."""
    second_moment = 0.04**4 / 12
    return 1000 * load * length**3 / (3 * modulus * second_moment)


def write_messy_runs():
    X = to_ranges(latin_hypercube(24, 3, 501), [(50.0, 400.0), (0.5, 1.5), (7e10, 2.1e11)])
    lines = ["\ufeff# cantilever, exported from a spreadsheet; run 7 did not converge",
             '"";"load [N]";"length; free end [m]";modulus [Pa];deflection [mm]']
    for number, (load, length, modulus) in enumerate(X, start=1):
        load, length, modulus = round(load, 2), round(length, 4), float(f"{modulus:.4e}")
        deflection = f"{cantilever_deflection(load, length, modulus):.6f}" if number != FAILED_RUN else ""
        row = f"{number};{load:.2f};{length:.4f};{modulus:.4e};{deflection}"
        lines.append(row.replace(".", ","))
    (EXAMPLE_FOLDER / "messy_runs.csv").write_bytes(("\r\n".join(lines) + "\r\n").encode("utf-8"))


def main():
    for k in range(1, 6):
        write_franke(f"franke_train_{k}.csv", latin_hypercube(20, 2, 1000 + k))
        write_wing_weight(f"wing_weight_train_{k}.csv", latin_hypercube(100, 10, 2000 + k))
    write_franke("franke_test.csv", uniform_points(100, 2, 1100))
    write_wing_weight("wing_weight_test.csv", uniform_points(300, 10, 2100))
    write_messy_runs()


if __name__ == "__main__":
    main()
