// Reads the rows of a query where data nodes hold the graph, a batch at a time.  Module: query.
#pragma once

#include "query/distributed/batches.h"
#include "query/run/query_rows.h"
#include "query/run/row_worker.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {

/// What rows are read from.
struct SharedRowsSource {
  Engine& engine;
  SharedGraph& shared;
  const Query& query;
  const MatchColumns& columns;
  const RowColumns& wanted;
};

/// All ranks read the same number of batches, and none starts the next one before all have read their rows of it: each
/// call of `next` is collective.
template <class Target>
class SharedRowsOf final : public QueryRows {
 public:
  static Result<std::unique_ptr<QueryRows>> open(const SharedRowsSource& source, Plan plan) {
    std::unique_ptr<SharedRowsOf> rows(new SharedRowsOf(source, std::move(plan)));
    const Step& root = rows->plan_.roots[0];
    RIZOMA_ASSIGN(BlockQueues queues, assigned_blocks(source.shared, source.query, root));
    // Rows match the trees of a plan one within the other.
    rows->batches_.emplace(source.engine, rows->fetched_, source.shared, source.query,
                           Tree{root.item, &root, root.branches, std::span(rows->plan_.roots).subspan(1)},
                           std::move(queues), false);
    return std::unique_ptr<QueryRows>(std::move(rows));
  }

  Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) override {
    if (!some_left_) {
      RIZOMA_ASSIGN(const bool some, next_batch(engine));
      if (!some) return false;
    }
    const auto take = [&](std::vector<RootBlock>& blocks) {
      const std::size_t i = next_block_.fetch_add(1, std::memory_order_relaxed);
      if (i < batches_->blocks().size()) blocks.push_back(batches_->blocks()[i]);
      return !blocks.empty();
    };
    std::vector<MatchRows> found;
    const Result<bool> mine = read_side_by_side(engine, workers_, wanted_, most, take, found);
    RIZOMA_TRY(shared_.ranks.finalize(mine ? Status() : Status(mine.error())));
    RIZOMA_ASSIGN(const auto left, shared_.ranks.all(static_cast<std::uint8_t>(*mine)));
    some_left_ = std::any_of(left.begin(), left.end(), [](std::uint8_t some) { return some != 0; });
    for (MatchRows& rows : found) parts.push_back(std::move(rows));
    return true;
  }

  double share_done() const override { return batches_->share_done(); }

 private:
  /// False if no rank has any left.
  Result<bool> next_batch(Engine& engine) {
    workers_.clear();
    view_ = shared_.own;
    RIZOMA_ASSIGN(const bool some, batches_->next([] { return false; }));
    if (!some) return false;
    view_ = batches_->view();
    next_block_ = 0;
    while (workers_.size() < engine.threads()) workers_.push_back(std::make_unique<RowWorker<Target>>(run_, wanted_));
    return true;
  }

  SharedRowsOf(const SharedRowsSource& source, Plan plan)
      : shared_(source.shared),
        plan_(std::move(plan)),
        view_(source.shared.own),
        run_{view_, source.query, plan_, source.columns, source.shared.repeating, {}},
        wanted_(source.wanted),
        fetched_(source.shared) {}

  SharedGraph& shared_;
  Plan plan_;
  GraphView view_;
  Run run_;
  const RowColumns& wanted_;
  FetchedLists<Target> fetched_;
  std::optional<Batches<Target>> batches_;
  std::vector<std::unique_ptr<RowWorker<Target>>> workers_;
  std::atomic<std::size_t> next_block_ = 0;
  bool some_left_ = false;  ///< of a batch, on any rank
};

}  // namespace rizoma::query
