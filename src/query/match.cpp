#include <rizoma/match.h>

#include "query/cursor.h"
#include "query/explain.h"
#include "query/members.h"
#include "query/plan.h"
#include "query/query.h"
#include "query/run.h"
#include "query/symmetry.h"

#include <algorithm>
#include <utility>

namespace rizoma {

using query::BoundPattern;
using query::Query;

struct Match::Impl {
  GraphView graph;
  BoundPattern bound;
  query::GraphFigures figures;
};

namespace {

/// In-lists that a pattern cannot do without.
Status check_in_edges(const GraphView& graph, const BoundPattern& bound) {
  if (!graph.directed() || graph.has_in_edges()) return {};
  for (const Query& query : bound.queries) {
    for (const query::AbsentEdge& edge : query.absent) {
      if (edge.from && (edge.to || !edge.either)) continue;
      return Error{ErrorCode::unsupported,
                   "the pattern asks whether a vertex has any in-edge, and the graph stores no in-edges; open it with "
                   "in_edges=True"};
    }
  }
  return {};
}

/// The place of a name, or an Error that lists the names there are.
Result<std::size_t> index_of_name(const std::vector<std::string>& names, std::string_view name, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  return Error{ErrorCode::invalid_argument, "the pattern has no " + std::string(what) + " \"" + std::string(name) +
                                                "\"; it has: " + (known.empty() ? "none" : known)};
}

}  // namespace

Result<Match> Match::prepare(const GraphView& graph, const MatchOptions& options) {
  RIZOMA_ASSIGN(const query::Pattern pattern, query::parse_pattern(options.pattern));
  RIZOMA_ASSIGN(BoundPattern bound, query::bind(graph, pattern, options));
  RIZOMA_TRY(check_in_edges(graph, bound));
  const query::GraphFigures figures = query::figures_of(graph);
  return Match(std::make_shared<const Impl>(Impl{graph, std::move(bound), figures}));
}

const std::vector<std::string>& Match::vertices() const noexcept { return impl_->bound.vertex_names; }
const std::vector<std::string>& Match::edges() const noexcept { return impl_->bound.edge_names; }

Result<std::uint64_t> Match::count(Engine& engine) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  query::SafeCount total;
  if (impl_->bound.impossible) return total.value();
  query::MemberSets sets(impl_->graph, *impl_->bound.columns);
  for (const Query& whole : impl_->bound.queries) {
    for (Query& each : query::without_symmetry(impl_->graph, whole)) {
      RIZOMA_ASSIGN(const Query query, sets.settled(engine, std::move(each)));
      const query::Plan plan = query::make_plan(impl_->graph, impl_->figures, query, {});
      RIZOMA_ASSIGN(const query::CountResult found,
                    query::count_matches(engine, impl_->graph, query, plan, *impl_->bound.columns));
      query::SafeCount product;
      product.add(found.matches);
      product.multiply(query.times);
      total.add(product);
    }
  }
  RIZOMA_TRY(impl_->bound.columns->status());
  if (total.is_over()) return query::too_many_matches();
  return total.value();
}

Result<VertexMap<std::uint64_t>> Match::count_by(Engine& engine, std::string_view name) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  RIZOMA_ASSIGN(const std::size_t place, index_of_name(vertices(), name, "vertex"));
  auto counts = engine.make_map<std::uint64_t>(impl_->graph.num_vertices(), 0);
  if (impl_->bound.impossible) return counts;
  query::MemberSets sets(impl_->graph, *impl_->bound.columns);
  for (const Query& whole : impl_->bound.queries) {
    RIZOMA_ASSIGN(const Query query, sets.settled(engine, whole));
    const query::PlanAims aims{.counts = true, .root = query.vertex_of_name[place]};
    const query::Plan plan = query::make_plan(impl_->graph, impl_->figures, query, aims);
    RIZOMA_TRY(query::count_by_root(engine, impl_->graph, query, plan, *impl_->bound.columns, counts));
  }
  RIZOMA_TRY(impl_->bound.columns->status());
  return counts;
}

Result<std::string> Match::explain(Engine& engine, bool run) const {
  RIZOMA_TRY(engine.report("match", 0, 0));
  if (impl_->bound.impossible) return std::string("no vertex has an id that the pattern asks for: no matches\n");
  std::string text;
  query::MemberSets sets(impl_->graph, *impl_->bound.columns);
  for (const Query& whole : impl_->bound.queries) {
    for (Query& each : query::without_symmetry(impl_->graph, whole)) {
      RIZOMA_ASSIGN(const Query query, sets.settled(engine, std::move(each)));
      query::Explained explained{
          impl_->graph, query, query::make_plan(impl_->graph, impl_->figures, query, {}), {}, {}};
      explained.names = query::names_of(query, impl_->bound);
      if (run) {
        RIZOMA_ASSIGN(explained.counted,
                      query::count_matches(engine, impl_->graph, query, explained.plan, *impl_->bound.columns));
      }
      text += query::explanation(explained, *impl_->bound.columns);
    }
  }
  RIZOMA_TRY(impl_->bound.columns->status());
  return text;
}

Result<MatchCursor> Match::rows(const MatchSelection& selection) const {
  query::CursorPlan plan{impl_->graph, impl_->figures, {}, {}, impl_->bound.columns};
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
  for (const Query& whole : impl_->bound.queries) {
    for (Query& query : query::without_symmetry(impl_->graph, whole)) plan.queries.push_back(std::move(query));
  }
  return query::make_cursor(std::move(plan));
}

}  // namespace rizoma
