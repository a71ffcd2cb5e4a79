#include "query/plan/edge_pushdown.h"

#include "query/plan/filtered_adjacency.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

constexpr double kCheaper = 8;  // an edge that is tested with all others costs this many times less

/// The same filter, about edge item 0.
Filter about_first(const Filter& filter) {
  predicate::Program program = *filter.program;
  for (predicate::Slot& slot : program.slots) slot.item = 0;
  Filter first = filter;
  first.program = std::make_shared<const predicate::Program>(std::move(program));
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

/// Whether an edge must be chosen: predicates over it are left, or it has a name.
bool is_needed(const Query& query, unsigned item) {
  const auto& named = query.edge_of_name;
  return std::find(named.begin(), named.end(), item) != named.end() ||
         std::any_of(query.unequal_edges.begin(), query.unequal_edges.end(),
                     [&](const auto& pair) { return pair.first == item || pair.second == item; }) ||
         std::any_of(query.filters.begin(), query.filters.end(),
                     [&](const Filter& filter) { return (filter.mask & bit(query.item_of_edge(item))) != 0; });
}

}  // namespace

Result<Query> EdgePushdown::pushed_down(Engine& engine, Query query, const PlanAims& aims) {
  const Mask edges = query.edge_items == 0 ? 0 : (~Mask{0} >> (64 - query.edge_items)) << query.vertices;
  const auto speaks_of_edges = [&](const Filter& filter) { return (filter.mask & edges) != 0; };
  if (std::none_of(query.filters.begin(), query.filters.end(), speaks_of_edges)) return query;
  RIZOMA_TRY(columns_.prepare_edges(engine));
  std::vector<double> tested(query.edge_items);
  const Plan plan = make_plan(graph_, figures_, query, aims);
  for (const Step& root : plan.roots) add_tested(root, 1, figures_.vertices, tested);
  for (QueryEdge& edge : query.edges) {
    if (!edge.item || tested[*edge.item] * kCheaper < static_cast<double>(graph_.num_entries())) continue;
    const Mask mine = bit(query.item_of_edge(*edge.item));
    std::vector<Filter> filters;
    for (const Filter& filter : query.filters) {
      if (filter.mask == mine) filters.push_back(about_first(filter));
    }
    if (filters.empty()) continue;
    RIZOMA_ASSIGN(auto set, set_of(engine, std::move(filters)));
    if (set == nullptr) continue;
    query.filtered_edges.push_back(std::move(set));
    edge.set = query.filtered_edges.size();
    std::erase_if(query.filters, [&](const Filter& filter) { return filter.mask == mine; });
    if (!is_needed(query, *edge.item)) edge.item.reset();
  }
  return query;
}

Result<std::shared_ptr<const GraphView>> EdgePushdown::set_of(Engine& engine, std::vector<Filter> filters) {
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const auto& each) {
    return std::equal(each.first.begin(), each.first.end(), filters.begin(), filters.end(), are_same);
  });
  if (known != known_.end()) return known->second;
  RIZOMA_ASSIGN(std::optional<GraphView> lists, filtered_adjacency(engine, graph_, filters, columns_, room_));
  RIZOMA_TRY(columns_.status());
  for (const Filter& filter : filters) RIZOMA_TRY(filter.failure->status());
  std::shared_ptr<const GraphView> set;
  if (lists) {
    room_ -= std::min(room_, bytes_of_filtered(*lists));
    set = std::make_shared<const GraphView>(std::move(*lists));
  }
  known_.emplace_back(std::move(filters), set);
  return set;
}

}  // namespace rizoma::query
