// Lists of some edges of a graph: those for which predicates hold.  Module: query.
//
// The out-lists have the place of each edge in the graph's own list beside it, as `weights<std::uint32_t>`.  Of an
// undirected edge the entry of the smaller end decides, and has that place.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"

#include <cstdint>
#include <optional>
#include <span>

namespace rizoma::query {

/// A graph without weights, of the same vertices; none if making it would take more than `most` bytes, which is
/// found out as soon as too many edges are kept.  The predicates speak of edge item 0.  Errors: cancelled.
[[nodiscard]] Result<std::optional<GraphView>> filtered_adjacency(Engine& engine, const GraphView& graph,
                                                                  std::span<const Filter> filters,
                                                                  const MatchColumns& columns,
                                                                  std::uint64_t most_bytes);

/// Bytes of the finished graph.
[[nodiscard]] std::uint64_t bytes_of_filtered(const GraphView& kept);

}  // namespace rizoma::query
