// Settles the predicates of queries that are about to be planned: those on one vertex (vertex_filters.h), then those
// on one edge (edge_pushdown.h).  Module: query.
#pragma once

#include "query/plan/edge_pushdown.h"
#include "query/plan/vertex_filters.h"

#include <cstdint>
#include <utility>

namespace rizoma::query {

class PredicatePushdown {
 public:
  /// `memory_limit`: bytes for lists of edges; 0: no limit.
  PredicatePushdown(const GraphView& graph, const GraphFigures& figures, const MatchColumns& columns,
                    std::uint64_t memory_limit = 0)
      : vertices_(graph, columns), edges_(graph, figures, columns, memory_limit) {}

  /// `all_edges`: predicates may be computed for all edges beforehand.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query, const PlanAims& aims, bool all_edges = true) {
    RIZOMA_ASSIGN(Query settled, of_vertices(engine, std::move(query)));
    if (!all_edges) return settled;
    return of_edges(engine, std::move(settled), aims);
  }
  /// The two halves of that.
  [[nodiscard]] Result<Query> of_vertices(Engine& engine, Query query) {
    return vertices_.pushed_down(engine, std::move(query));
  }
  [[nodiscard]] Result<Query> of_edges(Engine& engine, Query query, const PlanAims& aims) {
    return edges_.pushed_down(engine, std::move(query), aims);
  }

 private:
  VertexFilters vertices_;
  EdgePushdown edges_;
};

}  // namespace rizoma::query
