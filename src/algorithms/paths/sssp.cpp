#include <rizoma/algorithms/sssp.h>

#include "algorithms/checkpoint/distance_state.h"
#include "algorithms/paths/bucket_width.h"
#include "base/text.h"

#include <rizoma/detail/gather_columns.h>
#include <rizoma/priority_sweep.h>
#include <rizoma/process_vertices.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

template <class Sweep>
Status deliver(Engine& engine, const GraphView& graph, const Sweep& sweep, SsspResult& result);
std::optional<Error> fault_of(VertexId u, VertexId v, auto weight);

/// Whoever is at a distance tells its neighbours how far they are by way of it; the sweep keeps the least of each.
/// Distances are held in 32 bits where all are integers that fit, otherwise as float64.
template <class Distance>
struct Relax {
  using Value = Distance;
  static constexpr bool integers = std::is_integral_v<Distance>;
  static constexpr Distance unreached =
      integers ? std::numeric_limits<Distance>::max() : std::numeric_limits<Distance>::infinity();

  BucketWidth<Distance> width;

  [[nodiscard]] std::uint64_t bucket_of(Distance distance) const { return width.bucket_of(distance); }
  [[nodiscard]] Distance along(Distance distance, auto weight) const {
    return distance + static_cast<Distance>(weight);
  }
  [[nodiscard]] bool passes(Distance distance, auto weight) const {
    if constexpr (!integers) return weight >= 0;
    else return std::uint64_t{distance} + static_cast<std::uint32_t>(weight) < kLongestInteger;  // not if it is < 0
  }
  [[nodiscard]] auto why_not(VertexId u, VertexId v, auto weight) const { return fault_of(u, v, weight); }
};

/// Delta-stepping: as long as buckets hold vertices, those of the first relax their edges, which brings others, or the
/// same again, into this bucket or later ones.  False if a distance does not fit the type.
template <class Distance, class Lists>
Result<bool> delta_stepping(Engine& engine, const GraphView& graph, Lists& out, VertexId source, double delta,
                            DistanceCheckpoint& kept, SsspResult& result) {
  PrioritySweep<Relax<Distance>, Lists> sweep(engine, graph, out, {BucketWidth<Distance>(delta)});
  RIZOMA_ASSIGN(result.resumed_after, kept.begin(engine, sweep, source, delta));
  while (sweep.waiting()) {
    RIZOMA_TRY(engine.report("sssp", static_cast<double>(sweep.bucket()), 0));
    RIZOMA_TRY(sweep.step());
    if (sweep.gave_up()) return false;
    RIZOMA_TRY(kept.offer(engine, graph, sweep));
  }
  RIZOMA_TRY(deliver(engine, graph, sweep, result));
  return true;
}

// What it is made of: what a result says of whom, and which type holds the distances.

/// The distances of the vertices reached, and of no others if they are few.
template <class Sweep>
Status deliver(Engine& engine, const GraphView& graph, const Sweep& sweep, SsspResult& result) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  result.delta = sweep.program().width.delta();
  VertexMap<double> distances = engine.make_unset_map<double>(graph.num_vertices());
  if (sweep.reached_few()) {
    auto reached = std::make_shared<VertexSet>(engine.make_set(graph.num_vertices()));
    RIZOMA_TRY(sweep.for_reached([&](VertexId v) {
      distances[v] = static_cast<double>(sweep.values()[v]);
      reached->add(v);
    }));
    result.reached = reached->count();
    result.distances = {std::move(distances), std::move(reached), kFar};
    return {};
  }
  std::atomic<VertexId> reached = 0;
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    VertexId of_block = 0;
    for (VertexId v = block.begin; v < block.end; ++v) {
      distances[v] = DistanceCheckpoint::as_told(sweep, v);
      of_block += distances[v] != kFar ? 1 : 0;
    }
    if (of_block > 0) reached.fetch_add(of_block, std::memory_order_relaxed);
  }));
  result.distances = {std::move(distances), nullptr, kFar};
  RIZOMA_ASSIGN(result.reached, over_ranks(engine, reached.load(), std::plus<>()));
  return {};
}

/// What is wrong with an edge's weight; nothing if it is the distance that it leads to.
std::optional<Error> fault_of(VertexId u, VertexId v, auto weight) {
  if (weight >= 0) return std::nullopt;
  return Error{ErrorCode::invalid_argument, "sssp: edge " + std::to_string(u) + " -> " + std::to_string(v) +
                                                " (internal ids) has weight " + to_text(weight) +
                                                "; weights must be 0 or more"};
}

template <class Lists>
Result<SsspResult> search(Engine& engine, const GraphView& graph, Lists& out, VertexId source,
                          const SsspOptions& options) {
  using Weight = typename Lists::weight_type;
  RIZOMA_ASSIGN(DistanceCheckpoint kept, DistanceCheckpoint::open(engine, graph, options.checkpoints));
  double delta = kept.delta() > 0 ? kept.delta() : options.delta;
  if (delta == 0) {
    RIZOMA_ASSIGN(delta, choose_delta(engine, graph, out));
  }
  SsspResult result;
  if constexpr (std::is_same_v<Weight, std::int32_t> || std::is_void_v<Weight>) {
    if (std::is_void_v<Weight> || !kept.needs_more_than_integers()) {
      RIZOMA_ASSIGN(const bool done, delta_stepping<std::uint32_t>(engine, graph, out, source, delta, kept, result));
      if (done) return result;
    }
  }
  if constexpr (!std::is_void_v<Weight>) {
    RIZOMA_TRY(delta_stepping<double>(engine, graph, out, source, delta, kept, result));
  }
  return result;
}

}  // namespace

Status gather_result(Ranks& ranks, SsspResult& result, int to) {
  if (result.distances.reached() != nullptr) return {};
  return gather_columns(ranks, result.distances.all().span(), to);
}

Result<SsspResult> sssp(Engine& engine, const GraphView& graph, VertexId source, const SsspOptions& options) {
  if (source >= graph.num_vertices() || !graph.is_live(source)) {
    return Error{ErrorCode::invalid_argument,
                 "sssp: source " + std::to_string(source) + " is not a vertex of the graph"};
  }
  if (!(options.delta >= 0) || std::isinf(options.delta)) {
    return Error{ErrorCode::invalid_argument,
                 "sssp: delta must be finite and 0 (chosen) or more, not " + std::to_string(options.delta)};
  }
  return read_lists<true>(engine, graph, Direction::out,
                          [&](auto& out) { return search(engine, graph, out, source, options); });
}

}  // namespace rizoma
