// A GraphView made from CSR arrays in memory, and the same graph with its edges turned round.  Module: graph.
//
// What: vertices are 0..n-1; list v is targets[offsets[v], offsets[v+1]).  An undirected graph is given
// with both entries of each edge (a self-loop has one).  The arrays are copied.
// How: lists are sorted by target by transposing: a counting sort that visits sources in order leaves
// every in-list sorted, and doing so twice sorts the out-lists.
// Cost: O(n + m), no comparison; 4 bytes an entry, 8 more with weights; as much again for in-edges.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include <cstdint>
#include <span>

namespace rizoma {

/// Weights are parallel to targets, or empty.
struct CsrArrays {
  std::span<const std::uint32_t> offsets;  ///< n + 1 values, from 0 to the number of entries
  std::span<const std::uint32_t> targets;
  std::span<const double> weights;
};

struct CsrOptions {
  bool directed = false;
  bool sort = true;           ///< false: lists keep the order given, and sorted() is false
  bool in_edges = true;       ///< of a directed graph
  bool parallel_edges = false;  ///< lists may name a target more than once
};

/// Errors: invalid_argument (offsets that fall or do not fit the targets; a target of n or more; weights
/// of another length; an undirected graph whose vertices have not as many entries in as out).
Result<GraphView> view_of_csr(const CsrArrays& out, const CsrOptions& options = {});

/// The same with in-lists as given, in their order; `out` keeps its order too.  For directed graphs.
Result<GraphView> view_of_csr(const CsrArrays& out, const CsrArrays& in, bool parallel_edges = false);

/// The graph with every edge turned round; shares all memory.  Needs has_in_edges().
[[nodiscard]] GraphView reversed(const GraphView& graph);

}  // namespace rizoma
