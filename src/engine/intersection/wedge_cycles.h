// Cycles of four vertices, from wedges that end at their vertex of highest degree.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>

namespace rizoma {

/// The cycles of an undirected graph of fewer than 2^32 vertices, each once, without self-loops and parallel edges.
/// How, at what cost and after whom: rizoma/algorithms/four_cycles.h.
/// Errors: unsupported (2^64 or more), cancelled.
Result<std::uint64_t> count_wedge_cycles(Engine& engine, const GraphView& graph);

}  // namespace rizoma
