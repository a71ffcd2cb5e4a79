// DividedForest: trees over the vertices of all ranks, of which each rank has the parents of its own.
//
// How: a parent is a smaller vertex, so a tree's root is its smallest.  `join` hooks the larger end of a pair below
// the smaller one; where that end hangs below another already, what is left to join goes to the owner of the larger of
// the two.  `flatten` hangs each vertex below its root: ranks ask for the parents of the parents that they do not own,
// so that the way to a root is halved again and again.
// Cost: pairs are few where they join what ranks have found to be one; some rounds, about the logarithm of the depth.
// Source: Shiloach and Vishkin, "An O(log n) parallel connectivity algorithm", J. Algorithms 3, 1982.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_map.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {

class DividedForest {
 public:
  /// Vertices that are in one tree.
  using Pair = std::pair<VertexId, VertexId>;

  /// Each own vertex is a tree.  Collective, as all that follows.
  explicit DividedForest(Iteration& loop);

  /// The parent of each own vertex; a root is its own.  Values of other vertices are anything.
  [[nodiscard]] VertexMap<std::uint64_t>& parents() noexcept { return parents_; }

  /// Makes the ends of each pair one tree.  Errors: those of any rank.
  Status join(std::vector<Pair> pairs);
  /// Hangs each vertex below its root.
  Status flatten();

 private:
  void hook(Pair pair, Outbox<std::uint64_t>& abroad);
  Status follow();
  [[nodiscard]] std::vector<VertexId> unknown(const std::vector<VertexId>& roots) const;
  void take(std::vector<Pair>& parents, std::vector<VertexId>& roots);

  Iteration& loop_;
  Ranks& ranks_;
  VertexMap<std::uint64_t> parents_;
};

}  // namespace rizoma
