// The diameter of an undirected graph, exactly and from few searches.  Module: algorithms.
//
// What: the largest distance, by number of edges, between two vertices that reach each other: that of the component
// where it is largest.
// How: in each component that could have a larger one, a search from a vertex in the middle (least far from the ends of
// four sweeps from one end to another) gives levels; two vertices of a distance above 2 (i - 1) have one of them in
// level i or beyond, so searches from the vertices of the deepest levels alone, up to 64 at once on each thread, prove
// the diameter.
// Cost: a handful of searches in practice, one from every vertex at worst (graphs in which all are equally far from
// each other, such as a circle); 28 bytes a vertex, and 24 for each thread.
// Source: Crescenzi, Grossi, Habib, Lanzi, Marino, "On computing the diameter of real-world undirected graphs",
// Theoretical Computer Science 514, 2013 (iFUB, with its four sweeps).
#pragma once

#include <rizoma/engine.h>

#include <cstdint>

namespace rizoma {

struct DiameterResult {
  std::uint64_t diameter = 0;  ///< 0 without edges
  std::uint64_t searches = 0;  ///< made, through whole components
  VertexId components = 0;     ///< of live vertices, between which there is no distance
};

/// Errors: unsupported (a directed graph), cancelled.
Result<DiameterResult> diameter(Engine& engine, const GraphView& graph);

}  // namespace rizoma
