// Reads the rows of a query where data nodes hold the graph, a batch at a time.  Module: query.
#pragma once

#include "query/batches.h"
#include "query/query_rows.h"
#include "query/rows.h"

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

/// All ranks read as many batches, whoever finds rows in them: each call of `next` is collective.
template <class Target>
class SharedRowsOf final : public QueryRows {
 public:
  static Result<std::unique_ptr<QueryRows>> open(const SharedRowsSource& source, Plan plan) {
    std::unique_ptr<SharedRowsOf> rows(new SharedRowsOf(source, std::move(plan)));
    const Step& root = rows->plan_.roots[0];
    RIZOMA_ASSIGN(std::vector<RootBlock> blocks, dealt_blocks(source.shared, source.query, root));
    // Rows match the trees of a plan one within the other.
    rows->batches_.emplace(source.engine, rows->brought_, source.shared, source.query,
                           Tree{root.item, &root, root.branches, std::span(rows->plan_.roots).subspan(1)},
                           std::move(blocks));
    return std::unique_ptr<QueryRows>(std::move(rows));
  }

  Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) override {
    RIZOMA_ASSIGN(const bool some, batches_->next());
    if (!some) return false;
    view_ = batches_->view();
    std::vector<MatchRows> found(engine.threads());
    std::vector<std::unique_ptr<RowReader<Target>>> readers;
    for (MatchRows& rows : found) {
      rows.vertices.resize(wanted_.vertices.size());
      rows.edges.resize(wanted_.edges.size());
      readers.push_back(std::make_unique<RowReader<Target>>(run_, wanted_));
    }
    RIZOMA_TRY(engine.for_blocks(batches_->blocks().size(), 1, [&](VertexRange block, unsigned thread) {
      for (const RootBlock& each : batches_->blocks().subspan(block.begin, block.size())) {
        for (VertexId v = each.vertices.begin; v < each.vertices.end && !engine.stopping(); ++v) {
          if (!view_.is_live(v)) continue;
          readers[thread]->start(v, each.piece ? &*each.piece : nullptr);
          readers[thread]->read(engine, found[thread], kAll);
        }
      }
    }));
    std::size_t all = 0;
    for (const MatchRows& rows : found) all += rows.rows;
    if (all > most * engine.threads()) batches_->wish_for_fewer();
    for (MatchRows& rows : found) parts.push_back(std::move(rows));
    return true;
  }

  double share_done() const override { return batches_->share_done(); }

 private:
  static constexpr std::size_t kAll = std::size_t{1} << 62;  // rows

  SharedRowsOf(const SharedRowsSource& source, Plan plan)
      : plan_(std::move(plan)),
        view_(source.shared.own),
        run_{view_, source.query, plan_, source.columns, source.shared.repeating, {}},
        wanted_(source.wanted),
        brought_(source.shared) {}

  Plan plan_;
  GraphView view_;
  Run run_;
  const RowColumns& wanted_;
  BroughtLists<Target> brought_;
  std::optional<Batches<Target>> batches_;
};

}  // namespace rizoma::query
