// VertexMap<T>: one value for each vertex, in memory aligned to cache lines.  Module: graph.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma {

/// Bytes from an allocator that decides where they are; freed by `release`.
struct VertexMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
  void (*release)(void* data, std::size_t bytes) noexcept = nullptr;
};

/// Zeroed memory of the process's allocator.  Throws std::bad_alloc.
inline VertexMemory ordinary_memory(std::size_t bytes) {
  if (bytes == 0) return {};
  void* const data = std::calloc(bytes, 1);
  if (data == nullptr) throw std::bad_alloc();
  return {data, bytes, [](void* memory, std::size_t) noexcept { std::free(memory); }};
}

/// Owns n values of a trivial type T.  Made by Engine::make_map, which places and fills the memory.
template <class T>
class VertexMap {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  VertexMap() = default;
  VertexMap(VertexMemory memory, VertexId size) : memory_(memory), size_(size) {}
  VertexMap(VertexMap&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), size_(std::exchange(other.size_, 0)) {}
  VertexMap& operator=(VertexMap&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  VertexMap(const VertexMap&) = delete;
  VertexMap& operator=(const VertexMap&) = delete;
  ~VertexMap() {
    if (memory_.release != nullptr) memory_.release(memory_.data, memory_.bytes);
  }

  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.data); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(memory_.data); }
  [[nodiscard]] T& operator[](VertexId v) noexcept { return data()[v]; }
  [[nodiscard]] const T& operator[](VertexId v) const noexcept { return data()[v]; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size_}; }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size_}; }

  /// The value of v for atomic use from many threads.
  [[nodiscard]] std::atomic_ref<T> atomic(VertexId v) noexcept { return std::atomic_ref<T>(data()[v]); }

  /// Lowers the value of v to `value` if that is smaller; true if it was.
  bool lower(VertexId v, T value) noexcept {
    std::atomic_ref<T> cell(data()[v]);
    T seen = cell.load(std::memory_order_relaxed);
    while (value < seen) {
      if (cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
    }
    return false;
  }

 private:
  VertexMemory memory_;
  VertexId size_ = 0;
};

}  // namespace rizoma
