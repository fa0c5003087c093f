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


# ---- files that are whole, of fits with one thing wrong ----


def with_first(values, count, value):
    return [Number(value)] * count + values[count:]


def member_of(document):
    """The model of a file of one, or the last model of an average."""
    return document["outputs"][0]["models"][-1] if "outputs" in document else document


def few_draws(document):
    member_of(document)["diagnostics"][0]["effective_sample_size"] = Number("31.5")


def groups_that_differ(document):
    member_of(document)["diagnostics"][1]["r_hat"] = Number("1.7")


def not_exact(document):
    document["settings"]["move"] = "published"


def no_groups(document):
    document["evidence"]["by_group"] = []


def predicts_nothing(document):
    """Every left-out run is predicted by the mean of all."""
    outputs = [float(value) for value in document["data"]["output"]]
    document["left_out"]["mean"] = [Number(repr(sum(outputs) / len(outputs)))] * len(outputs)


def intervals_hold_too_few(document):
    """Six in ten."""
    pit = document["left_out"]["pit"]
    document["left_out"]["pit"] = with_first([Number("0.5")] * len(pit), 4 * len(pit) // 10, "0.999")


def box_decides(document):
    document["diagnostics"][0]["mass_near_low"] = Number("0.4")


def leave_one_out_rests_on_few_draws(document):
    k_hat = document["left_out"]["k_hat"]
    document["left_out"]["k_hat"] = with_first(k_hat, len(k_hat) // 10, "0.93")


def nothing_can_be_left_out(document):
    for name in ("mean", "sd", "pit", "crps", "k_hat"):
        document["left_out"][name] = []


def light_member_not_converged(document):
    document["outputs"][0]["weights"] = [Number("0.995"), Number("0.005")]
    few_draws(document)


# What is wrong, whether it is so of an average, and the grade that this is.
SPOILT = {
    "few draws": (few_draws, False, "bad"),
    "groups that differ": (groups_that_differ, False, "bad"),
    "not exact": (not_exact, False, "bad"),
    "no groups": (no_groups, False, "caution"),
    "predicts nothing": (predicts_nothing, False, "bad"),
    "intervals hold too few": (intervals_hold_too_few, False, "bad"),
    "box decides": (box_decides, False, "caution"),
    "few draws of leave-one-out": (leave_one_out_rests_on_few_draws, False, "caution"),
    "nothing can be left out": (nothing_can_be_left_out, False, "unknown"),
    "light member": (light_member_not_converged, True, "bad"),
}


def spoil(name, single, average, path):
    """Writes the good fit, of one model or of two, with this one thing wrong; returns the grade that it deserves."""
    change, is_of_average, grade = SPOILT[name]
    document = parse(average if is_of_average else single)
    change(document)
    path.write_text(sealed(document))
    return grade
