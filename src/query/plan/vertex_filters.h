// Predicates on one vertex alone, turned into the set of vertices for which they hold.  Module: query.
//
// How: each predicate is computed once for each vertex, in parallel, before a plan is made: the plan then knows how
// many vertices are left, begins with them if they are few, and tests a bit where it tested a predicate.  A pattern
// with anchors is left as it is: it is to take time by what it touches.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"

#include <memory>
#include <utility>
#include <vector>

namespace rizoma::query {

class VertexFilters {
 public:
  VertexFilters(const GraphView& graph, const MatchColumns& columns) : graph_(graph), columns_(columns) {}

  /// The same query without predicates on one vertex, and with sets or anchors in their place.  Sets are shared by
  /// queries of one pattern.  Errors: cancelled, those of reading a column.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query);

 private:
  using PredicateNumbers = std::vector<std::size_t>;  ///< by their numbers in the pattern

  [[nodiscard]] Result<std::shared_ptr<const VertexSet>> set_of(Engine& engine, const Query& query, unsigned v,
                                                                const PredicateNumbers& predicates);

  const GraphView& graph_;
  const MatchColumns& columns_;
  std::vector<std::pair<PredicateNumbers, std::shared_ptr<const VertexSet>>> known_;
};

}  // namespace rizoma::query
