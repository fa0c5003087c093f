"""The fits that the laws are made from, and those that they are held against: FUNCTION RUNS DESIGN SETTING=VALUE ..."""

INPUTS = {"damped-sine": 1, "forrester": 1, "franke": 2, "branin": 2, "currin": 2, "ishigami": 3, "hartmann3": 3, "park": 4,
          "environmental": 4, "friedman": 5, "g-function": 5, "hartmann6": 6, "otl-circuit": 6, "piston": 7, "borehole": 8,
          "robot-arm": 8, "g-function-10": 10, "wing-weight": 10, "welch": 20}
HELD_OUT = {"goldstein-price": 2, "lim": 2, "zhou": 2, "dette-pepelyshev-curved": 3, "dette-pepelyshev-8": 8}

# What a law has a term for, and what it has none for: then the scatter must hold it.
SETTINGS = ("ess-target=0.8", "ess-target=0.25", "path=prior", "prior=reference", "correlation=squared-exponential",
            "nugget=fixed(1e-6)", "trend=linear")


def sizes(p):
    return sorted({max(10, 5 * p), max(20, 10 * p), max(15, 20 * p)})


def fitted():
    for name, p in INPUTS.items():
        for n in sizes(p):
            if n <= 200:
                yield f"{name} {n} 1 samples=1000"
        for samples in (500, 4000):
            yield f"{name} {max(20, 10 * p)} 2 samples={samples}"
    for name in ("franke", "park", "friedman", "borehole", "wing-weight"):
        for setting in SETTINGS:
            yield f"{name} {max(20, 10 * INPUTS[name])} 1 samples=1000 {setting}"
    for name in ("ishigami", "friedman", "borehole", "wing-weight"):
        for n in (200, 300):
            yield f"{name} {n} 1 samples=500"
    yield "friedman 600 1 samples=300"
    yield "wing-weight 600 1 samples=300"


def held_out():
    for name, p in HELD_OUT.items():
        for n in sizes(p):
            for samples in (600, 3000):
                yield f"{name} {n} 3 samples={samples}"
        yield f"{name} 250 3 samples=400"
        yield f"{name} {max(20, 10 * p)} 3 samples=1000 prior=reference"
        yield f"{name} {max(20, 10 * p)} 3 samples=1000 ess-target=0.7"
