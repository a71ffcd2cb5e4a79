// Disjoint sets that many threads link at once.
#pragma once

#include "base/random.h"

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/rank_memory.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace rizoma {

/// The root of the tree that most vertices seem to be in, and their share of those that are not alone.
struct FrequentRoot {
  VertexId root = kNoVertex;
  double share = 0;

  /// Of roots drawn at random, which it sorts: the one drawn most often, and how often.
  template <class Label>
  static std::pair<VertexId, std::size_t> among(std::vector<Label>& drawn) {
    std::ranges::sort(drawn);
    std::pair<VertexId, std::size_t> most{kNoVertex, 0};
    for (auto run = drawn.begin(); run != drawn.end();) {
      const auto end = std::upper_bound(run, drawn.end(), *run);
      const auto times = static_cast<std::size_t>(end - run);
      if (times > most.second) most = {*run, times};
      run = end;
    }
    return most;
  }
};

/// Vertices 0..n-1 in trees whose roots are their smallest members: a vertex is only ever hung below a smaller
/// one, so that the root left at the end is the label.  Link and root are for any thread.
/// Source: Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling",
/// IPDPS'18.
template <class Label>
class ConcurrentUnionFind {
 public:
  /// No sets.
  ConcurrentUnionFind() = default;
  /// Makes each vertex a set of its own.
  static Result<ConcurrentUnionFind> make(Engine& engine, VertexId n) {
    return make(engine, n, [](VertexId v, unsigned) { return static_cast<Label>(v); });
  }
  /// Links v below above(v, thread), which is not greater, and below itself.
  template <class Above>
  static Result<ConcurrentUnionFind> make(Engine& engine, VertexId n, Above&& above) {
    ConcurrentUnionFind sets;
    sets.parent_ = engine.make_unset_map<Label>(n);
    constexpr std::uint64_t kGrain = 1 << 14;
    RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) sets.parent_[v] = above(v, thread);
    }));
    return sets;
  }

  /// Makes each vertex a set of its own; ranks that share memory link the same sets.  Collective.
  static Result<ConcurrentUnionFind> make_for_all(Engine& engine, const GraphView& graph) {
    const VertexId n = graph.num_vertices();
    RankMemory memory;
    if (engine.ranks() != nullptr) {
      RIZOMA_TRY(engine.ranks()->divide(graph));
      RIZOMA_ASSIGN(memory, RankMemory::take(*engine.ranks(), n * sizeof(Label)));
    }
    if (!memory) return make(engine, n);
    ConcurrentUnionFind sets;
    sets.parent_ = VertexMap<Label>({memory.data(), n * sizeof(Label)}, n);
    sets.memory_ = std::move(memory);
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) sets.parent_[v] = static_cast<Label>(v);
    }));
    RIZOMA_TRY(engine.ranks()->barrier());
    return sets;
  }
  /// Whether these are the same sets on all ranks.
  [[nodiscard]] bool is_shared() const noexcept { return static_cast<bool>(memory_); }

  [[nodiscard]] VertexId size() const noexcept { return parent_.size(); }
  /// The parent of each vertex, for a checkpoint.
  [[nodiscard]] StateColumn column() noexcept { return column_of(parent_); }
  /// Whether no vertex has a greater parent.
  [[nodiscard]] bool is_forest() const noexcept {
    for (VertexId v = 0; v < size(); ++v) {
      if (parent_[v] > v) return false;
    }
    return true;
  }
  [[nodiscard]] Label parent(VertexId v) noexcept { return parent_.atomic(v).load(std::memory_order_relaxed); }
  /// Links v below `above`, which is smaller; v is a root that no other thread links meanwhile, or below `above`
  /// already.
  void set_parent(VertexId v, Label above) noexcept { parent_.atomic(v).store(above, std::memory_order_relaxed); }

  void link(VertexId u, VertexId v) noexcept {
    Label a = parent(u);
    Label b = parent(v);
    while (a != b) {
      if (a < b) std::swap(a, b);
      Label above = parent(a);  // looked at first: a failed exchange takes the line away from others
      if (above == b) return;
      if (above == a) {
        if (parent_.atomic(a).compare_exchange_strong(above, b, std::memory_order_relaxed) || above == b) return;
      }
      // a is no root: halves its path, since linking trees to one another makes paths long.
      const Label next = parent(above);
      if (next != above) set_parent(a, next);
      a = next;
      b = parent(b);
    }
  }

  /// Links v to each of these; cheap where they are in one tree already, directly below its root.
  void link_all(VertexId v, const auto& others) noexcept {
    Label top = lift(v);
    for (const auto w : others) {
      if (parent(w) == top) continue;
      link(v, w);
      top = root(v);
    }
  }

  [[nodiscard]] Label root(VertexId v) noexcept {
    Label above = parent(v);
    for (Label next = parent(above); next != above; next = parent(above)) above = next;
    return above;
  }

  /// As root, and links v directly below it.
  Label lift(VertexId v) noexcept {
    const Label above = parent(v);
    const Label top = root(above);
    if (above != top) set_parent(v, top);
    return top;
  }

  /// As root, and halves the way there.
  Label find(VertexId v) noexcept {
    Label a = static_cast<Label>(v);
    for (Label above = parent(a);;) {
      const Label next = parent(above);
      if (next == above) return above;
      set_parent(a, next);
      a = next;
      above = parent(a);
    }
  }

  /// Unites the sets of u and v; false if they are one already.  For one thread.
  bool unite(VertexId u, VertexId v) noexcept {
    const Label a = find(u);
    const Label b = find(v);
    if (a != b) set_parent(std::max(a, b), std::min(a, b));
    return a != b;
  }
  /// Prefetches the entry of v, for a later find.
  void prefetch(VertexId v) const noexcept { __builtin_prefetch(&parent_[v]); }

  /// Links `a` below `above`, which precedes it in the caller's order, if `a` is still a root.
  void hang(Label a, Label above) noexcept {
    Label as_root = a;
    if (parent(a) == a) parent_.atomic(a).compare_exchange_strong(as_root, above, std::memory_order_relaxed);
  }

  /// Hangs every vertex below its root.
  Status compress(Engine& engine, const GraphView& graph) {
    return engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) lift(v);
    });
  }

  /// The root met most often from vertices drawn at random: most likely that of the largest tree.  Those that
  /// hang below none do not count: many graphs have more vertices without edges than others.
  [[nodiscard]] FrequentRoot frequent_root() {
    constexpr std::size_t kDraws = 1024;
    constexpr std::size_t kTries = 16 * kDraws;
    const VertexId n = parent_.size();
    Random random(n);
    std::vector<Label> drawn;
    for (std::size_t i = 0; i < kTries && drawn.size() < kDraws && n > 0; ++i) {
      const VertexId v = random.below(n);
      if (parent(v) != v) drawn.push_back(root(v));
    }
    if (drawn.empty()) return {};
    const auto [most, times] = FrequentRoot::among(drawn);
    return {most, static_cast<double>(times) / static_cast<double>(drawn.size())};
  }

 private:
  RankMemory memory_;  ///< of parent_, if that is shared
  VertexMap<Label> parent_;
};

}  // namespace rizoma
