// The edges of ranked lists, numbered, so that kernels can keep a value for each; and their triangles.
#pragma once

#include "engine/intersection/oriented_lists.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rizoma {

/// Every undirected edge once, at its end of higher degree rank: edge first(r) + i is the i-th of list r.
class OrientedEdges {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  /// Three vertices, by degree rank, falling, and the edges between them.
  struct Triangle {
    VertexId u, v, w;
    EdgeCount uv, uw, vw;
  };

  /// The graph must outlive the edges.  Errors: those of OrientedLists.
  static Result<OrientedEdges> make(Engine& engine, const GraphView& graph);

  [[nodiscard]] EdgeCount size() const noexcept { return first_.back(); }
  /// Number of the first edge of list r.
  [[nodiscard]] EdgeCount first(VertexId r) const noexcept { return first_[r]; }
  [[nodiscard]] const OrientedLists& lists() const noexcept { return lists_; }
  [[nodiscard]] VertexId vertex_of(VertexId degree_rank) const noexcept { return lists_.vertex_of(degree_rank); }

  /// Number of the edge between two vertices; size() if there is none.
  [[nodiscard]] EdgeCount find(VertexId a, VertexId b) const noexcept {
    auto [low, high] = std::minmax(degree_rank_[a], degree_rank_[b]);
    const std::span<const DegreeRank> list = lists_[high];
    const auto place = std::lower_bound(list.begin(), list.end(), low);
    if (place == list.end() || *place != low) return size();
    return first_[high] + static_cast<EdgeCount>(place - list.begin());
  }

  /// f(triangle, thread) for every triangle, from many threads.
  template <class F>
  Status for_each_triangle(Engine& engine, F&& f) const;

 private:
  OrientedLists lists_;
  std::vector<DegreeRank> degree_rank_;  ///< of each vertex
  std::vector<EdgeCount> first_{0};
};

template <class F>
Status OrientedEdges::for_each_triangle(Engine& engine, F&& f) const {
  constexpr std::uint64_t kGrain = 64;
  std::vector<std::vector<EdgeCount>> marks(engine.threads());  // of each degree rank: 1 + number of the edge from u
  ListCounter lists_read(engine, lists_.graph());
  return engine.for_blocks(lists_.size(), kGrain, [&](VertexRange block, unsigned thread) {
    std::vector<EdgeCount>& mark = marks[thread];
    mark.resize(lists_.size());
    for (VertexId u = block.begin; u < block.end; ++u) {
      const std::span<const DegreeRank> of_u = lists_[u];
      lists_read[thread].add(vertex_of(u), of_u.size());
      for (std::size_t i = 0; i < of_u.size(); ++i) mark[of_u[i]] = first_[u] + i + 1;
      for (std::size_t i = 0; i < of_u.size(); ++i) {
        const std::span<const DegreeRank> of_v = lists_[of_u[i]];
        lists_read[thread].add(vertex_of(of_u[i]), of_v.size());
        for (std::size_t j = 0; j < of_v.size(); ++j) {
          const EdgeCount found = mark[of_v[j]];
          if (found != 0) f(Triangle{u, of_u[i], of_v[j], first_[u] + i, found - 1, first_[of_u[i]] + j}, thread);
        }
      }
      for (const DegreeRank v : of_u) mark[v] = 0;
    }
  });
}

}  // namespace rizoma
