// VertexSet: a set of vertices as one bit each.  Module: graph.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace rizoma {

/// A subset of 0..universe-1.  Space: universe/8 bytes.  `add` is for one thread at a time;
/// `add_atomic` may run from many threads, and then `recount` must be called before `count`.
/// Sets that kernels keep while they run come from Engine::make_set, which decides where they are; a copy
/// is in ordinary memory.
class VertexSet {
 public:
  VertexSet() = default;
  explicit VertexSet(VertexId universe)
      : VertexSet(universe, ordinary_memory(words_of(universe) * sizeof(std::uint64_t))) {}
  /// In memory of words_of(universe) zeros.
  VertexSet(VertexId universe, VertexMemory zeros) : words_(zeros, words_of(universe)), universe_(universe) {}
  VertexSet(const VertexSet& other) : VertexSet(other.universe_) {
    std::copy(other.words_.span().begin(), other.words_.span().end(), words());
    count_ = other.count_;
  }
  VertexSet(VertexSet&& other) noexcept
      : words_(std::move(other.words_)),
        universe_(std::exchange(other.universe_, 0)),
        count_(std::exchange(other.count_, 0)) {}
  VertexSet& operator=(VertexSet other) noexcept {
    std::swap(words_, other.words_);
    std::swap(universe_, other.universe_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~VertexSet() = default;

  [[nodiscard]] static constexpr VertexId words_of(VertexId universe) noexcept { return (universe + 63) / 64; }

  [[nodiscard]] VertexId universe() const noexcept { return universe_; }
  [[nodiscard]] VertexId count() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool contains(VertexId v) const noexcept {
    return v < universe_ && ((words_[v >> 6] >> (v & 63)) & 1) != 0;
  }

  /// Returns true if v was not in the set.
  bool add(VertexId v) noexcept {
    std::uint64_t& word = words_[v >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (v & 63);
    if ((word & bit) != 0) return false;
    word |= bit;
    ++count_;
    return true;
  }

  /// As add, from any thread; does not change `count`.
  bool add_atomic(VertexId v) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (v & 63);
    std::atomic_ref<std::uint64_t> word(words_[v >> 6]);
    if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
    return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }

  void recount() noexcept {  ///< O(universe / 64)
    count_ = 0;
    for (const std::uint64_t word : words_.span()) count_ += static_cast<VertexId>(std::popcount(word));
  }
  void clear() noexcept {  ///< O(universe / 64)
    std::fill(words_.span().begin(), words_.span().end(), 0);
    count_ = 0;
  }
  /// Grows the universe; new vertices are outside the set.  Moves the set to ordinary memory.
  void grow(VertexId universe) {
    if (universe <= universe_) return;
    VertexSet grown(universe);
    std::copy(words_.span().begin(), words_.span().end(), grown.words());
    grown.count_ = count_;
    *this = std::move(grown);
  }

  /// Calls f(v) for every member within range, ascending.
  template <class F>
  void for_each(VertexRange range, F&& f) const {
    for (VertexId base = range.begin & ~VertexId{63}; base < range.end && base < universe_; base += 64) {
      std::uint64_t word = words_[base >> 6];
      if (base < range.begin) word &= ~std::uint64_t{0} << (range.begin - base);
      while (word != 0) {
        const VertexId v = base + static_cast<VertexId>(std::countr_zero(word));
        if (v >= range.end) return;
        f(v);
        word &= word - 1;
      }
    }
  }
  template <class F>
  void for_each(F&& f) const {
    for_each(VertexRange{0, universe_}, std::forward<F>(f));
  }
  /// The same for the vertices outside the set; other threads may add some meanwhile.
  template <class F>
  void for_each_absent(VertexRange range, F&& f) {
    for (VertexId base = range.begin & ~VertexId{63}; base < range.end; base += 64) {
      std::uint64_t left = ~std::atomic_ref(words_[base / 64]).load(std::memory_order_relaxed);
      if (base < range.begin) left &= ~std::uint64_t{0} << (range.begin - base);
      if (range.end - base < 64) left &= (std::uint64_t{1} << (range.end - base)) - 1;
      for (; left != 0; left &= left - 1) f(base + static_cast<VertexId>(std::countr_zero(left)));
    }
  }
  /// 64 members at once: bit i tells vertex 64*index+i.
  [[nodiscard]] std::uint64_t word(std::size_t index) const noexcept { return words_[index]; }
  [[nodiscard]] std::uint64_t* words() noexcept { return words_.data(); }

 private:
  VertexMap<std::uint64_t> words_;
  VertexId universe_ = 0;
  VertexId count_ = 0;
};

// ReachedMap<T>: values of the vertices that a search has reached, and one value for all others.
//
// A search of a thousand vertices in a graph of a million is to cost what it touches.  So nothing is written for the
// unreached vertices until a caller needs all values in one array.

template <class T>
class ReachedMap {
 public:
  ReachedMap() = default;
  /// `values` may hold anything outside `reached`, which stands for `none`.
  ReachedMap(VertexMap<T> values, std::shared_ptr<const VertexSet> reached, T none)
      : values_(std::move(values)), reached_(std::move(reached)), none_(none) {}

  [[nodiscard]] VertexId size() const noexcept { return values_.size(); }
  [[nodiscard]] T operator[](VertexId v) const noexcept {
    return reached_ == nullptr || reached_->contains(v) ? values_[v] : none_;
  }

  /// The vertices with a value of their own; null: every vertex.
  [[nodiscard]] const std::shared_ptr<const VertexSet>& reached() const noexcept { return reached_; }
  /// Sets the reached vertices; the caller writes their values into `values`, which may hold anything elsewhere.
  void reach(std::shared_ptr<const VertexSet> reached) noexcept { reached_ = std::move(reached); }
  [[nodiscard]] VertexMap<T>& values() noexcept { return values_; }

  /// All values, which from then on are in one array.  Cost: O(n / 64 + vertices not reached), once.
  VertexMap<T>& all() {
    if (const auto reached = std::exchange(reached_, nullptr)) {
      for (VertexId base = 0; base < size(); base += 64) {
        std::uint64_t others = ~reached->word(base / 64);
        if (size() - base < 64) others &= (std::uint64_t{1} << (size() - base)) - 1;
        if (others == ~std::uint64_t{0}) {  // 64 at once
          std::fill_n(values_.data() + base, 64, none_);
          continue;
        }
        for (; others != 0; others &= others - 1)
          values_[base + static_cast<VertexId>(std::countr_zero(others))] = none_;
      }
    }
    return values_;
  }

 private:
  VertexMap<T> values_;
  std::shared_ptr<const VertexSet> reached_;  ///< null: every vertex has its value
  T none_{};
};

}  // namespace rizoma
