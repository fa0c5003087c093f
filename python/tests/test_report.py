"""The report from Python is the program's."""

import html
import json
import re

import pandas as pd
import pytest
from conftest import DATA, PAIR, needs_program, run_program
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ta2s2 import EmulatorRegressor, errors


def record_in(page):
    return json.loads(re.search(r'<script type="application/json" id="record">([^<]*)<', page).group(1))


@needs_program
@pytest.mark.parametrize("validates", [False, True])
def test_page_is_the_program_s(validates, emulator, franke_test, tmp_path):
    model, page = tmp_path / "model.json", tmp_path / "report.html"
    emulator.save(model)
    assert emulator.report(page, *(franke_test if validates else ())) is None
    said = run_program("report", model, *(["--validation", DATA / "franke_test.csv"] if validates else []))
    assert said.returncode == 0, said.stderr
    assert page.read_text() == said.stdout
    assert (record_in(said.stdout).get("validation") is not None) == validates


@needs_program
def test_page_of_an_average_is_the_program_s(franke, tmp_path):
    em = EmulatorRegressor(samples=60, **PAIR).fit(*franke)
    em.save(tmp_path / "model.json")
    page = em.report().html
    assert page == run_program("report", tmp_path / "model.json").stdout
    assert len(record_in(page)["models"]) == 2


@needs_program
def test_several_outputs_have_a_tab_each(franke, franke_test, tmp_path):
    em = EmulatorRegressor(samples=60).fit(franke[0], pd.DataFrame({"y": franke[1], "half": franke[1] / 2}))
    em.save(tmp_path / "model.json")
    assert em.report().html == run_program("report", tmp_path / "model.json").stdout
    validated = em.report(X=franke_test[0], y=pd.DataFrame({"y": franke_test[1], "half": franke_test[1] / 2})).html
    assert [part["validation"] is not None for part in record_in(validated)["outputs"]] == [True, True]


def test_a_notebook_shows_the_page_in_a_frame(emulator):
    report = emulator.report()
    shown = report._repr_html_()
    frame = re.fullmatch(r'<iframe [^<>"]*(?:"[^"<>]*"[^<>"]*)*srcdoc="([^"<>]*)"></iframe>', shown)
    assert html.unescape(frame.group(1)) == report.html
    assert "allow-same-origin" not in shown


def test_a_notebook_shows_a_small_summary_of_an_emulator(franke):
    hostile = "<script>alert(1)</script>"
    X, y = pd.DataFrame(franke[0], columns=[hostile, "b"]), franke[1]
    em = EmulatorRegressor(max_evaluations=1, inputs=[hostile, "b"])
    assert hostile not in em._repr_html_()
    shown = em.fit(X, y)._repr_html_()
    assert hostile not in shown and "&lt;script&gt;" in shown
    assert "not converged" in shown and len(shown) < 3000
    assert "<table>" in EmulatorRegressor(fast=True).fit(*franke)._repr_html_()


def test_scikit_learn_draws_a_pipeline_with_it(franke):
    pipeline = make_pipeline(StandardScaler(), EmulatorRegressor(samples=60)).fit(*franke)
    assert "EmulatorRegressor" in pipeline._repr_html_()


def test_what_is_refused(emulator, franke_test, tmp_path):
    with pytest.raises(errors.UsageError, match="expected both or neither"):
        emulator.report(X=franke_test[0])
    with pytest.raises(ValueError, match="not fitted yet"):
        EmulatorRegressor().report()
    with pytest.raises(errors.CannotWriteError):
        emulator.report(tmp_path / "no" / "report.html")
    assert list(tmp_path.iterdir()) == []
