// The intersection of sorted lists: one primitive for triangles, clustering, common neighbours and
// patterns.  Module: graph.
//
// Lists ascend strictly: a list of a graph with parallel edges must have its repetitions dropped first.
// How: two lists of about equal length are merged, numbers of 4 bytes in blocks of four by vectors that compare each
// with each, others one by one without branches; of very different lengths, each value of the shorter is searched in
// the longer in leaps that double.  One list against many: MarkedList, a bit for each
// vertex, so that each test is one read.
// Cost: O(a + b) merged; O(a log(b / a)) in leaps, a the shorter; O(b) against a marked list.
// Source of the leaps: Demaine, López-Ortiz, Munro, "Adaptive set intersections, unions, and
// differences", SODA'00; of the blocks: Schlegel, Willhalm, Lehner, "Fast Sorted-Set Intersection using SIMD
// Instructions", ADMS'11.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// How many values two lists have in common.
[[nodiscard]] std::size_t count_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;
[[nodiscard]] std::size_t count_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept;

/// Writes the values that two lists have in common to `to`, ascending; returns how many they are.  `to` has room
/// for min(a.size(), b.size()) + 1 values (what is after them is written to) and is apart from both lists.
std::size_t intersect(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint32_t* to) noexcept;
std::size_t intersect(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, std::uint64_t* to) noexcept;

namespace intersection_detail {

/// Lists whose lengths differ by this factor are intersected in leaps.
inline constexpr std::size_t kLeapRatio = 32;

/// Index of the first value of `list` from `from` on that is not below `value`.
template <class T>
[[nodiscard]] std::size_t leap_to(std::span<const T> list, std::size_t from, T value) noexcept {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step < list.size() && list[low + step] < value) {
    low += step;
    step *= 2;
  }
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, list.size()));
  return static_cast<std::size_t>(std::lower_bound(list.begin() + static_cast<std::ptrdiff_t>(low), end, value) -
                                  list.begin());
}

/// Calls f(i, j) where few[i] == many[j].
template <class T, class F>
void leap(std::span<const T> few, std::span<const T> many, F&& f) {
  std::size_t j = 0;
  for (std::size_t i = 0; i < few.size(); ++i) {
    j = leap_to(many, j, few[i]);
    if (j == many.size()) return;
    if (many[j] == few[i]) f(i, j++);
  }
}

}  // namespace intersection_detail

/// Calls f(i, j) for each i and j with a[i] == b[j], ascending.
template <class T, class F>
void for_each_common(std::span<const T> a, std::span<const T> b, F&& f) {
  using intersection_detail::kLeapRatio;
  if (a.size() / kLeapRatio > b.size()) {
    return intersection_detail::leap(b, a, [&](std::size_t j, std::size_t i) { f(i, j); });
  }
  if (b.size() / kLeapRatio > a.size()) return intersection_detail::leap(a, b, f);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const T x = a[i];
    const T y = b[j];
    if (x == y) f(i, j);
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
}

/// One list, held against many: a bit for each vertex.  For one thread.
class MarkedList {
 public:
  /// Values are below `universe`.  Space: universe / 8 bytes.
  explicit MarkedList(VertexId universe) : words_((universe + 63) / 64) {}

  /// Replaces the list that was marked; cost: the lengths of both.
  template <class T>
  void mark(std::span<const T> list) {
    for (const std::uint64_t value : marked_) words_[value / 64] = 0;
    marked_.assign(list.begin(), list.end());
    for (const std::uint64_t value : marked_) words_[value / 64] |= std::uint64_t{1} << (value % 64);
  }
  [[nodiscard]] bool contains(VertexId v) const noexcept { return ((words_[v / 64] >> (v % 64)) & 1) != 0; }
  /// How many values of a list, each counted as often as it is there, are marked.
  template <class T>
  [[nodiscard]] std::size_t count_common(std::span<const T> list) const noexcept {
    std::size_t count = 0;
    for (const T value : list) count += (words_[value / 64] >> (value % 64)) & 1;
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> marked_;
};

}  // namespace rizoma
