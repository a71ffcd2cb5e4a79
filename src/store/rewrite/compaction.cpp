// Publisher: compaction, as it is, into another order, and without a trace of what was removed.
#include "store/publishing/publisher.h"

#include "store/columns/row_runs.h"
#include "store/rewrite/renumbering.h"

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

/// Gives all vertices other internal ids while changes go on.
Status Publisher::renumber(Executor& executor, VertexOrder order, LoadSettings settings,
                           std::uint64_t bytes_per_second) {
  {
    RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
    writer.holds(writer_.mutex);
    RIZOMA_TRY(writer_.check_writable());
  }
  // Changes that come meanwhile need room in the log.
  if (writer_.committer().log_bytes() > options_.log_limit / 4) RIZOMA_TRY(checkpoint_now(options_.rewrite_percent));
  settings.order = order;
  settings.stored_weights = true;
  settings.may_search = true;  // nobody waits for a compaction as for a load
  const Status done = Renumbering(*this, executor, bytes_per_second).run(settings);
  if (done) reordering_->renewed();
  // Now that nothing of it is held: the sections as they were or, if it failed, what there was of new ones.
  if (writer_.committer().healthy()) {
    remove_stale_files(medium_, file_number_);
    space_.give_back(options_.spare_percent);
  }
  return done;
}

/// Rewrites everything while nothing changes, where nothing was before.
Status Publisher::rewrite_for_purge(Executor& executor, std::optional<VertexOrder> order, LoadSettings settings) {
  RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
  writer.holds(writer_.mutex);
  RIZOMA_TRY(writer_.check_writable());
  writer_.settle();
  RIZOMA_TRY(expect_no_tags());
  RIZOMA_TRY(overwrite_free_space());  // what is written now comes to lie where nothing was
  WatchedExecutor watched(access_.changing, executor);
  settings.order = order.value_or(VertexOrder::given);
  settings.stored_weights = true;
  settings.may_search = true;
  const auto rewrite = [&]() -> Status {
    const auto present = contents_.snapshot();
    RIZOMA_ASSIGN(const GraphView view, present->entry_view(watched));
    RIZOMA_ASSIGN(std::vector<bool> live, live_rows(view, *present->parts().edge_rows, present->schema().edge_columns));
    const auto take = [&](Generation generation) {
      mutex.assume_held();
      writer_.mutex.assume_held();
      if (!order) keep_order(generation.state);
      return install(std::move(generation));
    };
    const auto target = make_rebuild_target(present, std::move(live), take);
    return rebuild(contents_.load_schema(), view, present->ids(), settings, watched, *target);
  };
  const Status rewritten = rewrite();
  if (rewritten && order) reordering_->renewed();
  if (writer_.committer().healthy()) space_.give_back(options_.spare_percent);
  return rewritten;
}

/// Nobody asked for an order: the numbers are what they were, but for gaps that have closed.  Those of dense graphs are
/// their ids again, as if no order had ever been made.
void Publisher::keep_order(ManifestState& state) const {
  const bool lost = state.schema.ids == IdKind::dense && contents_.order != VertexOrder::given;
  const MutexLock guard(contents_.mutex);
  state.order = lost ? VertexOrder::given : contents_.order;
  state.order_reason = lost ? OrderReason{} : contents_.order_reason;
  state.ordered_entries = lost ? 0 : contents_.ordered_entries;
}

/// Whatever an older state holds cannot go.
Status Publisher::expect_no_tags() {
  if (!tags_.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "the tag \"" + tags_.front().entry.name + "\" keeps an older state: untag it before purging"};
  }
  return {};
}

/// Bytes of what the present state names, in whole pages.
std::uint64_t Publisher::present_bytes() const {
  ManifestState state;
  {
    const MutexLock guard(contents_.mutex);
    contents_.durable().put_into(state);
  }
  std::uint64_t bytes = 0;
  for (const Extent& extent : state.extents()) {
    bytes += (extent.bytes + format::kPage - 1) / format::kPage * format::kPage;
  }
  return bytes;
}

/// Empties all that is free; an error if something else than the present state is not.
Status Publisher::overwrite_free_space() {
  RIZOMA_ASSIGN(const std::uint64_t held, space_.empty_what_is_free());
  if (held <= present_bytes()) return {};
  return Error{ErrorCode::invalid_argument,
               access_.where() + ": a snapshot, or a reader in another process, still reads an older state, and " +
                   std::to_string(held - present_bytes()) + " bytes of it are kept; let go of it and purge again"};
}

Status Publisher::purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  RIZOMA_TRY(access_.check());
  RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
  maintenance.holds(mutex);
  {
    const MutexLock guard(contents_.mutex);
    contents_.forget_snapshot();
  }
  RIZOMA_TRY(rewrite_for_purge(executor, order, settings));
  maintenance_->note({});
  return overwrite_free_space();
}

Status Publisher::compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  RIZOMA_TRY(access_.check());
  RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
  maintenance.holds(mutex);
  const auto renumber_for_user = [&] {
    mutex.assume_held();
    WatchedExecutor watched(access_.renumbering, executor);
    return renumber(watched, *order, settings);
  };
  RIZOMA_TRY(order ? renumber_for_user() : checkpoint_now(0));
  maintenance_->note({});  // what kept the log from being moved is over
  return {};
}

}  // namespace rizoma
