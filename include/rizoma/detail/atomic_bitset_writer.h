// AtomicBitsetWriter: sets ascending bits of a shared bit set, one atomic write a word.  Module: engine.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <cstdint>

namespace rizoma::engine_detail {

/// Buffers the bits of one word; other threads may write to the same words.
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
