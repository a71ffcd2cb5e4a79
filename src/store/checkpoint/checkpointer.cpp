#include "store/checkpoint/checkpointer.h"

#include "base/check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// How much of the delay is left for changes that have been visible but not durable for this many seconds; none: late.
std::chrono::milliseconds left_of(std::chrono::milliseconds delay, std::optional<double> unsynced) {
  const std::chrono::duration<double> passed(unsynced.value_or(0));
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(delay - passed), std::chrono::milliseconds(1));
}

double in_seconds(std::chrono::milliseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Checkpointer::Checkpointer(Publisher& publisher)
    : publisher_(publisher),
      rows_(publisher.space),
      sections_(publisher.space),
      retry_at_(publisher.options.log_limit),
      maintenance_(std::make_unique<Maintenance>()) {}

Checkpointer::~Checkpointer() {
  // Threads of the parent may have been at it when it forked: the child cannot destroy it.
  if (!publisher_.access.in_own_process()) static_cast<void>(maintenance_.release());
}

/// A state of the store that a checkpoint writes; changes after it are in the log that begins with it.
struct Checkpointer::Frozen {
  std::shared_ptr<const StoreSnapshot> snapshot;
  ManifestState state;  ///< without extents
  Durable durable;      ///< as before
  std::shared_ptr<const SectionContext> out;
  std::shared_ptr<const SectionContext> in;
  std::optional<DictionaryPlan> plan;
  std::shared_ptr<const RemovedVertices> removed;
  bool removed_written = false;  ///< durable.removed holds them
};

/// Changes go to a new log from here on.  The log of a failed checkpoint serves again while it is empty: the attempts
/// may go on for days, and must not fill the directory.
Status Checkpointer::begin_log() {
  const Log& present = publisher_.writer.committer().log();
  if (present.empty() && present.number() != publisher_.file_number()) return {};
  RIZOMA_ASSIGN(auto log, publisher_.make_log(publisher_.take_number(), present.next_sequence(), LogStart::continues));
  publisher_.writer.committer().set_log(std::move(log), publisher_.writer.committer().log_bytes());
  return {};
}

Result<Checkpointer::Frozen> Checkpointer::freeze() {
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  RIZOMA_TRY(publisher_.writer.note_change_after_close());
  RIZOMA_TRY(publisher_.writer.committer().sync_log());
  Frozen frozen;
  frozen.snapshot = publisher_.contents.snapshot();
  frozen.plan = publisher_.contents.dictionary->plan();
  RIZOMA_TRY(begin_log());
  const MutexLock guard(publisher_.contents.mutex);
  frozen.state = publisher_.contents.manifest_state();
  frozen.state.log_number = publisher_.writer.committer().log().number();
  frozen.state.log_sequence = publisher_.writer.committer().log().next_sequence();
  frozen.state.generation = publisher_.contents.generation + 1;
  frozen.durable.out = publisher_.contents.out->parts();
  frozen.out = publisher_.contents.out->context();
  publisher_.contents.out->freeze();
  if (publisher_.contents.in) {
    frozen.durable.in = publisher_.contents.in->parts();
    frozen.in = publisher_.contents.in->context();
    publisher_.contents.in->freeze();
  }
  publisher_.contents.edge_rows.freeze();
  publisher_.contents.vertex_rows.freeze();
  frozen.durable.edge_rows = publisher_.contents.edge_rows.parts();
  frozen.durable.vertex_rows = publisher_.contents.vertex_rows.parts();
  frozen.durable.dictionary = publisher_.contents.dictionary_extents;
  frozen.removed = publisher_.contents.removed;
  frozen.durable.removed = publisher_.contents.removed_extent;
  frozen.removed_written = publisher_.contents.removed == publisher_.contents.durable_removed;
  return frozen;
}

/// Writes everything of the frozen state that its extents lack; not synced.
Result<Durable> Checkpointer::write_frozen(const Frozen& frozen, unsigned rewrite_percent) {
  Durable durable = frozen.durable;
  const StoreSnapshot::Parts& parts = frozen.snapshot->parts();
  RIZOMA_ASSIGN(durable.out, sections_.write(std::move(durable.out), *frozen.out, parts.out, rewrite_percent));
  if (frozen.in) {
    RIZOMA_ASSIGN(durable.in, sections_.write(std::move(durable.in), *frozen.in, parts.in, rewrite_percent));
  }
  if (frozen.plan) {
    RIZOMA_ASSIGN(const std::vector<std::byte> segment, publisher_.contents.dictionary->encode(*frozen.plan));
    durable.dictionary.resize(durable.dictionary.size() - frozen.plan->replaced);
    RIZOMA_ASSIGN(auto lease, publisher_.space.write(segment));
    durable.dictionary.push_back({std::move(lease), segment_id(segment)});
  }
  if (!frozen.removed_written) {
    RIZOMA_ASSIGN(durable.removed, write_removed(publisher_.space, *frozen.removed));
  }
  const GraphSchema& schema = frozen.state.schema;
  RIZOMA_ASSIGN(durable.edge_rows,
                rows_.write_rows(std::move(durable.edge_rows), *parts.edge_rows, schema.edge_columns));
  RIZOMA_ASSIGN(durable.vertex_rows,
                rows_.write_rows(std::move(durable.vertex_rows), *parts.vertex_rows, schema.vertex_columns));
  return durable;
}

/// Publishes the frozen state: its extents replace the frozen changes.
Status Checkpointer::adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment) {
  std::shared_ptr<const DictionaryState> ids;
  if (frozen.plan) {
    RIZOMA_ASSIGN(ids, publisher_.contents.dictionary->with(*frozen.plan, std::move(segment)));
  }
  // A snapshot reads the old segments and holds their extents, or the new ones and theirs.
  const MutexLock guard(publisher_.contents.mutex);
  if (ids) publisher_.contents.dictionary->publish(ids);
  publisher_.contents.out->replace(std::move(durable.out));
  if (publisher_.contents.in) publisher_.contents.in->replace(std::move(durable.in));
  publisher_.contents.dictionary_extents = std::move(durable.dictionary);
  publisher_.contents.removed_extent = std::move(durable.removed);
  publisher_.contents.durable_removed = frozen.removed;
  publisher_.contents.edge_rows.replace(std::move(durable.edge_rows));
  publisher_.contents.vertex_rows.replace(std::move(durable.vertex_rows));
  publisher_.contents.set_generation(state.generation);
  publisher_.writer.committer().forget_earlier();
  return {};
}

Status Checkpointer::run(unsigned rewrite_percent) {
  publisher_.mutex.assume_held();
  RIZOMA_ASSIGN(Frozen frozen, freeze());
  publisher_.space.reclaim();
  const Status moved = move_into_sections(frozen, rewrite_percent);
  // Also after a failure, because the space that it wrote is free again, and the device may have been full.
  publisher_.remove_stale();
  return moved;
}

Status Checkpointer::move_into_sections(Frozen& frozen, unsigned rewrite_percent) {
  RIZOMA_ASSIGN(Durable durable, write_frozen(frozen, rewrite_percent));
  Mapping segment;
  if (frozen.plan) {
    RIZOMA_ASSIGN(segment, publisher_.space.data()->view(durable.dictionary.back().lease->extent()));
  }
  ManifestState state = frozen.state;
  durable.put_into(state);
  RIZOMA_ASSIGN(const PreparedManifest manifest, publisher_.prepare(state));
  frozen.snapshot = nullptr;
  frozen.durable = {};
  // Before the superblock: a published state must be adopted, however long others hold the lock.
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  return publisher_.publish(state, manifest, std::make_shared<const Durable>(durable), [&] {
    publisher_.mutex.assume_held();
    publisher_.writer.mutex.assume_held();
    return adopt(frozen, std::move(durable), state, std::move(segment));
  });
}

Status Checkpointer::place(std::vector<unsigned> homes) {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  if (publisher_.space.num_homes() < 2) {
    return Error{ErrorCode::invalid_argument, "the graph at " + publisher_.access.where() +
                                                  " has one location; open it with several to move sections"};
  }
  const auto present = publisher_.contents.snapshot();
  const std::size_t sections = present->parts().out.size();
  if (homes.size() != sections) {
    return Error{ErrorCode::invalid_argument, "the list of homes has " + std::to_string(homes.size()) +
                                                  " entries, but the graph has " + std::to_string(sections) +
                                                  " sections; give one for each section"};
  }
  publisher_.space.place(std::move(homes));
  const Status status = run(0);
  maintenance_->note(status);
  return status;
}

Status Checkpointer::checkpoint() {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  const Status status = run();
  // A refusal, because another caller's code is overdue, concerns this caller alone.
  if (status || status.error().code != ErrorCode::locked) maintenance_->note(status);
  return status;
}

Status Checkpointer::with_all_in_extents(FunctionRef<Status(ManifestState, Durable)> publish) {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  std::optional<TimedLock> entering;
  for (;;) {
    {
      RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
      writer.holds(publisher_.writer.mutex);
      RIZOMA_TRY(publisher_.writer.check_writable());
      publisher_.writer.settle();
      if (publisher_.writer.committer().log_is_all() && publisher_.writer.committer().log().empty() &&
          publisher_.contents.removed == publisher_.contents.durable_removed) {
        Durable durable;
        ManifestState state;
        {
          const MutexLock guard(publisher_.contents.mutex);
          state = publisher_.contents.manifest_state();
          durable = publisher_.contents.durable();
        }
        return publish(std::move(state), std::move(durable));
      }
    }
    RIZOMA_TRY(run());
    // Other threads may have changed something since.  The second checkpoint moves that little while no change begins,
    // or this might never end.
    if (!entering) {
      RIZOMA_ASSIGN(TimedLock entry, publisher_.access.acquire(publisher_.writer.entry));
      entering.emplace(std::move(entry));
    }
  }
}

void Checkpointer::start(OtherWork other_work) {
  other_work_ = std::move(other_work);
  maintenance_->start([this] { return maintain(); });
}

bool Checkpointer::due() const {
  return publisher_.writer.committer().log_bytes() >
         (maintenance_->running() ? publisher_.options.log_limit / 2 : retry_at_.load());
}

void Checkpointer::wait_for_room() {
  const auto room = [&] { return publisher_.writer.committer().log_bytes() <= publisher_.options.log_limit; };
  if (!maintenance_->running() || room()) return;
  maintenance_->call();
  // The checkpoint that makes room may wait for user code, which may wait for this caller.
  maintenance_->wait_for([&] { return room() || publisher_.access.overdue(); }, publisher_.access.changing.pause());
}

void Checkpointer::after_change(FunctionRef<bool()> other_work) {
  if (maintenance_->running()) {
    const bool sync = publisher_.options.durability == Durability::group && !maintenance_->sync_planned();
    if (sync || (due() && maintenance_->may_try()) || other_work()) wake();
    return;
  }
  flush_if_late();
  run_if_due();
}

/// Without a thread.
void Checkpointer::run_if_due() {
  if (!due()) return;
  const TimedLock publishing(publisher_.mutex, std::try_to_lock);
  if (!publishing.owns_lock()) return;  // a publication is on its way
  publishing.holds(publisher_.mutex);
  retry_at_ = run_unasked() ? publisher_.options.log_limit
                            : publisher_.writer.committer().log_bytes() + publisher_.options.log_limit;
}

/// Under Durability::group, once the delay is over.
void Checkpointer::flush_if_late() noexcept {
  const auto unsynced = publisher_.writer.committer().unsynced_seconds();
  if (publisher_.options.durability != Durability::group || !unsynced ||
      *unsynced < in_seconds(publisher_.options.group_delay))
    return;
  try {
    static_cast<void>(publisher_.writer.flush());  // a failure ends all changes, and the next change reports it
  } catch (const std::bad_alloc&) {                // nothing was begun; it is still late, and tried again
  }
}

/// The changes before it are made whether or not the checkpoint succeeds, so its errors wait: `info` has them, and the
/// next explicit checkpoint or close gives them again.
bool Checkpointer::run_unasked() noexcept {
  Status status;
  try {
    status = run();
  } catch (const std::bad_alloc&) {
    status = Error{ErrorCode::out_of_memory, "out of memory"};  // short enough to need none
  } catch (const InternalError& bug) {  // nothing wrong was written; no caller of this thread could catch it
    status = Error{ErrorCode::corrupt, bug.what()};
  }
  const bool done = status.ok();
  maintenance_->note(std::move(status));
  return done;
}

/// False if a publication is in progress, perhaps for long: the delay of Durability::group does not wait for it.
bool Checkpointer::run_in_background() noexcept {
  const TimedLock publishing(publisher_.mutex, std::try_to_lock);
  if (!publishing.owns_lock()) return false;
  publishing.holds(publisher_.mutex);
  run_unasked();
  return true;
}

/// The thread's work; returns when to do it again.
std::optional<std::chrono::milliseconds> Checkpointer::maintain() {
  maintenance_->arrived();
  std::optional<std::chrono::milliseconds> pause;
  if (publisher_.options.durability == Durability::group) {
    maintenance_->plan_sync(false);  // before looking: a later change wakes the thread
    const bool unsynced = publisher_.writer.committer().unsynced_seconds() && publisher_.writer.committer().healthy();
    flush_if_late();
    maintenance_->plan_sync(unsynced);
    if (unsynced) pause = left_of(publisher_.options.group_delay, publisher_.writer.committer().unsynced_seconds());
  }
  if (due() && maintenance_->may_try() && !run_in_background()) {
    pause = std::min(pause.value_or(Maintenance::kBusy), Maintenance::kBusy);
  }
  if (const auto again = other_work_()) pause = std::min(pause.value_or(*again), *again);
  maintenance_->look_again();  // a compaction, too, makes room
  if (maintenance_->failed()) pause = std::min(pause.value_or(Maintenance::kRetry), Maintenance::kRetry);
  return pause;
}

}  // namespace rizoma
