#include <rizoma/algorithms/sssp.h>

#include "engine/sweep/bucket_width.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/iteration.h>
#include <rizoma/ordered_sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

using Sources = std::span<const VertexId>;
struct Search;
template <class Sweep>
Status deliver(Search& search, const Sweep& sweep, SsspResult& result);
std::optional<Error> fault_of(VertexId u, VertexId v, auto weight);

constexpr double kFar = std::numeric_limits<double>::infinity();
/// Integer distances, each with a weight that is added to it, are below this.
constexpr std::uint64_t kLongestInteger = std::uint64_t{1} << 31;

/// A vertex at a distance sends its neighbors the distance by way of it; the sweep keeps the smallest of each.
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

/// The state of a search: the distances found so far, and the next bucket.
struct Search {
  Search(Engine& engine, const GraphView& graph) : loop(engine, graph, "sssp"), distances(loop) {
    loop.keep(integers, delta, bucket);
    loop.valid_if([this] {
      constexpr std::uint64_t kLastBucket = std::uint64_t{1} << 62;
      return delta > 0 && std::isfinite(delta) && bucket <= kLastBucket &&
             std::ranges::all_of(distances.span(), [this](double distance) {
               if (!integers) return distance >= 0;
               return distance == kFar || whole_below(distance, static_cast<double>(kLongestInteger));
             });
    });
  }

  Iteration loop;
  VertexState<double> distances;
  bool integers = false;     ///< the type of the distances
  double delta = 0;          ///< width of the buckets
  std::uint64_t bucket = 0;  ///< the next one
  bool resumed = false;
};

/// The distance of v as results have it.
template <class Sweep>
double distance_of(const Sweep& sweep, VertexId v) noexcept {
  const auto distance = sweep.values()[v];
  return distance == sweep.program().unreached ? kFar : static_cast<double>(distance);
}

/// Begins at the sources, or where an earlier process stopped: the type of distances decides the numbers of buckets.
template <class Sweep>
Status start(Search& search, Sweep& sweep, Sources sources, SsspResult& result) {
  using Distance = typename Sweep::Value;
  const bool integers = std::is_integral_v<Distance>;
  if (!std::exchange(search.resumed, false) || search.integers != integers) {
    search.integers = integers;
    result.resumed_after = 0;
    return sweep.start(sources, 0);
  }
  RIZOMA_ASSIGN(const VertexId reached, sweep.start_again(search.bucket, [&](VertexId v) {
    return search.distances[v] == kFar ? sweep.program().unreached : static_cast<Distance>(search.distances[v]);
  }));
  RIZOMA_ASSIGN(result.resumed_after, search.loop.total(reached));
  return {};
}

/// Delta-stepping: as long as buckets hold vertices, those of the first relax their edges, which brings others, or the
/// same again, into this bucket or later ones.  False if a distance does not fit the type.
template <class Distance, class Lists>
Result<bool> delta_stepping(Search& search, Lists& out, Sources sources, SsspResult& result) {
  Iteration& loop = search.loop;
  PrioritySweep<Relax<Distance>, Lists> sweep(loop.engine(), loop.graph(), out, {BucketWidth<Distance>(search.delta)});
  RIZOMA_TRY(start(search, sweep, sources, result));
  loop.update_by([&]() -> Status {
    RIZOMA_TRY(sweep.notify_owners());
    return loop.engine().for_vertices(loop.graph(), [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) search.distances[v] = distance_of(sweep, v);
    });
  });
  const auto step = [&]() -> Result<bool> {
    if (!sweep.waiting()) return false;
    RIZOMA_TRY(loop.report(static_cast<double>(sweep.bucket()), 0));
    RIZOMA_TRY(sweep.step());
    search.bucket = sweep.bucket();
    return sweep.waiting() && !sweep.gave_up();
  };
  RIZOMA_TRY(loop.run(step));
  if (sweep.gave_up()) return false;
  RIZOMA_TRY(deliver(search, sweep, result));
  return true;
}

// Chooses the type of the distances, and completes the result.

/// The distances of the vertices reached, and of no others if they are few.
template <class Sweep>
Status deliver(Search& search, const Sweep& sweep, SsspResult& result) {
  Iteration& loop = search.loop;
  result.delta = sweep.program().width.delta();
  VertexMap<double> distances = std::move(search.distances).take();
  if (sweep.reached_few()) {
    auto reached = std::make_shared<VertexSet>(loop.engine().make_set(distances.size()));
    RIZOMA_TRY(sweep.for_reached([&](VertexId v) {
      distances[v] = static_cast<double>(sweep.values()[v]);
      reached->add(v);
    }));
    result.reached = reached->count();
    result.distances = {std::move(distances), std::move(reached), kFar};
    return {};
  }
  std::atomic<VertexId> reached = 0;
  RIZOMA_TRY(loop.engine().for_vertices(loop.graph(), [&](VertexRange block, unsigned) {
    VertexId of_block = 0;
    for (VertexId v = block.begin; v < block.end; ++v) {
      distances[v] = distance_of(sweep, v);
      of_block += distances[v] != kFar ? 1 : 0;
    }
    if (of_block > 0) reached.fetch_add(of_block, std::memory_order_relaxed);
  }));
  result.distances = {std::move(distances), nullptr, kFar};
  RIZOMA_ASSIGN(result.reached, loop.total(reached.load()));
  return loop.gather(result.distances);
}

/// What is wrong with an edge's weight; nothing if it is the distance that it leads to.
std::optional<Error> fault_of(VertexId u, VertexId v, auto weight) {
  if (weight >= 0) return std::nullopt;
  return negative_weight(u, v, weight, "sssp");
}

template <class Lists>
Result<SsspResult> find_paths(Engine& engine, const GraphView& graph, Lists& out, Sources sources,
                              const SsspOptions& options) {
  constexpr bool kWeighted = !std::is_void_v<typename Lists::weight_type>;
  Search search(engine, graph);
  RIZOMA_ASSIGN(search.resumed, search.loop.begin());
  if (!search.resumed) search.delta = options.delta;
  if (search.delta == 0) {
    RIZOMA_ASSIGN(search.delta, choose_delta(search.loop, out));
  }
  SsspResult result;
  const bool fits = graph.weight_type() == WeightType::int32 && (!search.resumed || search.integers);
  if (!kWeighted || fits) {
    RIZOMA_ASSIGN(const bool done, delta_stepping<std::uint32_t>(search, out, sources, result));
    if (done) return result;
  }
  if constexpr (kWeighted) RIZOMA_TRY(delta_stepping<double>(search, out, sources, result));
  return result;
}

}  // namespace

Result<SsspResult> sssp(Engine& engine, const GraphView& graph, const SearchSources& from, const SsspOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "sssp", {from.argument(), {"delta", options.delta}}));
  RIZOMA_ASSIGN(const std::vector<VertexId> sources, from.distinct(graph, "sssp"));
  if (!(options.delta >= 0) || std::isinf(options.delta))
    return bad_option("sssp", "delta", options.delta, "finite, and 0 (chosen from the weights) or more");
  return read_lists<true>(engine, graph, Direction::out,
                          [&](auto& out) { return find_paths(engine, graph, out, sources, options); });
}

}  // namespace rizoma
