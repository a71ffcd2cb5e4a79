// Biconnected components as sets of the edges of a breadth-first forest, found by all threads.
//
// An edge of the forest is named by its lower end: each vertex but the roots is one.  Any other edge u-v joins two
// vertices neither of which is above the other, and closes a cycle with their ways up to where these meet; so the edges
// of both ways are one set.  As a set is a tree, and hangs from one vertex, its head, the walk up goes from set to set:
// of two sets that of the lower head goes on, with the edge from its head upwards, until both have the same head.
// A set is named by the smallest vertex on its highest level, below which alone others are hung; so threads may walk at
// the same time, and what they have made is always part of the answer.
// Cost: O(n + m) but for the walks within sets, which are halved as they are gone; 12 bytes a vertex (24 from 2^32
// vertices on).
#pragma once

#include "engine/state/concurrent_union_find.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/gather.h>
#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// `Label`: of a vertex, wide enough for their count.
template <class Label>
class EdgeBlocks {
 public:
  static constexpr Label kNone = std::numeric_limits<Label>::max();

  static Result<EdgeBlocks> find(Engine& engine, const GraphView& graph) {
    EdgeBlocks blocks(engine, graph);
    RIZOMA_TRY(engine.report("biconnected_components", 0, 3));
    RIZOMA_TRY(blocks.grow());
    RIZOMA_TRY(engine.report("biconnected_components", 1, 3));
    RIZOMA_ASSIGN(blocks.sets_, ConcurrentUnionFind<Label>::make(engine, graph.num_vertices()));
    RIZOMA_TRY(blocks.unite_few());
    RIZOMA_TRY(blocks.unite_rest());
    RIZOMA_TRY(blocks.compress());
    RIZOMA_TRY(engine.report("biconnected_components", 2, 3));
    return blocks;
  }

  /// The parent of v in the forest; kNone if it is a root.
  [[nodiscard]] Label above(VertexId v) const noexcept { return places_[v].above; }
  [[nodiscard]] bool is_root(VertexId v) const noexcept { return above(v) == kNone; }
  /// The set of the edge from v upwards, by the smallest of its vertices on the highest level.
  [[nodiscard]] Label set_of(VertexId v) noexcept { return sets_.parent(v); }

 private:
  struct Place {
    Label above;
    Label level;
  };

  EdgeBlocks(Engine& engine, const GraphView& graph)
      : engine_(&engine), graph_(&graph), places_(engine.make_map<Place>(graph.num_vertices(), {kNone, 0})) {}

  /// Each reached vertex notifies its neighbours; one notification is enough, and its sender is above.
  struct Grow {
    using Message = void;
    using Accum = VertexId;
    static constexpr bool visit_once = true;
    static constexpr bool early_exit = true;

    Place* places;
    Label level = 0;

    [[nodiscard]] VertexId gather(VertexId, const auto& entries) const { return entries.source(0); }
    [[nodiscard]] VertexId combine(VertexId a, VertexId) const { return a; }
    bool apply(VertexId v, VertexId parent) {
      places[v] = {static_cast<Label>(parent), level};
      return true;
    }
  };

  /// Grows a tree from a vertex with the most neighbours, and those of the other components at once.
  Status grow() {
    RIZOMA_ASSIGN(const VertexId first, first_root());
    if (first == kNoVertex) return {};
    Grow grow{places_.data()};
    Sweep<Grow> tree(*engine_, *graph_, grow);
    RIZOMA_TRY(tree.start(std::span(&first, 1)));
    RIZOMA_TRY(grow_all(grow, tree));
    RIZOMA_ASSIGN(const std::vector<VertexId> others, other_roots(first));
    if (others.empty()) return {};
    Sweep<Grow> forest(*engine_, *graph_, grow, {.excluded = tree.take_done()});
    RIZOMA_TRY(forest.start(others));
    return grow_all(grow, forest);
  }

  static Status grow_all(Grow& grow, Sweep<Grow>& sweep) {
    for (grow.level = 1; sweep.active() > 0; ++grow.level) RIZOMA_TRY(sweep.step());
    return {};
  }

  Result<VertexId> first_root() {
    struct Candidate {
      EdgeCount degree;
      VertexId vertex;
    };
    const Degrees degrees(*graph_);
    const auto better = [](Candidate a, Candidate b) {
      return a.degree > b.degree || (a.degree == b.degree && a.vertex < b.vertex) ? a : b;
    };
    const auto candidate = [&](VertexId v) { return Candidate{degrees[v], v}; };
    RIZOMA_ASSIGN(const Candidate best,
                  process_vertices(*engine_, *graph_, Candidate{0, kNoVertex}, candidate, better));
    return best.degree > 0 ? best.vertex : kNoVertex;
  }

  /// One vertex of each component with edges that has none in a tree.
  Result<std::vector<VertexId>> other_roots(VertexId first) {
    const Degrees degrees(*graph_);
    const auto is_left = [&](VertexId v) { return is_root(v) && v != first && degrees[v] > 0; };
    std::vector<VertexId> roots;
    RIZOMA_ASSIGN(const VertexId left,
                  process_vertices(*engine_, *graph_, VertexId{0}, [&](VertexId v) { return VertexId{is_left(v)}; }));
    if (left == 0) return roots;
    RIZOMA_ASSIGN(const ConnectedComponentsResult components, connected_components(*engine_, *graph_));
    for (VertexId v = 0; v < graph_->num_vertices(); ++v) {
      if (components.labels[v] == v && graph_->is_live(v) && is_left(v)) roots.push_back(v);
    }
    return roots;
  }

  /// Where there is one great component, few edges of each vertex find most of it.
  Status unite_few() {
    return gather_few(*engine_, *graph_, Direction::out, [&](VertexId v, const auto& entries, unsigned) {
      if (is_root(v)) return;
      const EdgeCount size = entries.size();
      if (size == 0) return;
      unite(v, entries.source(size / 2));
      unite(v, entries.source(size - 1));
    });
  }

  /// Skips the edges within a large set.
  Status unite_rest() {
    const FrequentRoot most = sets_.frequent_root();
    const auto is_left = [&](VertexId v) { return !is_root(v) && lift(v) != most.root; };
    const auto is_needed = [&](VertexRange range) {
      for (VertexId v = range.begin; v < range.end; ++v) {
        if (is_left(v)) return true;
      }
      return false;
    };
    const SectionFilter filter(is_needed);
    return gather(*engine_, *graph_, {Direction::out, true, &filter}, [&](VertexId v, const auto& entries, unsigned) {
      if (!is_left(v)) return;
      for (const auto w : entries.sources()) unite(v, w);
    });
  }

  /// Unites the sets on the cycle that an edge closes with the forest.
  void unite(VertexId u, VertexId v) {
    Label a = lift(u);
    if (sets_.parent(v) == a) return;
    if (above(u) == v || above(v) == u || u == v) return;
    Label b = lift(v);
    while (a != b) {
      const Place at_a = places_[a];
      const Place at_b = places_[b];
      if (at_a.above == at_b.above) {  // where the ways meet
        sets_.hang(std::max(a, b), std::min(a, b));
      } else if (at_a.level != at_b.level ? at_a.level > at_b.level : at_a.above > at_b.above) {
        sets_.hang(a, sets_.find(at_a.above));
      } else {
        sets_.hang(b, sets_.find(at_b.above));
      }
      a = sets_.find(a);
      b = sets_.find(b);
    }
  }

  /// The name of the set of v, below which v is linked from now on.  The path there may be as long as a cycle.
  Label lift(VertexId v) noexcept {
    const Label name = sets_.find(v);
    if (name != v && sets_.parent(v) != name) sets_.set_parent(v, name);
    return name;
  }

  Status compress() {
    return engine_->for_vertices(*graph_, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) lift(v);
    });
  }

  Engine* engine_;
  const GraphView* graph_;
  VertexMap<Place> places_;
  ConcurrentUnionFind<Label> sets_;
};

}  // namespace rizoma
