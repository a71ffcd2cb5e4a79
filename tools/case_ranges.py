"""Writes src/predicate/case_ranges.h: which characters beyond ASCII `lower` and `upper` change, and into which.

Usage: case_ranges.py [FILE].  Takes the one-to-one mappings of Unicode from Arrow, which Rizoma's tables agree with.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

FILE = Path(__file__).parent.parent / "src/predicate/case_ranges.h"
HEADER = """\
// Characters beyond ASCII that `lower` and `upper` change; written by tools/case_ranges.py.  Module: predicate.
//
// Source: the one-to-one case mappings of Unicode 16.
#pragma once

#include <cstdint>

namespace rizoma::predicate {

/// Every `step`th character of [first, last] becomes the one `shift` further on.
struct CaseRange {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t shift;
};
"""


def ranges_of(function: str) -> list[tuple[int, int, int, int]]:
    """The ranges (first, last, step, shift) of characters that the function changes."""
    points = [c for c in range(0x80, 0x110000) if not 0xD800 <= c < 0xE000]
    mapped = getattr(pc, function)(pa.array([chr(c) for c in points])).to_pylist()
    ranges: list[tuple[int, int, int, int]] = []
    for point, text in zip(points, mapped, strict=True):
        shift = ord(text) - point
        if shift == 0:
            continue
        if ranges:
            first, last, step, before = ranges[-1]
            gap = point - last
            if before == shift and (gap == step or (first == last and gap in (1, 2))):
                ranges[-1] = (first, point, gap, shift)
                continue
        ranges.append((point, point, 1, shift))
    return ranges


def table(name: str, function: str) -> str:
    """The array of these ranges, as C++."""
    cells = [f"{{{first:#x}, {last:#x}, {step}, {shift}}}" for first, last, step, shift in ranges_of(function)]
    lines, line = [], "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > 118:
            lines.append(line)
            line = "   "
        line += f" {cell},"
    lines.append(line)
    body = "\n".join(lines)
    return f"\n// clang-format off\ninline constexpr CaseRange {name}[] = {{\n{body}\n}};\n// clang-format on\n"


def main() -> None:
    """Write the file."""
    text = HEADER + table("kLowerRanges", "utf8_lower") + table("kUpperRanges", "utf8_upper")
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(text + "\n}  // namespace rizoma::predicate\n")


if __name__ == "__main__":
    main()
