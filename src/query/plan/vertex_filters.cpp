#include "query/plan/vertex_filters.h"

#include "base/first_failure.h"
#include "query/plan/filter_sources.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

constexpr VertexId kGrain = 4096;  // whole words of a set, which no two threads write
constexpr VertexId kFew = 64;      // a set of one vertex in this many is a list to begin with
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // of the sets of labels that are kept

/// With the vertices of a set whose words are written, as a list if they are few.
void finish(KeptVertices& kept) {
  kept.set.recount();
  if (kept.set.count() > kept.set.universe() / kFew) return;
  std::vector<VertexId>& members = kept.members.emplace();
  members.reserve(kept.set.count());
  kept.set.for_each([&](VertexId v) { members.push_back(v); });
}

bool has_anchors(const Query& query) {
  return std::any_of(query.anchors.begin(), query.anchors.end(), [](const auto& each) { return each.has_value(); });
}

/// The same predicate about the first vertex, or edge item.
std::shared_ptr<const predicate::Program> about_item_0(const Filter& filter) {
  auto program = std::make_shared<predicate::Program>(*filter.program);
  for (predicate::Slot& slot : program->slots) slot.item = 0;
  return program;
}

}  // namespace

void note_kind_tests(MatchMemory& memory, const Filter& filter, bool of_edge, std::uint64_t tests) {
  const auto program = about_item_0(filter);
  if (of_edge) memory.edges().add_tests(program, static_cast<double>(tests));
  else memory.vertices().add_tests(program, static_cast<double>(tests));
}

bool VertexFilters::heeds_tests(const Query& query) {
  const auto is_open = [&](const Filter& filter) {
    if (filter.is_kind || !std::has_single_bit(filter.mask)) return false;
    const auto v = static_cast<unsigned>(std::countr_zero(filter.mask));
    return v < query.vertices && !query.anchors[v];
  };
  return has_anchors(query) && std::any_of(query.filters.begin(), query.filters.end(), is_open);
}

Result<Query> VertexFilters::pushed_down(Engine& engine, Query query, const std::vector<double>& tested) {
  query.vertex_filters.resize(query.vertices);
  query.kept.resize(query.vertices);
  const bool anchored = has_anchors(query);
  for (unsigned v = 0; v < query.vertices; ++v) {
    const bool rarely = tested.empty() || tested[v] * kCheaperByAll < static_cast<double>(graph_.num_vertices());
    if (anchored && (query.anchors[v] || rarely)) continue;
    const Status status = use_all(engine, query, v);
    // A vertex that the anchors do not lead to may fail a predicate: then those that they reach are tested one by one.
    if (!status && !(anchored && status.error().code == ErrorCode::invalid_argument)) return status.error();
  }
  if (anchored && memory_ != nullptr) RIZOMA_TRY(use_labels(engine, query));
  return query;
}

Status VertexFilters::use_all(Engine& engine, Query& query, unsigned v) {
  PredicateNumbers predicates;
  for (const Filter& filter : query.filters) {
    if (filter.mask == bit(v)) predicates.push_back(filter.number);
  }
  if (predicates.empty()) return {};
  RIZOMA_ASSIGN(const Set set, set_of(engine, query, v, predicates));
  std::erase_if(query.filters, [&](const Filter& filter) { return filter.mask == bit(v); });
  restrict_vertex(query, v, set);
  return {};
}

void VertexFilters::restrict_vertex(Query& query, unsigned v, const Set& set) const {
  query.kept[v] = set->set.count();
  if (set->members) query.anchors[v] = set->members;
  else query.vertex_filters[v] = {set, &set->set};
}

Status VertexFilters::use_labels(Engine& engine, Query& query) {
  for (unsigned v = 0; v < query.vertices; ++v) {
    const auto of_vertex = [&](const Filter& filter) { return filter.is_kind && filter.mask == bit(v); };
    if (std::count_if(query.filters.begin(), query.filters.end(), of_vertex) != 1) continue;
    const auto label = std::find_if(query.filters.begin(), query.filters.end(), of_vertex);
    RIZOMA_ASSIGN(const Set set, set_of_label(engine, *label, true));
    if (set == nullptr) continue;
    query.filters.erase(label);
    if (query.anchors[v]) std::erase_if(*query.anchors[v], [&](VertexId each) { return !set->set.contains(each); });
    else restrict_vertex(query, v, set);
  }
  return {};
}

Result<VertexFilters::Set> VertexFilters::set_of(Engine& engine, const Query& query, unsigned v,
                                                 const PredicateNumbers& predicates) {
  const auto known =
      std::find_if(known_.begin(), known_.end(), [&](const auto& each) { return each.first == predicates; });
  if (known != known_.end()) return known->second;
  std::vector<const Filter*> filters;
  for (const Filter& filter : query.filters) {
    if (filter.mask == bit(v)) filters.push_back(&filter);
  }
  RIZOMA_ASSIGN(Set set, labelled(engine, filters));
  if (set == nullptr || !filters.empty()) {
    RIZOMA_ASSIGN(set, kept(engine, filters, set));
  }
  known_.emplace_back(predicates, set);
  return set;
}

Result<VertexFilters::Set> VertexFilters::set_of_label(Engine& engine, const Filter& label, bool if_it_pays) {
  const auto program = about_item_0(label);
  if (Set known = memory_->vertices().find(*program)) return known;
  const double tests = memory_->vertices().all_tests();
  if (if_it_pays && tests * kCheaperByAll < static_cast<double>(graph_.num_vertices())) return Set();
  RIZOMA_ASSIGN(Set set, kept(engine, {&label}, nullptr));
  const std::uint64_t bytes = VertexSet::words_of(graph_.num_vertices()) * sizeof(std::uint64_t) +
                              (set->members ? set->members->size() * sizeof(VertexId) : 0);
  memory_->vertices().keep(program, set, bytes, kMostBytes);
  return set;
}

Result<VertexFilters::Set> VertexFilters::labelled(Engine& engine, std::vector<const Filter*>& filters) {
  Set all;
  for (const Filter* const filter : filters) {
    if (memory_ == nullptr || !filter->is_kind) continue;
    RIZOMA_ASSIGN(Set set, set_of_label(engine, *filter, false));
    if (all == nullptr) {
      all = std::move(set);
      continue;
    }
    auto both = std::make_shared<KeptVertices>(KeptVertices{all->set, {}});
    for (std::size_t i = 0; i < VertexSet::words_of(graph_.num_vertices()); ++i) {
      both->set.words()[i] &= set->set.word(i);
    }
    finish(*both);
    all = std::move(both);
  }
  if (all != nullptr) std::erase_if(filters, [](const Filter* filter) { return filter->is_kind; });
  return all;
}

Result<VertexFilters::Set> VertexFilters::kept(Engine& engine, const std::vector<const Filter*>& filters,
                                               const Set& among) const {
  auto set = std::make_shared<KeptVertices>(KeptVertices{VertexSet(graph_.num_vertices()), {}});
  std::uint64_t* const words = set->set.words();
  FirstFailure failure;
  RIZOMA_TRY(engine.for_blocks(graph_.num_vertices(), kGrain, [&](VertexRange block, unsigned) {
    std::vector<VertexId> candidates(block.size());
    std::size_t count = 0;
    if (among != nullptr) among->set.for_each(block, [&](VertexId v) { candidates[count++] = v; });
    for (VertexId v = block.begin; among == nullptr && v < block.end; ++v) {
      if (graph_.is_live(v)) candidates[count++] = v;
    }
    candidates.resize(count);
    if (candidates.empty()) return;
    std::vector<std::uint8_t> keep(candidates.size(), 1);
    VertexSource source(candidates, columns_);
    for (const Filter* const filter : filters) {
      predicate::Evaluator evaluator(*filter->program);
      if (!evaluator.test(source, keep)) failure.note(evaluator.error());
    }
    for (std::size_t i = 0; i < candidates.size();) {
      const VertexId word = candidates[i] >> 6;
      std::uint64_t bits = 0;
      for (; i < candidates.size() && candidates[i] >> 6 == word; ++i) {
        bits |= std::uint64_t{keep[i]} << (candidates[i] & 63);
      }
      words[word] = bits;
    }
  }));
  RIZOMA_TRY(columns_.status());
  RIZOMA_TRY(failure.status());
  finish(*set);
  return Set(std::move(set));
}

}  // namespace rizoma::query
