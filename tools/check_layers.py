#!/usr/bin/python3
"""Checks who includes what.

- No file of src/ta2s2 or lab includes a layer that its own does not link, and only lab includes lab. The layers and what
  they link are read from the ta2s2_layer(...) calls of CMakeLists.txt and from lab/CMakeLists.txt, so the link graph is the
  only place where the order of layers is written down.
- The public headers, include/ta2s2/*.hpp, include each other and nothing private; there are at most 15 of them.
- The doors among them, behind which the whole library stands, are for who stands above it: neither layers below api nor
  the other public headers, which those layers include, include them.
- The program, the Python extension and the examples include public headers only.

Prints every offence; exits 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST_HEADERS = 15
DOORS = {"emulator.hpp", "ta2s2.hpp"}
THROUGH_DOORS = {"door", "api", "lab", "cli", "python", "examples"}
PUBLIC_ONLY = {"door", "include", "cli", "python", "examples"}


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


def public_headers():
    return {path.name for path in (ROOT / "include" / "ta2s2").rglob("*")}


def includes():
    """Every include with its place and whose it is: a layer's, a door's, or else its folder's."""
    for folder in ("include", "src", "lab", "cli", "python", "examples"):
        for path in sorted((ROOT / folder).rglob("*.[hc]pp")):
            parts = path.relative_to(ROOT).parts
            own = parts[2] if folder == "src" else "door" if folder == "include" and path.name in DOORS else folder
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                found = re.match(r'\s*#\s*include\s*["<]([^">]+)', line)
                if found:
                    yield f"{'/'.join(parts)}:{number}", own, found[1]


def offence(own, included, layers, public):
    """What is wrong with it, or nothing."""
    if ".." in included.split("/"):
        return "leaves its folder"
    top, _, rest = included.partition("/")
    if top == "lab":
        return "" if own == "lab" else "is not of the laboratory"
    if top != "ta2s2":
        return ""
    if rest in public:
        return "stands below the doors" if rest in DOORS and own not in THROUGH_DOORS else ""
    if own in PUBLIC_ONLY:
        return "may include public headers only"
    layer = rest.split("/")[0]
    return "" if layer == own or layer in layers[own] else f"does not link {layer}"


def main():
    layers, public = linked_layers(), public_headers()
    if len(layers) < 10:
        sys.exit(f"found only {len(layers)} layers in CMakeLists.txt")
    if not DOORS < public or len(public) > MOST_HEADERS:
        sys.exit(f"found {len(public)} public headers, expected the doors among at most {MOST_HEADERS}")
    every = list(includes())
    found = [f"{place}: {own} includes {included}, but {wrong}" for place, own, included in every
             if (wrong := offence(own, included, layers, public))]
    print("\n".join(found) or f"{len(layers)} layers, {len(public)} public headers, {len(every)} includes: as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
