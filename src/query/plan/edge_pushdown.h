// Predicates on one edge alone, turned into the lists of the edges for which they hold.  Module: query.
//
// How: the predicates are computed once for each edge, list by list and in parallel, and the edges that they keep make
// lists of their own, which a plan reads instead of the graph's.  That is done only if a plan without them would test
// more than a small part of all edges: a pattern that looks at few takes time by what it touches.  Where they need
// more memory than is allowed, the plan tests the edges that it meets.
// The lists of a type are kept for later matches (match_memory.h), and once they are known every plan reads them; other
// predicates then look at these edges alone.
// Cost: O(edges), and 12 bytes for each edge that is kept (16 in a directed graph), 4 for each vertex.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"
#include "query/plan/match_memory.h"
#include "query/plan/plan.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace rizoma::query {

class EdgePushdown {
 public:
  /// `memory_limit`: bytes for all sets; 0: no limit.  `memory`: null: nothing is kept.
  EdgePushdown(const GraphView& graph, const GraphFigures& figures, const MatchColumns& columns,
               std::uint64_t memory_limit, MatchMemory* memory)
      : graph_(graph),
        figures_(figures),
        columns_(columns),
        memory_(memory),
        room_(memory_limit == 0 ? std::numeric_limits<std::uint64_t>::max() : memory_limit) {}

  /// The same query with the lists of its edges' types in the place of predicates on types.  `known`: only lists that
  /// are there already.  Errors: cancelled, those of reading a column.
  [[nodiscard]] Result<Query> of_types(Engine& engine, Query query, const PlanAims& aims, bool known);
  /// The same query without the predicates on one edge that are worth it, and with sets of edges in their place.  Sets
  /// are shared by edges with equal predicates.  Errors: cancelled, those of reading a column.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query, const PlanAims& aims);

  /// About how often each vertex is tested.
  [[nodiscard]] std::vector<double> tests_of_vertices(const Query& query, const PlanAims& aims) const;

 private:
  using Set = std::shared_ptr<const FilteredEdges>;

  struct Known {
    const FilteredEdges* among;
    std::vector<Filter> filters;  ///< of edge item 0
    Set set;
  };

  /// How often each edge item is looked for.
  [[nodiscard]] std::vector<double> tests_of(const Query& query, const PlanAims& aims) const;
  /// Of making a set, in entries read: lists have an offset for each vertex.  `among`: of these edges (null: of all).
  [[nodiscard]] double cost_of_set(const FilteredEdges* among) const;
  /// Null: it was not made.
  [[nodiscard]] const Known* known_of(const std::vector<Filter>& filters, const FilteredEdges* among) const;
  /// Null if memory is short.
  [[nodiscard]] Result<Set> set_of(Engine& engine, std::vector<Filter> filters, const FilteredEdges* among);
  /// Null if `known` and it is not, or if making it is not worth while yet.
  [[nodiscard]] Result<Set> set_of_type(Engine& engine, const Filter& type, double tests, bool known);

  const GraphView& graph_;
  const GraphFigures& figures_;
  const MatchColumns& columns_;
  MatchMemory* memory_;
  std::vector<Known> known_;
  std::uint64_t room_;  ///< bytes for further sets
};

}  // namespace rizoma::query
