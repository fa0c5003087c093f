"""The report and what a notebook shows of an emulator."""

from __future__ import annotations

import os
from html import escape
from typing import Any, Union

from . import _core

_HEIGHT = 800  # pixels of a notebook's frame


class Report:
    """The report's page; a notebook shows it inline.

    >>> from ta2s2 import EmulatorRegressor
    >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.7], [0.8], [1.0]], [0.0, 0.2, 0.9, 0.95, 1.0])
    >>> em.report().html[:15]
    '<!doctype html>'
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page that ``ta2s2 report`` writes.

        >>> import os, tempfile
        >>> Report("<p>").save(os.path.join(tempfile.mkdtemp(), "report.html"))
        """
        _core.save_text(self.html, os.fspath(path))

    def __repr__(self) -> str:
        return f"Report({len(self.html)} characters of HTML)"

    def _repr_html_(self) -> str:
        # In a frame of its own origin: the page's style and script cannot touch the notebook, nor the notebook's the page.
        return (
            f'<iframe title="Report" sandbox="allow-scripts allow-downloads" style="width: 100%; height: {_HEIGHT}px; border: 0"'
            f' srcdoc="{escape(self.html)}"></iframe>'
        )


def _rows(fit: Any) -> dict[str, str]:
    summary = fit.summary
    rows = {"runs": f"{len(fit.output)}, inputs {', '.join(fit.input_names)}, output {fit.output_name}"}
    if "models" in summary:
        rows["average"] = ", ".join(f"{model['model']} {model['weight']:.3f}" for model in summary["models"])
    rows["judgement"] = f"{summary['judgement']['grade']}: {summary['judgement']['headline']}"
    rows["seconds"] = f"{fit.seconds:.2f}"
    if "models" in summary:
        return rows
    if fit.has_sample:
        rows["modes"] = str(len(summary["modes"]))
    if summary["log_evidence"] is not None:
        rows["log evidence"] = f"{summary['log_evidence']:.2f} ± {summary['log_evidence_error']:.2f}"
    return rows


def summary_html(em: Any) -> str:
    """What a notebook shows of a fitted emulator: static and small, since it is kept with every cell that ends with one."""
    cells = "".join(
        f'<tr><th scope="row" style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
        for fit in em.fits_
        for name, text in _rows(fit).items()
    )
    return f"<pre>{escape(repr(em))}</pre><table>{cells}</table>"
