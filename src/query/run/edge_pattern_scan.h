// A pattern of one edge, `(a)-[e]->(b)`, as a scan over the edges.  Module: query.
//
// How: where the values of edges lie in rows, predicates on the edge alone are tested row by row (row_filter.h), and a
// count of a pattern that asks for nothing else is the number of rows that are left.  Else the lists are walked, and
// what is left of each is tested a thousand edges at a time, whatever items the predicates speak of: no edge is kept.
// Rows of such a pattern: scanned_rows.h.
// Cost: O(rows), or O(entries).
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"
#include "query/run/scan_batch.h"

#include <cstdint>
#include <span>

namespace rizoma::query {

/// True if a query, whose predicates on one vertex are settled, is such a pattern with predicates left, of which
/// anything but few vertices may be the ends, in one process.
[[nodiscard]] bool scans_edges(const Engine& engine, const GraphView& graph, const Query& query);

/// The same, of a query that may have no predicates: its rows are those of a scan.
[[nodiscard]] bool reads_all_edges(const Engine& engine, const GraphView& graph, const Query& query);

/// True if the pattern's edge matches in either direction of a directed graph: lists are walked twice.
[[nodiscard]] bool walks_back(const GraphView& graph, const Query& query);

struct EdgePatternScan {
  const GraphView& graph;
  const Query& query;
  const MatchColumns& columns;
  std::uint64_t memory_limit = 0;  ///< for whole columns; 0: none

  /// The matches, not multiplied by Query::times.  Errors: cancelled, corrupt, io; of predicates: see Filter::failure.
  [[nodiscard]] Result<std::uint64_t> count(Engine& engine) const;
  /// The same by the vertices that a vertex item stands for, added to `counts` and multiplied by Query::times.
  [[nodiscard]] Status count_by(Engine& engine, unsigned item, VertexMap<std::uint64_t>& counts) const;
  /// Calls found(edges) with all of them, some at a time, from all threads.
  [[nodiscard]] Status run(Engine& engine, FunctionRef<void(const ScannedEdges&)> found) const;

  /// What the threads of a scan share, and the lists that they walk.
  [[nodiscard]] Result<ScanState> prepared(Engine& engine) const;
  [[nodiscard]] const GraphView& lists_of(const ScanState& shared) const;
  /// The edges that the pattern's edge may be; null: all.
  [[nodiscard]] const FilteredEdges* set() const;
};

}  // namespace rizoma::query
