// A simple undirected graph whose vertices are numbered by falling degree.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// The neighbours of each vertex by their numbers, ascending and each once: number 0 has the largest degree.
/// Self-loops and parallel edges do not count.
/// Cost: O(n + m log d), 4 bytes an entry and 20 a vertex.
class DegreeOrderedLists {
 public:
  using Number = std::uint32_t;

  /// For an undirected graph.  Errors: unsupported (2^32 - 1 vertices or more), cancelled.
  static Result<DegreeOrderedLists> make(Engine& engine, const GraphView& graph);

  [[nodiscard]] Number size() const noexcept { return static_cast<Number>(first_.size() - 1); }
  [[nodiscard]] EdgeCount entries() const noexcept { return first_.back(); }
  [[nodiscard]] std::span<const Number> operator[](Number r) const noexcept {
    return {targets_.data() + first_[r], targets_.data() + first_[r + 1]};
  }
  [[nodiscard]] std::uint64_t degree(Number r) const noexcept { return first_[r + 1] - first_[r]; }
  /// Number of the first entry of list r.
  [[nodiscard]] EdgeCount first(Number r) const noexcept { return first_[r]; }
  /// How many neighbours have a higher degree than r, or the same and come before it.
  [[nodiscard]] std::uint32_t above(Number r) const noexcept { return above_[r]; }
  /// List r without the vertices of degree one, which no cycle passes: they come last in each list.
  [[nodiscard]] std::span<const Number> without_leaves(Number r) const noexcept {
    return (*this)[r].first(without_leaves_[r]);
  }

 private:
  std::vector<EdgeCount> first_;
  std::vector<Number> targets_;
  std::vector<std::uint32_t> above_;
  std::vector<std::uint32_t> without_leaves_;
};

}  // namespace rizoma
