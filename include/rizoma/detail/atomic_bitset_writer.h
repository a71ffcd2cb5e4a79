// AtomicBitsetWriter: sets ascending bits of a shared bit set, one atomic write a word.  Module: engine.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <cstdint>

namespace rizoma::engine_detail {

/// Buffers the bits of one word; other threads may write to the same words.  `subset`: of a set that `add_to_both` adds
/// to as well.
class AtomicBitsetWriter {
 public:
  explicit AtomicBitsetWriter(std::uint64_t* words, std::uint64_t* subset = nullptr) noexcept
      : words_(words), subset_(subset) {}
  ~AtomicBitsetWriter() { flush(); }
  AtomicBitsetWriter(const AtomicBitsetWriter&) = delete;
  AtomicBitsetWriter& operator=(const AtomicBitsetWriter&) = delete;
  void add(VertexId v) noexcept {
    if (v / 64 != word_) flush();
    word_ = v / 64;
    bits_ |= std::uint64_t{1} << (v % 64);
  }
  void add_to_both(VertexId v) noexcept {
    add(v);
    of_both_ |= std::uint64_t{1} << (v % 64);
  }

 private:
  void flush() noexcept {
    if (bits_ != 0) std::atomic_ref(words_[word_]).fetch_or(bits_, std::memory_order_relaxed);
    if (of_both_ != 0) std::atomic_ref(subset_[word_]).fetch_or(of_both_, std::memory_order_relaxed);
    bits_ = of_both_ = 0;
  }
  std::uint64_t* words_;
  std::uint64_t* subset_;
  VertexId word_ = 0;
  std::uint64_t bits_ = 0;
  std::uint64_t of_both_ = 0;  ///< some of these
};

}  // namespace rizoma::engine_detail
