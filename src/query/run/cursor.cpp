#include "query/run/cursor.h"

#include "query/distributed/data_nodes.h"
#include "query/distributed/shared_rows.h"
#include "query/plan/predicate_pushdown.h"
#include "query/plan/symmetry.h"
#include "query/run/query_rows.h"
#include "query/run/row_worker.h"
#include "query/run/scanned_rows.h"
#include "query/run/vertex_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace rizoma {

using query::Query;
using query::QueryRows;
using query::RootBlock;

namespace {

constexpr double kFewSteps = 4096;  // that one thread takes before another one is awake

/// Reads the rows of one query, on all threads if they are many.
template <class Target>
class QueryRowsOf final : public QueryRows {
 public:
  QueryRowsOf(const query::CursorPlan& given, const Query& query, query::Plan plan,
              std::shared_ptr<const query::RepeatingLists> repeating)
      : plan_(std::move(plan)),
        run_{given.graph, query, plan_, *given.columns, std::move(repeating), {}},
        wanted_(given.wanted),
        blocks_(given.graph, query, plan_.roots[0]),
        share_{given.selection.part, given.selection.parts} {}

  Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) override {
    const std::size_t useful = plan_.cost < kFewSteps ? 1 : engine.threads();
    while (workers_.size() < useful) {
      workers_.push_back(std::make_unique<query::RowWorker<Target>>(run_, wanted_));
    }
    const auto take = [&](std::vector<RootBlock>& blocks) {
      const std::uint64_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= share_.count(blocks_.size())) return false;
      blocks_.read(share_.number(i), blocks);
      return true;
    };
    std::vector<MatchRows> found;
    RIZOMA_ASSIGN(const bool some_left, query::read_side_by_side(engine, workers_, wanted_, most, take, found));
    for (MatchRows& rows : found) {
      if (rows.rows != 0) parts.push_back(std::move(rows));
    }
    return some_left;
  }

  double share_done() const override {
    const auto all = static_cast<double>(share_.count(blocks_.size()));
    return all == 0 ? 1 : std::min(1.0, static_cast<double>(next_.load(std::memory_order_relaxed)) / all);
  }

 private:
  query::Plan plan_;
  query::Run run_;
  const query::RowColumns& wanted_;
  query::RootBlocks blocks_;
  query::BlockShare share_;
  std::atomic<std::uint64_t> next_ = 0;
  std::vector<std::unique_ptr<query::RowWorker<Target>>> workers_;
};

}  // namespace

struct MatchCursor::Impl {
  query::CursorPlan plan;
  std::size_t query = 0;
  std::unique_ptr<query::SharedGraph> shared;  ///< if data nodes hold the graph
  std::optional<query::PredicatePushdown> pushdown;
  std::unique_ptr<QueryRows> rows;

  /// Joins the other ranks.
  Status share(Engine& engine) {
    RIZOMA_ASSIGN(shared, query::share(engine, plan.graph, plan.sharing));
    query::KnownRepeats repeats;
    RIZOMA_ASSIGN(const auto repeating, repeats.of(engine, shared->own, false));
    shared->repeating = std::make_shared<query::RepeatingLists>(*repeating);
    std::vector<Query> split;
    for (const Query& whole : std::exchange(plan.queries, {})) {
      for (Query& each : query::without_symmetry(shared->own, whole, shared->loops)) split.push_back(std::move(each));
    }
    plan.queries = std::move(split);
    pushdown.emplace(shared->own, shared->figures, *plan.columns);
    return {};
  }

  Result<bool> open_shared(Engine& engine) {
    const query::PlanAims aims{.counts = false, .root = {}};
    if (shared == nullptr) RIZOMA_TRY(share(engine));
    RIZOMA_ASSIGN(plan.queries[query], pushdown->pushed_down(engine, std::move(plan.queries[query]), aims, false));
    const Query& now = plan.queries[query];
    query::Plan made = query::make_plan(shared->own, shared->figures, now, aims);
    RIZOMA_ASSIGN(
        rows, shared->own.with_out([&]<class Target>(const Adjacency<Target>&) -> Result<std::unique_ptr<QueryRows>> {
          const query::SharedRowsSource source{engine, *shared, now, *plan.columns, plan.wanted};
          return query::SharedRowsOf<Target>::open(source, std::move(made));
        }));
    return true;
  }

  Result<bool> open(Engine& engine) {
    if (engine.ranks() != nullptr && plan.sharing.data_nodes != 0) return open_shared(engine);
    const query::PlanAims aims{.counts = false, .root = {}};
    // Parts are divided by the plan, so all processes make the same one, whatever memory each of them has.
    const bool alone = engine.ranks() == nullptr && plan.selection.parts == 1;
    if (!pushdown) {
      pushdown.emplace(plan.graph, plan.figures, *plan.columns, alone ? plan.memory_limit : 0,
                       alone ? plan.columns->memory() : nullptr);
    }
    RIZOMA_ASSIGN(plan.queries[query], pushdown->of_vertices(engine, std::move(plan.queries[query]), aims));
    RIZOMA_ASSIGN(plan.queries[query],
                  pushdown->of_types(engine, std::move(plan.queries[query]), aims, plan.selection.some));
    if (query::reads_vertices(engine, plan.queries[query])) {
      rows = query::vertex_rows(plan, plan.queries[query]);
      return true;
    }
    if (!plan.selection.some && query::reads_all_edges(engine, plan.graph, plan.queries[query])) {
      RIZOMA_ASSIGN(rows, query::scanned_rows(engine, plan, plan.queries[query]));
      return true;
    }
    if (!plan.selection.some) {
      RIZOMA_ASSIGN(plan.queries[query], pushdown->of_edges(engine, std::move(plan.queries[query]), aims));
    }
    const Query& now = plan.queries[query];
    query::Plan made = query::make_plan(plan.graph, plan.figures, now, aims);
    RIZOMA_ASSIGN(auto repeating, plan.repeats->of(engine, plan.graph, made.roots[0].anchored));
    rows = plan.graph.with_out([&]<class Target>(const Adjacency<Target>&) -> std::unique_ptr<QueryRows> {
      return std::make_unique<QueryRowsOf<Target>>(plan, now, std::move(made), std::move(repeating));
    });
    return true;
  }
};

MatchCursor::MatchCursor(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
MatchCursor::MatchCursor(MatchCursor&&) noexcept = default;
MatchCursor& MatchCursor::operator=(MatchCursor&&) noexcept = default;
MatchCursor::~MatchCursor() = default;

bool MatchCursor::finished() const noexcept { return impl_->query == impl_->plan.queries.size(); }

Result<std::vector<MatchRows>> MatchCursor::next(Engine& engine, std::size_t most) {
  std::vector<MatchRows> parts;
  const auto all = static_cast<double>(impl_->plan.queries.size());
  while (parts.empty() && !finished()) {
    const double share = impl_->rows == nullptr ? 0 : impl_->rows->share_done();
    RIZOMA_TRY(engine.report("match", (static_cast<double>(impl_->query) + share) / all, 1));
    if (impl_->rows == nullptr) {
      RIZOMA_TRY(impl_->open(engine));
    }
    RIZOMA_ASSIGN(const bool left, impl_->rows->next(engine, std::max<std::size_t>(most, 1), parts));
    if (left) continue;
    impl_->rows.reset();
    ++impl_->query;
  }
  RIZOMA_TRY(impl_->plan.columns->status());
  RIZOMA_TRY(impl_->plan.failure->status());
  return parts;
}

namespace query {

MatchCursor make_cursor(CursorPlan plan) {
  auto impl = std::make_unique<MatchCursor::Impl>();
  impl->plan = std::move(plan);
  return MatchCursor(std::move(impl));
}

}  // namespace query
}  // namespace rizoma
