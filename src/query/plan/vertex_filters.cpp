#include "query/plan/vertex_filters.h"

#include "query/plan/filter_sources.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

constexpr VertexId kGrain = 4096;
constexpr VertexId kFew = 64;  // a set of one vertex in this many is a list to begin with

/// Vertices of a set, ascending.
std::vector<VertexId> list_of(const VertexSet& set) {
  std::vector<VertexId> members;
  members.reserve(set.count());
  for (VertexId v = 0; v < set.universe(); ++v) {
    if (set.contains(v)) members.push_back(v);
  }
  return members;
}

}  // namespace

Result<Query> VertexFilters::pushed_down(Engine& engine, Query query) {
  const auto is_anchored = [](const auto& members) { return members.has_value(); };
  if (std::any_of(query.anchors.begin(), query.anchors.end(), is_anchored)) return query;
  query.vertex_filters.resize(query.vertices);
  query.kept.resize(query.vertices);
  for (unsigned v = 0; v < query.vertices; ++v) {
    PredicateNumbers predicates;
    for (const Filter& filter : query.filters) {
      if (filter.mask == bit(v)) predicates.push_back(filter.number);
    }
    if (predicates.empty()) continue;
    RIZOMA_ASSIGN(const std::shared_ptr<const VertexSet> set, set_of(engine, query, v, predicates));
    query.kept[v] = set->count();
    if (set->count() <= graph_.num_vertices() / kFew) query.anchors[v] = list_of(*set);
    else query.vertex_filters[v] = set;
    std::erase_if(query.filters, [&](const Filter& filter) { return filter.mask == bit(v); });
  }
  return query;
}

Result<std::shared_ptr<const VertexSet>> VertexFilters::set_of(Engine& engine, const Query& query, unsigned v,
                                                               const PredicateNumbers& predicates) {
  const auto known =
      std::find_if(known_.begin(), known_.end(), [&](const auto& each) { return each.first == predicates; });
  if (known != known_.end()) return known->second;
  auto set = std::make_shared<VertexSet>(graph_.num_vertices());
  std::vector<const Filter*> filters;
  for (const Filter& filter : query.filters) {
    if (filter.mask == bit(v)) filters.push_back(&filter);
  }
  RIZOMA_TRY(engine.for_blocks(graph_.num_vertices(), kGrain, [&](VertexRange block, unsigned) {
    std::vector<VertexId> candidates;
    for (VertexId candidate = block.begin; candidate < block.end; ++candidate) {
      if (graph_.is_live(candidate)) candidates.push_back(candidate);
    }
    std::vector<std::uint8_t> keep(candidates.size(), 1);
    VertexSource source(candidates, columns_);
    for (const Filter* const filter : filters) {
      predicate::Evaluator evaluator(*filter->program);
      if (!evaluator.test(source, keep)) filter->failure->note(evaluator.error());
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (keep[i] != 0) set->add_atomic(candidates[i]);
    }
  }));
  RIZOMA_TRY(columns_.status());
  for (const Filter* const filter : filters) RIZOMA_TRY(filter->failure->status());
  set->recount();
  known_.emplace_back(predicates, set);
  return std::shared_ptr<const VertexSet>(set);
}

}  // namespace rizoma::query
