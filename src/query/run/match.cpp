#include <rizoma/match.h>

#include "graph/section_proof.h"
#include "query/distributed/data_nodes.h"
#include "query/distributed/fetch_estimate.h"
#include "query/parse/query.h"
#include "query/plan/explain.h"
#include "query/plan/match_memory.h"
#include "query/plan/plan.h"
#include "query/plan/predicate_pushdown.h"
#include "query/plan/symmetry.h"
#include "query/run/cliques.h"
#include "query/run/cursor.h"
#include "query/run/edge_pattern_scan.h"
#include "query/run/cycle_counts.h"
#include "query/run/run.h"
#include "query/run/lazy_blocks.h"

#include <algorithm>
#include <utility>

namespace rizoma {

using query::BoundPattern;
using query::Query;

struct Match::Impl {
  Impl(GraphView given, BoundPattern pattern, const MatchOptions& options)
      : graph(std::move(given)),
        bound(std::move(pattern)),
        sharing(options.sharing),
        memory_limit(options.memory_limit),
        memory(bound.columns->memory()),
        repeats(memory != nullptr ? memory->repeats() : std::make_shared<query::KnownRepeats>()) {}

  /// Of the whole graph.
  [[nodiscard]] const query::GraphFigures& figures() const {
    if (memory != nullptr) return memory->figures(graph);
    FirstFailure none;
    return *known_figures.get(0, none,
                              [this](std::size_t) -> Result<query::GraphFigures> { return query::figures_of(graph); });
  }

  /// Those of the pattern, split where it is symmetric.
  [[nodiscard]] const std::vector<Query>& queries() const {
    FirstFailure none;
    return *parts.get(0, none, [this](std::size_t) -> Result<std::vector<Query>> {
      std::vector<Query> split;
      for (const Query& whole : bound.queries) {
        for (Query& each : query::without_symmetry(graph, whole)) split.push_back(std::move(each));
      }
      return split;
    });
  }

  [[nodiscard]] query::Planned planned(const Query& query, const query::Plan& plan) const {
    return {graph, query, plan, *bound.columns, *repeats};
  }

  [[nodiscard]] query::EdgePatternScan scan(const Query& query) const {
    return {graph, query, *bound.columns, memory_limit};
  }

  /// In this process, on the whole graph or the share of its rank.
  [[nodiscard]] Result<query::CountResult> counted(Engine& engine, const Query& query) const {
    RIZOMA_ASSIGN(const bool cliques, query::counts_cliques(engine, graph, query, memory_limit));
    const query::Plan plan = query::make_plan(graph, figures(), query, aims(engine));
    if (cliques) {
      RIZOMA_ASSIGN(auto found, query::count_cliques(engine, planned(query, plan)));
      if (found) return std::move(*found);
    }
    return query::count_matches(engine, planned(query, plan));
  }

  /// Ranks divide the work by the plan, so all make the same one, whatever memory each of them has.
  [[nodiscard]] std::uint64_t limit(const Engine& engine) const { return engine.ranks() == nullptr ? memory_limit : 0; }
  /// For queries on the whole graph.
  [[nodiscard]] query::PredicatePushdown pushdown(const Engine& engine) const {
    // Ranks divide the work by the plan: none may know sets that others do not.
    return {graph, figures(), *bound.columns, limit(engine), engine.ranks() == nullptr ? memory : nullptr};
  }
  /// For counts of them.
  [[nodiscard]] query::PlanAims aims(const Engine& engine) const {
    query::PlanAims aims;
    if (limit(engine) != 0) aims.wedge_room = limit(engine) / engine.threads();
    return aims;
  }

  /// The same by the self-loops of all ranks.
  [[nodiscard]] std::vector<Query> queries_of(const query::SharedGraph& shared) const {
    std::vector<Query> split;
    for (const Query& whole : bound.queries) {
      for (Query& each : query::without_symmetry(shared.own, whole, shared.loops)) split.push_back(std::move(each));
    }
    return split;
  }

  GraphView graph;
  BoundPattern bound;
  Sharing sharing;
  std::uint64_t memory_limit;
  query::MatchMemory* memory;  ///< of the columns
  std::shared_ptr<query::KnownRepeats> repeats;
  query::LazyBlocks<query::GraphFigures> known_figures = query::LazyBlocks<query::GraphFigures>(1);
  query::LazyBlocks<std::vector<Query>> parts = query::LazyBlocks<std::vector<Query>>(1);
};

namespace {

/// In-lists that a pattern cannot do without.
Status check_in_edges(const GraphView& graph, const BoundPattern& bound) {
  if (!graph.directed() || graph.has_in_edges()) return {};
  for (const Query& query : bound.queries) {
    for (const query::AbsentEdge& edge : query.absent) {
      if (edge.from && (edge.to || !edge.either)) continue;
      return Error{ErrorCode::unsupported,
                   "the pattern asks whether a vertex has any in-edge, but the graph stores no in-edges; create it "
                   "with in_edges=True"};
    }
  }
  return {};
}

/// What data nodes cannot do.
Status check_shared(const BoundPattern& bound) {
  for (const Query& query : bound.queries) {
    if (query.shortest.empty()) continue;
    return Error{ErrorCode::unsupported,
                 "a shortest path may lead anywhere, but each rank has the lists of some vertices only; do not ask for "
                 "data nodes"};
  }
  return {};
}

/// The place of a name, or an Error that lists the names there are.
Result<std::size_t> index_of_name(const std::vector<std::string>& names, std::string_view name, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  return Error{ErrorCode::invalid_argument, "the pattern has no " + std::string(what) + " '" + std::string(name) +
                                                "'; it has: " + (known.empty() ? "none" : known)};
}

}  // namespace

Result<Match> Match::prepare(const GraphView& graph, const MatchOptions& options) {
  RIZOMA_TRY(prove_all_lists(graph));  // a pattern leads anywhere, also before ranks divide the graph, or without them
  RIZOMA_ASSIGN(const query::Pattern pattern, query::parse_pattern(options.pattern));
  RIZOMA_ASSIGN(BoundPattern bound, query::bind(graph, pattern, options));
  RIZOMA_TRY(check_in_edges(graph, bound));
  if (options.sharing.data_nodes != 0) RIZOMA_TRY(check_shared(bound));
  return Match(std::make_shared<const Impl>(graph, std::move(bound), options));
}

const std::vector<std::string>& Match::vertices() const noexcept { return impl_->bound.vertex_names; }
const std::vector<std::string>& Match::edges() const noexcept { return impl_->bound.edge_names; }

namespace {

/// Adds up the counts of all queries, multiplied.
class QueryCounts {
 public:
  void add(query::CheckedCount matches, std::uint64_t times) noexcept {
    matches.multiply(times);
    total_.add(matches);
  }
  [[nodiscard]] Result<std::uint64_t> total() const {
    if (total_.is_over()) return query::too_many_matches();
    return total_.value();
  }

 private:
  query::CheckedCount total_;
};

/// Counts where data nodes hold the graph.
Result<std::uint64_t> count_shared(Engine& engine, const Match::Impl& match, std::vector<RankShare>* shares) {
  RIZOMA_ASSIGN(const auto shared, query::share(engine, match.graph, match.sharing));
  QueryCounts counts;
  query::PredicatePushdown pushdown(shared->own, shared->figures, *match.bound.columns);
  query::KnownRepeats repeats;
  for (const Query& each : match.queries_of(*shared)) {
    // Predicates on edges are tested one by one: no rank has all edges.
    RIZOMA_ASSIGN(const Query query, pushdown.pushed_down(engine, each, {}, false));
    const query::PlanAims aims{.counts = true, .root = {}, .wedge_room = 0};
    const query::Plan plan = query::make_plan(shared->own, shared->figures, query, aims);
    const query::Planned planned{shared->own, query, plan, *match.bound.columns, repeats, shared.get()};
    RIZOMA_ASSIGN(const query::CountResult found, query::count_matches(engine, planned));
    counts.add(query::CheckedCount(found.matches), query.times);
  }
  RIZOMA_TRY(match.bound.status());
  if (shares != nullptr) {
    RIZOMA_ASSIGN(*shares, shared->ranks.all(shared->done));
  }
  return counts.total();
}

}  // namespace

Result<std::uint64_t> Match::count(Engine& engine, std::vector<RankShare>* shares) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  if (impl_->bound.impossible) return std::uint64_t{0};
  if (engine.ranks() != nullptr && impl_->sharing.data_nodes != 0) return count_shared(engine, *impl_, shares);
  QueryCounts counts;
  query::PredicatePushdown pushdown = impl_->pushdown(engine);
  for (const Query& each : impl_->queries()) {
    if (query::counts_four_cycles(engine, impl_->graph, each)) {
      RIZOMA_ASSIGN(const query::CheckedCount cycles, query::count_four_cycles(engine, impl_->graph, each));
      counts.add(cycles, each.times);
      continue;
    }
    RIZOMA_ASSIGN(Query query, pushdown.of_vertices(engine, each, impl_->aims(engine)));
    RIZOMA_ASSIGN(query, pushdown.of_types(engine, std::move(query), impl_->aims(engine)));
    if (query::scans_edges(engine, impl_->graph, query)) {
      RIZOMA_ASSIGN(const std::uint64_t found, impl_->scan(query).count(engine));
      counts.add(query::CheckedCount(found), query.times);
      continue;
    }
    RIZOMA_ASSIGN(query, pushdown.of_edges(engine, std::move(query), impl_->aims(engine)));
    RIZOMA_ASSIGN(const query::CountResult found, impl_->counted(engine, query));
    counts.add(query::CheckedCount(found.matches), query.times);
  }
  RIZOMA_TRY(impl_->bound.status());
  return counts.total();
}

namespace {

/// Adds up matches by vertex: a number for each vertex of the graph, but for few matches that are listed.
class CountsByVertex {
 public:
  CountsByVertex(Engine& engine, VertexId vertices) : engine_(engine), vertices_(vertices) {}

  /// What it costs to begin to count in a map, and to read it in the end: as many entries as that many steps read.
  [[nodiscard]] double cost_of_all() const { return all_.size() == 0 ? static_cast<double>(vertices_) / 8 : 0; }
  [[nodiscard]] VertexMap<std::uint64_t>& all() {
    if (all_.size() == 0) all_ = engine_.make_map<std::uint64_t>(vertices_, 0);
    return all_;
  }
  void add(const std::vector<std::int64_t>& listed, std::uint64_t times) {
    if (all_.size() == 0 && times == 1 && (listed_.size() + listed.size()) * kFew < vertices_) {
      listed_.insert(listed_.end(), listed.begin(), listed.end());
    } else {
      for (const std::int64_t v : listed) all()[static_cast<VertexId>(v)] += times;
    }
  }
  [[nodiscard]] VertexCounts made() {
    if (all_.size() == 0) return of_listed();
    add(std::exchange(listed_, {}), 1);
    VertexCounts found;
    for (VertexId v = 0; v < vertices_; ++v) {
      if (all_[v] == 0) continue;
      found.vertices.push_back(v);
      found.counts.push_back(all_[v]);
    }
    return found;
  }

 private:
  static constexpr std::uint64_t kFew = 16;  // fewer than one for each 16 vertices are sorted

  [[nodiscard]] VertexCounts of_listed() {
    std::sort(listed_.begin(), listed_.end());
    VertexCounts found;
    for (const std::int64_t listed : listed_) {
      const auto v = static_cast<VertexId>(listed);
      if (found.vertices.empty() || found.vertices.back() != v) {
        found.vertices.push_back(v);
        found.counts.push_back(0);
      }
      ++found.counts.back();
    }
    return found;
  }

  Engine& engine_;
  VertexId vertices_;
  VertexMap<std::uint64_t> all_;
  std::vector<std::int64_t> listed_;
};

constexpr double kListingCost = 4;              // of a match that is listed, to one that is counted
constexpr std::size_t kListedTogether = 65536;  // rows

/// Whether to list the matches of a query costs less than to count them from the vertex that they are counted by.
bool is_listed(const Match::Impl& match, const Query& query, const query::PlanAims& by_vertex,
               const CountsByVertex& counts) {
  const query::PlanAims listing{.counts = false, .root = {}};
  const double listed = query::make_plan(match.graph, match.figures(), query, listing).cost;
  const double counted = query::make_plan(match.graph, match.figures(), query, by_vertex).cost;
  return listed * kListingCost < counted + counts.cost_of_all();
}

Status list_by(Engine& engine, const Match::Impl& match, Query query, std::size_t name, CountsByVertex& counts) {
  const std::uint64_t times = query.times;
  query::CursorPlan plan{match.graph,         match.figures(),     {std::move(query)}, {{name}, {}, nullptr},
                         match.bound.columns, match.bound.failure, match.repeats,      {}};
  plan.memory_limit = match.memory_limit;
  MatchCursor cursor = query::make_cursor(std::move(plan));
  while (!cursor.finished()) {
    RIZOMA_ASSIGN(const std::vector<MatchRows> parts, cursor.next(engine, kListedTogether));
    for (const MatchRows& part : parts) counts.add(part.vertices[0], times);
  }
  return {};
}

}  // namespace

Result<VertexCounts> Match::count_by(Engine& engine, std::string_view name) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  if (engine.ranks() != nullptr) {
    return Error{
        ErrorCode::unsupported,
        "matches by vertex are counted in one process only; count all of them, or open the graph in one process"};
  }
  RIZOMA_ASSIGN(const std::size_t place, index_of_name(vertices(), name, "vertex"));
  CountsByVertex counts(engine, impl_->graph.num_vertices());
  if (impl_->bound.impossible) return VertexCounts();
  query::PredicatePushdown pushdown = impl_->pushdown(engine);
  for (const Query& whole : impl_->bound.queries) {
    query::PlanAims aims = impl_->aims(engine);
    aims.root = whole.vertex_of_name[place];
    RIZOMA_ASSIGN(Query query, pushdown.of_vertices(engine, whole, aims));
    RIZOMA_ASSIGN(const Query known, pushdown.of_types(engine, query, aims, true));
    if (is_listed(*impl_, known, aims, counts)) {
      RIZOMA_TRY(list_by(engine, *impl_, std::move(query), place, counts));
      continue;
    }
    RIZOMA_ASSIGN(query, pushdown.of_types(engine, std::move(query), aims));
    if (query::scans_edges(engine, impl_->graph, query)) {
      RIZOMA_TRY(impl_->scan(query).count_by(engine, *aims.root, counts.all()));
      continue;
    }
    RIZOMA_ASSIGN(query, pushdown.of_edges(engine, std::move(query), aims));
    const query::Plan plan = query::make_plan(impl_->graph, impl_->figures(), query, aims);
    RIZOMA_TRY(query::count_by_root(engine, impl_->planned(query, plan), counts.all()));
  }
  RIZOMA_TRY(impl_->bound.status());
  return counts.made();
}

Result<std::string> Match::explain(Engine& engine, bool run) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  if (impl_->bound.impossible) return std::string("no vertex has an id that the pattern asks for: no matches\n");
  std::string text;
  query::PredicatePushdown pushdown = impl_->pushdown(engine);
  for (const Query& each : impl_->queries()) {
    RIZOMA_ASSIGN(const Query query, pushdown.pushed_down(engine, each, impl_->aims(engine)));
    query::Plan plan = query::make_plan(impl_->graph, impl_->figures(), query, impl_->aims(engine));
    query::Explained explained{impl_->graph, query, std::move(plan), {}, {}};
    explained.names = query::names_of(query, impl_->bound);
    RIZOMA_ASSIGN(explained.cliques, query::counts_cliques(engine, impl_->graph, query, impl_->memory_limit));
    if (run) {
      RIZOMA_ASSIGN(explained.counted, impl_->counted(engine, query));
    }
    text += query::explanation(explained, *impl_->bound.columns);
    RIZOMA_ASSIGN(Query of_types, pushdown.of_vertices(engine, each, impl_->aims(engine)));
    RIZOMA_ASSIGN(of_types, pushdown.of_types(engine, std::move(of_types), impl_->aims(engine), true));
    if (query::scans_edges(engine, impl_->graph, of_types)) {
      text += "a count scans the edges, without these steps\n";
    }
    if (query::counts_four_cycles(engine, impl_->graph, each)) {
      text += "a count follows from the wedges of each vertex, without these steps\n";
    }
  }
  RIZOMA_TRY(impl_->bound.status());
  return text;
}

Result<std::vector<FetchEstimate>> Match::estimate(Engine& engine, const std::vector<unsigned>& ranks,
                                                   double held) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  if (engine.ranks() != nullptr)
    return Error{ErrorCode::unsupported, "a match cannot be explained on ranks; explain it in one process"};
  query::FetchEstimator reads(impl_->graph);
  query::PredicatePushdown pushdown = impl_->pushdown(engine);
  if (!impl_->bound.impossible) {
    for (const Query& each : impl_->queries()) {
      RIZOMA_ASSIGN(const Query query, pushdown.pushed_down(engine, each, {}, false));
      const query::PlanAims aims{.counts = true, .root = {}, .wedge_room = 0};
      reads.add(query, query::make_plan(impl_->graph, impl_->figures(), query, aims));
    }
  }
  std::vector<FetchEstimate> estimates;
  for (const unsigned number : ranks) estimates.push_back(reads.of(number, held));
  RIZOMA_TRY(impl_->bound.status());
  return estimates;
}

Result<MatchCursor> Match::rows(const MatchSelection& selection) const {
  if (selection.part >= selection.parts) {
    return Error{ErrorCode::invalid_argument, "there is no part " + std::to_string(selection.part) + " of " +
                                                  std::to_string(selection.parts) + " parts of the matches"};
  }
  query::CursorPlan plan{impl_->graph,         impl_->figures(), {},       {}, impl_->bound.columns,
                         impl_->bound.failure, impl_->repeats,   selection};
  plan.memory_limit = impl_->memory_limit;
  plan.wanted.ids = selection.ids;
  for (const std::string& name : selection.vertices) {
    RIZOMA_ASSIGN(const std::size_t place, index_of_name(vertices(), name, "vertex"));
    plan.wanted.vertices.push_back(place);
  }
  for (const std::string& name : selection.edges) {
    RIZOMA_ASSIGN(const std::size_t place, index_of_name(edges(), name, "edge"));
    plan.wanted.edges.push_back(place);
  }
  if (impl_->bound.impossible) return query::make_cursor(std::move(plan));
  plan.sharing = impl_->sharing;
  if (impl_->sharing.data_nodes != 0) plan.queries = impl_->bound.queries;
  else plan.queries = impl_->queries();
  return query::make_cursor(std::move(plan));
}

}  // namespace rizoma
