// Lists of some edges of a graph: those for which predicates hold.  Module: query.
//
// The out-lists say of each edge where it is in the graph, as `weights<FilteredEntry>`.  Of an undirected edge the
// entry of the smaller end decides, and says that.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"
#include "query/plan/row_filter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {

/// Where an edge of such lists is in the graph.
struct FilteredEntry {
  std::uint32_t place = 0;  ///< in the graph's own list
  std::uint32_t row = 0;    ///< of its values, where these lie in rows
};

/// The edges that predicates keep.
struct FilteredEdges {
  GraphView lists;              ///< a graph without weights, of the same vertices
  std::optional<RowBits> rows;  ///< of these edges, where values of edges lie in rows
  double mean_out = 0;          ///< length of the lists that are not empty; 0: not known
  double mean_in = 0;
  std::vector<std::pair<VertexId, VertexId>> some;  ///< sources and targets of a few, spread over all
};

/// None if making them would take more than `most` bytes, which is found out as soon as too many edges are kept, or if
/// numbers of rows have more than 32 bits.  The predicates speak of edge item 0.  `among`, if not null, has the edges
/// to look at, and their rows.
/// Errors: cancelled.
[[nodiscard]] Result<std::optional<FilteredEdges>> filtered_adjacency(Engine& engine, const GraphView& graph,
                                                                      std::span<const Filter> filters,
                                                                      const MatchColumns& columns,
                                                                      std::uint64_t most_bytes,
                                                                      const FilteredEdges* among = nullptr);

/// Finds how long the lists are, and some edges, for plans.  Cost: O(vertices).
void find_figures(FilteredEdges& edges);

/// Of the finished lists.
[[nodiscard]] std::uint64_t bytes_of_filtered(const FilteredEdges& kept);

}  // namespace rizoma::query
