// AtomicBitsetWriter: bits of a set that other threads write to as well, a word at a time.  Module: engine.
// For the engine's own headers.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <cstdint>

namespace rizoma::engine_detail {

/// Puts bits of ascending vertices into words that other threads may write to as well.
class AtomicBitsetWriter {
 public:
  explicit AtomicBitsetWriter(std::uint64_t* words) noexcept : words_(words) {}
  ~AtomicBitsetWriter() { flush(); }
  AtomicBitsetWriter(const AtomicBitsetWriter&) = delete;
  AtomicBitsetWriter& operator=(const AtomicBitsetWriter&) = delete;
  void add(VertexId v) noexcept {
    if (v / 64 != word_) flush();
    word_ = v / 64;
    bits_ |= std::uint64_t{1} << (v % 64);
  }

 private:
  void flush() noexcept {
    if (bits_ != 0) std::atomic_ref(words_[word_]).fetch_or(bits_, std::memory_order_relaxed);
    bits_ = 0;
  }
  std::uint64_t* words_;
  VertexId word_ = 0;
  std::uint64_t bits_ = 0;
};

}  // namespace rizoma::engine_detail
