// Committer: group commit.  Changes of many threads become records of the log, in the order in which
// they were enqueued; one write and one sync serve all waiting threads.
//
// How.  The first thread that waits while there is no leader becomes the leader: it takes everything that is
// queued, appends it, syncs (if the durability level or a member asks for it), and gives the lead away.
// Then it applies its group, after the groups before it, while the next leader is already writing.  So
// changes become visible in commit order, and under `always` only once they are durable.
//
// Failure.  A failed append is truncated: the batches of the group and of the queue get the Error, and
// the graph goes on.  A failed sync, or a failed truncation, leaves the log's tail in an unknown state:
// every later change gets that Error (`health`) until the graph is reopened.  The same holds for memory
// that runs out while the outcome is open: Errors are made before they are needed, and code that
// makes a durable change visible allocates nothing.
//
// Threads.  Any for `wait`.  What says "under the writer lock" needs the caller's lock that orders changes.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/mutex.h"
#include "platform/clock.h"
#include "store/log/log.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

class Committer {
  using Failure = std::shared_ptr<const Error>;  ///< null: none; shared by all that failed together

 public:
  /// One change, or (without payload) a flush of all changes before it.  Lives until `wait` returns.
  struct Batch {
    std::span<const std::byte> payload;
    std::function<void()> apply;   ///< makes it visible; called in commit order, one at a time; throws nothing
    VertexId vertices_before = 0;  ///< the state to roll back to if it fails
    bool sync = false;             ///< at any durability level

    Batch(std::span<const std::byte> payload_bytes, std::function<void()> apply_it, VertexId vertices,
          bool sync_now = false)
        : payload(payload_bytes), apply(std::move(apply_it)), vertices_before(vertices), sync(sync_now) {}

   private:
    friend class Committer;
    Failure failure_;
    bool done_ = false;
  };

  /// `where` is for messages.
  Committer(Durability durability, std::string where);

  // ---- under the writer lock ----

  /// Puts a change after those enqueued before.  An Error, without enqueuing it: a change before it has failed,
  /// which this one was prepared against (`take_failure`).
  Status enqueue(Batch& batch);
  /// Returns once no change is on its way.
  void drain();
  /// After a failure, once: how many vertices are left.
  [[nodiscard]] std::optional<VertexId> take_failure();
  /// Appends go to `log` from now on.  No change is on its way, and all before are durable or rolled back.  `earlier`
  /// bytes of other logs are in use.
  void set_log(std::unique_ptr<Log> log, std::uint64_t earlier);
  /// Makes the log durable; no change is on its way.
  Status sync_log();
  /// The log; no change is on its way.
  [[nodiscard]] Log& log() noexcept { return *log_; }
  [[nodiscard]] bool has_log() const noexcept { return log_ != nullptr; }

  // ---- any thread ----

  /// Returns when the change is visible, and durable if the level says so.
  Status wait(Batch& batch);
  /// The Error that ended all changing, if there is one.
  [[nodiscard]] Status health() const;
  [[nodiscard]] bool healthy() const noexcept;
  /// An Error if all changing ended while a visible change was not durable.
  [[nodiscard]] Status lost() const;
  /// Ends all changing.
  void fail_for_good(const Error& error);
  /// The same if there is no memory for an Error.
  void fail_for_good() noexcept;
  /// Bytes of all logs that recovery would replay.
  [[nodiscard]] std::uint64_t log_bytes() const noexcept { return earlier_ + end_; }
  /// Whether recovery would replay no other log.
  [[nodiscard]] bool log_is_all() const noexcept { return earlier_ == 0; }
  /// The earlier logs are no longer needed.
  void forget_earlier() noexcept { earlier_ = 0; }
  /// Seconds for which a change has been visible that is not durable; nothing: all are durable.
  [[nodiscard]] std::optional<double> unsynced_seconds() const;

 private:
  void lead(MutexLock& lock) RIZOMA_REQUIRES(mutex_);
  Failure write(const std::vector<Batch*>& group) noexcept;
  Status append_and_sync(const std::vector<Batch*>& group);
  Status append(const std::vector<Batch*>& group);
  static void apply(const std::vector<Batch*>& group) noexcept;
  static void finish(const std::vector<Batch*>& group, const Failure& failure) noexcept;
  void note_failure(const std::vector<Batch*>& group, const Failure& failure) noexcept RIZOMA_REQUIRES(mutex_);

  const Durability durability_;
  const std::string where_;
  std::unique_ptr<Log> log_;  ///< the leader's
  std::atomic<std::uint64_t> earlier_{0};
  std::atomic<std::uint64_t> end_{0};                 ///< of the log
  std::vector<std::span<const std::byte>> payloads_;  ///< the leader's

  mutable Mutex mutex_{LockLevel::committer};
  Condition changed_;
  std::vector<Batch*> queue_ RIZOMA_GUARDED_BY(mutex_);
  bool leading_ RIZOMA_GUARDED_BY(mutex_) = false;
  std::uint64_t groups_ RIZOMA_GUARDED_BY(mutex_) = 0;   ///< taken from the queue so far
  std::uint64_t applied_ RIZOMA_GUARDED_BY(mutex_) = 0;  ///< of them applied, or failed
  Failure failure_ RIZOMA_GUARDED_BY(mutex_);            ///< of the batches that failed; see take_failure
  VertexId vertices_left_ RIZOMA_GUARDED_BY(mutex_) = 0;
  Failure for_good_ RIZOMA_GUARDED_BY(mutex_);
  const Failure no_memory_;
  std::optional<Stopwatch> unsynced_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
