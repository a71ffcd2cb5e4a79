// SweepState: what the steps of a sweep and the blocks of its program share.  Module: engine.
#pragma once

#include <rizoma/detail/active_vertices.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rizoma::engine_detail {

struct SweepState {
  SweepState(Engine& for_engine, const GraphView& of, const ProgramKind& of_kind, Direction along_lists,
             VertexSet excluded)
      : engine(for_engine),
        ranks(for_engine.ranks()),
        graph(of),
        kind(of_kind),
        along(along_lists),
        n(of.num_vertices()),
        has_holes(of.num_live() != n),
        degrees(of, of.has_in_edges() ? along : Direction::out),
        active(for_engine, n),
        done(std::move(excluded)) {
    if (kind.visit_once && done.universe() == 0) done = engine.make_set(n);
  }

  [[nodiscard]] bool is_live(VertexId v) const noexcept { return !has_holes || graph.is_live(v); }
  [[nodiscard]] bool is_mine(VertexId v) const noexcept { return ranks == nullptr || ranks->owns(v); }
  /// With `visit_once`, while other threads may add to the set.
  [[nodiscard]] bool is_done(VertexId v) noexcept {
    return ((std::atomic_ref(done.words()[v / 64]).load(std::memory_order_relaxed) >> (v % 64)) & 1) != 0;
  }
  [[nodiscard]] Direction against() const noexcept { return along == Direction::out ? Direction::in : Direction::out; }

  Engine& engine;
  Ranks* ranks;  ///< null: this process is alone
  GraphView graph;
  ProgramKind kind;
  Direction along;
  VertexId n;
  bool has_holes;
  bool together = false;  ///< the vertices of all ranks are active on each
  Degrees degrees;        ///< of the lists that lead on from a vertex
  ActiveVertices active;
  VertexSet done;      ///< with `visit_once`: applied, active before, or without a list; else who is excluded
  VertexSet listless;  ///< with `visit_once`, once a step has pulled: who is done for want of a list
};

}  // namespace rizoma::engine_detail
