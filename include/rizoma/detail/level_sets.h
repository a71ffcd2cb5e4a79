// LevelSets: the levels of a search, in the order in which they were found, and sets of vertices.  Module: engine.
//
// Compiled once (src/engine/sweep/level_sets.cpp): none of this looks at a list.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/vertex_map.h>
#include <rizoma/vertex_set.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// A level: a range of the order, and the entries of its vertices' lists.
struct SearchLevel {
  VertexId begin;
  VertexId end;
  EdgeCount out_entries;
  EdgeCount in_entries;
  VertexId of_all;  ///< vertices, on all ranks
  [[nodiscard]] VertexId size() const noexcept { return end - begin; }
};

/// `Target`: std::uint32_t or std::uint64_t.
template <class Target>
class LevelSets {
 public:
  explicit LevelSets(Engine& engine, VertexId n);

  /// Vertices found and not yet in a level, by thread.
  struct alignas(64) Queue {
    std::vector<Target> vertices;
  };

  [[nodiscard]] static std::uint64_t bit(VertexId v) noexcept { return std::uint64_t{1} << (v & 63); }
  [[nodiscard]] static bool has(const VertexSet& set, VertexId v) noexcept { return (set.word(v >> 6) & bit(v)) != 0; }

  /// Makes v the only vertex found.
  void begin_with(VertexId v);
  /// The vertices found are those of the last level: they become marked, and none is found.
  void advance() noexcept { std::swap(marked_, found_); }
  /// Finds v, from any thread.
  void find(Target v, unsigned thread) {
    if (found_.add_atomic(v)) queues_[thread].vertices.push_back(v);
  }
  /// Appends the vertices in queues to the order, from `end` on, thread by thread; returns its end.
  VertexId append_queued(VertexId end);
  /// The same for those that are found, by number.
  VertexId append_found(VertexId end);

  [[nodiscard]] std::span<const Target> vertices(VertexId begin, VertexId end) const noexcept {
    return {order_.data() + begin, end - begin};
  }
  [[nodiscard]] std::span<const Target> vertices(const SearchLevel& level) const noexcept {
    return vertices(level.begin, level.end);
  }
  [[nodiscard]] VertexSet& seen() noexcept { return seen_; }
  [[nodiscard]] VertexSet& marked() noexcept { return marked_; }
  [[nodiscard]] VertexSet& found() noexcept { return found_; }
  [[nodiscard]] std::vector<Queue>& queues() noexcept { return queues_; }

  /// Marks the vertices of a level.  Errors: cancelled.
  Status mark(const SearchLevel& level);
  /// Marks none; those of `level` were.
  void unmark(const SearchLevel& level) { clear(marked_, level); }
  /// Forgets a search, of which the last level may not be complete.
  void forget(const SearchLevel& last);

 private:
  void clear(VertexSet& set, const SearchLevel& level);

  Engine& engine_;
  const VertexId n_;
  VertexMap<Target> order_;  ///< the vertices reached, level by level
  VertexSet seen_;
  VertexSet marked_;
  VertexSet found_;
  std::vector<Queue> queues_;
};

extern template class LevelSets<std::uint32_t>;
extern template class LevelSets<std::uint64_t>;

}  // namespace rizoma::engine_detail
