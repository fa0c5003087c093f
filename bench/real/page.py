"""docs/accuracy.md of the rows: page.md.in with figures and tables filled in."""
import re
import subprocess

import summary
import tables
from problems import FUNCTIONS, REAL, ROOT, simulator
from summary import REFERENCE

HERE = ROOT / "bench" / "real"


def named(names):
    names = list(names)
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "none"


def figures(asked):
    rows, peers = asked.rows(REAL), asked.peers()
    relative = summary.ratios(rows, peers[REFERENCE])
    each = {
        name: tables.mean_ratio(rows, theirs)
        for name, theirs in peers.items()
        if name != REFERENCE and len(theirs) >= len(peers[REFERENCE])
    }
    nearest = max((name for name in each if each[name]), key=each.get)
    low, high = summary.interval(relative)
    ahead = tables.losses(asked)
    own_map = summary.ratios(rows, summary.plug_in(rows))
    return {
        "outputs": len({key[0] for key in rows}), "simulators": len({simulator(key[0]) for key in rows}),
        "splits": len(rows), "wanted": len(asked.of(REAL)), "scored": len(relative), "reference": REFERENCE,
        "ratio": f"{summary.overall(relative):.2f}", "interval": f"{low:.2f} to {high:.2f}",
        "won": summary.won(relative)[0], "nearest": nearest, "nearest-ratio": f"{each[nearest]:.2f}",
        "coverage": f"{100 * summary.coverage(rows):.1f}%", "inside": f"{100 * summary.share_inside(rows):.0f}%",
        "map": f"{summary.overall(own_map):.3f}", "lost": len(ahead),
        "worst-lost": named(name for name, _ in ahead[:3]), "function-fits": len(asked.rows(FUNCTIONS))
    }


def machine():
    return subprocess.run([ROOT / "bench/machine"], capture_output=True, text=True, check=True).stdout.strip()


def version(program):
    return subprocess.run([program.path, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def write(asked, program):
    if not summary.ratios(asked.rows(REAL), asked.peers().get(REFERENCE, {})):
        raise SystemExit("no page without rows of the default settings on real runs that peers.csv has too")
    parts = {
        **figures(asked), "machine": machine(),
        "program": f"{version(program)}, fingerprint {asked.program}, seed {asked.seed}"
    }
    parts |= {
        function.__name__.removesuffix("_table") + "-table": function(asked) for function in tables.TABLES.values()
    }
    text = (HERE / "page.md.in").read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", str(part))
    if left := re.search(r"@[a-z-]+@", text):
        raise SystemExit(f"bench/real/page.md.in: nothing stands for {left.group()}")
    (ROOT / "docs/accuracy.md").write_text(text, encoding="utf-8")
