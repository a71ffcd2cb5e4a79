"""Measure what this machine's memory and storage really do.

`probe()` runs a plan of small measurements (`plan`), each by one call into the library (`measure`),
computes medians with 95% bootstrap intervals (`figures`), says where the page cache would flatter a
device (`findings`) and returns a `Report`, which prints as a table, is JSON by `to_dict()` and a
page with plots by `to_html()`.
"""

from __future__ import annotations

from .measure import probe
from .report import Report

__all__ = ["Report", "probe"]
