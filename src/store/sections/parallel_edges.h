// ParallelEdges: what changes do to the edges from one vertex to one other, and to the sorted list of
// a vertex.  Merging, point reads and the writer's look-ups all go through here.
//
// W is the type of a weight, or Unweighted, which every weight of a graph without weights equals.
// Weights are compared as bits: what one direction of an edge takes away, the other does too.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/schema.h>

#include "store/sections/pending.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma {

struct Unweighted {};  ///< stands for the weight type of a graph without weights

/// A change without its place: a word whose place is 0, and the weight.
template <class W>
struct Change {
  std::uint64_t word;
  W weight;
  [[nodiscard]] VertexId target() const noexcept { return change_target(word); }
};
template <>
struct Change<Unweighted> {
  std::uint64_t word;
  [[nodiscard]] VertexId target() const noexcept { return change_target(word); }
};

template <class W>
[[nodiscard]] bool same_weight(const W& a, const W& b) noexcept {
  if constexpr (std::is_same_v<W, Unweighted>) {
    return true;
  } else {
    // Bits count: 0 and -0 are two weights.  NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
}

/// Applies one change to the edges of a pair, given by their weights in order of arrival.
template <class W>
void apply_change(ChangeKind kind, const W& weight, ParallelEdges policy, std::vector<W>& edges) {
  switch (kind) {
    case ChangeKind::add:
      if (policy == ParallelEdges::merge) edges.clear();
      edges.push_back(weight);
      return;
    case ChangeKind::remove: edges.clear(); return;
    case ChangeKind::remove_one: {
      const auto last =
          std::find_if(edges.rbegin(), edges.rend(), [&](const W& each) { return same_weight(each, weight); });
      if (last != edges.rend()) edges.erase(std::next(last).base());
      return;
    }
    case ChangeKind::set_weight: std::fill(edges.begin(), edges.end(), weight); return;
  }
}

/// The list of a vertex after changes.  Base: `length` entries with target(i), ascending, and weight(i);
/// `changes` sorted by target, those of one target in order of arrival.  Calls emit(target, weight) for
/// each entry that is left, ascending.  `group` is scratch.
template <class W, class Target, class Weight, class Emit>
void merge_changes(std::size_t length, Target&& target, Weight&& weight, std::span<const Change<W>> changes,
                   ParallelEdges policy, std::vector<W>& group, Emit&& emit) {
  std::size_t e = 0;
  for (std::size_t c = 0; c < changes.size();) {
    const VertexId to = changes[c].target();
    for (; e < length && target(e) < to; ++e) emit(target(e), weight(e));
    group.clear();
    for (; e < length && target(e) == to; ++e) group.push_back(weight(e));
    for (; c < changes.size() && changes[c].target() == to; ++c) {
      W given{};
      if constexpr (!std::is_same_v<W, Unweighted>) given = changes[c].weight;
      apply_change(change_kind(changes[c].word), given, policy, group);
    }
    for (const W& each : group) emit(to, each);
  }
  for (; e < length; ++e) emit(target(e), weight(e));
}

}  // namespace rizoma
