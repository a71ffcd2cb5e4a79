// Sums of weights by group: what the list of one vertex leads to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

/// Sums of weights by group for the list of one vertex; one for each thread.  Weights of 0 are not added, so that a
/// sum of 0 tells that there is none.
class alignas(64) GroupSums {
 public:
  explicit GroupSums(std::size_t n) : sums_(n), touched_(std::make_unique_for_overwrite<std::uint32_t[]>(n + 1)) {}
  /// Branch-free: whether a group is new is unpredictable.
  void add(std::uint32_t c, double weight) {
    const double sum = sums_[c];
    touched_[count_] = c;
    count_ += sum == 0 ? 1 : 0;
    sums_[c] = sum + weight;
  }
  [[nodiscard]] double operator[](std::uint32_t c) const noexcept { return sums_[c]; }
  [[nodiscard]] std::span<const std::uint32_t> touched() const noexcept { return {touched_.get(), count_}; }
  template <class F>
  void for_each(F&& f) const {
    for (const std::uint32_t c : touched()) f(c, sums_[c]);
  }
  void clear() noexcept {
    for (const std::uint32_t c : touched()) sums_[c] = 0;
    count_ = 0;
  }

 private:
  std::vector<double> sums_;
  std::unique_ptr<std::uint32_t[]>
      touched_;  ///< and one place more, which is written before it is known whether it is needed
  std::size_t count_ = 0;
};

/// GroupSums of a short list: looked through, without a miss of the cache.
class FewGroupSums {
 public:
  static constexpr std::size_t kMost = 16;
  void add(std::uint32_t c, double weight) {
    std::size_t i = 0;
    while (i < count_ && touched_[i] != c) ++i;
    if (i == count_) {
      touched_[count_] = c;
      sums_[count_++] = 0;
    }
    sums_[i] += weight;
  }
  [[nodiscard]] double operator[](std::uint32_t c) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (touched_[i] == c) return sums_[i];
    }
    return 0;
  }
  [[nodiscard]] std::span<const std::uint32_t> touched() const noexcept { return {touched_.data(), count_}; }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < count_; ++i) f(touched_[i], sums_[i]);
  }
  void clear() noexcept { count_ = 0; }

 private:
  std::array<std::uint32_t, kMost> touched_;
  std::array<double, kMost> sums_;
  std::size_t count_ = 0;
};

/// Calls f with the fastest accumulator for this many weights.
template <class F>
auto with_sums(std::size_t entries, GroupSums& sums, F&& f) {
  if (entries > FewGroupSums::kMost) return f(sums);
  FewGroupSums few;
  return f(few);
}

}  // namespace rizoma
