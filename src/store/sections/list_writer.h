// ListWriter: puts lists of a section one after another, each from what it was and its changes, by the rules of
// parallel_edges.h.  Cost: O(entries + changes log changes) a list.
//
// W: double, Unweighted, or the bits of an int32 or a float32: weights are moved and told apart, never added, so that
// one copy of this serves both.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/schema.h>

#include "base/check.h"
#include "store/sections/image.h"
#include "store/sections/parallel_edges.h"
#include "store/sections/pending.h"
#include "store/sections/weight_rules.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma {

/// A change of a run as it is sorted; numbers of rows, which are float64, may be lacking: none are 0.
template <class W>
[[nodiscard]] Change<W> change_of(const ChangeRun& run, std::size_t i, WeightType type) {
  Change<W> change{};
  change.word = run.words[i];
  if constexpr (std::is_same_v<W, double>) {
    if (run.weights != nullptr) change.weight = run.weights[i];
  } else if constexpr (!std::is_same_v<W, Unweighted>) {
    RIZOMA_CHECK(run.weights != nullptr);
    change.weight = weight_bits<W>(type, run.weights[i]);
  }
  return change;
}

/// All changes of runs, in order of arrival.
template <class W>
[[nodiscard]] std::vector<Change<W>> changes_of(std::span<const ChangeRun> runs, WeightType type) {
  std::size_t count = 0;
  for (const ChangeRun& run : runs) count += run.words.size();
  std::vector<Change<W>> changes;
  changes.reserve(count);
  for (const ChangeRun& run : runs) {
    for (std::size_t i = 0; i < run.words.size(); ++i) changes.push_back(change_of<W>(run, i, type));
  }
  return changes;
}

/// By target, those of one target in order of arrival; in any order where it does not show: among added edges without
/// weights.
template <class W>
void sort_changes_of_list(std::span<Change<W>> changes, bool only_adds) {
  const auto before = [](const Change<W>& a, const Change<W>& b) { return a.target() < b.target(); };
  if (changes.size() < 2 || std::is_sorted(changes.begin(), changes.end(), before)) return;
  if (std::is_same_v<W, Unweighted> && only_adds) {
    std::sort(changes.begin(), changes.end(), before);
  } else {
    std::stable_sort(changes.begin(), changes.end(), before);
  }
}

/// Entries before their changes.
template <class Target, class W>
struct BaseList {
  const Target* targets = nullptr;
  const W* weights = nullptr;        ///< parallel to them; null: see `rows`
  const RowNumbers* rows = nullptr;  ///< of an image that has them packed; null too: all weights are W{}
  std::size_t first = 0;             ///< the number of the first entry there
  std::uint32_t size = 0;

  [[nodiscard]] W weight(std::size_t i) const {
    if constexpr (!std::is_same_v<W, Unweighted>) {
      if (rows != nullptr) return static_cast<W>((*rows)[first + i]);
      if (weights != nullptr) return weights[i];
    }
    return W{};
  }
};

/// How often a sorted list has the target.
template <class Target>
[[nodiscard]] EdgeCount count_in_sorted(const Target* begin, const Target* end, VertexId target) {
  const auto range = std::equal_range(begin, end, static_cast<Target>(target));
  return static_cast<EdgeCount>(range.second - range.first);
}

template <class Target, class W>
class ListWriter {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;

 public:
  explicit ListWriter(ParallelEdges policy) noexcept : policy_(policy) {}

  /// Entries go there from number `filled` on; `weights` is not read for graphs without.
  void write_to(void* targets, void* weights, std::uint64_t filled) noexcept {
    targets_ = static_cast<Target*>(targets);
    weights_ = static_cast<W*>(weights);
    filled_ = filled;
  }
  [[nodiscard]] std::uint64_t filled() const noexcept { return filled_; }

  /// Copies entries [from, size).
  void copy(const BaseList<Target, W>& list, std::uint32_t from = 0) {
    const std::uint32_t count = list.size - from;
    std::copy_n(list.targets + from, count, targets_ + filled_);
    if constexpr (kWeighted) copy_weights(list, from, count);
    filled_ += count;
  }

  /// Merges the list with its sorted changes.  Returns how many entries to `self` were added, less those removed.
  std::int64_t merge(const BaseList<Target, W>& list, std::span<Change<W>> changes, VertexId self) {
    const bool only_adds = std::all_of(changes.begin(), changes.end(),
                                       [](const Change<W>& each) { return change_kind(each.word) == ChangeKind::add; });
    sort_changes_of_list(changes, only_adds);
    const std::uint64_t begin = filled_;
    only_adds ? add(list, changes) : change(list, changes);
    return static_cast<std::int64_t>(count_in_sorted(targets_ + begin, targets_ + filled_, self)) -
           static_cast<std::int64_t>(count_in_sorted(list.targets, list.targets + list.size, self));
  }

 private:
  void copy_weights(const BaseList<Target, W>& list, std::uint32_t from, std::uint32_t count) {
    if (list.rows != nullptr) {
      W* const out = weights_ + filled_;
      const std::size_t first = list.first + from;
      list.rows->for_each(first, first + count,
                          [out, first](std::size_t i, double row) { out[i - first] = static_cast<W>(row); });
    } else if (list.weights == nullptr) {  // the graph got its first columns later
      std::fill_n(weights_ + filled_, count, W{});
    } else {
      std::copy_n(list.weights + from, count, weights_ + filled_);
    }
  }

  void put(VertexId target, const W& weight) {
    targets_[filled_] = static_cast<Target>(target);
    if constexpr (kWeighted) weights_[filled_] = weight;
    ++filled_;
  }

  void add(const BaseList<Target, W>& list, std::span<const Change<W>> changes) {
    const std::uint64_t begin = filled_;
    std::uint32_t e = 0;
    for (const Change<W>& change : changes) {
      for (; e < list.size && list.targets[e] <= change.target(); ++e) put(list.targets[e], list.weight(e));
      const auto target = static_cast<Target>(change.target());
      const bool known = filled_ > begin && targets_[filled_ - 1] == target;
      if (!known || policy_ == ParallelEdges::keep) targets_[filled_++] = target;
      if constexpr (kWeighted) weights_[filled_ - 1] = change.weight;
    }
    copy(list, e);
  }

  void change(const BaseList<Target, W>& list, std::span<const Change<W>> changes) {
    merge_changes<W>(
        list.size, [&](std::size_t i) { return VertexId{list.targets[i]}; },
        [&](std::size_t i) { return list.weight(i); }, changes, policy_, group_,
        [&](VertexId target, const W& weight) { put(target, weight); });
  }

  ParallelEdges policy_;
  Target* targets_ = nullptr;
  W* weights_ = nullptr;
  std::uint64_t filled_ = 0;
  std::vector<W> group_;
};

}  // namespace rizoma
