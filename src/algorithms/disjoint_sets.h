// Disjoint sets of 0..n-1 that are united two at a time (union by size, paths halved).
#pragma once

#include <rizoma/ids.h>

#include <numeric>
#include <utility>
#include <vector>

namespace rizoma {

class DisjointSets {
 public:
  explicit DisjointSets(VertexId n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), VertexId{0});
  }

  [[nodiscard]] VertexId find(VertexId v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// False if both were in one set already.
  bool unite(VertexId a, VertexId b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
    return true;
  }

 private:
  std::vector<VertexId> parent_;
  std::vector<VertexId> size_;
};

}  // namespace rizoma
