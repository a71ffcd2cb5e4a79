// Renumbering: gives the vertices of a store other internal ids while changes go on.
//
// How.
//   1. A state is taken: a snapshot, and how far the log goes.  Changes go on, in the numbers of before.
//   2. Everything is built again from the snapshot (rebuild), in space of its own, and a successor is made of it: what
//      opening a store in that state would make.
//   3. Catching up, in rounds: the records that the log got meanwhile are put into the new numbers, appended to the
//      successor's log and replayed on the successor (Translation).
//   4. When little is left (StoreOptions::catch_up_bytes), or after kMostRounds, the last round goes with the writer
//      lock held; the superblock is written, and the successor's content takes the place of the store's.
// After a crash, the superblock says which: before it is written the old log has everything, and the successor's says
// nothing (LogStart::prepared); from then on recovery replays the successor's.
// Writers wait: in each round, for the group that is on its way; in the last one, for as much as that is to be put into
//   new numbers, and for four syncs.  They also wait for room in the log, as during a checkpoint.
// Memory: that of a rebuild; beside it the changes that come meanwhile, twice, and a number a vertex.
// Threads.  One at a time, under the publisher's lock.  Errors: those of rebuild and publish.
#pragma once

#include "store/loading/bulk_load.h"
#include "store/rewrite/translation.h"
#include "store/publishing/publisher.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace rizoma {

class Renumbering {
 public:
  /// `bytes_per_second`: most bytes written, those of changes apart; 0: no limit.
  Renumbering(Publisher& publisher, Executor& executor, std::uint64_t bytes_per_second) noexcept
      : publisher_(publisher), executor_(executor), bytes_per_second_(bytes_per_second) {}

  /// The caller holds the publisher's lock.
  Status run(const LoadSettings& settings);

 private:
  static constexpr int kMostRounds = 16;

  Status take_state();
  Status build(const LoadSettings& settings);
  Status begin_successor() RIZOMA_REQUIRES(publisher_.mutex);
  Status catch_up() RIZOMA_REQUIRES(publisher_.mutex);
  Status sync_beside_changes();
  Status follow(std::uint64_t end);
  Status switch_over(std::uint64_t end) RIZOMA_REQUIRES(publisher_.mutex, publisher_.writer.mutex);

  Publisher& publisher_;
  Executor& executor_;
  const std::uint64_t bytes_per_second_;
  std::shared_ptr<const StoreSnapshot> before_;
  std::uint64_t log_number_ = 0;  ///< of the store's log,
  std::uint64_t done_ = 0;        ///< which the successor has up to here
  std::uint64_t sequence_ = 0;    ///< of the record there
  Generation generation_;
  std::shared_ptr<const Durable> durable_;
  PreparedManifest manifest_;
  std::unique_ptr<Log> log_;  ///< the successor's
  std::unique_ptr<Contents> successor_;
  std::optional<Translation> translation_;
};

}  // namespace rizoma
