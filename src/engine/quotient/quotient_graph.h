// QuotientGraph: a graph in memory whose vertices are groups of another's vertices, and that of single vertices first.
//
// Weights are brought to whole numbers whose sum is below 2^53.  So every sum of them is exact in a double, in whatever
// order threads add it up, and answers depend on no order.  What rounding takes from a weight is less than 2^-52 of the
// sum of all; a graph without weights, or with whole numbers for weights, loses nothing.
// On ranks each has the lists of its own vertices of the first graph; those of groups are complete everywhere.
// Cost: an undirected graph without weights is read where it lies, any other takes 12 bytes an entry; O(entries) to
// aggregate.
// Source: Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in large networks", J. Stat. Mech.
// 2008.
#pragma once

#include "engine/quotient/group_sums.h"

#include <rizoma/engine.h>
#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

/// Counts the lists that are read, and those of the first graph for the engine, too.
struct ListReads {
  ListCounter* of_graph = nullptr;
  std::vector<PerThread<EdgeCount>>* entries = nullptr;
  void add(unsigned thread, VertexId v, EdgeCount size) const noexcept {
    if (of_graph != nullptr) (*of_graph)[thread].add(v, size);
    if (entries != nullptr) (*entries)[thread].value += size;
  }
};

/// Where a list lies, and its length.  Weights, if the graph has any, are after the targets (`weights_of`).
struct ListPlace {
  const std::uint32_t* targets = nullptr;
  std::size_t size = 0;
};

/// Memory for lists with weights, one for each thread: blocks filled one after another, so that a list takes only its
/// size, independently of other threads.
class alignas(64) ListMemory {
 public:
  explicit ListMemory(Engine& engine) : engine_(&engine) {}
  /// Keeps a list; returns the place of its weights, which the caller writes.
  [[nodiscard]] double* take(std::span<const std::uint32_t> targets, ListPlace& place);

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  Engine* engine_;
  std::vector<VertexMap<double>> blocks_;
  std::size_t used_ = 0;  ///< of the last block
};

/// The weights of a list that has some: from the next whole eight bytes after its targets.
inline const double* weights_of(ListPlace list) noexcept {
  return reinterpret_cast<const double*>(list.targets + (list.size + 1) / 2 * 2);
}

/// In a directed graph the list of a vertex has its out- and its in-neighbours.
struct QuotientGraph {
  using Vertex = std::uint32_t;
  using Scratch = std::vector<GroupSums>;  ///< one for each thread

  VertexMap<ListPlace> lists;
  std::vector<ListMemory> memory;  ///< of the lists, unless they are those of the user's graph
  bool weighted = false;           ///< otherwise all weights are 1
  std::vector<double> out;         ///< mass of a vertex: the weight of all its out-edges, loops included
  std::vector<double> in;          ///< empty in an undirected graph, where it would be the same
  double total = 0;                ///< weight of all out-edges
  int exponent = 0;                ///< weights are those of the user times two to the power of this
  EdgeCount entries = 0;           ///< of all lists
  Iteration* shared = nullptr;     ///< if only the lists of its own vertices are here; the rest is complete everywhere

  /// A graph as it is.  `shared`: an iteration in several processes, each of which has the lists of its own vertices.
  /// Errors: those of check, invalid_argument (a weight is negative, infinite or no number), cancelled.
  static Result<QuotientGraph> read(Engine& engine, const GraphView& graph, bool use_weights, std::string_view who,
                                    Iteration* shared = nullptr);
  /// Errors: unsupported (2^32 vertices or more; a directed graph without in-edges).
  static Status check(const GraphView& graph, std::string_view who);
  /// The graph whose vertices are the groups 0..count-1 of this one's, complete everywhere; masses add up.  `reads`:
  /// counts the lists read.  Errors: cancelled.
  [[nodiscard]] Result<QuotientGraph> aggregate(Engine& engine, const std::vector<Vertex>& groups, Vertex count,
                                                Scratch& scratch, const ListReads& reads) const;
  /// Weight between groups: in an undirected graph of both directions.  Errors: cancelled.
  [[nodiscard]] Result<double> weight_between(Engine& engine, const std::vector<Vertex>& groups) const;

  [[nodiscard]] bool is_here(Vertex v) const noexcept { return shared == nullptr || shared->is_here(v); }
  [[nodiscard]] Vertex size() const noexcept { return static_cast<Vertex>(out.size()); }
  [[nodiscard]] bool directed() const noexcept { return !in.empty(); }

  [[nodiscard]] std::span<const Vertex> targets(Vertex v) const noexcept { return {lists[v].targets, lists[v].size}; }
  /// Prefetches where the lists of vertices some places on in `next` lie, the lists, and the groups in them.
  template <std::size_t kPlace, std::size_t kList, std::size_t kGroups>
  void prefetch(std::span<const Vertex> next, const std::vector<Vertex>& groups) const noexcept {
    if (kPlace < next.size()) __builtin_prefetch(&lists[next[kPlace]]);
    if (kList < next.size()) __builtin_prefetch(lists[next[kList]].targets);
    if (kGroups >= next.size()) return;
    const ListPlace list = lists[next[kGroups]];
    for (std::size_t k = 0; k < std::min(list.size, FewGroupSums::kMost); ++k)
      __builtin_prefetch(&groups[list.targets[k]]);
  }
  /// f(neighbour, weight) for the entries of a list; loops, and only loops, may be missing.
  template <bool kWeighted, class F>
  void for_each(Vertex v, F&& f) const {
    const ListPlace list = lists[v];
    if constexpr (kWeighted) {
      const double* const weights = weights_of(list);
      for (std::size_t i = 0; i < list.size; ++i) f(list.targets[i], weights[i]);
    } else {
      for (std::size_t i = 0; i < list.size; ++i) f(list.targets[i], 1.0);
    }
  }
  /// The same where speed does not matter.
  template <class F>
  void for_each_entry(Vertex v, F&& f) const {
    weighted ? for_each<true>(v, f) : for_each<false>(v, f);
  }
};

/// Numbers groups, whose numbers are below their size, 0.. by their first members; returns how many there are.
QuotientGraph::Vertex make_dense(std::vector<QuotientGraph::Vertex>& groups);

}  // namespace rizoma
