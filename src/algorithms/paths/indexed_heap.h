// The queue of Dijkstra's algorithm: vertices by distance, in order of arrival where distances are equal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {

template <class Vertex>
class IndexedHeap {
 public:
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

  void push(double distance, Vertex v) {
    entries_.push_back({distance, count_++, v});
    std::push_heap(entries_.begin(), entries_.end(), later);
  }
  /// The nearest; there must be one.
  std::pair<double, Vertex> pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    const Entry entry = entries_.back();
    entries_.pop_back();
    return {entry.distance, entry.vertex};
  }
  void clear() noexcept {
    entries_.clear();
    count_ = 0;
  }

 private:
  struct Entry {
    double distance;
    std::uint64_t turn;
    Vertex vertex;
  };
  static bool later(const Entry& a, const Entry& b) noexcept {
    return a.distance != b.distance ? a.distance > b.distance : a.turn > b.turn;
  }
  std::vector<Entry> entries_;
  std::uint64_t count_ = 0;
};

}  // namespace rizoma
