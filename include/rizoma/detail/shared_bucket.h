// SharedBucket: what waits in the bucket that comes next on any rank, where all of them take from it.  Module: engine.
//
// For ranks that share memory: each shows what it has in its first bucket, and after one round all know which bucket
// is the first of all, and may take what is in it, as threads of one process do.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma::engine_detail {

template <class Entry>
class SharedBucket {
 public:
  /// What one rank has.
  struct Front {
    std::uint64_t bucket;   ///< its first
    std::uint64_t next;     ///< the one after that; the same if not all that is in it fitted
    std::uint64_t reached;  ///< entries that were in buckets
    std::uint64_t gave_up;  ///< 1: so it has
  };

  /// `memory`: bytes_for(ranks.size(), room) of what all ranks share.
  SharedBucket(Ranks& ranks, std::byte* memory, std::size_t room) : ranks_(ranks), memory_(memory), room_(room) {}
  [[nodiscard]] static std::size_t bytes_for(unsigned ranks, std::size_t room) noexcept {
    return 2 * bytes_of_half(ranks, room);
  }

  /// Where this rank puts what it will show: room for so many entries.
  [[nodiscard]] std::span<Entry> mine() noexcept { return {entries_of(half_ ^ 1U, ranks_.rank()), room_}; }
  /// Shows them, the first `count` of mine().  What was shown before is of no use then; who still takes of it may go
  /// on.  One round.
  Status publish(const Front& front, std::size_t count) {
    half_ ^= 1U;  // others may still take from the other place, until they come to this round
    if (ranks_.rank() == 0) std::atomic_ref(counter()).store(0, std::memory_order_relaxed);
    published(ranks_.rank()) = {front, count};
    return ranks_.barrier();
  }

  [[nodiscard]] const Front& front(unsigned rank) const noexcept { return published(rank).front; }
  [[nodiscard]] std::span<const Entry> entries(unsigned rank) const noexcept {
    return {entries_of(half_, rank), published(rank).count};
  }
  /// Gives out numbers from 0 on, `count` at once, each to one thread of one rank.
  [[nodiscard]] std::uint64_t take(std::uint64_t count) noexcept {
    return std::atomic_ref(counter()).fetch_add(count, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kLine = 64;
  struct alignas(kLine) Published {
    Front front;
    std::size_t count;
  };

  // A turn: the counter in a line of its own, what each rank shows, and the entries of each.
  [[nodiscard]] static std::size_t bytes_of_half(unsigned ranks, std::size_t room) noexcept {
    return (kLine + ranks * (sizeof(Published) + room * sizeof(Entry)) + kLine - 1) / kLine * kLine;
  }
  [[nodiscard]] std::byte* place(unsigned half) const noexcept {
    return memory_ + half * bytes_of_half(ranks_.size(), room_);
  }
  [[nodiscard]] std::uint64_t& counter() const noexcept { return *reinterpret_cast<std::uint64_t*>(place(half_)); }
  [[nodiscard]] Published& published(unsigned rank) const noexcept {
    return reinterpret_cast<Published*>(place(half_) + kLine)[rank];
  }
  [[nodiscard]] Entry* entries_of(unsigned half, unsigned rank) const noexcept {
    return reinterpret_cast<Entry*>(place(half) + kLine + ranks_.size() * sizeof(Published)) + rank * room_;
  }

  Ranks& ranks_;
  std::byte* memory_;
  std::size_t room_;
  unsigned half_ = 0;
};

}  // namespace rizoma::engine_detail
