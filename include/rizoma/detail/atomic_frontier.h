// AtomicFrontier: claims many vertices of a shared set at once, by atomic exchanges.  Module: engine.
//
// How: claims are unpredictable, so the loop over entries is branch-free.  An atomic exchange waits for all earlier
// writes, so nothing is applied between two of them.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rizoma::engine_detail {

/// Adds vertices to a set concurrently with other threads.  Taker: may_take(v) filters candidates; take(v, acc) runs
/// once for each vertex that this thread added.
template <class Target, class Accum, class Taker>
class AtomicFrontier {
 public:
  AtomicFrontier(std::uint64_t* words, Taker taker) : words_(words), taker_(std::move(taker)) {}

  /// From now on other threads claim concurrently.
  void share() noexcept { shared_ = true; }

  /// Adds claims for the neighbours in a list; gather(i): the accumulator of entry i.
  template <class List, class Gather>
  [[gnu::always_inline]] void add(const List& list, Gather&& gather) {
    for (std::size_t begin = 0; begin < list.size();) {
      if (size_ > kMost / 2) flush();
      const std::size_t end = std::min<std::size_t>(list.size(), begin + (kMost - size_));
      const std::uint64_t* const words = words_;
      std::size_t size = size_;
      for (std::size_t i = begin; i < end; ++i) {
        const Target v = list.source(i);
        vertices_[size] = v;
        accums_[size] = gather(i);
        const std::uint64_t word = __atomic_load_n(words + v / 64, __ATOMIC_RELAXED);
        size += (word & (std::uint64_t{1} << (v % 64))) != 0 ? 0 : 1;
      }
      size_ = size;
      begin = end;
    }
  }

  /// Flushes the buffered claims.
  [[gnu::noinline]] void flush() {
    const std::size_t won = shared_ ? win_from_others() : win();
    for (std::size_t k = 0; k < won; ++k) taker_.take(vertices_[k], accums_[k]);
    size_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 256;

  /// Adds the buffered vertices to the set, moves the new ones to the front, and returns their number.
  [[nodiscard]] std::size_t win() {
    std::size_t won = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const Target v = vertices_[k];
      if (!taker_.may_take(v)) continue;
      std::uint64_t& word = words_[v / 64];
      const std::uint64_t before = word;
      vertices_[won] = v;
      accums_[won] = accums_[k];
      won += 1 - ((before >> (v % 64)) & 1);
      word = before | (std::uint64_t{1} << (v % 64));
    }
    return won;
  }
  [[nodiscard]] std::size_t win_from_others() {
    std::size_t won = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const Target v = vertices_[k];
      const std::uint64_t bit = std::uint64_t{1} << (v % 64);
      const std::atomic_ref word(words_[v / 64]);
      if ((word.load(std::memory_order_relaxed) & bit) != 0 || !taker_.may_take(v)) continue;
      if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) continue;
      vertices_[won] = v;
      accums_[won++] = accums_[k];
    }
    return won;
  }

  std::uint64_t* words_;
  Taker taker_;
  bool shared_ = false;
  std::size_t size_ = 0;
  std::array<Target, kMost> vertices_;
  std::array<Accum, kMost> accums_;
};

}  // namespace rizoma::engine_detail
