// RankTraffic: what the ranks of a run have sent to each other.  Module: engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma {

/// What one rank has sent to another: messages, and the bytes in them.
struct RankCount {
  std::uint64_t bytes = 0;
  std::uint64_t batches = 0;

  RankCount& operator+=(const RankCount& other) noexcept {
    bytes += other.bytes;
    batches += other.batches;
    return *this;
  }
  friend bool operator==(const RankCount&, const RankCount&) = default;
};

/// All messages of a call, and what ranks have read of each other's memory, as sent by the rank that had it.  What a
/// rank hands to itself is not counted, nor are the few bytes that the network adds to a message.
struct RankTraffic {
  unsigned ranks = 1;
  std::uint64_t rounds = 0;             ///< exchanges in which all ranks took part
  std::vector<RankCount> between;       ///< [from * ranks + to]
  std::vector<std::uint64_t> migrated;  ///< blocks of work of `from` that `to` has done: [from * ranks + to]

  [[nodiscard]] RankCount total() const noexcept {
    RankCount sum;
    for (const RankCount& count : between) sum += count;
    return sum;
  }
};

}  // namespace rizoma
