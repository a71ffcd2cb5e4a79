// Triangle count, global and for each vertex.  Module: algorithms.
//
// What: a triangle is a set of three vertices that are pairwise adjacent.  Direction, parallel edges
// and self-loops are ignored: the count is that of the underlying simple undirected graph.
// How: vertices are ranked by decreasing degree (a graph stored in that order, or whose neighbours have close
// ids, is read in place), and each edge is kept at its end of higher rank; each triangle is found once, from its
// highest rank.  The lists of the lowest ranks, where most wedges close, are rows of bits: an intersection is a few
// words or a test for each member, whichever is less.  Where lists are short (a road network), they are intersected as
// they lie.
// A graph with in-edges that memory cannot hold is streamed past the lists that fit
// (src/engine/intersection/streamed_lists.h).
// With ranks, a triangle is counted where its vertex of highest rank lives, which fetches the lists of other ranks'
// vertices that it needs, once.
// Cost: O(m^1.5) at worst; 4-8 bytes an edge, and 16 bytes a vertex.
// Source: Schank, Wagner, "Finding, counting and listing all triangles in large graphs", WEA'05;
// Cohen, "Graph twiddling in a MapReduce world", 2009.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct TriangleCountOptions {
  bool per_vertex = true;  ///< false: only the total, faster
};

struct TriangleCountResult {
  std::uint64_t total = 0;
  VertexMap<std::uint64_t> counts;  ///< n values: triangles that contain v; empty if not asked for
  std::uint64_t copied_bytes = 0;   ///< of ranked lists made; reading them counts as reading the graph
};

/// Errors: unsupported (2^32 vertices or more, unless all lists are short; with ranks, a directed graph without
/// in-edges), cancelled.
Result<TriangleCountResult> triangle_count(Engine& engine, const GraphView& graph,
                                           const TriangleCountOptions& options = {});

}  // namespace rizoma
