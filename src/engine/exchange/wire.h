// Wire: numbers as ranks send them to each other: little-endian, small ones in few bytes (LEB128).
#pragma once

#include <rizoma/detail/varint.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma {

class WireWriter {
 public:
  /// Room for `size` bytes, and the kind that a round adds, so that they are not in memory twice while they grow.
  void reserve(std::size_t size) { bytes_.reserve(size + 1); }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof(T));
  }
  void put_bytes(const void* data, std::size_t size) {
    const auto* const bytes = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  void put_varint(std::uint64_t value) {
    std::array<std::byte, kMaxVarintBytes> small;
    bytes_.insert(bytes_.end(), small.data(), write_varint(small.data(), value));
  }
  /// Overwrites what was put at `place`.
  template <class T>
  void put_at(std::size_t place, const T& value) {
    std::memcpy(bytes_.data() + place, &value, sizeof(T));
  }
  /// The place of `size` bytes more, which the caller writes before anything else is put.
  [[nodiscard]] std::byte* grow(std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + (bytes_.size() - size);
  }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a WireWriter wrote.  Beyond the end it reads zeros, and `ok` is false.
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  [[nodiscard]] T get() {
    T value{};
    get_bytes(&value, sizeof(T));
    return value;
  }
  void get_bytes(void* data, std::size_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return;
    }
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  [[nodiscard]] std::uint64_t get_varint() {
    std::uint64_t value = 0;
    const std::byte* const end = rest_.data() + rest_.size();
    const std::byte* const after = read_varint(rest_.data(), end, value);
    ok_ = ok_ && after != nullptr;
    rest_ = {after == nullptr ? end : after, end};
    return after == nullptr ? 0 : value;
  }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::span<const std::byte> rest() const noexcept { return rest_; }

 private:
  std::span<const std::byte> rest_;
  bool ok_ = true;
};

}  // namespace rizoma
