// Predicates on one vertex alone, turned into the set of vertices for which they hold.  Module: query.
//
// How: each predicate is computed once for each vertex, in parallel, before a plan is made: the plan then knows how
// many vertices are left, begins with them if they are few, and tests a bit where it tested a predicate.  The vertices
// of a label are kept for later matches (match_memory.h), and other predicates look at them alone.  In a pattern with
// anchors, which is to take time by what it touches, that is done for vertices that a plan would test often, and for
// labels that are known or were tested often.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "query/parse/query.h"
#include "query/plan/match_memory.h"

#include <memory>
#include <utility>
#include <vector>

namespace rizoma::query {

class VertexFilters {
 public:
  /// `memory`: null: nothing is kept.
  VertexFilters(const GraphView& graph, const MatchColumns& columns, MatchMemory* memory)
      : graph_(graph), columns_(columns), memory_(memory) {}

  /// The same query without predicates on one vertex, and with sets or anchors in their place.  Sets are shared by
  /// queries of one pattern.  Errors: cancelled, those of reading a column.
  /// `tested`: how often each vertex is tested, of a query with anchors.
  [[nodiscard]] Result<Query> pushed_down(Engine& engine, Query query, const std::vector<double>& tested);
  /// Whether `tested` makes a difference.
  [[nodiscard]] static bool heeds_tests(const Query& query);

 private:
  using PredicateNumbers = std::vector<std::size_t>;  ///< by their numbers in the pattern

  using Set = std::shared_ptr<const KeptVertices>;

  /// Labels that are known, of a query with anchors.
  [[nodiscard]] Status use_labels(Engine& engine, Query& query);
  /// Of a label; `if_it_pays`: null unless it is known, or was tested one by one often enough.
  [[nodiscard]] Result<Set> set_of_label(Engine& engine, const Filter& label, bool if_it_pays);
  /// The predicates on this vertex become a set.
  [[nodiscard]] Status use_all(Engine& engine, Query& query, unsigned v);
  /// Puts a set in the place of predicates.
  void restrict_vertex(Query& query, unsigned v, const Set& set) const;
  [[nodiscard]] Result<Set> set_of(Engine& engine, const Query& query, unsigned v, const PredicateNumbers& predicates);
  /// The vertices of all labels that filters ask for; null if there are no such filters.
  [[nodiscard]] Result<Set> labelled(Engine& engine, std::vector<const Filter*>& filters);
  /// Those of `among` (null: all) for which filters hold.
  [[nodiscard]] Result<Set> kept(Engine& engine, const std::vector<const Filter*>& filters, const Set& among) const;

  const GraphView& graph_;
  const MatchColumns& columns_;
  MatchMemory* memory_;
  std::vector<std::pair<PredicateNumbers, Set>> known_;
};

}  // namespace rizoma::query
