// Vertices without edges, of which one stands for all in an iteration.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/vertex_set.h>

#include <atomic>
#include <bit>
#include <span>
#include <utility>

namespace rizoma {

/// Vertices that neither send nor receive anything, in a graph where all such have the same score: one of them stands
/// for the others, which sweeps exclude.  A filtered graph may have more of them than of all else.
class IsolatedVertices {
 public:
  /// Of an undirected graph: those whose divisor is below 0.
  template <class Degree>
  static Result<IsolatedVertices> find(Engine& engine, const GraphView& graph, const VertexMap<Degree>& degrees) {
    IsolatedVertices alone;
    VertexSet found = engine.make_set(graph.num_vertices());
    std::atomic<VertexId> looked_at = 0;
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (graph.is_live(v) && degrees[v] < 0) found.add_atomic(v);
      }
      looked_at.fetch_add(block.size(), std::memory_order_relaxed);
    }));
    found.recount();
    if (found.count() < looked_at / kWorthwhile + 2) return alone;
    VertexId word = 0;
    while (found.word(word) == 0) ++word;
    alone.one_ = 64 * word + static_cast<VertexId>(std::countr_zero(found.word(word)));
    found.words()[word] &= found.word(word) - 1;
    found.recount();
    alone.count_ = found.count();
    alone.others_ = std::move(found);
    return alone;
  }

  [[nodiscard]] bool any() const noexcept { return count_ > 0; }
  [[nodiscard]] VertexSet others() const { return others_; }
  /// How many vertices the one stands for, itself among them.
  [[nodiscard]] double weight() const noexcept { return static_cast<double>(count_ + 1); }
  void fill_in(std::span<double> scores) const {
    others_.for_each([&](VertexId v) { scores[v] = scores[one_]; });
  }

 private:
  static constexpr VertexId kWorthwhile = 8;  ///< at least one vertex in this many

  VertexSet others_;
  VertexId count_ = 0;
  VertexId one_ = 0;
};

}  // namespace rizoma
