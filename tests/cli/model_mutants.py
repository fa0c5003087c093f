"""Model files that are wrong in one way, some of them resealed with a checksum that fits."""

import json


class Number(str):
    """A number as the file spells it, so that a document can be written back without changing a digit."""


def parse(path):
    return json.loads(path.read_text(), parse_float=Number, parse_int=Number)


def dump(value):
    """JSON without spaces, in the order of the keys: the text that the checksum is taken of."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{dump(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def fnv1a(text):
    state = 0xCBF29CE484222325
    for byte in text.encode():
        state = ((state ^ byte) * 0x100000001B3) % 2**64
    return f"{state:016x}"


def sealed(document):
    """The text of a model file whose checksum (docs/file_formats.md) fits its content."""
    content = {key: value for key, value in document.items() if key not in ("times", "checksum")}
    return dump({**document, "checksum": fnv1a(dump(content))})
