// GivenVertices: of numbers that are dense ids, which are vertices whether or not they have edges.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma::bulk {

class GivenVertices {
 public:
  /// All below are.
  [[nodiscard]] VertexId end() const noexcept { return end_; }
  void add(VertexId vertex) {
    if (vertex < end_) return;
    if (vertex == end_) {
      ++end_;
      return;
    }
    if (beyond_.size() <= vertex) beyond_.resize(std::max<std::size_t>(vertex + 1, beyond_.size() * 2));
    beyond_[vertex] = true;
  }
  void add_all_below(VertexId end) noexcept { end_ = std::max(end_, end); }
  [[nodiscard]] bool contains(VertexId v) const { return v < end_ || (v < beyond_.size() && beyond_[v]); }
  /// Those from `end` on.
  [[nodiscard]] std::vector<std::int64_t> beyond() const {
    std::vector<std::int64_t> column;
    for (VertexId v = end_; v < beyond_.size(); ++v) {
      if (beyond_[v]) column.push_back(static_cast<std::int64_t>(v));
    }
    return column;
  }

 private:
  VertexId end_ = 0;
  std::vector<bool> beyond_;
};

}  // namespace rizoma::bulk
