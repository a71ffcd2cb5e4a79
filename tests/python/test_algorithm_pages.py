"""Each algorithm's page says what people ask about it, and its example is right."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest
from rizoma import algorithms
from rizoma.results.vertex import VertexResult

NAMES = [module.name for module in iter_modules(algorithms.__path__) if not module.name.startswith("_")]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole(name):
    text = import_module(f"rizoma.algorithms.{name}").__doc__
    for part in ("When to use it\n    ", "Cost\n    ", "Memory\n    ", "Source\n    ", ">>> "):
        assert part in text, f"{name}: its docstring has no part {part!r}"
    parser = doctest.DocTestParser()
    example = parser.get_doctest(text, {}, name, None, 0)
    names = example.globs
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    said: list[str] = []
    runner.run(example, out=said.append, clear_globs=False)
    assert said == [], "".join(said)
    assert isinstance(names["result"], VertexResult), f"{name}: the picture needs a result called `result`"
    assert len(names["g"]) > 2
