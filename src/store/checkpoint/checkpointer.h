// Checkpointer: moves the log into sections, on request, before the log grows too long, and in time for
// Durability::group.
//
// How a checkpoint goes, while changes go on.
//   1. freeze: under the writer's lock the log is synced and changes go to a new one; the state is a snapshot.
//   2. What the snapshot has and the extents lack is written: images of sections that changed much, deltas of the
//      others (SectionWriter), a segment of the dictionary, the removed vertices, rows.
//   3. The state is published (Publisher), and its extents replace what was frozen (adopt), under the writer's lock.
// When.  With a thread (Maintenance): from half of the log's limit on, and changes wait while the log is longer than
// the limit.  Without one: within the change that makes the log longer than its limit.
// Locks.  The publisher's for a whole checkpoint; the writer's for 1 and 3.
// Failure.  Changes go on in the logs, `error` says why, and the next attempt comes a second later.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "store/checkpoint/maintenance.h"
#include "store/checkpoint/section_writer.h"
#include "store/columns/row_block_writer.h"
#include "store/publishing/publisher.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma {

class Checkpointer {
 public:
  /// Other work of the thread; returns when it is due again, at the latest.
  using OtherWork = std::function<std::optional<std::chrono::milliseconds>()>;

  /// `publisher` outlives this.
  explicit Checkpointer(Publisher& publisher);
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;
  ~Checkpointer();

  // ---- the thread ----

  /// Throws std::system_error.
  void start(OtherWork other_work);
  /// Lets running work end.
  void stop() { maintenance_->stop(); }
  [[nodiscard]] bool has_thread() const noexcept { return maintenance_->running(); }
  /// Wakes the thread, which looks for work.
  void wake() { maintenance_->call(); }

  // ---- any thread ----

  /// Waits while the log is longer than its limit: that bounds the time of the next open.
  void wait_for_room();
  /// A change is durable; `other_work` says whether the thread has any.
  void after_change(FunctionRef<bool()> other_work);
  /// Makes everything durable and moves the log into sections.
  Status checkpoint();
  /// Moves each section to the location of its home.
  Status place(std::vector<unsigned> home_of_section);
  /// Whether the log is so long that a checkpoint is due.
  [[nodiscard]] bool due() const;
  /// Calls `publish` with the present state, all of which is in extents, while nothing changes: it may call what needs
  /// the publisher's lock and the writer's.
  Status with_all_in_extents(FunctionRef<Status(ManifestState, Durable)> publish);
  /// Why the last checkpoint failed; nothing: it did not.
  [[nodiscard]] std::optional<Error> error() const { return maintenance_->error(); }
  /// Another publication has moved the log into sections.
  void note_success() { maintenance_->note({}); }

  // ---- under the publisher's lock ----

  /// A checkpoint.  Sections with changes of this share of their entries are rewritten (0: all that have any).
  Status run(unsigned rewrite_percent);
  /// The same with the share that the store was opened with.
  Status run() { return run(publisher_.options.rewrite_percent); }

 private:
  struct Frozen;

  Status begin_log() RIZOMA_REQUIRES(publisher_.mutex, publisher_.writer.mutex);
  Result<Frozen> freeze() RIZOMA_REQUIRES(publisher_.mutex);
  Result<Durable> write_frozen(const Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(publisher_.mutex);
  Status move_into_sections(Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(publisher_.mutex);
  Status adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment)
      RIZOMA_REQUIRES(publisher_.mutex, publisher_.writer.mutex);

  void run_if_due();
  bool run_unasked() noexcept RIZOMA_REQUIRES(publisher_.mutex);
  bool run_in_background() noexcept;
  void flush_if_late() noexcept;
  std::optional<std::chrono::milliseconds> maintain();

  Publisher& publisher_;
  RowWriter rows_;
  SectionWriter sections_;
  std::atomic<std::uint64_t> retry_at_;  ///< without a thread: length of the logs that asks for a checkpoint
  OtherWork other_work_;
  std::unique_ptr<Maintenance> maintenance_;
};

}  // namespace rizoma
