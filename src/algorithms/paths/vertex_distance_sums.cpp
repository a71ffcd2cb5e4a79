#include <rizoma/algorithms/distance_sums.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/state/reproducible_sums.h"
#include "engine/sweep/multi_source_search.h"
#include "engine/sweep/shared_searches.h"

#include <rizoma/detail/same_call.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Adds `searches` that find v at a distance.
void add_found(VertexDistanceSums& sums, ReproducibleSums& harmonic, VertexId v, std::uint64_t searches,
               std::uint64_t distance) {
  const auto count = static_cast<std::uint64_t>(std::popcount(searches));
  sums.reached[v] += count;
  if (distance == 0) return;
  sums.sums[v] += count * distance;
  harmonic.add(v, count, distance);
}

/// What one thread finds.
template <class Lists>
class OfThread {
 public:
  OfThread(Engine& engine, Lists& lists, unsigned thread)
      : search_(lists, thread, "vertex_distance_sums"), harmonic_(engine, lists.num_vertices()) {
    const VertexId n = lists.num_vertices();
    sums_.reached = engine.make_map<std::uint64_t>(n, 0);
    sums_.sums = engine.make_map<std::uint64_t>(n, 0);
  }

  void run(Engine& engine, std::span<const VertexId> sources) {
    std::uint64_t distance = 0;
    const auto reach = [&](VertexId v, std::uint64_t searches) { add_found(sums_, harmonic_, v, searches, distance); };
    search_.run(engine, sources, reach, [&](std::uint64_t level) {
      sums_.farthest = std::max(sums_.farthest, level);
      distance = level + 1;
    });
  }

  void add_to(VertexDistanceSums& all, ReproducibleSums& harmonic) const {
    all.farthest = std::max(all.farthest, sums_.farthest);
    for (VertexId v = 0; v < all.sums.size(); ++v) {
      all.reached[v] += sums_.reached[v];
      all.sums[v] += sums_.sums[v];
    }
    harmonic.add(harmonic_);
  }

 private:
  MultiSourceSearch<Lists> search_;
  VertexDistanceSums sums_;  ///< without harmonic ones
  ReproducibleSums harmonic_;
};

/// All processes search together.
Status search_shared(Iteration& loop, Direction direction, VertexDistanceSums& all, ReproducibleSums& harmonic) {
  return search_together(
      loop, direction, all.sources,
      [&](VertexId v, std::uint64_t searches, std::uint64_t distance) {
        add_found(all, harmonic, v, searches, distance);
      },
      [&](std::size_t, std::uint64_t distance) -> Status {
        all.farthest = std::max(all.farthest, distance);
        return {};
      });
}

/// Each thread searches on its own.
Status search_apart(Engine& engine, const GraphView& graph, Direction direction, VertexDistanceSums& all,
                    ReproducibleSums& harmonic) {
  return read_lists(engine, graph, direction, [&]<class Lists>(Lists& lists) -> Status {
    std::vector<std::unique_ptr<OfThread<Lists>>> workers(engine.threads());
    RIZOMA_TRY(for_blocks_of_sources(engine, all.sources.size(), [&](VertexRange block, unsigned thread) {
      if (workers[thread] == nullptr) workers[thread] = std::make_unique<OfThread<Lists>>(engine, lists, thread);
      workers[thread]->run(engine, std::span(all.sources).subspan(block.begin, block.size()));
    }));
    for (const auto& worker : workers) {
      if (worker != nullptr) worker->add_to(all, harmonic);
    }
    return {};
  });
}

}  // namespace

Result<VertexDistanceSums> vertex_distance_sums(Engine& engine, const GraphView& graph,
                                                std::span<const VertexId> sources, Direction direction) {
  RIZOMA_TRY(expect_same_call(engine, "vertex_distance_sums", {{"in_edges", direction == Direction::in}}));
  VertexDistanceSums all;
  all.sources.assign(sources.begin(), sources.end());
  Iteration loop(engine, graph, "vertex_distance_sums");
  RIZOMA_TRY(loop.agree_on(all.sources));
  RIZOMA_TRY(check_direction(graph, direction, "vertex_distance_sums"));
  RIZOMA_TRY(check_sources(graph, all.sources, "vertex_distance_sums"));
  RIZOMA_TRY(loop.report(0, static_cast<double>(all.sources.size())));
  const VertexId n = graph.num_vertices();
  all.reached = engine.make_map<std::uint64_t>(n, 0);
  all.sums = engine.make_map<std::uint64_t>(n, 0);
  all.harmonic = engine.make_map<double>(n, 0);
  ReproducibleSums harmonic(engine, n);
  RIZOMA_TRY(loop.is_alone() ? search_apart(engine, graph, direction, all, harmonic)
                             : search_shared(loop, direction, all, harmonic));
  loop.for_own([&](VertexId v) { all.harmonic[v] = harmonic[v]; });
  RIZOMA_TRY(loop.gather(all.reached, all.sums, all.harmonic));
  return all;
}

}  // namespace rizoma
