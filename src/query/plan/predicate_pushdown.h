// Settles the predicates of queries that are about to be planned: those on one vertex (vertex_filters.h), then those
// on one edge (edge_pushdown.h).  Module: query.
#pragma once

#include "query/plan/edge_pushdown.h"
#include "query/plan/vertex_filters.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma::query {

class PredicatePushdown {
 public:
  /// `memory_limit`: bytes for lists of edges; 0: no limit.  `memory`: what matches keep; null: nothing.
  PredicatePushdown(const GraphView& graph, const GraphFigures& figures, const MatchColumns& columns,
                    std::uint64_t memory_limit = 0, MatchMemory* memory = nullptr)
      : vertices_(graph, columns, memory), edges_(graph, figures, columns, memory_limit, memory) {}

  /// `all_edges`: predicates may be computed for all edges beforehand.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query, const PlanAims& aims, bool all_edges = true) {
    RIZOMA_ASSIGN(Query settled, of_vertices(engine, std::move(query), aims));
    if (!all_edges) return settled;
    RIZOMA_ASSIGN(settled, of_types(engine, std::move(settled), aims));
    return of_edges(engine, std::move(settled), aims);
  }
  /// The parts of that.  `known`: only lists of types that are there already.
  [[nodiscard]] Result<Query> of_vertices(Engine& engine, Query query, const PlanAims& aims) {
    std::vector<double> tested;
    if (VertexFilters::heeds_tests(query)) {
      RIZOMA_ASSIGN(const Query typed, of_types(engine, query, aims, true));
      tested = edges_.tests_of_vertices(typed, aims);
    }
    return vertices_.pushed_down(engine, std::move(query), tested);
  }
  [[nodiscard]] Result<Query> of_types(Engine& engine, Query query, const PlanAims& aims, bool known = false) {
    return edges_.of_types(engine, std::move(query), aims, known);
  }
  [[nodiscard]] Result<Query> of_edges(Engine& engine, Query query, const PlanAims& aims) {
    return edges_.pushed_down(engine, std::move(query), aims);
  }

 private:
  VertexFilters vertices_;
  EdgePushdown edges_;
};

}  // namespace rizoma::query
