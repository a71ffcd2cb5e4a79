// Sorting the entries of one piece into neighbour lists, within the cache.
//
// How: where most lists are short, one stable scatter by source, whose list begins are known from the degrees, then
// each list by insertion.  Otherwise a least-significant-digit radix sort by target first (two or three stable counting
// passes over the digits that targets have), after which the scatter makes sorted lists.
// Stable, so entries of parallel edges stay in the order in which they were added.
// Cost: 3-4 passes over 8 bytes an entry, about 4-6 ns each; of short lists one pass, and half a list for each entry.
#pragma once

#include <rizoma/ids.h>

#include "store/loading/bulk_load_edges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// Memory that a thread reuses from piece to piece; holds the lists of the latest.
template <class Record>
struct PieceScratch {
  using Number = typename Record::Number;
  using Bits = typename Record::Bits;
  PageArray<Record> from;  ///< the entries to be sorted
  PageArray<Record> to;
  PageArray<Number> targets;
  PageArray<Bits> weights;             ///< parallel to targets; empty if unweighted
  std::vector<std::uint64_t> cursors;  ///< where the next entry of each list goes
  bool has_loops = false;              ///< some entry is of a self-loop

  void reserve(std::size_t entries) {
    if (from.size() >= entries) return;
    from = {};
    to = {};
    targets = {};
    weights = {};
    from = PageArray<Record>(entries);
    to = PageArray<Record>(entries);
    targets = PageArray<Number>(entries);
    if constexpr (Record::kWeighted) weights = PageArray<Bits>(entries);
  }
};

/// Sorts scratch.from[0, count) by target into the same place.  Targets are below `bound`.
template <class Record>
void sort_by_target(PieceScratch<Record>& scratch, std::size_t count, VertexId bound) {
  constexpr unsigned kMostDigit = 11;
  const unsigned bits = std::max(1u, static_cast<unsigned>(std::bit_width(bound - 1)));
  const unsigned passes = (bits + kMostDigit - 1) / kMostDigit;
  const unsigned digit_bits = (bits + passes - 1) / passes;
  const std::uint32_t mask = (1u << digit_bits) - 1;
  std::array<std::array<std::uint32_t, 1u << kMostDigit>, 4> begins;  // 40 bits are at most 4 digits
  for (unsigned p = 0; p < passes; ++p) begins[p].fill(0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto target = scratch.from[i].target;
    for (unsigned p = 0; p < passes; ++p) ++begins[p][(target >> (p * digit_bits)) & mask];
  }
  for (unsigned p = 0; p < passes; ++p) {
    std::uint32_t begin = 0;
    for (std::uint32_t d = 0; d <= mask; ++d) begin += std::exchange(begins[p][d], begin);
    const Record* from = scratch.from.data();
    Record* to = scratch.to.data();
    const unsigned shift = p * digit_bits;
    for (std::size_t i = 0; i < count; ++i) to[begins[p][(from[i].target >> shift) & mask]++] = from[i];
    std::swap(scratch.from, scratch.to);
  }
}

/// Whether sorting lists of these sizes by insertion takes less than sorting all their entries by digits.
[[nodiscard]] inline bool are_short(std::span<const std::uint32_t> degrees) noexcept {
  constexpr std::uint64_t kOfEach = 12;  // entries that one may be compared to
  std::uint64_t entries = 0, pairs = 0;
  for (const std::uint64_t degree : degrees) {
    entries += degree;
    pairs += degree * degree;
  }
  return pairs <= kOfEach * entries;
}

/// Where the lists of these sizes begin.
template <class Record>
void begin_lists(PieceScratch<Record>& scratch, std::span<const std::uint32_t> degrees) {
  scratch.cursors.resize(degrees.size());
  scratch.has_loops = false;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    scratch.cursors[i] = begin;
    begin += degrees[i];
  }
}

/// Scatters entries to the ends of the lists of their sources, of which `first` is the first.
template <class Record>
void scatter_by_source(PieceScratch<Record>& scratch, std::span<const Record> entries, VertexId first) {
  bool loops = false;
  for (const Record& entry : entries) {
    const std::uint64_t at = scratch.cursors[entry.source - first]++;
    scratch.targets[at] = entry.target;
    if constexpr (Record::kWeighted) scratch.weights[at] = entry.weight;
    loops |= entry.source == entry.target;
  }
  scratch.has_loops |= loops;
}

/// Sorts each list by target, by insertion.
template <class Record>
void sort_short_lists(PieceScratch<Record>& scratch, std::span<const std::uint32_t> degrees) {
  const auto move_back = [](auto* list, std::uint32_t from, std::uint32_t to) {
    const auto moved = list[from];
    for (; from > to; --from) list[from] = list[from - 1];
    list[to] = moved;
  };
  auto* targets = scratch.targets.data();
  auto* weights = scratch.weights.data();
  for (const std::uint32_t degree : degrees) {
    for (std::uint32_t i = 1; i < degree; ++i) {
      std::uint32_t to = i;
      while (to > 0 && targets[to - 1] > targets[i]) --to;
      if (to == i) continue;
      move_back(targets, i, to);
      if constexpr (Record::kWeighted) move_back(weights, i, to);
    }
    targets += degree;
    if constexpr (Record::kWeighted) weights += degree;
  }
}

/// Keeps one of equal neighbours, with the weight added last; shortens `degrees` and the lists.
template <class Record>
void merge_parallel(PieceScratch<Record>& scratch, std::span<std::uint32_t> degrees) {
  std::size_t read = 0, write = 0;
  for (std::uint32_t& degree : degrees) {
    const std::size_t end = read + degree;
    const std::size_t begin = write;
    for (; read < end; ++read) {
      if (write > begin && scratch.targets[write - 1] == scratch.targets[read]) --write;
      scratch.targets[write] = scratch.targets[read];
      if constexpr (Record::kWeighted) scratch.weights[write] = scratch.weights[read];
      ++write;
    }
    degree = static_cast<std::uint32_t>(write - begin);
  }
}

}  // namespace rizoma::bulk
