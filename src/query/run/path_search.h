// Counts the shortest paths between two vertices, level by level from the first.  Module: query.
//
// How: a breadth-first search that stops at the level of the second vertex, and goes on from there when another one is
// asked for; each vertex has the number of shortest paths to it.  For one thread.
// Cost: O(edges of the vertices nearer than the second), once for all seconds of one first vertex; memory for each
// vertex reached, however many paths lead there.
#pragma once

#include <rizoma/detail/function_ref.h>

#include "query/run/checked_count.h"
#include "query/run/sorted_lists.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rizoma::query {

template <class Target>
class PathSearch {
 public:
  /// Paths of 1 to `most` edges.  `all`: they are counted; else there is 1 if there are any.
  PathSearch(Side side, unsigned most, bool all) : side_(side), most_(most), all_(all) {}

  /// Of another side from now on: that of the first vertex of `count`.
  void turn(Side side) {
    side_ = side;
    begun_ = false;
  }

  /// Shortest paths from one vertex to another, parallel edges making paths of their own; from a vertex to itself:
  /// shortest cycles.  None if `stopping` said so meanwhile: then that is not known.
  std::optional<CheckedCount> count(const Lists<Target>& lists, VertexId from, VertexId to,
                                    FunctionRef<bool()> stopping) {
    if (!begun_ || from != from_) begin(from);
    for (;;) {
      if (to == from_) {
        if (cycles_.value() != 0) return cycles_;
      } else if (const auto found = reached_.find(to); found != reached_.end()) {
        return found->second.paths;
      }
      if (frontier_.empty() || level_ == most_) return CheckedCount();
      if (!expand(lists, stopping)) return std::nullopt;
    }
  }

 private:
  struct Reached {
    unsigned level = 0;
    CheckedCount paths;
  };

  static constexpr std::size_t kStoppedAfter = 4096;  // vertices

  void begin(VertexId from) {
    begun_ = true;
    from_ = from;
    level_ = 0;
    cycles_ = CheckedCount();
    reached_.clear();
    reached_.emplace(from, Reached{0, CheckedCount(1)});
    frontier_.assign(1, from);
  }

  /// Extends the search by one edge; false if it was stopped, and must start again.
  bool expand(const Lists<Target>& lists, FunctionRef<bool()> stopping) {
    ++level_;
    const bool had_cycles = cycles_.value() != 0;
    std::vector<VertexId> next;
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      if (i % kStoppedAfter == 0 && stopping()) {
        begun_ = false;
        return false;
      }
      const VertexId v = frontier_[i];
      const CheckedCount paths = reached_.at(v).paths;
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
    return true;
  }

  void add(CheckedCount& sum, const CheckedCount& paths) {
    if (all_) sum.add(paths);
    else sum = CheckedCount(1);
  }

  Side side_;
  unsigned most_;
  bool all_;
  bool begun_ = false;
  VertexId from_ = 0;
  unsigned level_ = 0;
  CheckedCount cycles_;  ///< shortest ones through `from_`, once they are known
  std::unordered_map<VertexId, Reached> reached_;
  std::vector<VertexId> frontier_;
  std::vector<Target> scratch_;
};

}  // namespace rizoma::query
