// process_vertices: a parallel loop over vertices with a reduction.  Module: engine.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include <functional>
#include <vector>

namespace rizoma {

/// A value of one thread, on cache lines of its own.
template <class T>
struct alignas(64) PerThread {
  T value;
};

/// Reduces `mine` of all ranks by `combine`, in rank order: the same on all.  Without ranks: `mine`.  Errors: io.
template <class T, class Combine>
Result<T> over_ranks(Engine& engine, const T& mine, Combine combine) {
  Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return mine;
  RIZOMA_ASSIGN(const std::vector<T> values, ranks->all(mine));
  T reduced = values[0];
  for (std::size_t rank = 1; rank < values.size(); ++rank) reduced = combine(reduced, values[rank]);
  return reduced;
}

/// Reduces f(v) of every live vertex by `combine` (associative, commutative) from `identity`.  On ranks, each rank
/// calls f for its own vertices; all get the same result.  Errors: cancelled.
template <class T, class F, class Combine = std::plus<>>
Result<T> process_vertices(Engine& engine, const GraphView& graph, T identity, F&& f, Combine combine = {}) {
  std::vector<PerThread<T>> partial(engine.threads(), {identity});
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned thread) {
    T reduced = identity;
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (graph.is_live(v)) reduced = combine(reduced, f(v));
    }
    partial[thread].value = combine(partial[thread].value, reduced);
  }));
  T reduced = identity;
  for (const PerThread<T>& part : partial) reduced = combine(reduced, part.value);
  return over_ranks(engine, reduced, combine);
}

}  // namespace rizoma
