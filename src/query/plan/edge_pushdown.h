// Predicates on one edge alone, turned into the lists of the edges for which they hold.  Module: query.
//
// How: the predicates are computed once for each edge, list by list and in parallel, and the edges that they keep make
// lists of their own, which a plan reads instead of the graph's.  That is done only if a plan without them would test
// more than a small part of all edges: a pattern that looks at few takes time by what it touches.  Where they need
// more memory than is allowed, the plan tests the edges that it meets.
// Cost: O(edges), and 8 bytes for each edge that is kept (12 in a directed graph), 4 for each vertex.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"
#include "query/plan/plan.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma::query {

class EdgePushdown {
 public:
  /// `memory_limit`: bytes for all sets; 0: no limit.
  EdgePushdown(const GraphView& graph, const GraphFigures& figures, const MatchColumns& columns,
               std::uint64_t memory_limit)
      : graph_(graph),
        figures_(figures),
        columns_(columns),
        room_(memory_limit == 0 ? std::numeric_limits<std::uint64_t>::max() : memory_limit) {}

  /// The same query without the predicates on one edge that are worth it, and with sets of edges in their place.  Sets
  /// are shared by edges with equal predicates.  Errors: cancelled, those of reading a column.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query, const PlanAims& aims);

 private:
  /// Null if memory is short.
  [[nodiscard]] Result<std::shared_ptr<const GraphView>> set_of(Engine& engine, std::vector<Filter> filters);

  const GraphView& graph_;
  const GraphFigures& figures_;
  const MatchColumns& columns_;
  std::vector<std::pair<std::vector<Filter>, std::shared_ptr<const GraphView>>> known_;  ///< filters of edge item 0
  std::uint64_t room_;                                                                   ///< bytes for further sets
};

}  // namespace rizoma::query
