"""Settings of the process: `rizoma.config(threads=4)`, alone or as a context manager.

Each setting, the environment variable that sets it, and what it means:

threads (`RIZOMA_THREADS`)
    Threads of a call; 0: one for each processor this process may use.
memory_limit (`RIZOMA_MEMORY_LIMIT`)
    Of imports, reverse reachable sets, patterns, lists in files: bytes or "4G"; 0: all free.
state (`RIZOMA_STATE`)
    "file:DIR": values of vertices are in files in DIR, not in memory.
progress (`RIZOMA_PROGRESS`)
    True: long calls draw a progress bar on stderr.
placement (`RIZOMA_PLACEMENT`)
    "auto", a policy ("round_robin"; "halves:free" binds no threads), "all_local", "all_remote", a `Placement`, or a
    .json file of one.
perf_counters (`RIZOMA_PERF_COUNTERS`)
    True: results have hardware counters (`result.counters`).
tiers (`RIZOMA_TIERS`)
    Memory of each structure: "sections=slow:interleave,vertex_state=dram".
checkpoint (`RIZOMA_CHECKPOINT`)
    Seconds, or "5m": so often a long call keeps its state beside the store.
resume (`RIZOMA_RESUME`)
    True: such a call goes on from what was kept, if there is something.
partition (`RIZOMA_PARTITION`)
    Ranks divide by "auto", "chunk" (edges), "halves" (vertices) or "round_robin".
migration (`RIZOMA_MIGRATION`)
    False: a rank that has nothing left to do takes no work of others.
rank_cache (`RIZOMA_RANK_CACHE`)
    Bytes, or "64M": neighbour lists of others that each rank keeps for such work.
rank_batch (`RIZOMA_RANK_BATCH`)
    Bytes of messages to another rank that leave before a sweep ends; 0: none do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from .. import _core
from .aliases import environment, renamed_options
from .arguments import names_checked_as
from .errors import InvalidArgumentError
from .placements import checked_placement_name, placement_names
from .suggestions import attribute_missing

__all__ = [
    "PARTITIONS",
    "RANK_POLICIES",
    "Settings",
    "checked_threads",
    "config",
    "current",
    "parse_bytes",
    "parse_memory_limit",
    "parse_seconds",
]

RANK_POLICIES = ("chunk", "halves", "round_robin")  # how ranks may divide a graph
PARTITIONS = ("auto", *RANK_POLICIES)  # the values of the setting: auto suits the graph
_LEAST_WITHOUT_UNIT = 1 << 20
_UNITS = {"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def parse_bytes(text: str | int) -> int:
    """Bytes from a number or a text such as "512M" or "4GiB" (powers of 1024)."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", str(text), re.IGNORECASE)
    if match is None:
        raise InvalidArgumentError(f"{text!r} is not a size; write for example 512M or 4G")
    size = float(match[1]) * 2 ** _UNITS[match[2].upper()]
    if size >= 2**63:
        raise InvalidArgumentError(f"{text!r} is too large a size; write for example 512M or 4G")
    return int(size)


def parse_memory_limit(text: str | int) -> int:
    """`parse_bytes` of a limit; a small number without a unit was not meant as bytes ("4B" says that it is)."""
    size = parse_bytes(text)
    if 0 < size < _LEAST_WITHOUT_UNIT and str(text).strip()[-1].isdigit():
        raise InvalidArgumentError(f"memory_limit is {text}, {size} bytes without a unit; write {size}M or {size}G")
    return size


def parse_seconds(text: str | float) -> float:
    """Seconds from a number or a text such as "60s", "5m" or "1h"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh]?)\s*", str(text))
    if match is None:
        raise InvalidArgumentError(f"{text!r} is not a time; write for example 60s, 5m or 1h")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]


def checked_threads(threads: int) -> int:
    """The number of threads asked for, if it is one."""
    if not isinstance(threads, int) or threads < 0:
        raise InvalidArgumentError(f"threads is {threads!r}; it must be a whole number, 0 (all) or more")
    return threads


@dataclass(frozen=True)
class Settings:
    """The settings in force."""

    threads: int = 0
    memory_limit: int = 0
    state: str = "memory"  # or "file:DIR"
    progress: bool = False
    placement: str = "in_place"  # or the JSON of a Placement
    tiers: str = ""
    perf_counters: bool = False
    checkpoint: float | None = None  # seconds
    resume: bool = False
    partition: str = "auto"
    migration: bool = True
    rank_cache: int = 64 << 20
    rank_batch: int | None = None  # as the network is

    @property
    def state_directory(self) -> str:
        """Where files of vertex state go; empty: nowhere."""
        return self.state.removeprefix("file:") if self.state.startswith("file:") else ""

    @property
    def of_ranks(self) -> dict[str, Any]:
        """What ranks that are driven from elsewhere receive."""
        names = ("checkpoint", "resume", "partition", "migration", "rank_cache", "rank_batch")
        return {name: getattr(self, name) for name in names}


def placement_setting(value: str | Path | _core.Placement) -> str:
    """Return a placement as engines take it: a policy's name, or the JSON of a value or of a file."""
    if isinstance(value, _core.Placement):
        return value.to_json()
    text = str(value)
    if text.endswith(".json"):
        if not Path(text).is_file():
            names = ", ".join(placement_names())
            raise InvalidArgumentError(f"placement={text!r}: there is no such file; a policy is one of {names}")
        return _core.Placement.from_json(Path(text).read_text(encoding="utf-8")).to_json()
    return checked_placement_name(text)


def partition_setting(value: str) -> str:
    """Return how ranks divide a graph, if it is a way that exists."""
    if value not in PARTITIONS:
        raise InvalidArgumentError(f"partition={value!r} is not known; choose one of {', '.join(PARTITIONS)}")
    return value


def tiers_setting(value: str | Mapping[str, str]) -> str:
    """Return tiers as engines take them, from text or {"sections": "slow:interleave"}."""
    text = value if isinstance(value, str) else ",".join(f"{name}={tier}" for name, tier in value.items())
    return _core.check_tiers(text)


def state_setting(value: str) -> str:
    """Return where vertex state goes, if it is a place that exists; the directory as an absolute path."""
    if value in ("", "memory"):
        return "memory"
    directory = str(value).removeprefix("file:")
    if not str(value).startswith("file:") or not directory or not Path(directory).is_dir():
        raise InvalidArgumentError(
            f'state={value!r} is not known; it must be "memory", or "file:DIR" with a directory that exists'
        )
    return f"file:{Path(directory).resolve()}"


def _from_environment() -> Settings:
    threads = os.environ.get("RIZOMA_THREADS", "0")
    if not threads.isdigit():
        raise InvalidArgumentError(f"RIZOMA_THREADS is {threads!r}; it must be a number of threads")
    return Settings(
        threads=int(threads),
        memory_limit=parse_memory_limit(os.environ.get("RIZOMA_MEMORY_LIMIT", "0")),
        state=state_setting(os.environ.get("RIZOMA_STATE", "")),
        progress=_on("RIZOMA_PROGRESS"),
        placement=placement_setting(os.environ.get("RIZOMA_PLACEMENT", "in_place")),
        tiers=tiers_setting(os.environ.get("RIZOMA_TIERS", "")),
        perf_counters=_on("RIZOMA_PERF_COUNTERS"),
        checkpoint=parse_seconds(often) if (often := os.environ.get("RIZOMA_CHECKPOINT")) else None,
        resume=_on("RIZOMA_RESUME"),
        partition=partition_setting(os.environ.get("RIZOMA_PARTITION", Settings.partition)),
        migration=_on("RIZOMA_MIGRATION", "on"),
        rank_cache=parse_bytes(os.environ.get("RIZOMA_RANK_CACHE", Settings.rank_cache)),
        rank_batch=parse_bytes(batch) if (batch := os.environ.get("RIZOMA_RANK_BATCH")) else None,
    )


def _on(variable: str, default: str = "") -> bool:
    text = (environment(variable) or default).lower()
    if text not in ("", "0", "false", "no", "off", "1", "true", "yes", "on"):
        raise InvalidArgumentError(f"{variable} is {text!r}; it must be 1 (on) or 0 (off)")
    return text in ("1", "true", "yes", "on")


class _State:
    settings: Settings | None = None  # read from the environment when first needed


def current() -> Settings:
    """The settings in force."""
    if _State.settings is None:
        _State.settings = _from_environment()
    return _State.settings


_NOT_READ = "rizoma.config(threads=4) to change a setting; settings are not read from it"


class _ReadByCall(type):
    """The class of `config`, whose settings are no attributes."""

    def __getattr__(cls, name: str) -> NoReturn:
        raise AttributeError(f"config has no {name!r}; use {_NOT_READ}")

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise AttributeError(f"config.{name} cannot be set; write rizoma.config({name}={value!r})")


class config(metaclass=_ReadByCall):  # noqa: N801  # reads as a verb: rz.config(threads=2)
    """Changes settings at once; as a context manager, puts the old ones back at the end.

    >>> rz.config(threads=4)                  # from now on
    >>> with rz.config(threads=1):            # only here
    ...     rz.pagerank(g)
    >>> rz.config(placement="round_robin")    # threads bound to their nodes, sections spread round-robin
    """

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_missing(self, name, dict.fromkeys(vars(current()), _NOT_READ))

    def __getitem__(self, name: object) -> NoReturn:
        raise TypeError(f"config has no [{name!r}]; use {_NOT_READ}")

    @renamed_options("rizoma.config")
    @names_checked_as("config")
    def __init__(
        self,
        *,
        threads: int | None = None,
        memory_limit: int | str | None = None,
        state: str | None = None,
        progress: bool | None = None,
        placement: str | Path | _core.Placement | None = None,
        tiers: str | Mapping[str, str] | None = None,
        perf_counters: bool | None = None,
        checkpoint: float | str | None = None,
        resume: bool | None = None,
        partition: str | None = None,
        migration: bool | None = None,
        rank_cache: int | str | None = None,
        rank_batch: int | str | None = None,
    ) -> None:
        self._before = current()
        if threads is not None:
            checked_threads(threads)
        _State.settings = replace(
            self._before,
            threads=self._before.threads if threads is None else threads,
            memory_limit=self._before.memory_limit if memory_limit is None else parse_memory_limit(memory_limit),
            state=self._before.state if state is None else state_setting(state),
            progress=self._before.progress if progress is None else progress,
            placement=self._before.placement if placement is None else placement_setting(placement),
            tiers=self._before.tiers if tiers is None else tiers_setting(tiers),
            perf_counters=self._before.perf_counters if perf_counters is None else perf_counters,
            checkpoint=self._before.checkpoint if checkpoint is None else parse_seconds(checkpoint),
            resume=self._before.resume if resume is None else resume,
            partition=self._before.partition if partition is None else partition_setting(partition),
            migration=self._before.migration if migration is None else migration,
            rank_cache=self._before.rank_cache if rank_cache is None else parse_bytes(rank_cache),
            rank_batch=self._before.rank_batch if rank_batch is None else parse_bytes(rank_batch),
        )

    def __enter__(self) -> Settings:
        return current()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _State.settings = self._before

    def __repr__(self) -> str:
        return repr(current())
