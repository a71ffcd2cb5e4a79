// What one thread has found of triangles: their number, and, if asked for, that of each vertex.
#pragma once

#include "engine/intersection/oriented_triangles.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// kEach: adds to the counts of the three vertices as well.  `Order`: order.vertex_of(rank).
template <bool kEach, class Order>
class alignas(64) TriangleCounter {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  /// `ranks`: how many there are.
  TriangleCounter(VertexId ranks, const Order& order, const CoreRows& core, VertexMap<std::uint64_t>& counts)
      : order_(&order), counts_(&counts), triangles_(ranks, core), core_counts_(kEach ? core.size() : 0) {}

  /// The triangles whose highest rank is u, whose list that is (OrientedTriangles::of).
  void count(DegreeRank u, std::span<const DegreeRank> list, const auto& others) {
    std::uint64_t of_u = 0;
    const auto second = [&](DegreeRank v, std::uint64_t found) {
      if constexpr (kEach) add(v, found);
      of_u += found;
    };
    if constexpr (kEach) {
      triangles_.of(list, others, second, [this](DegreeRank w) { add(w, 1); });
      add(u, of_u);
    } else {
      triangles_.of(list, others, second, OrientedTriangles::NoThird());
    }
    total_ += of_u;
  }

  /// Moves the counts of the core to those of the vertices; returns the total.  One thread after another.
  std::uint64_t deliver() {
    for (DegreeRank v = 0; v < core_counts_.size(); ++v) (*counts_)[order_->vertex_of(v)] += core_counts_[v];
    return total_;
  }

 private:
  void add(DegreeRank v, std::uint64_t triangles) {
    if (v < core_counts_.size()) {
      core_counts_[v] += triangles;
    } else if (triangles != 0) {
      counts_->atomic(order_->vertex_of(v)).fetch_add(triangles, std::memory_order_relaxed);
    }
  }

  const Order* order_;
  VertexMap<std::uint64_t>* counts_;
  OrientedTriangles triangles_;
  std::vector<std::uint64_t> core_counts_;
  std::uint64_t total_ = 0;
};

}  // namespace rizoma
