"""The tables of the summary and of docs/accuracy.md (Markdown)."""
import statistics

import acceptance
import summary
from problems import FOUR_INPUTS, FUNCTIONS, INERT, REAL, simulator
from summary import REFERENCE, geometric

EMPTY = "Not measured in this run."


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) if rows else EMPTY


def number(value, digits=3):
    if value is None:
        return ""
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:.0f}" if abs(rounded) >= 10**(digits - 1) else f"{rounded:.{digits}g}"


def two(value):
    return "" if value is None else f"{value:.2f}" if value < 10 else number(value, 2)


def three(value):
    return "" if value is None else f"{value:.3f}"


def mean_ratio(ours, theirs, score="crps"):
    values = summary.ratios(ours, theirs, score)
    return summary.overall(values) if values else None


def of_simulator(rows, name):
    return {key: row for key, row in rows.items() if simulator(key[0]) == name}


def of_name(rows, name):
    return {key: row for key, row in rows.items() if key[0] == name}


# ---- real runs ----


def acceptance_table(asked):
    rows = [[line.what, line.limit, line.found, line.state()] for line in acceptance.lines(asked)]
    return table(["", "asked", "found", ""], rows)


def simulators_table(asked):
    rows, peers = asked.rows(REAL), asked.peers()
    best = summary.best_of(peers)
    body = []
    for name in sorted({simulator(key[0]) for key in rows}):
        mine = of_simulator(rows, name)
        relative = [two(mean_ratio(mine, of_simulator(theirs, name))) for theirs in (*peers.values(), best)]
        body.append([
            name,
            str(len({key[0] for key in mine})),
            str(len(mine)), *relative,
            two(mean_ratio(mine, summary.plug_in(mine))),
            three(summary.coverage(mine)),
            number(statistics.fmean(row["cpu_seconds"] for row in mine.values()))
        ])
    head = ["simulator", "outputs", "splits", *peers, "best of each split", "our MAP", "95% covers", "CPU s a fit"]
    return table(head, body)


def outputs_table(asked):
    rows, reference = asked.rows(REAL), asked.peers().get(REFERENCE, {})
    body = []
    for name in sorted({key[0] for key in rows}):
        mine, theirs = of_name(rows, name), of_name(reference, name)
        any_row = next(iter(mine.values()))
        body.append([
            name, f"{any_row['runs']}, {any_row['inputs']}",
            number(statistics.fmean(column(mine, "crps"))),
            *(two(mean_ratio(mine, theirs, score)) for score in ("crps", "rmse", "interval_score")),
            two(mean_ratio(mine, summary.plug_in(mine))),
            *(three(statistics.fmean(column(mine, score))) for score in ("cov50", "cov80", "cov95", "cov99"))
        ])
    head = [
        "output", "runs, inputs", "CRPS", "relative", "RMSE, relative", "95% interval score, relative", "our MAP",
        "50% covers", "80%", "95%", "99%"
    ]
    return table(head, body)


def column(rows, score):
    return list(summary.column(rows, score).values())


def peers_table(asked):
    rows, peers = asked.rows(REAL), asked.peers()
    body = []
    for name, theirs in {**peers, "the best of them on each split": summary.best_of(peers)}.items():
        relative = summary.ratios(rows, theirs)
        if not relative:
            continue
        low, high = summary.interval(relative)
        mine = {key: rows[key] for key in relative}
        body.append([
            name,
            str(len(relative)),
            two(summary.overall(relative)), f"{low:.2f} to {high:.2f}", "{} of {}".format(*summary.won(relative)),
            two(mean_ratio(mine, theirs, "rmse")),
            two(mean_ratio(mine, theirs, "interval_score")),
            three(summary.coverage(theirs)),
            two(summary.share_inside(theirs))
        ])
    head = [
        "package", "splits", "CRPS, ours over its", "90% interval", "simulators won", "RMSE", "95% interval score",
        "its 95% covers", "its outputs inside"
    ]
    return table(head, body)


def losses(asked, suite=REAL):
    """Of each output the packages that are ahead, the farthest first."""
    rows, peers, body = asked.rows(suite), asked.peers() if suite == REAL else asked.measured_peers(suite), []
    for name in sorted({key[0] for key in rows}):
        found = {peer: mean_ratio(of_name(rows, name), of_name(theirs, name)) for peer, theirs in peers.items()}
        ahead = sorted(((ratio, peer) for peer, ratio in found.items() if ratio and ratio > 1), reverse=True)
        if ahead:
            body.append((name, ahead))
    return sorted(body, key=lambda entry: -entry[1][0][0])


def losses_table(asked):
    found = losses(asked) + losses(asked, FUNCTIONS)
    if not found and asked.rows(REAL) and asked.peers():
        return "Nowhere: no package is ahead on any output."
    return table(["output or function", "ahead of us (our CRPS over theirs)"],
                 [[name, ", ".join(f"{peer} ({ratio:.2f})" for ratio, peer in ahead)] for name, ahead in found])


def variants_table(asked):
    reference = asked.peers().get(REFERENCE, {})
    body = []
    for label, settings in asked.variants:
        rows = asked.rows(REAL, settings)
        relative = summary.ratios(rows, reference)
        if relative:
            worst, name = summary.worst(relative)
            body.append(row_of_variant(label, settings, rows, relative, f"{worst:.2f} ({name})"))
    head = [
        "variant", "options", "splits", f"CRPS over {REFERENCE}", "90% interval", "worst simulator", "50% covers",
        "80%", "95%", "99%", "outputs inside", "over its MAP", "CPU s a fit"
    ]
    return table(head, body)


def row_of_variant(label, settings, rows, relative, worst):
    low, high = summary.interval(relative)
    levels = [
        summary.overall(summary.column(rows, score), statistics.fmean) for score in ("cov50", "cov80", "cov95", "cov99")
    ]
    return [
        label, f"`{settings}`" if settings else "",
        str(len(rows)),
        three(summary.overall(relative)), f"{low:.2f} to {high:.2f}", worst, *map(three, levels),
        two(summary.share_inside(rows)),
        three(mean_ratio(rows, summary.plug_in(rows))),
        number(statistics.fmean(column(rows, "cpu_seconds")))
    ]


# ---- functions ----


def others(asked):
    """Variants but the first one, and packages, on the functions."""
    found = {label: asked.rows(FUNCTIONS, settings) for label, settings in asked.variants[1:]}
    return {name: rows for name, rows in {**found, **asked.measured_peers(FUNCTIONS)}.items() if rows}


def function_row(name, rows, beside):
    mine = of_name(rows, name)
    any_row = next(iter(mine.values()))
    relative = statistics.fmean(row["crps"] / row["test_sd"] for row in mine.values())
    return [
        name, f"{any_row['runs']}, {any_row['inputs']}",
        str(len(mine)),
        number(statistics.fmean(column(mine, "crps"))),
        number(relative),
        three(statistics.fmean(column(mine, "cov95"))),
        two(mean_ratio(mine, summary.plug_in(mine))),
        *(two(mean_ratio(mine, of_name(theirs, name))) for theirs in beside.values()),
        number(statistics.fmean(column(mine, "cpu_seconds")))
    ]


def functions_table(asked, names, more=None):
    first = asked.variants[0][1]
    rows, beside = asked.rows(FUNCTIONS, first), {**(more or {}), **others(asked)}
    head = ["function", "runs, inputs", "designs", "CRPS", "CRPS / sd", "95% covers", "our MAP", *beside, "CPU s a fit"]
    return table(head, [function_row(name, rows, beside) for name in names if of_name(rows, name)])


def smooth_table(asked):
    return functions_table(asked, ["wing-weight", "borehole", "welch", "morris"])


def hostile_table(asked):
    """The first column beside ours is what a transformation must not lose against."""
    return functions_table(asked, summary.hostile_names(asked.problems),
                           {"no transformation": asked.rows(FUNCTIONS, asked.plain)})


def inert_table(asked):
    rows = asked.rows(FUNCTIONS, asked.variants[0][1])
    body = []
    for inert in INERT:
        names = [f"{name}+{inert}" for name in FOUR_INPUTS]
        mine = {key: row for key, row in rows.items() if key[0] in names}
        if mine:
            body.append(inert_row(inert, rows, mine, names))
    head = [
        "inert inputs added", "fits", *(f"{name}: CRPS" for name in FOUR_INPUTS), "over none", "largest", "95% covers",
        "our MAP", "least active", "most active of the inert", "CPU s a fit"
    ]
    return table(head, body)


def inert_row(inert, rows, mine, names):
    over_none = [ratio for name in FOUR_INPUTS for ratio in summary.inert_ratios(rows, name, inert)]
    active, idle = summary.activities(mine, names)
    return [
        str(inert),
        str(len(mine)), *(number(summary.mean_score(mine, name)) for name in names),
        two(geometric(over_none) if over_none else None),
        two(max(over_none, default=None)),
        three(statistics.fmean(column(mine, "cov95"))),
        two(mean_ratio(mine, summary.plug_in(mine))),
        two(min(active, default=None)),
        two(max(idle, default=None)),
        number(statistics.fmean(column(mine, "cpu_seconds")))
    ]


# ---- what went wrong ----


def troubles_table(asked):
    labels = {settings: label for label, settings in asked.variants}
    body, count = [
        [problem.name, str(problem.split), labels[settings], said] for problem, settings, said in asked.failures()
    ], 0
    for label, settings in asked.variants:
        for suite in (REAL, FUNCTIONS):
            for (name, split), row in asked.rows(suite, settings).items():
                count += 1
                if row["converged"] != "converged":
                    body.append([name, str(split), label, row["converged"]])
    if count and not body:
        return f"None: {count} fits ended well, and the sampler converged in each."
    return table(["", "split", "variant", "what the fit said"], body)


TABLES = {
    "What is asked of the default": acceptance_table, "Variants": variants_table, "Real simulators": simulators_table,
    "Outputs": outputs_table, "Beside other packages": peers_table, "Where we lose": losses_table,
    "Functions": smooth_table, "Inert inputs": inert_table, "Hostile outputs": hostile_table,
    "Fits that failed or did not converge": troubles_table
}


def print_all(asked):
    for title, make in TABLES.items():
        print(f"## {title}\n\n{make(asked)}\n")
