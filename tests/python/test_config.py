"""Settings: what is not one is refused where it is set."""

import pytest
import rizoma as rz
from rizoma.core.config import _from_environment
from rizoma.core.errors import InvalidArgumentError


@pytest.mark.parametrize("value", ["off", "no", "yes", 2])
@pytest.mark.parametrize("setting", ["migration", "progress", "perf_counters", "resume"])
def test_a_switch_is_true_or_false(setting: str, value: object) -> None:
    before = repr(rz.config())
    with pytest.raises(InvalidArgumentError, match=rf"config: {setting} is {value!r}; it must be True or False"):
        rz.config(**{setting: value})  # type: ignore[arg-type]
    assert repr(rz.config()) == before


def test_settings_are_no_attributes() -> None:
    with pytest.raises(AttributeError, match=r"config.threads cannot be set; write rizoma.config\(threads=2\)"):
        rz.config.threads = 2
    with pytest.raises(AttributeError, match=r"use rizoma.config\(threads=4\) to change a setting"):
        rz.config.threads  # noqa: B018


def test_a_switch_of_the_environment_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, migration in (("0", False), ("Off", False), ("on", True), ("1", True)):
        monkeypatch.setenv("RIZOMA_MIGRATION", text)
        assert _from_environment().migration is migration
    monkeypatch.setenv("RIZOMA_MIGRATION", "enabled")
    with pytest.raises(InvalidArgumentError, match="RIZOMA_MIGRATION is 'enabled'"):
        _from_environment()


def test_batches_of_ranks_are_as_the_network_is_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _from_environment().rank_batch is None
    monkeypatch.setenv("RIZOMA_RANK_BATCH", "64K")
    assert _from_environment().rank_batch == 1 << 16
    with rz.config(rank_batch=0) as settings:
        assert settings.of_ranks["rank_batch"] == 0
