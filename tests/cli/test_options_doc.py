"""docs/options.md is the output of `ta2s2 options`: a setting is described once."""
from program import SOURCE, run_well


def test_documented_options_are_the_programs_own():
    printed = run_well("options").stdout
    assert (SOURCE / "docs" / "options.md").read_text().endswith(printed)
    assert printed.count("\n") > 20
