// The graphs that community detection works on, level by level: that of the user, then those whose vertices are the
// communities of the level before.
//
// Weights are brought to whole numbers whose sum is below 2^53.  So every sum of them is exact in a double, in whatever
// order threads add it up, and answers depend on no order.  What rounding takes from a weight is less than 2^-52 of the
// sum of all; a graph without weights, or with whole numbers for weights, loses nothing.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace rizoma::communities {

using Vertex = std::uint32_t;

/// CommunityWeights by community for the list of one vertex; one for each thread.  Weights of 0 are not added, so that
/// a sum of 0 tells that there is none.
class alignas(64) CommunityWeights {
 public:
  explicit CommunityWeights(std::size_t n) : sums_(n) {}
  void add(Vertex c, double weight) {
    if (sums_[c] == 0) touched_.push_back(c);
    sums_[c] += weight;
  }
  [[nodiscard]] double operator[](Vertex c) const noexcept { return sums_[c]; }
  [[nodiscard]] const std::vector<Vertex>& touched() const noexcept { return touched_; }
  void clear() noexcept {
    for (const Vertex c : touched_) sums_[c] = 0;
    touched_.clear();
  }

 private:
  std::vector<double> sums_;
  std::vector<Vertex> touched_;
};

using Scratch = std::vector<CommunityWeights>;

/// Where a list lies, and its length.
struct Place {
  const Vertex* targets;
  std::size_t size;
};

/// The graph of one level.  In a directed graph the list of a vertex has its out- and its in-neighbours.
struct Level {
  std::vector<Place> lists;
  VertexMap<Vertex> targets;  ///< of the lists, unless they are those of the user's graph
  VertexMap<double> weights;  ///< beside `targets`; empty: all are 1
  std::vector<double> out;    ///< weight of all out-edges of a vertex, loops included
  std::vector<double> in;     ///< empty in an undirected graph, where it would be the same
  double total = 0;           ///< sum of `out`
  EdgeCount entries = 0;      ///< places for entries in all lists

  [[nodiscard]] Vertex size() const noexcept { return static_cast<Vertex>(out.size()); }
  [[nodiscard]] bool directed() const noexcept { return !in.empty(); }
  [[nodiscard]] bool weighted() const noexcept { return weights.size() != 0; }

  /// f(neighbour, weight) for the entries of a list; loops, and only loops, may be missing.
  template <bool kWeighted, class F>
  void for_each(Vertex v, F&& f) const {
    const Place list = lists[v];
    if constexpr (kWeighted) {
      const double* const of_list = weights.data() + (list.targets - targets.data());
      for (std::size_t i = 0; i < list.size; ++i) f(list.targets[i], of_list[i]);
    } else {
      for (std::size_t i = 0; i < list.size; ++i) f(list.targets[i], 1.0);
    }
  }
  /// The same where speed does not matter.
  template <class F>
  void for_each_entry(Vertex v, F&& f) const {
    weighted() ? for_each<true>(v, f) : for_each<false>(v, f);
  }
};

/// The user's graph.  Errors: invalid_argument (a weight is negative, infinite or no number), unsupported (2^32
/// vertices or more; a directed graph without in-edges), cancelled.
Result<Level> first_level(Engine& engine, const GraphView& graph, bool use_weights, std::string_view who);

/// The graph whose vertices are the communities 0..count-1.
Result<Level> aggregate(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                        Scratch& scratch);

/// Numbers communities 0.. in the order of their present numbers, which are below their size; returns how many.
Vertex make_dense(std::vector<Vertex>& communities);

/// Modularity of a partition into communities 0..count-1.
Result<double> modularity_of(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                             double resolution);

/// Cuts communities of which one part has no edge to the other; numbers them anew and returns how many there are.
Vertex cut_apart(const Level& level, std::vector<Vertex>& communities);

}  // namespace rizoma::communities
