// Counts the paths of two edges (wedges) from one vertex to each other one, for several wedges at once.
// Module: query.
//
// How: the lists of the first vertex's neighbours are read one after the other, and a number for each vertex of a graph
// says how often it stood there.  Where k wedges of one kind end, k^m choices of m wedges are matches, none
// of which is looked at.
// Cost: time by the number of paths of two edges; 8 bytes for each vertex and kind of wedge, for each thread.
// Source: Wang, Lin, Qin, Zhang, Zhang, "Vertex priority based butterfly counting for large-scale bipartite networks",
// PVLDB 12, 2019 (wedges are aggregated by their ends).
#pragma once

#include "query/plan/plan.h"
#include "query/run/checked_count.h"
#include "query/run/sorted_lists.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::query {

/// A vertex where paths meet, and how many choices of one for each middle there are.
template <class Target>
struct WedgeEnd {
  Target vertex = 0;
  CheckedCount ways;
};

/// Of one thread and one step.
template <class Target>
class WedgeJoin {
 public:
  /// All vertices where paths of each kind meet.  `start_of(use)` is the matched vertex that a list is of; stops early
  /// once stopping() says so.  Valid until the next call.
  template <class StartOf, class Stopping>
  const std::vector<WedgeEnd<Target>>& run(std::span<const Wedges> kinds, std::span<const Lists<Target>> lists,
                                           VertexId n, StartOf&& start_of, Stopping&& stopping) {
    counts_.resize(n * kinds.size());
    for (std::size_t kind = 0; kind < kinds.size() && !stopping(); ++kind) {
      const auto& [first, second, items] = kinds[kind];
      for (const Target middle : lists[first.set].of(first.side, start_of(first), firsts_)) {
        if (stopping()) break;
        add(lists[second.set].of(second.side, middle, seconds_), kind, kinds.size());
      }
    }
    return gathered(kinds);
  }

 private:
  void add(std::span<const Target> list, std::size_t kind, std::size_t kinds) {
    for (const Target v : list) {
      std::uint64_t* const counts = counts_.data() + std::size_t{v} * kinds;
      if (kind == 0) {
        if (counts[0]++ == 0) touched_.push_back(v);
      } else if (counts[0] != 0) {
        ++counts[kind];
      }
    }
  }

  const std::vector<WedgeEnd<Target>>& gathered(std::span<const Wedges> kinds) {
    ends_.clear();
    for (const Target v : touched_) {
      CheckedCount ways(1);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        std::uint64_t& count = counts_[std::size_t{v} * kinds.size() + kind];
        for (std::size_t i = 0; i < kinds[kind].items.size(); ++i) ways.multiply(count);
        count = 0;
      }
      if (ways.value() != 0) ends_.push_back({v, ways});
    }
    touched_.clear();
    return ends_;
  }

  std::vector<std::uint64_t> counts_;  ///< by vertex, then kind; all 0 between calls
  std::vector<Target> touched_;
  std::vector<WedgeEnd<Target>> ends_;
  std::vector<Target> firsts_;
  std::vector<Target> seconds_;
};

}  // namespace rizoma::query
