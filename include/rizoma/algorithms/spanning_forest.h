// A spanning forest of least or largest weight.  Module: algorithms.
//
// What: the edges that the greedy choice keeps: by rising (falling) weight, of equal weights the one that comes
// first in the order of the lists, each from its end of lower number.
// How: Kruskal in two parts.  Edges are compared by weight and place, so the forest is unique.  First come those up to
// a border that about two edges a vertex are below, by a sample.  Of the others only those are sorted that join two
// trees of the first part, most often few; if they are many, those that no choice takes are dropped in between.
// Threads find edges, sort them by the digits of their weights, and merge what all have sorted, in parts; one unites
// the sets.
// Cost: O(n + m): each edge is read twice; O(1) for each edge that is sorted and 11 bits in which weights differ; 24
// bytes a vertex, and 48 for each edge that is sorted at once: no more than about eight a vertex.
// Source: Kruskal, "On the shortest spanning subtree of a graph", Proc. AMS 7, 1956; the two parts: Osipov, Sanders,
// Singler, "The filter-Kruskal minimum spanning tree algorithm", ALENEX'09.
#pragma once

#include <rizoma/engine.h>

#include <vector>

namespace rizoma {

/// Parallel columns, in the order of choice.
struct SpanningForest {
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<double> weights;
  std::vector<EdgeCount> entries;  ///< number of the entry source -> target in the lists
};

/// Without weights each edge weighs 1.  Errors: invalid_argument (a NaN weight), unsupported (directed, or an
/// engine with ranks), cancelled.
Result<SpanningForest> spanning_forest(Engine& engine, const GraphView& graph, bool maximum = false);

}  // namespace rizoma
