// Pending: the changes to one section that no image holds yet, in order of arrival.
//
// A change is one word: bits 63..60 what to do, 59..40 the source's place in its section, 39..0 the
// target.  Weighted graphs keep a float64 beside each word (0 where the kind needs none).
// Append-only, in chunks that never move: one writer appends while readers read the first `count`
// changes, where `count` was handed to them under the store's lock.  So a snapshot pins (buffer, count).
// What no reader has been handed, the writer may take back (`truncate`).
// Cost: append amortised O(1); 8 bytes (16 weighted) a change, at most doubled by the last chunk.
#pragma once

#include <rizoma/ids.h>

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

/// What a word does to the edges from its source to its target (one, or under ParallelEdges::keep
/// several); parallel_edges.h has it as code.  Higher values are reserved.
enum class ChangeKind : std::uint8_t {
  add = 0,         ///< one more edge; under ParallelEdges::merge the edge, and its weight
  remove = 1,      ///< all of them
  remove_one = 2,  ///< one of them; of a weighted graph one that has exactly this weight
  set_weight = 3,  ///< all of them get this weight
};
inline constexpr unsigned kChangeKinds = 4;

inline constexpr unsigned kTargetBits = 40;
inline constexpr unsigned kPlaceBits = 20;

[[nodiscard]] constexpr std::uint64_t change_word(ChangeKind kind, std::uint64_t place, VertexId target) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << (kTargetBits + kPlaceBits) | place << kTargetBits | target;
}
/// The word for place 0.
[[nodiscard]] constexpr std::uint64_t without_place(std::uint64_t word) noexcept {
  return word & ~(((std::uint64_t{1} << kPlaceBits) - 1) << kTargetBits);
}
[[nodiscard]] constexpr std::uint32_t change_place(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word >> kTargetBits) & ((1u << kPlaceBits) - 1);
}
[[nodiscard]] constexpr VertexId change_target(std::uint64_t word) noexcept {
  return word & ((std::uint64_t{1} << kTargetBits) - 1);
}
[[nodiscard]] constexpr ChangeKind change_kind(std::uint64_t word) noexcept {
  return static_cast<ChangeKind>(word >> (kTargetBits + kPlaceBits));
}

/// The part of a word that names its pair: the word that adds it.
[[nodiscard]] constexpr std::uint64_t pair_of(std::uint64_t word) noexcept {
  return change_word(ChangeKind::add, change_place(word), change_target(word));
}

/// Changes one after another in memory; `weights` is null if the graph has none.
struct ChangeRun {
  std::span<const std::uint64_t> words;
  const double* weights = nullptr;
};

class PendingBuffer {
 public:
  explicit PendingBuffer(bool weighted) noexcept : weighted_(weighted) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }  ///< the writer's
  void append(std::uint64_t word, double weight) {
    if (size_ == tail_end_) grow();
    tail_words_[size_ - tail_begin_] = word;
    if (weighted_) tail_weights_[size_ - tail_begin_] = weight;
    ++size_;
  }

  /// Change i, and its weight if the graph has any; the writer's.
  [[nodiscard]] std::uint64_t word(std::uint64_t i) const noexcept {
    const unsigned k = chunk_of(i);
    return words_[k][i - begin_of(k)];
  }
  [[nodiscard]] double weight(std::uint64_t i) const noexcept {
    const unsigned k = chunk_of(i);
    return (*weights_)[k][i - begin_of(k)];
  }
  /// Prefetches change i, before `word` and `weight` read it.
  void prefetch(std::uint64_t i) const noexcept {
    const unsigned k = chunk_of(i);
    __builtin_prefetch(&words_[k][i - begin_of(k)]);
    if (weighted_) __builtin_prefetch(&(*weights_)[k][i - begin_of(k)]);
  }
  [[nodiscard]] bool weighted() const noexcept { return weighted_; }

  /// Takes back the changes from `size` on, which no reader knows of.
  void truncate(std::uint64_t size) noexcept;

  /// The first `count` changes, in order, as runs.
  void runs(std::uint64_t count, std::vector<ChangeRun>& out) const;

 private:
  static constexpr std::uint64_t kFirst = 32;  ///< changes in chunk 0; chunk k holds kFirst << k
  static constexpr std::uint64_t begin_of(unsigned k) noexcept { return kFirst * ((std::uint64_t{1} << k) - 1); }
  static constexpr unsigned chunk_of(std::uint64_t i) noexcept {
    return static_cast<unsigned>(std::bit_width(i / kFirst + 1)) - 1;
  }
  void grow();
  void enter_chunk(unsigned k) noexcept;

  bool weighted_;
  std::uint64_t size_ = 0;
  std::uint64_t tail_begin_ = 0;
  std::uint64_t tail_end_ = 0;
  std::uint64_t* tail_words_ = nullptr;
  double* tail_weights_ = nullptr;
  unsigned chunks_ = 0;  ///< in use; those after may be there already
  std::array<std::unique_ptr<std::uint64_t[]>, 36> words_;
  std::unique_ptr<std::array<std::unique_ptr<double[]>, 36>> weights_;
};

}  // namespace rizoma
