// DividedTrees: disjoint sets of all vertices, of which each process that shares no memory with the others has its own.
#pragma once

#include "engine/exchange/distinct_values.h"
#include "engine/exchange/divided_forest.h"
#include "engine/exchange/own_and_mirrors.h"
#include "engine/state/concurrent_union_find.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_map.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

namespace rizoma {

/// Each process links its own vertices, and its copies of others, in trees that it has alone; `unite` makes the trees
/// of all processes one forest.  Memory: 4 or 8 bytes for each of these, and 8 for each own vertex.
/// Cost of `unite`: O(own vertices and copies), and one message for each copy that was linked since the last time.
template <class Label>
class DividedTrees {
 public:
  /// Whether there are processes that do not see each other's memory, and whose state is not saved: that of all
  /// vertices is the same on all then (union_find_state.h).
  static bool serve(const Iteration& loop) {
    const Ranks* const ranks = loop.engine().ranks();
    return ranks != nullptr && !ranks->reads_all_lists() && !loop.survives();
  }

  /// Makes each vertex a set of its own.  Collective, as is all that returns a Status.
  static Result<DividedTrees> make(Iteration& loop) {
    Engine& engine = loop.engine();
    RIZOMA_ASSIGN(OwnAndMirrors places, OwnAndMirrors::find(engine, *engine.ranks(), loop.graph()));
    RIZOMA_ASSIGN(auto sets, ConcurrentUnionFind<Label>::make(engine, places.size()));
    return DividedTrees(loop, std::move(places), std::move(sets));
  }
  /// The roots of own vertices once all lists are linked, for a result: the memory of the trees is free then.
  static Result<VertexMap<std::uint64_t>> roots_of_lists(Iteration& loop) {
    RIZOMA_ASSIGN(DividedTrees trees, make(loop));
    RIZOMA_TRY(trees.link_lists());
    return std::move(trees).take();
  }

  /// Links an own vertex to one that its lists name.  For any thread, as link_all is.
  void link(VertexId v, VertexId other) noexcept { sets_.link(places_.place(v), places_.place(other)); }
  /// To each of these.
  void link_all(VertexId v, const auto& others) noexcept {
    const auto place = [this](VertexId w) { return places_.place(w); };
    sets_.link_all(place(v), others | std::views::transform(place));
  }

  /// Links all lists: the trees are the components of the graph.  After two links of each vertex all agree on a large
  /// tree; then each process reads the lists of its own vertices outside it, in both directions.
  Status link_lists() {
    VertexId most = kNoVertex;
    if (graph().has_in_edges()) {
      RIZOMA_TRY(gather_few(engine(), graph(), Direction::out, [&](VertexId v, const auto& entries, unsigned) {
        if (entries.empty()) return;
        link(v, entries.source(0));
        link(v, entries.source(entries.size() - 1));
      }));
      RIZOMA_TRY(unite());
      RIZOMA_ASSIGN(most, frequent_root());
    }
    RIZOMA_TRY(loop_->report(1, 2));
    RIZOMA_TRY(link_outside(most, Direction::out));
    if (graph().directed() && graph().has_in_edges()) RIZOMA_TRY(link_outside(most, Direction::in));
    return unite();
  }

  /// Finds the root of each own vertex, its smallest member on any process.
  Status unite() {
    std::vector<PerThread<std::vector<Pair>>> found(engine().threads());
    RIZOMA_TRY(name_by_tree(found));
    RIZOMA_TRY(tell_owners(found));
    std::vector<Pair> pairs = std::move(found[0].value);
    for (std::size_t thread = 1; thread < found.size(); ++thread) {
      const std::vector<Pair> more = std::exchange(found[thread].value, {});
      pairs.insert(pairs.end(), more.begin(), more.end());
    }
    RIZOMA_TRY(forest_.join(std::move(pairs)));
    return forest_.flatten();
  }
  /// The root of an own vertex, when the trees were united last.
  [[nodiscard]] VertexId root(VertexId v) noexcept { return forest_.parents()[v]; }
  /// The roots of own vertices, for a result.
  [[nodiscard]] VertexMap<std::uint64_t> take() && { return std::move(forest_.parents()); }

  /// A root that many vertices have, the same for all: the one that a process met most often among some of its own.
  Result<VertexId> frequent_root() {
    constexpr VertexId kDraws = 1024;
    std::vector<VertexId> drawn;
    for (VertexId i = 0; i < std::min(kDraws, places_.own()); ++i) {
      const VertexId v = places_.own_vertex(i * places_.own() / std::min(kDraws, places_.own()));
      if (root(v) != v) drawn.push_back(root(v));
    }
    const auto [mine, times] = FrequentRoot::among(drawn);
    Frequent most{times, mine};
    RIZOMA_ASSIGN(most, loop_->total(most, Frequent::greater));
    return most.root;
  }

 private:
  using Pair = DividedForest::Pair;
  struct Frequent {
    std::uint64_t times = 0;
    VertexId root = kNoVertex;
    static Frequent greater(const Frequent& a, const Frequent& b) { return a.times >= b.times ? a : b; }
  };

  DividedTrees(Iteration& loop, OwnAndMirrors places, ConcurrentUnionFind<Label> sets)
      : loop_(&loop), places_(std::move(places)), sets_(std::move(sets)), told_(places_.size()), forest_(loop) {}

  [[nodiscard]] Engine& engine() const noexcept { return loop_->engine(); }
  [[nodiscard]] const GraphView& graph() const noexcept { return loop_->graph(); }

  /// Links the lists of the own vertices that are not in the tree of `most`, as trees were united last.
  Status link_outside(VertexId most, Direction direction) {
    const auto has_outside = [&](VertexRange range) {
      VertexId v = range.begin;
      while (v < range.end && root(v) == most) ++v;
      return v < range.end;
    };
    const SectionFilter filter(has_outside);
    return gather(engine(), graph(), {direction, true, &filter}, [&](VertexId v, const auto& entries, unsigned) {
      if (root(v) != most) link_all(v, entries.sources());
    });
  }

  /// The first own vertex in the tree of a place; every tree of more than one has one.
  [[nodiscard]] VertexId first_of(VertexId place) noexcept { return places_.own_vertex(sets_.root(place)); }

  /// Hangs each own vertex below the first of its tree; passes on what it hung below before.
  Status name_by_tree(std::vector<PerThread<std::vector<Pair>>>& found) {
    VertexMap<std::uint64_t>& above = forest_.parents();
    return engine().for_vertices(graph(), [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const VertexId first = first_of(places_.place(v));
        if (first == v) continue;  // hangs where it did, and is what the others look at
        const VertexId before = std::exchange(above[v], first);
        if (before != v && before != first && before != above[first]) note(found[thread].value, {before, first});
      }
    });
  }

  /// Tells the owners of copies what these were linked to here, in turns: messages about all of them would take more
  /// memory than the trees.
  Status tell_owners(std::vector<PerThread<std::vector<Pair>>>& found) {
    constexpr VertexId kLeast = VertexId{1} << 16;   // vertices of a turn
    constexpr VertexId kTurns = 32;                  // at most
    constexpr VertexId kAtOnce = VertexId{1} << 14;  // of a thread: whole words
    const VertexId n = graph().num_vertices();
    const VertexId some = std::max(kLeast, (n / kTurns / 64 + 1) * 64);
    VertexId begin = 0;
    do {
      const VertexRange turn{begin, std::min(begin + some, n)};
      Outbox<std::uint64_t> outbox(engine());
      RIZOMA_TRY(engine().for_blocks(turn.size(), kAtOnce, [&](VertexRange block, unsigned thread) {
        places_.for_mirrors({begin + block.begin, begin + block.end}, [&](VertexId place, VertexId v) {
          const VertexId top = sets_.root(place);
          if (top < places_.own() && told_.add_atomic(place)) outbox.add(v, places_.own_vertex(top), thread);
        });
      }));
      RIZOMA_TRY(outbox.exchange_by_all([&](unsigned thread) {
        return [&, thread](VertexId v, std::uint64_t other) {
          if (const VertexId first = first_of(places_.place(v)); first != other)
            note(found[thread].value, {first, other});
        };
      }));
      begin += some;
    } while (begin < n);
    return {};
  }

  /// Most pairs are those of two large trees, again and again.
  static void note(std::vector<Pair>& pairs, Pair pair) {
    if (pairs.empty() || pairs.back() != pair) push_distinct(pairs, pair);
  }

  Iteration* loop_;
  OwnAndMirrors places_;
  ConcurrentUnionFind<Label> sets_;
  VertexSet told_;  ///< copies, by their places, whose owners know what they were linked to
  DividedForest forest_;
};

}  // namespace rizoma
