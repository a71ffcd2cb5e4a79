"""Tables 5.2 and 5.3 of the dissertation: seconds of four kernels on two graphs, for six systems.

Source: L. Spagnol, master's dissertation, UNESP 2025, section 5.5; figure 1.1 for the two nodes of a memory.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REMOTE_LOSS", "SYSTEMS", "TABLES", "THREADS", "VARIANT_OF_SYSTEM", "paper_ratio"]

THREADS = (2, 12, 24, 48)
SYSTEMS = ("CSR", "DGAP", "DGAP DM", "DGAP RR", "GraphOne", "XPGraph")

_Row = Mapping[str, tuple[float, float, float, float]]
TABLES: Mapping[str, Mapping[str, _Row]] = {
    "Orkut": {  # table 5.2
        "pagerank": {
            "CSR": (8.10, 1.59, 1.02, 0.89),
            "DGAP": (14.22, 2.84, 2.04, 1.59),
            "DGAP DM": (15.73, 3.12, 2.06, 1.62),
            "DGAP RR": (14.22, 2.91, 1.67, 1.26),
            "GraphOne": (18.40, 3.26, 2.11, 1.37),
            "XPGraph": (21.96, 3.87, 2.20, 1.66),
        },
        "betweenness_centrality": {
            "CSR": (2.82, 0.55, 0.34, 0.27),
            "DGAP": (2.57, 0.48, 0.35, 0.29),
            "DGAP DM": (3.17, 0.59, 0.36, 0.25),
            "DGAP RR": (3.14, 0.60, 0.33, 0.23),
            "GraphOne": (3.24, 0.84, 0.62, 0.45),
            "XPGraph": (3.96, 0.71, 0.40, 0.32),
        },
        "bfs": {
            "CSR": (0.18, 0.06, 0.05, 0.05),
            "DGAP": (0.30, 0.07, 0.05, 0.08),
            "DGAP DM": (0.32, 0.10, 0.09, 0.08),
            "DGAP RR": (0.30, 0.07, 0.05, 0.04),
            "GraphOne": (0.12, 0.11, 0.12, 0.16),
            "XPGraph": (0.07, 0.02, 0.01, 0.01),
        },
        "connected_components": {
            "CSR": (1.15, 0.34, 0.24, 0.18),
            "DGAP": (2.06, 0.50, 0.36, 0.35),
            "DGAP DM": (2.06, 0.59, 0.39, 0.29),
            "DGAP RR": (1.60, 0.38, 0.24, 0.16),
            "GraphOne": (1.75, 0.95, 0.67, 0.55),
            "XPGraph": (2.82, 0.75, 0.47, 0.34),
        },
    },
    "LiveJournal": {  # table 5.3
        "pagerank": {
            "CSR": (4.33, 0.84, 0.52, 0.42),
            "DGAP": (7.34, 1.55, 1.07, 0.95),
            "DGAP DM": (7.41, 1.58, 1.09, 0.96),
            "DGAP RR": (6.34, 1.75, 1.13, 1.02),
            "GraphOne": (10.37, 1.97, 1.36, 1.01),
            "XPGraph": (16.80, 2.98, 1.64, 1.31),
        },
        "betweenness_centrality": {
            "CSR": (2.26, 0.45, 0.28, 0.23),
            "DGAP": (2.23, 0.42, 0.29, 0.25),
            "DGAP DM": (2.25, 0.42, 0.27, 0.22),
            "DGAP RR": (2.27, 0.44, 0.26, 0.20),
            "GraphOne": (3.13, 0.69, 0.52, 0.44),
            "XPGraph": (3.29, 0.59, 0.32, 0.26),
        },
        "bfs": {
            "CSR": (0.19, 0.05, 0.03, 0.04),
            "DGAP": (0.28, 0.06, 0.06, 0.07),
            "DGAP DM": (0.28, 0.08, 0.06, 0.07),
            "DGAP RR": (0.40, 0.11, 0.07, 0.15),
            "GraphOne": (0.19, 0.17, 0.17, 0.21),
            "XPGraph": (0.12, 0.03, 0.02, 0.02),
        },
        "connected_components": {
            "CSR": (0.92, 0.45, 0.35, 0.15),
            "DGAP": (1.75, 0.81, 0.43, 0.33),
            "DGAP DM": (1.71, 0.61, 0.42, 0.29),
            "DGAP RR": (1.13, 0.51, 0.40, 0.14),
            "GraphOne": (2.67, 1.08, 0.80, 0.62),
            "XPGraph": (2.84, 0.97, 0.64, 0.46),
        },
    },
}

VARIANT_OF_SYSTEM: Mapping[str, str] = {"DGAP": "in_place", "DGAP DM": "halves:free", "DGAP RR": "modulo"}
"""The way of `rizoma bench placement` that places data and threads as a system does."""

REMOTE_LOSS = (1.15, 1.17)
"""PageRank with all data on the other node, by the time with all on its own: figure 1.1."""


def paper_ratio(graph: str, kernel: str, system: str, threads: int) -> float | None:
    """The time of a system by DGAP's with as many threads; None: the paper does not tell."""
    row = TABLES.get(graph, {}).get(kernel)
    if row is None or system not in row or threads not in THREADS:
        return None
    at = THREADS.index(threads)
    return row[system][at] / row["DGAP"][at]
