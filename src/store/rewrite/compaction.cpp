// Rewriter: compaction in the present order or another one, and purging.
#include "store/rewrite/rewriter.h"

#include "store/columns/row_runs.h"
#include "store/rewrite/load_target.h"
#include "store/rewrite/renumbering.h"
#include "store/space/data_files.h"

#include <string>
#include <utility>
#include <vector>

namespace rizoma {

namespace {

/// Of each row with values, by its place: whether an entry names it.
Result<std::vector<bool>> live_rows(const GraphView& view, const RowState& state,
                                    const std::vector<ColumnSchema>& columns) {
  RIZOMA_ASSIGN(const RowRuns rows, RowRuns::of(state, columns, 1));
  std::vector<bool> live(rows.places(), false);
  const auto end = static_cast<double>(state.end());
  if (view.weight_type() != WeightType::float64) return live;
  view.with_out([&](const auto& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      for (const double row : out.template weights<double>(v)) {
        if (!(row > 0 && row < end)) continue;
        if (const auto place = rows.place_of(static_cast<std::uint64_t>(row))) live[*place] = true;
      }
    }
  });
  return live;
}

}  // namespace

Rewriter::Rewriter(Publisher& publisher, Checkpointer& checkpointer, std::function<void()> renewed)
    : publisher_(publisher), checkpointer_(checkpointer), rows_(publisher.space), renewed_(std::move(renewed)) {}

Status Rewriter::renumber(Executor& executor, VertexOrder order, LoadSettings settings,
                          std::uint64_t bytes_per_second) {
  publisher_.mutex.assume_held();
  {
    RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
    writer.holds(publisher_.writer.mutex);
    RIZOMA_TRY(publisher_.writer.check_writable());
  }
  publisher_.space.reclaim();
  // Changes made meanwhile need room in the log.
  if (publisher_.writer.committer().log_bytes() > publisher_.options.log_limit / 4) RIZOMA_TRY(checkpointer_.run());
  settings.order = order;
  settings.stored_weights = true;
  settings.may_search = true;  // no caller waits for a compaction as for a load
  const Status done = Renumbering(publisher_, executor, bytes_per_second).run(settings);
  if (done) renewed_();
  // Now that nothing holds them: the former sections or, after a failure, the new ones that were made.
  publisher_.remove_stale();
  return done;
}

/// Rewrites everything while nothing changes, where nothing was before.
Status Rewriter::rewrite_for_purge(Executor& executor, std::optional<VertexOrder> order, LoadSettings settings) {
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  RIZOMA_TRY(expect_no_tags());
  RIZOMA_TRY(empty_free_space());  // new bytes go where nothing was
  WatchedExecutor watched(publisher_.access.changing, executor);
  settings.order = order.value_or(VertexOrder::given);
  settings.stored_weights = true;
  settings.may_search = true;
  const auto rewrite = [&]() -> Status {
    const auto present = publisher_.contents.snapshot();
    RIZOMA_ASSIGN(const GraphView view, present->entry_view(watched));
    RIZOMA_ASSIGN(std::vector<bool> live, live_rows(view, *present->parts().edge_rows, present->schema().edge_columns));
    const auto take = [&](Generation generation) {
      publisher_.mutex.assume_held();
      publisher_.writer.mutex.assume_held();
      if (!order) keep_order(generation.state);
      return publisher_.install(std::move(generation));
    };
    const auto target = make_rebuild_target(publisher_, present, std::move(live), take);
    return rebuild(publisher_.contents.load_schema(), view, present->ids(), settings, watched, *target);
  };
  const Status rewritten = rewrite();
  if (rewritten && order) renewed_();
  if (publisher_.writer.committer().healthy()) publisher_.space.give_back(publisher_.options.spare_percent);
  return rewritten;
}

/// Without an order the numbers stay, but gaps close.  Those of dense graphs are their ids again, as if no order had
/// ever been made.
void Rewriter::keep_order(ManifestState& state) const {
  const bool lost = state.schema.ids == IdKind::dense && publisher_.contents.order != VertexOrder::given;
  const MutexLock guard(publisher_.contents.mutex);
  state.order = lost ? VertexOrder::given : publisher_.contents.order;
  state.order_reason = lost ? OrderReason{} : publisher_.contents.order_reason;
  state.ordered_entries = lost ? 0 : publisher_.contents.ordered_entries;
}

/// Whatever an older state holds cannot go.
Status Rewriter::expect_no_tags() const {
  const std::vector<Tag> tags = publisher_.tags.all();
  if (tags.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "the tag '" + tags.front().entry.name + "' keeps an older state; remove the tag before purging"};
}

/// Bytes of the extents of the present state and of its manifest, in whole pages.
std::uint64_t Rewriter::present_bytes() const {
  ManifestState state;
  {
    const MutexLock guard(publisher_.contents.mutex);
    publisher_.contents.durable().put_into(state);
  }
  publisher_.mutex.assume_held();
  std::vector<Extent> extents = state.extents();
  extents.push_back(publisher_.embedded());
  std::uint64_t bytes = 0;
  for (const Extent& extent : extents) {
    bytes += (extent.bytes + format::kPage - 1) / format::kPage * format::kPage;
  }
  return bytes;
}

/// Empties all that is free; an error if something else than the present state is not.
Status Rewriter::empty_free_space() {
  RIZOMA_ASSIGN(const std::uint64_t held, publisher_.space.empty_what_is_free());
  if (held <= present_bytes()) return {};
  return Error{ErrorCode::invalid_argument,
               publisher_.access.where() +
                   ": a snapshot, or a reader in another process, still reads an older state, and " +
                   std::to_string(held - present_bytes()) + " bytes of it are kept; close it and purge again"};
}

Status Rewriter::purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  {
    const MutexLock guard(publisher_.contents.mutex);
    publisher_.contents.forget_snapshot();
  }
  RIZOMA_TRY(rewrite_for_purge(executor, order, settings));
  checkpointer_.note_success();
  return empty_free_space();
}

Status Rewriter::compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  const auto renumber_for_user = [&] {
    publisher_.mutex.assume_held();
    WatchedExecutor watched(publisher_.access.renumbering, executor);
    return renumber(watched, *order, settings);
  };
  RIZOMA_TRY(order ? renumber_for_user() : checkpointer_.run(0));
  checkpointer_.note_success();  // the reason that kept the log from being moved has gone
  return {};
}

}  // namespace rizoma
