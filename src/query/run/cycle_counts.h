// Counts a pattern that is a cycle of four vertices from the wedges of the graph.  Module: query.
//
// How: its matches are the cycles of four vertices, each in eight ways, and the closed walks over a wedge or an edge,
// whose number follows from the degrees; with vertices that differ, the cycles alone.
// Cost: that of engine/intersection/wedge_cycles.h.
#pragma once

#include "query/parse/query.h"
#include "query/run/checked_count.h"

namespace rizoma::query {

/// True if the query is such a cycle, in an undirected graph without self-loops and parallel edges that is whole in one
/// process, and asks for nothing else.
[[nodiscard]] bool counts_four_cycles(const Engine& engine, const GraphView& graph, const Query& query);

/// The matches of such a query, not multiplied by Query::times.  Errors: cancelled, unsupported (2^64 or more).
[[nodiscard]] Result<CheckedCount> count_four_cycles(Engine& engine, const GraphView& graph, const Query& query);

}  // namespace rizoma::query
