#include "query/plan/edge_pushdown.h"

#include "query/plan/filtered_adjacency.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

/// The same filter, about edge item 0, with a failure of its own.
Filter about_first(const Filter& filter) {
  predicate::Program program = *filter.program;
  for (predicate::Slot& slot : program.slots) slot.item = 0;
  Filter first = filter;
  first.program = std::make_shared<const predicate::Program>(std::move(program));
  first.failure = std::make_shared<FirstFailure>();
  return first;
}

bool are_same(const Filter& a, const Filter& b) { return a.program->is_same(*b.program); }

/// Adds up how often each edge item is looked for.
void add_tested(const Step& step, double visits, double vertices, std::vector<double>& tested) {
  if (step.is_edge) tested[step.item] += visits;
  for (const Step& branch : step.branches) {
    add_tested(branch, branch.memoized ? vertices : visits * step.estimate, vertices, tested);
  }
}

/// Adds up the candidates of each vertex, which are tested.
void add_candidates(const Step& step, double visits, std::vector<double>& found) {
  if (!step.is_edge) found[step.item] += visits * step.estimate / share_of_filters(step);
  for (const Step& branch : step.branches) add_candidates(branch, visits * step.estimate, found);
}

/// Whether an edge must be chosen: predicates over it are left, or it has a name.
bool is_needed(const Query& query, unsigned item) {
  const auto& named = query.edge_of_name;
  return std::find(named.begin(), named.end(), item) != named.end() ||
         std::any_of(query.unequal_edges.begin(), query.unequal_edges.end(),
                     [&](const auto& pair) { return pair.first == item || pair.second == item; }) ||
         std::any_of(query.filters.begin(), query.filters.end(),
                     [&](const Filter& filter) { return (filter.mask & bit(query.item_of_edge(item))) != 0; });
}

/// Puts a set in the place of some filters of an edge.
void restrict_edge(Query& query, QueryEdge& edge, std::shared_ptr<const FilteredEdges> set, Mask mine, bool kinds) {
  query.filtered_edges.push_back(std::move(set));
  edge.set = query.filtered_edges.size();
  std::erase_if(query.filters, [&](const Filter& filter) { return filter.mask == mine && (!kinds || filter.is_kind); });
}

/// Edges of different types differ: they need not be told apart.
void drop_certain_differences(Query& query) {
  const auto rows_of = [&](unsigned item) -> const RowBits* {
    for (const QueryEdge& edge : query.edges) {
      if (edge.item != item || edge.set == 0) continue;
      const auto& rows = query.filtered_edges[edge.set - 1]->rows;
      return rows ? &*rows : nullptr;
    }
    return nullptr;
  };
  std::erase_if(query.unequal_edges, [&](const auto& pair) {
    const RowBits* const one = rows_of(pair.first);
    const RowBits* const other = rows_of(pair.second);
    return one != nullptr && other != nullptr && one->is_disjoint(*other);
  });
}

/// Edges that need not be chosen have no item.
void drop_items(Query& query) {
  for (QueryEdge& edge : query.edges) {
    if (edge.item && edge.set != 0 && !is_needed(query, *edge.item)) edge.item.reset();
  }
}

}  // namespace

std::vector<double> EdgePushdown::tests_of(const Query& query, const PlanAims& aims) const {
  std::vector<double> tested(query.edge_items);
  const Plan plan = make_plan(graph_, figures_, query, aims);
  for (const Step& root : plan.roots) add_tested(root, 1, figures_.vertices, tested);
  return tested;
}

std::vector<double> EdgePushdown::tests_of_vertices(const Query& query, const PlanAims& aims) const {
  std::vector<double> found(query.vertices);
  const Plan plan = make_plan(graph_, figures_, query, aims);
  for (const Step& root : plan.roots) add_candidates(root, 1, found);
  return found;
}

Result<Query> EdgePushdown::of_types(Engine& engine, Query query, const PlanAims& aims, bool known) {
  const auto is_type = [&](const Filter& filter) { return filter.is_kind && (filter.mask >> query.vertices) != 0; };
  if (memory_ == nullptr || std::none_of(query.filters.begin(), query.filters.end(), is_type)) return query;
  const std::vector<double> tested = known ? std::vector<double>(query.edge_items) : tests_of(query, aims);
  for (QueryEdge& edge : query.edges) {
    if (!edge.item || edge.set != 0) continue;
    const Mask mine = bit(query.item_of_edge(*edge.item));
    const auto of_edge = [&](const Filter& filter) { return filter.is_kind && filter.mask == mine; };
    if (std::count_if(query.filters.begin(), query.filters.end(), of_edge) != 1) continue;
    const auto type = std::find_if(query.filters.begin(), query.filters.end(), of_edge);
    RIZOMA_ASSIGN(Set set, set_of_type(engine, about_first(*type), tested[*edge.item], known));
    if (set != nullptr) restrict_edge(query, edge, std::move(set), mine, true);
  }
  drop_certain_differences(query);
  drop_items(query);
  return query;
}

Result<EdgePushdown::Set> EdgePushdown::set_of_type(Engine& engine, const Filter& type, double tests, bool known) {
  if (Set set = memory_->edges().find(*type.program)) return set;
  if (known) return Set();
  tests = std::max(tests, memory_->edges().all_tests());
  if (tests * kCheaperByAll < static_cast<double>(graph_.num_entries())) return Set();
  RIZOMA_TRY(columns_.prepare_edges(engine));
  RIZOMA_ASSIGN(auto made, filtered_adjacency(engine, graph_, std::span(&type, 1), columns_, room_));
  RIZOMA_TRY(columns_.status());
  RIZOMA_TRY(type.failure->status());
  if (!made || !made->rows) return Set();
  find_figures(*made);
  const std::uint64_t bytes = bytes_of_filtered(*made);
  auto set = std::make_shared<const FilteredEdges>(*std::move(made));
  memory_->edges().keep(type.program, set, bytes, room_ / 2);
  return set;
}

Result<Query> EdgePushdown::pushed_down(Engine& engine, Query query, const PlanAims& aims) {
  const Mask edges = query.edge_items == 0 ? 0 : (~Mask{0} >> (64 - query.edge_items)) << query.vertices;
  const auto speaks_of_edges = [&](const Filter& filter) { return (filter.mask & edges) != 0; };
  if (std::none_of(query.filters.begin(), query.filters.end(), speaks_of_edges)) return query;
  RIZOMA_TRY(columns_.prepare_edges(engine));
  const std::vector<double> tested = tests_of(query, aims);
  // Edges that are tested seldom read a set that others need.
  for (const bool only_known : {false, true}) {
    for (QueryEdge& edge : query.edges) {
      if (!edge.item) continue;
      const FilteredEdges* const among = edge.set == 0 ? nullptr : query.filtered_edges[edge.set - 1].get();
      if (!only_known && tested[*edge.item] * kCheaperByAll < cost_of_set(among)) continue;
      const Mask mine = bit(query.item_of_edge(*edge.item));
      std::vector<Filter> filters;
      for (const Filter& filter : query.filters) {
        if (filter.mask == mine) filters.push_back(about_first(filter));
      }
      if (filters.empty() || (only_known && known_of(filters, among) == nullptr)) continue;
      RIZOMA_ASSIGN(auto set, set_of(engine, std::move(filters), among));
      if (set != nullptr) restrict_edge(query, edge, std::move(set), mine, false);
    }
  }
  drop_items(query);
  return query;
}

double EdgePushdown::cost_of_set(const FilteredEdges* among) const {
  const EdgeCount entries = among == nullptr ? graph_.num_entries() : among->lists.num_entries();
  return static_cast<double>(entries) + figures_.vertices;
}

const EdgePushdown::Known* EdgePushdown::known_of(const std::vector<Filter>& filters,
                                                  const FilteredEdges* among) const {
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& each) {
    return each.among == among &&
           std::equal(each.filters.begin(), each.filters.end(), filters.begin(), filters.end(), are_same);
  });
  return known == known_.end() ? nullptr : &*known;
}

Result<EdgePushdown::Set> EdgePushdown::set_of(Engine& engine, std::vector<Filter> filters,
                                               const FilteredEdges* among) {
  if (const Known* const known = known_of(filters, among)) return known->set;
  RIZOMA_ASSIGN(auto made, filtered_adjacency(engine, graph_, filters, columns_, room_, among));
  RIZOMA_TRY(columns_.status());
  // An edge that no match has may fail a predicate: then those that matches reach are tested one by one.
  const bool failed =
      std::any_of(filters.begin(), filters.end(), [](const Filter& filter) { return filter.failure->failed(); });
  Set set;
  if (made && !failed) {
    room_ -= std::min(room_, bytes_of_filtered(*made));
    if (among != nullptr && among->lists.num_entries() != 0) {
      const auto share =
          static_cast<double>(made->lists.num_entries()) / static_cast<double>(among->lists.num_entries());
      made->mean_out = share * among->mean_out;
      made->mean_in = share * among->mean_in;
      made->some = among->some;
    }
    set = std::make_shared<const FilteredEdges>(*std::move(made));
  }
  known_.push_back({among, std::move(filters), set});
  return set;
}

}  // namespace rizoma::query
