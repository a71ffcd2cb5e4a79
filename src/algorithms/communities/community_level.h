// The graphs that community detection works on, level by level: that of the user, then those whose vertices are the
// communities of the level before.
//
// Weights are brought to whole numbers whose sum is below 2^53.  So every sum of them is exact in a double, in whatever
// order threads add it up, and answers depend on no order.  What rounding takes from a weight is less than 2^-52 of the
// sum of all; a graph without weights, or with whole numbers for weights, loses nothing.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma::communities {

using Vertex = std::uint32_t;

/// Sums of weights by community for the list of one vertex; one for each thread.  Weights of 0 are not added, so that a
/// sum of 0 tells that there is none.
class alignas(64) CommunityWeights {
 public:
  explicit CommunityWeights(std::size_t n) : sums_(n), touched_(std::make_unique_for_overwrite<Vertex[]>(n + 1)) {}
  /// Branch-free: whether a community is new is unpredictable.
  void add(Vertex c, double weight) {
    const double sum = sums_[c];
    touched_[count_] = c;
    count_ += sum == 0 ? 1 : 0;
    sums_[c] = sum + weight;
  }
  [[nodiscard]] double operator[](Vertex c) const noexcept { return sums_[c]; }
  [[nodiscard]] std::span<const Vertex> touched() const noexcept { return {touched_.get(), count_}; }
  template <class F>
  void for_each(F&& f) const {
    for (const Vertex c : touched()) f(c, sums_[c]);
  }
  void clear() noexcept {
    for (const Vertex c : touched()) sums_[c] = 0;
    count_ = 0;
  }

 private:
  std::vector<double> sums_;
  std::unique_ptr<Vertex[]> touched_;  ///< and one place more, which is written before it is known whether it is needed
  std::size_t count_ = 0;
};

using Scratch = std::vector<CommunityWeights>;

/// CommunityWeights of a short list: looked through, without a miss of the cache.
class FewWeights {
 public:
  static constexpr std::size_t kMost = 16;
  void add(Vertex c, double weight) {
    std::size_t i = 0;
    while (i < count_ && touched_[i] != c) ++i;
    if (i == count_) {
      touched_[count_] = c;
      sums_[count_++] = 0;
    }
    sums_[i] += weight;
  }
  [[nodiscard]] double operator[](Vertex c) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (touched_[i] == c) return sums_[i];
    }
    return 0;
  }
  [[nodiscard]] std::span<const Vertex> touched() const noexcept { return {touched_.data(), count_}; }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < count_; ++i) f(touched_[i], sums_[i]);
  }
  void clear() noexcept { count_ = 0; }

 private:
  std::array<Vertex, kMost> touched_;
  std::array<double, kMost> sums_;
  std::size_t count_ = 0;
};

/// Calls f with the fastest accumulator for this many weights.
template <class F>
auto with_sums(std::size_t entries, CommunityWeights& sums, F&& f) {
  if (entries > FewWeights::kMost) return f(sums);
  FewWeights few;
  return f(few);
}

/// Counts the lists that are read, and those of the user's graph for the engine, too.
struct ListReads {
  ListCounter* of_graph = nullptr;
  std::vector<PerThread<EdgeCount>>* entries = nullptr;
  void add(unsigned thread, Vertex v, EdgeCount size) const noexcept {
    if (of_graph != nullptr) (*of_graph)[thread].add(v, size);
    if (entries != nullptr) (*entries)[thread].value += size;
  }
};

/// Where a list lies, and its length.  Weights, if the level has any, are after the targets (`weights_of`).
struct Place {
  const Vertex* targets = nullptr;
  std::size_t size = 0;
};

/// Memory for lists with weights, one for each thread: blocks filled one after another, so that a list takes only its
/// size, independently of other threads.
class alignas(64) ListMemory {
 public:
  explicit ListMemory(Engine& engine) : engine_(&engine) {}
  /// Keeps a list; returns the place of its weights, which the caller writes.
  [[nodiscard]] double* take(std::span<const Vertex> targets, Place& place);

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  Engine* engine_;
  std::vector<VertexMap<double>> blocks_;
  std::size_t used_ = 0;  ///< of the last block
};

/// The weights of a list that has some: from the next whole eight bytes after its targets.
inline const double* weights_of(Place list) noexcept {
  return reinterpret_cast<const double*>(list.targets + (list.size + 1) / 2 * 2);
}

/// What chance would give to a pair of vertices: `density` times the mass of one and of the other.
struct NullModel {
  double density = 0;   ///< the resolution included
  double per_mass = 1;  ///< edge weight per mass, on average
};

/// The graph of one level.  In a directed graph the list of a vertex has its out- and its in-neighbours.
struct Level {
  VertexMap<Place> lists;
  std::vector<ListMemory> memory;   ///< of the lists, unless they are those of the user's graph
  bool weighted = false;            ///< otherwise all weights are 1
  std::vector<double> out;          ///< mass of a vertex: the weight of all its out-edges, loops included, or its size
  std::vector<double> in;           ///< empty in an undirected graph, where it would be the same
  std::vector<std::uint8_t> fixed;  ///< 1 for vertices that stay in their community; empty: there are none
  double total = 0;                 ///< weight of all out-edges
  int exponent = 0;                 ///< weights are those of the user times two to the power of this
  NullModel chance;
  EdgeCount entries = 0;        ///< of all lists
  Iteration* shared = nullptr;  ///< if only the lists of its own vertices are here; the rest is complete everywhere

  [[nodiscard]] bool is_here(Vertex v) const noexcept { return shared == nullptr || shared->is_here(v); }
  [[nodiscard]] Vertex size() const noexcept { return static_cast<Vertex>(out.size()); }
  [[nodiscard]] bool directed() const noexcept { return !in.empty(); }

  [[nodiscard]] std::span<const Vertex> targets(Vertex v) const noexcept { return {lists[v].targets, lists[v].size}; }
  /// Prefetches where the lists of vertices some places on in `next` lie, the lists, and the communities in them.
  template <std::size_t kPlace, std::size_t kList, std::size_t kCommunities>
  void prefetch(std::span<const Vertex> next, const std::vector<Vertex>& communities) const noexcept {
    if (kPlace < next.size()) __builtin_prefetch(&lists[next[kPlace]]);
    if (kList < next.size()) __builtin_prefetch(lists[next[kList]].targets);
    if (kCommunities >= next.size()) return;
    const Place list = lists[next[kCommunities]];
    for (std::size_t k = 0; k < std::min(list.size, FewWeights::kMost); ++k)
      __builtin_prefetch(&communities[list.targets[k]]);
  }
  /// f(neighbour, weight) for the entries of a list; loops, and only loops, may be missing.
  template <bool kWeighted, class F>
  void for_each(Vertex v, F&& f) const {
    const Place list = lists[v];
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

/// Errors: unsupported (2^32 vertices or more; a directed graph without in-edges).
Status check_graph(const GraphView& graph, std::string_view who);

/// The user's graph.  `shared`: an iteration in several processes, each of which has the lists of its own vertices.
/// Errors: those of check_graph, invalid_argument (a weight is negative, infinite or no number), cancelled.
Result<Level> first_level(Engine& engine, const GraphView& graph, bool use_weights, std::string_view who,
                          Iteration* shared = nullptr);

/// The graph whose vertices are the communities 0..count-1, complete everywhere.  `reads`: counts the lists read.
Result<Level> aggregate(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                        Scratch& scratch, const ListReads& reads);

/// Numbers communities, whose numbers are below their size, 0.. by their first members; returns how many there are.
Vertex make_dense(std::vector<Vertex>& communities);

/// Weight between communities: in an undirected graph of both directions.  Errors: cancelled.
Result<double> weight_between(Engine& engine, const Level& level, const std::vector<Vertex>& communities);

/// Cuts communities of which one part has no edge to the other; numbers them again and returns how many there are.
/// Parts with fixed vertices stay together.  Errors: cancelled.
Result<Vertex> cut_apart(Engine& engine, const Level& level, std::vector<Vertex>& communities);

}  // namespace rizoma::communities
