// StreamedBatches: boxes of messages that threads send before all messages are known, and those received meanwhile.
#pragma once

#include "platform/mutex.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rizoma {

/// All functions are for any thread, but those of the end of a round, when no thread sends.
class StreamedBatches {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// `threads`: that have a box for each rank.
  StreamedBatches(Ranks& ranks, unsigned threads);

  /// The bytes with which an empty box to a rank is sent; kNever: it waits for the round.
  [[nodiscard]] std::uint64_t limit(unsigned rank) const noexcept { return rank == ranks_.rank() ? kNever : batch_; }
  /// Sends and empties it, unless too many bytes are on their way to that rank; receives what has arrived.  Returns
  /// with how many bytes to try again.  `by_all`: the box is one of those of all threads.
  std::uint64_t send(unsigned rank, std::vector<std::byte>& box, bool by_all);
  /// Ok unless sending failed.
  [[nodiscard]] Status status() const;

  /// Writes into the last box to a rank how many were sent before it.
  void sign(unsigned rank, std::vector<std::byte>& box) const;
  /// Removes from the last box what `sign` wrote, and waits for these boxes.  Errors: io.
  Result<std::vector<std::vector<std::byte>>> take_batches_of(unsigned rank, std::span<const std::byte>& box);
  /// Begins again, after a round.
  void restart();

 private:
  static constexpr std::uint64_t kRing = std::uint64_t{2} << 20;  ///< bytes on their way to a rank
  static constexpr std::uint64_t kLargest = 32 * kRing;           ///< a box that grew further waits for the round
  Status look(std::chrono::microseconds patience) RIZOMA_REQUIRES(guard_);

  Ranks& ranks_;
  const std::uint64_t batch_;  ///< kNever: all wait for the round
  mutable Mutex guard_;        ///< ranks send and receive with one thread at a time
  std::uint64_t round_ RIZOMA_GUARDED_BY(guard_) = 0;
  std::vector<std::uint32_t> sent_ RIZOMA_GUARDED_BY(guard_);
  std::vector<std::vector<std::vector<std::byte>>> come_ RIZOMA_GUARDED_BY(guard_);
  Status status_ RIZOMA_GUARDED_BY(guard_);
};

}  // namespace rizoma
