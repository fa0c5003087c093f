#!/usr/bin/python3
"""Checks that no file of src/ta2s2 includes a layer that its own does not link.

The layers and what they link are read from the ta2s2_layer(...) calls of CMakeLists.txt, so the link graph is the only
place where the order of layers is written down. Prints every offence; exits 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def linked_layers():
    text = (ROOT / "CMakeLists.txt").read_text()
    direct = {name: set(re.findall(r"ta2s2::(\w+)", rest))
              for name, rest in re.findall(r"ta2s2_layer\((\w+)\s+([^)]*)\)", text)}
    reached = {}
    for name in direct:  # CMakeLists.txt names a layer after those it links
        reached[name] = set(direct[name]).union(*(reached[other] for other in direct[name]))
    return reached


def offences(layers):
    for path in sorted((ROOT / "src" / "ta2s2").rglob("*.[hc]pp")):
        own = path.relative_to(ROOT / "src" / "ta2s2").parts[0]
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            found = re.match(r'\s*#include "ta2s2/(\w+)/', line)
            if found and found[1] != own and found[1] not in layers[own]:
                yield f"{path.relative_to(ROOT)}:{number}: {own} includes {found[1]}, which it does not link"


def main():
    layers = linked_layers()
    if len(layers) < 10:
        sys.exit(f"found only {len(layers)} layers in CMakeLists.txt")
    found = list(offences(layers))
    print("\n".join(found) or f"{len(layers)} layers, every include follows the link graph")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
