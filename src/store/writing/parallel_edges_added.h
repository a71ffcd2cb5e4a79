// Edges that are added to a graph which combines parallel ones by rule, or that leave out values: combined with one
// another and with those that are there, each pair of vertices is left with one.
//
// A row that does not give a column counts in it only where it makes the edge: it then has a null, or the weight 1.
// Cost: a look-up of each pair, see StagedGraph; with columns also the values of the pairs that are there.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/state/contents.h"
#include "store/writing/staged_graph.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace rizoma {

/// Edges by internal id.
struct AddedEdges {
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<double> weights;
  void push(const EdgePair& pair) { sources.push_back(pair.first), targets.push_back(pair.second); }
};

/// The weight of a row that does not give one, in a graph without columns of edges.  No weight of users is NaN.
inline constexpr double kAbsentWeight = std::numeric_limits<double>::quiet_NaN();
[[nodiscard]] inline bool is_absent_weight(double weight) noexcept { return std::isnan(weight); }

struct CombinedEdges {
  AddedEdges edges;      ///< each pair once; of a graph with columns the weights are places in `values`
  ColumnTable values;    ///< of a graph with columns: a row for each edge
  EdgeCount merged = 0;  ///< rows that made no new edge
};

/// `added` in their order; of a graph with columns their weights are places in `values`.  Errors: invalid_argument (a
/// sum that does not fit), those of reading.
Result<CombinedEdges> combine_added(const Contents& contents, const StagedGraph& staged, const AddedEdges& added,
                                    const ColumnTable& values);

}  // namespace rizoma
