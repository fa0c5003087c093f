"""A bar over the levels, if tqdm is there."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional


@contextmanager
def level_bar(is_wanted: bool) -> Iterator[Optional[Callable[[dict[str, Any]], None]]]:
    """What to call with each level's report; None if no bar is wanted or there is no tqdm."""
    bar = _make_bar() if is_wanted else None
    if bar is None:
        yield None
        return

    done: dict[str, int] = {}  # by run: several outputs and models are fitted side by side

    def show(level: dict[str, Any]) -> None:
        done[level["run"]] = max(_percent_done(level), done.get(level["run"], 0))
        bar.n = max(bar.n, min(done.values()))  # a fit that is heard of late does not set it back
        name = level["run"] and level["run"] + ": "
        stage = level.get("stage") and level["stage"] + ", "
        bar.set_postfix_str(f"{name}{stage or ''}level {level['level']}, beta {level['inverse_temperature']:.3g}")

    with bar:
        yield show


def _make_bar() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in a notebook without ipywidgets it shows a bar of text, which is well
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=100, bar_format="{l_bar}{bar}| {elapsed}{postfix}")


# The first levels change the temperature by factors of ten or more; on a logarithmic scale they take about their share.
_LEAST_BETA = 1e-6


# Most fits take a scout and two passes, of about these shares of the time; a bar is full if there are more.
_STAGES = {"scout": (0.0, 0.4), "pass 1": (0.4, 0.7), "pass 2": (0.7, 1.0)}


def _percent_done(level: dict[str, Any]) -> int:
    begin, end = _STAGES.get(level.get("stage") or "", (0.0, 1.0))
    return round(100 * begin + (end - begin) * _percent_of_stage(level))


def _percent_of_stage(level: dict[str, Any]) -> int:
    left = level["levels_left"]
    if left is not None:
        return round(100 * (level["level"] + 1) / (level["level"] + 1 + left))
    beta = min(max(level["inverse_temperature"], _LEAST_BETA), 1.0)
    return round(100 * (1 - math.log(beta) / math.log(_LEAST_BETA)))
