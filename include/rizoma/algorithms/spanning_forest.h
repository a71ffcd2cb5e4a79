// A spanning forest of least or greatest weight.  Module: algorithms.
//
// What: the edges that the greedy choice keeps: by rising (falling) weight, of equal weights the one that comes
// first in the order of the lists, each from its end of lower number.
// How: Kruskal: a stable sort, then disjoint sets; serial.
// Cost: O(m log m); 24 bytes an edge.
// Source: Kruskal, "On the shortest spanning subtree of a graph", Proc. AMS 7, 1956.
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

/// Without weights each edge weighs 1.  Errors: invalid_argument (a NaN weight), unsupported (directed), cancelled.
Result<SpanningForest> spanning_forest(Engine& engine, const GraphView& graph, bool maximum = false);

}  // namespace rizoma
