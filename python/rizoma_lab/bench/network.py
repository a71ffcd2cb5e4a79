"""`rizoma bench network`: what messages and one-sided operations between ranks take, by their size.

One-sided reads, writes and additions, messages there and back, and rounds of all ranks, which is how the messages of a
step travel; the other rank waits, or computes as in a sweep.  With each comes the processor time that it costs.

Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA", 2022, figures 14 and 15.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.core.errors import InvalidArgumentError

from .machine import describe
from .ranks_program import answer_of, start_on_ranks
from .report import write_json

__all__ = ["NetworkPlan", "measure_network"]


@dataclass(frozen=True)
class NetworkPlan:
    """What to measure: `seconds` of each operation and size, in each of `rounds`."""

    ranks: int
    sizes: tuple[int, ...]
    seconds: float
    rounds: int
    hosts: tuple[str, ...] = ()

    def tasks(self) -> list[dict[str, Any]]:
        """Every operation with every size and behaviour of the other rank."""
        ways = [("fetch_add", 8, computes) for computes in (False, True)]
        for size in self.sizes:
            ways += [(name, size, computes) for name in ("read", "write", "message") for computes in (False, True)]
            ways.append(("round", size, False))
        return [
            {"operation": name, "bytes": size, "seconds": self.seconds, "other_computes": computes}
            for name, size, computes in ways
        ]


def measure_network(plan: NetworkPlan, output: Path | None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON if `output` says where."""
    if plan.hosts and len(plan.hosts) > plan.ranks:
        raise InvalidArgumentError(f"--hosts names {len(plan.hosts)} machines for {plan.ranks} ranks; raise --ranks")
    measured = [_round(plan) for _ in range(plan.rounds)]
    report = {
        "machine": describe(),
        "plan": asdict(plan),
        "results": [_row(task, list(took)) for task, *took in zip(plan.tasks(), *measured, strict=True)],
    }
    _print(report)
    if output is not None:
        write_json(report, output)
    return report


def _round(plan: NetworkPlan) -> list[dict[str, Any]]:
    """What ranks that begin anew found."""
    where = ["-hosts", ",".join(plan.hosts)] if plan.hosts else []
    program = start_on_ranks("network_rank", [json.dumps(plan.tasks())], plan.ranks, where)
    remedy = f"see whether they start: mpiexec {' '.join(where)} -n {plan.ranks} hostname"
    return answer_of(program, f"{plan.ranks} ranks did not measure", remedy)


def _row(task: dict[str, Any], took: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians of the rounds."""
    median = float(np.median([each["median"] for each in took]))
    busy = [np.array(each["processor_seconds"]) / each["operations"] for each in took]
    return {
        "operation": task["operation"],
        "bytes": task["bytes"],
        "other_computes": task["other_computes"],
        "operations": sum(each["operations"] for each in took),
        "median": median,
        "percentile_95": float(np.median([each["percentile_95"] for each in took])),
        "bytes_a_second": task["bytes"] / median,
        "processor_seconds": np.median(busy, axis=0).tolist(),
    }


def _print(report: dict[str, Any]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 140)
    machine, plan = report["machine"], report["plan"]
    where = f"on {', '.join(plan['hosts'])}" if plan["hosts"] else f"on {machine['processors']} processors"
    table = Table(
        title=f"{machine['processor']}; {plan['ranks']} ranks {where}; microseconds of an operation of rank 0",
        title_justify="left",
    )
    table.add_column("operation")
    table.add_column("other rank")
    for heading in ("bytes", "median", "95th percentile", "MB/s", "processor", "of the other", "operations"):
        table.add_column(heading, justify="right")
    for row in report["results"]:
        mine, other = row["processor_seconds"][:2]
        table.add_row(
            row["operation"],
            "takes part" if row["operation"] == "round" else "computes" if row["other_computes"] else "waits",
            f"{row['bytes']:,}",
            f"{row['median'] * 1e6:,.1f}",
            f"{row['percentile_95'] * 1e6:,.1f}",
            f"{row['bytes_a_second'] / 1e6:,.0f}",
            f"{mine * 1e6:,.1f}",
            f"{other * 1e6:,.1f}",
            f"{row['operations']:,}",
        )
    console.print(table, highlight=False)
