// A frontier that many threads fill, each through a buffer of its own, and read level by level.
#pragma once

#include "static_csr.h"

#include <algorithm>
#include <atomic>
#include <span>

namespace rizoma::yardstick {

/// Holds every vertex at most once for its whole life, so n places suffice.
class SharedQueue {
 public:
  explicit SharedQueue(Vertex capacity) : places_(make_array<Vertex>(static_cast<std::uint64_t>(capacity) + 1)) {}

  /// The present level.
  [[nodiscard]] std::span<const Vertex> level() const noexcept {
    return {places_.get() + begin_, places_.get() + end_};
  }
  /// What was pushed since becomes the present level.
  void advance() noexcept {
    begin_ = end_;
    end_ = tail_.load(std::memory_order_relaxed);
  }
  void restart() noexcept {
    begin_ = end_ = 0;
    tail_ = 0;
  }
  void append(std::span<const Vertex> vertices) noexcept {
    const std::size_t place = tail_.fetch_add(vertices.size(), std::memory_order_relaxed);
    std::copy(vertices.begin(), vertices.end(), places_.get() + place);
  }

  /// A thread's way in; what it holds is appended when it is full and when it dies.
  class Inlet {
   public:
    explicit Inlet(SharedQueue& queue) : queue_(queue), held_(make_array<Vertex>(kSize)) {}
    Inlet(const Inlet&) = delete;
    Inlet& operator=(const Inlet&) = delete;
    ~Inlet() { flush(); }
    void push(Vertex v) {
      if (count_ == kSize) flush();
      held_[count_++] = v;
    }
    void flush() {
      queue_.append({held_.get(), count_});
      count_ = 0;
    }

   private:
    static constexpr std::size_t kSize = 16384;
    SharedQueue& queue_;
    Array<Vertex> held_;
    std::size_t count_ = 0;
  };

 private:
  Array<Vertex> places_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::atomic<std::size_t> tail_ = 0;
};

/// Bits with plain and atomic setting.
class Bits {
 public:
  explicit Bits(std::uint64_t count) : words_(make_array<std::uint64_t>(count / 64 + 1)), size_(count / 64 + 1) {
    clear();
  }
  void clear() {
#pragma omp parallel for
    for (std::uint64_t i = 0; i < size_; ++i) words_[i] = 0;
  }
  [[nodiscard]] bool has(std::uint64_t i) const noexcept { return (words_[i >> 6] >> (i & 63)) & 1; }
  void set(std::uint64_t i) noexcept { words_[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void set_atomic(std::uint64_t i) noexcept {
    std::atomic_ref<std::uint64_t>(words_[i >> 6]).fetch_or(std::uint64_t{1} << (i & 63), std::memory_order_relaxed);
  }
  void swap(Bits& other) noexcept {
    words_.swap(other.words_);
    std::swap(size_, other.size_);
  }

 private:
  Array<std::uint64_t> words_;
  std::uint64_t size_;
};

}  // namespace rizoma::yardstick
