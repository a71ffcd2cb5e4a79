// Breadth-first searches from up to 64 vertices at once, shared by all ranks.  Module: engine.
//
// How: the message of a vertex is a word with a bit for each search that has just found it.
// Cost: between one pass over the edges and one for each search; 24 bytes a vertex.
// Source: Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.
#pragma once

#include "engine/sweep/multi_source_search.h"

#include <rizoma/iteration.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {
namespace engine_detail {

/// A vertex tells its neighbours which searches have just found it.
struct FindBySearches {
  using Message = std::uint64_t;
  using Accum = std::uint64_t;

  std::uint64_t* seen;
  std::uint64_t* found;   ///< in the last step
  std::uint64_t all = 0;  ///< a bit for each search

  [[nodiscard]] Message scatter(VertexId v) const { return found[v]; }
  [[nodiscard]] Accum gather(Accum searches, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) searches |= entries.message(i);
    return searches;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const { return a | b; }
  [[nodiscard]] bool cond(VertexId v) const { return seen[v] != all; }
  bool apply(VertexId v, Accum searches) {
    found[v] = searches & ~seen[v];
    seen[v] |= searches;
    return found[v] != 0;
  }
};

}  // namespace engine_detail

/// Searches from vertices, the same on all ranks, 64 at a time: reach(v, searches, distance) for each vertex of a level
/// whose state is here, with a bit for each search that reaches it there, then next(first, distance), where `first` is
/// the number of the source of bit 0.  `loop` has not begun, and saves nothing.
/// Collective.  Errors: cancelled; those of `next`, and of any other rank.
template <class Reach, class Next>
Status search_together(Iteration& loop, Direction along, std::span<const VertexId> sources, Reach&& reach,
                       Next&& next) {
  loop.forgo();
  VertexState<std::uint64_t> seen(loop, 0);
  VertexState<std::uint64_t> found(loop, 0);
  engine_detail::FindBySearches find{seen.data(), found.data()};
  RIZOMA_TRY(loop.begin());
  Sweep<engine_detail::FindBySearches> sweep(loop.engine(), loop.graph(), find, {.along = along});
  const auto forget = [&](VertexId v) { seen[v] = found[v] = 0; };
  for (std::size_t first = 0; first < sources.size(); first += kSearchesTogether) {
    const std::size_t searches = std::min<std::size_t>(kSearchesTogether, sources.size() - first);
    std::vector<VertexId> starts;  // each once
    for (std::size_t i = 0; i < searches; ++i) {
      const VertexId v = sources[first + i];
      if (found[v] == 0) starts.push_back(v);
      seen[v] = found[v] |= std::uint64_t{1} << i;
    }
    find.all = ~std::uint64_t{0} >> (kSearchesTogether - searches);
    RIZOMA_TRY(sweep.start(starts));
    for (std::uint64_t distance = 0; sweep.active() > 0; ++distance) {
      for (const VertexId v : sweep.active_list()) {
        if (loop.is_here(v)) reach(v, found[v], distance);
      }
      RIZOMA_TRY(next(first, distance));
      RIZOMA_TRY(sweep.step());
    }
    loop.for_own(forget);
    std::ranges::for_each(starts, forget);
  }
  return {};
}

}  // namespace rizoma
