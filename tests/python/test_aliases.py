"""Old names still work, and warn once."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest
import rizoma as rz
from rizoma.core.aliases import ATTRIBUTES, COMMAND_OPTIONS, ENVIRONMENT, FUNCTIONS, KEYS, MODULES, OPTIONS, VALUES


def python(code: str) -> str:
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("old", MODULES)
def test_a_module_is_still_found_under_its_old_name(old):
    name = getattr(import_module(MODULES[old]), "__all__", ["__doc__"])[0]
    code = f"""
import sys
import warnings
import rizoma as rz
public = rz.config, rz.cost, rz.open, rz.read
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from {old} import {name} as first
    from {old} import {name} as second
assert first is second is sys.modules["{MODULES[old]}"].{name}
assert (rz.config, rz.cost, rz.open, rz.read) == public
print(*[f"{{each.category.__name__}}: {{each.message}}" for each in told], sep="\\n")
"""
    assert python(code).strip() == (
        f"FutureWarning: {old} is now {MODULES[old]}; use the new name, because the next release removes the old one"
    )


def test_errors_have_a_public_module():
    import rizoma.errors

    assert rizoma.errors.NotFoundError is rz.NotFoundError


def test_the_laboratory_may_be_absent():
    code = """
import sys
sys.modules["rizoma_lab"] = None
import rizoma as rz
from rizoma import *
try:
    rz.cost
except rz.UnsupportedError as error:
    print(error)
"""
    assert python(code).strip() == (
        "cost is part of rizoma_lab, which is not installed here; install it: pip install 'rizoma[lab]'"
    )


OLD_CALLS = {
    "rizoma.coarse_graph": "rz.coarse_graph(g, {0: 0, 1: 0, 2: 1}).num_edges == 2",
    "rizoma.Matches.sharing_forecast": "len(g.match('(a)--(b)').sharing_forecast([1])) == 1",
    "rizoma.VertexResult.keep": "rz.core_number(g).keep(g, 'core') == 3",
}
OLD_OPTIONS = {
    ("rizoma.open", "heal"): "rz.open(None, heal=False) is not None",
    ("rizoma.open", "patience"): "rz.open(None, patience=2.0) is not None",
    ("rizoma.config", "counters"): "rz.config(counters=True) is not None and current().perf_counters",
    ("rizoma.cluster", "patience"): "rz.cluster(1, patience=300) is not None",
    ("rizoma.Matches.where", "condition"): "g.match('(a)--(b)').where(condition='a.age > 1').count() == 0",
}
OLD_ATTRIBUTES = {
    "rizoma.Info.healing": "g.info().healing == g.info().reordering",
    **{
        old: f"(found := rz.influence_maximization(g, 1, seed=1)).{old.rpartition('.')[2]} == found.{new}"
        for old, new in ATTRIBUTES.items()
        if "SeedsResult" in old
    },
}
START = """
import warnings
import rizoma as rz
from rizoma.core.config import current
g = rz.open(None, vertices={"age": "int64"})
g.add_edges([(0, 1), (1, 2)])
"""


def warned(check: str, prefix: str = START) -> str:
    """What a fresh Python warns of when the expression, which must hold, is evaluated twice."""
    return python(
        f"""{prefix}
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(2):
        assert {check}
print(*[f"{{each.category.__name__}}: {{each.message}}" for each in told if each.category is FutureWarning], sep="\\n")
"""
    ).strip()


def sentence(old: str, new: str) -> str:
    return f"FutureWarning: {old} is now {new}; use the new name, because the next release removes the old one"


@pytest.mark.parametrize("old", FUNCTIONS)
def test_a_function_still_has_its_old_name(old):
    assert warned(OLD_CALLS[old]) == sentence(old, FUNCTIONS[old])


@pytest.mark.parametrize("old", ATTRIBUTES)
def test_an_attribute_still_has_its_old_name(old):
    assert warned(OLD_ATTRIBUTES[old]) == sentence(old, ATTRIBUTES[old])


@pytest.mark.parametrize("old", COMMAND_OPTIONS)
def test_an_option_of_the_command_still_has_its_old_name(old, tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
    command, option = old.removeprefix("rizoma ").split()
    said = subprocess.run(
        [sys.executable, "-m", "rizoma", command, "core_number", tmp_path / "g.rz", option],
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    assert f"{option} is now {COMMAND_OPTIONS[old]}; the old name goes with the next release" in said


@pytest.mark.parametrize(("owner", "old"), [(owner, old) for owner, names in OPTIONS.items() for old in names])
def test_an_option_is_still_taken_under_its_old_name(owner, old):
    new, where = OPTIONS[owner][old], owner.replace(".Matches", ".queries.match.Matches")
    assert warned(OLD_OPTIONS[owner, old]) == sentence(f"{owner}({old}=)", f"{new}=")
    parameters = f"[*inspect.signature({where}).parameters]"
    assert f"'{new}'" in python(f"import inspect, rizoma.queries.match; print({parameters})")


def test_an_option_is_not_taken_under_both_names():
    with pytest.raises(TypeError, match=r"rizoma.open\(\) got both lock_timeout= and patience=, its old name"):
        rz.open(None, patience=1.0, lock_timeout=2.0)


@pytest.mark.parametrize(("option", "old"), [(option, old) for option, names in VALUES.items() for old in names])
def test_a_value_still_has_its_old_name(option, old):
    new = VALUES[option][old]
    check = f"rz.read([(0, 1), (1, 2)], {option}={old!r}).info().{option} == {new!r}"
    assert warned(check) == sentence(f"{option}={old!r}", repr(new))


@pytest.mark.parametrize("old", ENVIRONMENT)
def test_a_variable_is_still_read_under_its_old_name(old):
    start = f"import os\nos.environ[{old!r}] = '1'\nimport warnings\nfrom rizoma.core.aliases import environment\n"
    assert warned(f"environment({ENVIRONMENT[old]!r}) == '1'", start) == sentence(old, ENVIRONMENT[old])


def test_a_dictionary_still_has_its_old_keys():
    check = "rz.open(None).info().to_dict()['healing'] == rz.open(None).info().to_dict()['reordering']"
    assert warned(check) == sentence("rizoma.Info.to_dict()['healing']", "'reordering'")
    facts = rz.open(None).info().to_dict()
    assert "healing" not in list(facts)
    with pytest.raises(KeyError, match="neither"):
        facts["neither"]


def test_json_still_has_its_old_keys(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1), (1, 2)])
    commands = {
        "rizoma info --json": ["info", tmp_path / "g.rz", "--json"],
        "rizoma run --json": ["run", "influence_maximization", tmp_path / "g.rz", "--k", "1", "--json"],
    }
    for owner, words in commands.items():
        said = subprocess.run(
            [sys.executable, "-m", "rizoma", *words], check=True, capture_output=True, text=True
        ).stdout
        facts = json.loads(said)
        assert {old: facts[old] for old in KEYS[owner]} == {old: facts[new] for old, new in KEYS[owner].items()}
