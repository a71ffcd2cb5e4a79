// Counts the shortest paths between two vertices, level by level from the first.  Module: query.
//
// How: a breadth-first search that stops at the level of the second vertex, and goes on from there when another one is
// asked for; each vertex has the number of shortest paths to it.  For one thread.
// Cost: O(edges of the vertices nearer than the second), once for all seconds of one first vertex.
#pragma once

#include "query/lists.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rizoma::query {

template <class Target>
class PathSearch {
 public:
  /// Paths of 1 to `most` edges.  `all`: they are counted; else there is 1 if there are any.
  PathSearch(Side side, unsigned most, bool all) : side_(side), most_(most), all_(all) {}

  /// Shortest paths from one vertex to another, parallel edges making paths of their own; from a vertex to itself:
  /// shortest cycles.
  std::uint64_t count(const Lists<Target>& lists, VertexId from, VertexId to) {
    if (!begun_ || from != from_) begin(from);
    for (;;) {
      if (to == from_) {
        if (cycles_ != 0) return cycles_;
      } else if (const auto found = reached_.find(to); found != reached_.end()) {
        return found->second.paths;
      }
      if (frontier_.empty() || level_ == most_) return 0;
      expand(lists);
    }
  }

  /// True once a number has passed 2^64.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

 private:
  struct Reached {
    unsigned level = 0;
    std::uint64_t paths = 0;
  };

  void begin(VertexId from) {
    begun_ = true;
    from_ = from;
    level_ = 0;
    cycles_ = 0;
    reached_.clear();
    reached_.emplace(from, Reached{0, 1});
    frontier_.assign(1, from);
  }

  /// Reaches the vertices one edge further.
  void expand(const Lists<Target>& lists) {
    ++level_;
    const bool had_cycles = cycles_ != 0;
    std::vector<VertexId> next;
    for (const VertexId v : frontier_) {
      const std::uint64_t paths = reached_.at(v).paths;
      for (const Target to : lists.of(side_, v, scratch_)) {
        if (to == from_) {
          if (!had_cycles) add(cycles_, paths);
          continue;
        }
        Reached& reached = reached_[to];
        if (reached.level == 0) {
          reached.level = level_;
          next.push_back(to);
        }
        if (reached.level == level_) add(reached.paths, paths);
      }
    }
    frontier_ = std::move(next);
  }

  void add(std::uint64_t& sum, std::uint64_t paths) {
    if (all_) is_over_ |= __builtin_add_overflow(sum, paths, &sum);
    else sum = 1;
  }

  Side side_;
  unsigned most_;
  bool all_;
  bool begun_ = false;
  bool is_over_ = false;
  VertexId from_ = 0;
  unsigned level_ = 0;
  std::uint64_t cycles_ = 0;  ///< shortest ones through `from_`, once they are known
  std::unordered_map<VertexId, Reached> reached_;
  std::vector<VertexId> frontier_;
  std::vector<Target> scratch_;
};

}  // namespace rizoma::query
