// SharedBucket: the next bucket of a priority sweep, shared by the ranks of one host.  Module: engine.
//
// How: each rank publishes the entries of its first bucket in shared memory; after one collective all ranks know the
// first bucket of all, and their threads take entries of it from any rank.
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
  /// The published state of one rank.
  struct Front {
    std::uint64_t bucket;   ///< its first bucket
    std::uint64_t next;     ///< its second; the same as `bucket` if that did not fit
    std::uint64_t reached;  ///< entries that were in its buckets so far
    std::uint64_t gave_up;  ///< 1: it gave up
  };

  /// `memory`: bytes_for(ranks.size(), room) bytes of shared memory.
  SharedBucket(Ranks& ranks, std::byte* memory, std::size_t room) : ranks_(ranks), memory_(memory), room_(room) {}
  [[nodiscard]] static std::size_t bytes_for(unsigned ranks, std::size_t room) noexcept {
    return 2 * bytes_of_half(ranks, room);
  }

  /// The room for this rank's next entries.
  [[nodiscard]] std::span<Entry> mine() noexcept { return {entries_of(half_ ^ 1U, ranks_.rank()), room_}; }
  /// Publishes the first `count` entries of mine() in place of those before; slow threads may go on reading the old
  /// ones. One collective.
  Status publish(const Front& front, std::size_t count) {
    half_ ^= 1U;  // other ranks may read the other half until this barrier
    if (ranks_.rank() == 0) std::atomic_ref(counter()).store(0, std::memory_order_relaxed);
    published(ranks_.rank()) = {front, count};
    return ranks_.barrier();
  }

  [[nodiscard]] const Front& front(unsigned rank) const noexcept { return published(rank).front; }
  [[nodiscard]] std::span<const Entry> entries(unsigned rank) const noexcept {
    return {entries_of(half_, rank), published(rank).count};
  }
  /// Assigns numbers from 0 on, `count` at a time, each to one thread of one rank.
  [[nodiscard]] std::uint64_t take(std::uint64_t count) noexcept {
    return std::atomic_ref(counter()).fetch_add(count, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kLine = 64;
  struct alignas(kLine) Published {
    Front front;
    std::size_t count;
  };

  // Layout of a half: the counter on a line of its own, the state of each rank, the entries of each rank.
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
