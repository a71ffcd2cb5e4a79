// Numbers of matches that notice when they pass 2^64.  Module: query.
#pragma once

#include <cstdint>
#include <limits>

namespace rizoma::query {

/// Sums and products; one that is too large stays at the largest number, so that it is never taken for none.
class CheckedCount {
 public:
  CheckedCount() = default;
  explicit CheckedCount(std::uint64_t number) noexcept : value_(number) {}

  void add(const CheckedCount& other) noexcept {
    over_ |= other.over_ || __builtin_add_overflow(value_, other.value_, &value_);
    settle();
  }
  void add(std::uint64_t number) noexcept { add(CheckedCount(number)); }
  void multiply(const CheckedCount& other) noexcept {
    over_ = value_ != 0 && other.value_ != 0 && (over_ || other.over_);
    over_ |= __builtin_mul_overflow(value_, other.value_, &value_);
    settle();
  }
  void multiply(std::uint64_t number) noexcept { multiply(CheckedCount(number)); }
  /// Makes it a number that is too large.
  void overflow() noexcept {
    over_ = true;
    settle();
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  [[nodiscard]] bool is_over() const noexcept { return over_; }

 private:
  void settle() noexcept {
    if (over_) value_ = std::numeric_limits<std::uint64_t>::max();
  }

  std::uint64_t value_ = 0;
  bool over_ = false;
};

}  // namespace rizoma::query
