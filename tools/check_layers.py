#!/usr/bin/python3
"""Checks that no file of src/ta2s2 or lab includes a layer that its own does not link, and that only lab includes lab.

The layers and what they link are read from the ta2s2_layer(...) calls of CMakeLists.txt and from lab/CMakeLists.txt, so
the link graph is the only place where the order of layers is written down. Prints every offence; exits 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def linked_layers():
    text = (ROOT / "CMakeLists.txt").read_text()
    direct = {name: set(re.findall(r"ta2s2::(\w+)", rest))
              for name, rest in re.findall(r"ta2s2_layer\((\w+)\s+([^)]*)\)", text)}
    direct["lab"] = set(re.findall(r"ta2s2::(\w+)", re.search(r"target_link_libraries\(ta2s2_lab PUBLIC ([^)]*)\)",
                                                              (ROOT / "lab" / "CMakeLists.txt").read_text())[1]))
    reached = {}
    for name in direct:  # CMakeLists.txt names a layer after those it links
        reached[name] = set(direct[name]).union(*(reached[other] for other in direct[name]))
    return reached


def sources():
    """Every file with its layer; what stands beside src/ta2s2 and lab may include every layer but lab."""
    for folder in ("include", "src", "lab", "cli", "python"):
        for path in sorted((ROOT / folder).rglob("*.[hc]pp")):
            parts = path.relative_to(ROOT).parts
            yield path, parts[2] if folder == "src" else folder


def offences(layers):
    for path, own in sources():
        linked = layers.get(own, set(layers) - {"lab"})
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            found = re.match(r'\s*#include ["<](?:ta2s2/(\w+)|(lab))/', line)
            layer = found and (found[1] or found[2])
            if layer and layer != own and layer not in linked:
                yield f"{path.relative_to(ROOT)}:{number}: {own} includes {layer}, which it does not link"


def main():
    layers = linked_layers()
    if len(layers) < 10:
        sys.exit(f"found only {len(layers)} layers in CMakeLists.txt")
    found = list(offences(layers))
    print("\n".join(found) or f"{len(layers)} layers, every include follows the link graph")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
