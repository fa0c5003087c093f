"""Every public function and method has a docstring with an example, and the examples hold."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import ta2s2

MODULES = [name for _, name, _ in pkgutil.iter_modules(ta2s2.__path__) if name != "_core"]


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore")
def test_examples(name):
    assert doctest.testmod(importlib.import_module(f"ta2s2.{name}")).failed == 0


def test_everything_public_is_documented():
    for name in ta2s2.__all__:
        thing = getattr(ta2s2, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
    for name, method in inspect.getmembers(ta2s2.EmulatorRegressor, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.getdoc(method), name
            assert ">>>" in method.__doc__ or name.startswith("plot_"), name
    assert ">>>" in ta2s2.sample.__doc__ and ">>>" in ta2s2.lhs.__doc__
