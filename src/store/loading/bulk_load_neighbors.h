// The neighbours of each vertex of a load, before its edges are sorted: the input of the order `locality`.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>

#include "store/loading/bulk_load_edges.h"
#include "store/sections/order.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace rizoma::bulk {

/// More edges than this make no neighbours: a vertex might have more than 32 bits count.
inline constexpr std::uint64_t kMostNeighborEdges = std::uint64_t{1} << 31;

/// Bytes that the neighbours along this many edges take, with the order made of them.
template <class Number>
[[nodiscard]] constexpr std::uint64_t neighbor_bytes(std::uint64_t edges, VertexId vertices) noexcept {
  return 2 * edges * sizeof(Number) + vertices * (12 + 3 * sizeof(Number));
}

template <class Number>
class Neighbors {
 public:
  /// `degrees`: of edges in both directions, at least; loops are left out.
  explicit Neighbors(std::span<const std::uint32_t> degrees)
      : begins_(degrees.size()),
        sizes_(degrees.size()),
        targets_(std::accumulate(degrees.begin(), degrees.end(), std::size_t{0})) {
    std::exclusive_scan(degrees.begin(), degrees.end(), begins_.begin(), std::uint64_t{0});
  }

  /// Adds edges that are in memory, on all threads.
  template <class Record>
  Status add(EdgeBuffer<Record>& edges, Executor& executor) {
    std::vector<EdgeChunk<Record>>& chunks = edges.chunks();
    return executor.for_blocks(chunks.size(), 1, [&](VertexRange block, unsigned) {
      for (const Record& edge : chunks[block.begin].edges()) {
        if (edge.source == edge.target) continue;
        add(edge.source, edge.target);
        add(edge.target, edge.source);
      }
    });
  }

  [[nodiscard]] NeighborLists<Number> lists() const { return {begins_, sizes_, targets_.span()}; }

 private:
  void add(Number v, Number neighbor) {
    const std::uint32_t place = std::atomic_ref(sizes_[v]).fetch_add(1, std::memory_order_relaxed);
    targets_[begins_[v] + place] = neighbor;
  }

  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> sizes_;
  PageArray<Number> targets_;
};

}  // namespace rizoma::bulk
