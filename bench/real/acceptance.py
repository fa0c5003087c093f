"""What is asked of the default settings, and whether it is so."""
from dataclasses import dataclass

import summary
from problems import FOUR_INPUTS, FUNCTIONS, INERT, REAL
from summary import REFERENCE, geometric

NOT_MEASURED = "not measured"
MANY_INPUTS = ("morris", *(f"{name}+96" for name in FOUR_INPUTS))
TIMES = {("wing-weight", 0): 5, ("morris", 0): 180, ("smooth+96", 0): 600}  # seconds of two threads


@dataclass
class Line:
    what: str
    limit: str
    found: str = ""
    is_met: bool = False
    have: int = 0  # rows there are, and rows there should be
    want: int = 1

    def state(self):
        if not self.have:
            return NOT_MEASURED
        verdict = "met" if self.is_met else "**not met**"
        return verdict if self.have >= self.want else f"{verdict}, on {self.have} of {self.want}"


def at_most(what, value, limit, have, want, who="", digits=3):
    text = "" if value is None else f"{value:.{digits}g}{who}"
    return Line(what, f"at most {limit:g}", text, value is not None and value <= limit, have, want)


def at_least(what, value, limit, have, want):
    text = "" if value is None else f"{value:.3g}"
    return Line(what, f"at least {limit:g}", text, value is not None and value >= limit, have, want)


def between(what, value, low, high, have, want):
    text = "" if value is None else f"{value:.3f}"
    return Line(what, f"{low:g} to {high:g}", text, value is not None and low <= value <= high, have, want)


def collection(asked):
    rows, want = asked.rows(REAL), len(asked.of(REAL))
    if not rows:
        return [Line("Real simulators", "")]
    reference = asked.peers().get(REFERENCE, {})
    lines = []
    if relative := summary.ratios(rows, reference):
        have, all_of_them = len(relative), len(reference)
        value, name = summary.worst(relative)
        lines += [
            at_most(f"CRPS over that of {REFERENCE}", summary.overall(relative), 0.65, have, all_of_them),
            at_most("the same on any simulator", value, 1.05, have, all_of_them, f" ({name})")
        ]
    beside_map = summary.ratios(rows, summary.plug_in(rows))
    value, name = summary.worst(beside_map)
    return lines + [
        between("mean coverage of 95% intervals", summary.coverage(rows), 0.94, 0.965, len(rows), want),
        at_least("share of outputs with coverage .92 to .98", summary.share_inside(rows), 0.65, len(rows), want),
        at_most("posterior's CRPS over that of its MAP", summary.overall(beside_map), 1.0, len(rows), want),
        at_most("the same on any simulator", value, 1.03, len(rows), want, f" ({name})")
    ]


def inert_inputs(asked):
    rows, lines = asked.rows(FUNCTIONS), []
    for inert, limit in ((30, 1.35), (96, 1.6)):
        found = [ratio for name in FOUR_INPUTS for ratio in summary.inert_ratios(rows, name, inert)]
        lines.append(
            at_most(f"4 active inputs and {inert} inert ones: CRPS over that with none",
                    geometric(found) if found else None, limit, len(found),
                    len(FOUR_INPUTS) * INERT[inert]))
    names = [f"{name}+{inert}" for name in FOUR_INPUTS for inert in INERT]
    active, idle = summary.activities(rows, names)
    have, want = sum(name in names for name, _ in rows), len(FOUR_INPUTS) * sum(INERT.values())
    return lines + [
        Line("probability that an inert input is active", "below 0.2", f"{max(idle):.3g}" if idle else "",
             bool(idle) and max(idle) < 0.2, have if idle else 0, want),
        Line("probability that an active input is active", "above 0.9", f"{min(active):.3g}" if active else "",
             bool(active) and min(active) > 0.9, have if active else 0, want)
    ]


def many_inputs(asked):
    """That these can be fitted at all."""
    wanted = [p for p in asked.of(FUNCTIONS) if p.name in MANY_INPUTS]
    found = [row for row in map(asked.row, wanted) if row]
    ended = sum(row["status"] == "ok" for row in found)
    return [Line("Morris' 40 inputs, and 100 inputs: fits that end", "all", f"{ended} of {len(found)}", ended == len(found),
                 len(found), len(wanted))]


def functions(asked):
    rows, lines = asked.rows(FUNCTIONS), []
    for name, limit, count in (("wing-weight", 0.15, 5), ("borehole", 0.13, 5), ("welch", 0.025, 3)):
        have = len(summary.designs(rows, name))
        lines.append(at_most(f"{name}: mean CRPS", summary.mean_score(rows, name), limit, have, count))
        if name == "wing-weight":
            lines.append(between(f"{name}: coverage", summary.mean_score(rows, name, "cov95"), 0.91, 0.98, have, count))
    return lines


def hostile(asked):
    names, found, have = summary.hostile_names(asked.problems), {}, 0
    rows, plain = asked.rows(FUNCTIONS), asked.rows(FUNCTIONS, asked.plain)
    for name in names:
        if summary.designs(rows, name).keys() == summary.designs(plain, name).keys() != set():
            found[name] = summary.mean_score(rows, name) / summary.mean_score(plain, name)
    worst = max(found, key=found.get, default=None)
    what = "hostile outputs: CRPS over that of the member without a transformation"
    return [at_most(what, found.get(worst), 1.05, len(found), len(names) or 1, f" ({worst})")]


def times(asked):
    lines = []
    for problem in asked.problems:
        limit = TIMES.get((problem.name, problem.split))
        if limit is None or problem.suite != FUNCTIONS:
            continue
        row, fast = (asked.row(problem, settings, threads=2) for settings in ("", "--fast"))
        what = f"{problem.name}, 2 threads: seconds"
        lines.append(timed(what, row, limit))
        lines.append(timed(f"{what} with --fast", fast, row["seconds"] / 10 if row and row["seconds"] else limit / 10))
    return lines


def timed(what, row, limit):
    asked = f"at most {round(limit, 2):g}"
    if not row:
        return Line(what, asked)
    if row["status"] != "ok":
        return Line(what, asked, row["status"], False, 1)
    return Line(what, asked, f"{row['seconds']:.3g}, {row['converged']}", row["seconds"] <= limit, 1)


def lines(asked):
    return [line for part in (collection, inert_inputs, many_inputs, functions, hostile, times) for line in part(asked)]
