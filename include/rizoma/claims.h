// Claims: what a thread claims of the vertices that its lists lead to, many at once.  Module: engine.
//
// Whether somebody has claimed a vertex before cannot be foretold: no branch decides who is looked at again.  And an
// exchange waits for all that was written before it: nothing is applied between two of them.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rizoma::engine_detail {

/// Puts into a set of vertices, which others may do at the same time, who is not in it.  Taker: may_take(v), without
/// which v is left alone, and take(v, what is folded for it), once for each vertex that was put in.
template <class Folded, class Taker>
class Claims {
 public:
  Claims(std::uint64_t* words, Taker taker) : words_(words), taker_(std::move(taker)) {}

  /// Others claim at the same time from here on.
  void share() noexcept { shared_ = true; }

  /// Claims what the entries of a list lead to; fold(i): for the i-th.
  template <class List, class Fold>
  void add(const List& list, Fold&& fold) {
    for (std::size_t begin = 0; begin < list.size();) {
      if (size_ > kMost / 2) settle();
      const std::size_t end = std::min<std::size_t>(list.size(), begin + (kMost - size_));
      std::size_t size = size_;
      for (std::size_t i = begin; i < end; ++i) {
        const VertexId v = list.source(i);
        waiting_[size] = {v, fold(i)};
        size += ~(std::atomic_ref(words_[v / 64]).load(std::memory_order_relaxed) >> (v % 64)) & 1;
      }
      size_ = size;
      begin = end;
    }
  }

  /// Ends with this.
  void settle() {
    std::size_t won = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const Candidate one = waiting_[k];
      if (claim(one.vertex)) waiting_[won++] = one;
    }
    for (std::size_t k = 0; k < won; ++k) taker_.take(waiting_[k].vertex, waiting_[k].folded);
    size_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct Candidate {
    VertexId vertex;
    Folded folded;
  };

  [[nodiscard]] bool claim(VertexId v) {
    const std::uint64_t bit = std::uint64_t{1} << (v % 64);
    std::atomic_ref word(words_[v / 64]);
    const std::uint64_t before = word.load(std::memory_order_relaxed);
    if ((before & bit) != 0 || !taker_.may_take(v)) return false;
    if (shared_) return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
    word.store(before | bit, std::memory_order_relaxed);
    return true;
  }

  std::uint64_t* words_;
  Taker taker_;
  bool shared_ = false;
  std::size_t size_ = 0;
  std::array<Candidate, kMost> waiting_;
};

}  // namespace rizoma::engine_detail
