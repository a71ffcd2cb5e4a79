// Sorting the entries of one piece into neighbour lists, within the cache.
//
// How: least-significant-digit radix sort by target (two or three stable counting passes over the
// digits that targets have), then one stable scatter by source, whose list begins are known from the
// degrees.  Stable, so entries of parallel edges stay in the order in which they were added.
// Cost: 3-4 passes over 8 bytes an entry, about 4-6 ns each.
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
  PageArray<Bits> weights;  ///< parallel to targets; empty if unweighted
  std::vector<std::uint64_t> cursors;

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

/// Scatters sorted entries into the lists of their sources.
template <class Record>
void scatter_by_source(PieceScratch<Record>& scratch, std::size_t count, VertexRange vertices,
                       std::span<const std::uint32_t> degrees) {
  scratch.cursors.resize(vertices.size());
  std::uint64_t begin = 0;
  for (VertexId i = 0; i < vertices.size(); ++i) {
    scratch.cursors[i] = begin;
    begin += degrees[i];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Record& entry = scratch.from[i];
    const std::uint64_t at = scratch.cursors[entry.source - vertices.begin]++;
    scratch.targets[at] = entry.target;
    if constexpr (Record::kWeighted) scratch.weights[at] = entry.weight;
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
