// Disjoint sets of 0..n-1 that are united two at a time (union by size, paths halved).
#pragma once

#include <rizoma/ids.h>

#include <numeric>
#include <utility>
#include <vector>

namespace rizoma {

template <class Vertex>
class UnionFind {
 public:
  explicit UnionFind(VertexId n) : parent_(n), size_(n, 1) { std::iota(parent_.begin(), parent_.end(), Vertex{0}); }

  [[nodiscard]] Vertex find(Vertex v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// Prefetches the entry of v, for a later find.
  void prefetch(Vertex v) const noexcept { __builtin_prefetch(&parent_[v]); }
  /// The same for many threads, while none unites sets.
  [[nodiscard]] Vertex root(Vertex v) const {
    while (parent_[v] != v) v = parent_[v];
    return v;
  }
  /// False if both were in one set already.
  bool unite(Vertex a, Vertex b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
    return true;
  }

 private:
  std::vector<Vertex> parent_;
  std::vector<Vertex> size_;
};

}  // namespace rizoma
