#include <rizoma/algorithms/distance_sums.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/state/reproducible_sums.h"
#include "engine/sweep/multi_source_search.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

/// What one thread finds.
template <class Lists>
class OfThread {
 public:
  OfThread(Engine& engine, Lists& lists, unsigned thread)
      : search_(lists, thread, "vertex_distance_sums"), harmonic_(engine, lists.num_vertices()) {
    const VertexId n = lists.num_vertices();
    sums_ = {engine.make_map<std::uint64_t>(n, 0), engine.make_map<std::uint64_t>(n, 0), {}};
  }

  void run(Engine& engine, std::span<const VertexId> sources) {
    std::uint64_t distance = 0;
    const auto reach = [&](VertexId v, std::uint64_t searches) {
      const auto count = static_cast<std::uint64_t>(std::popcount(searches));
      sums_.reached[v] += count;
      if (distance == 0) return;
      sums_.sums[v] += count * distance;
      harmonic_.add(v, count, distance);
    };
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

}  // namespace

Result<VertexDistanceSums> vertex_distance_sums(Engine& engine, const GraphView& graph,
                                                std::span<const VertexId> sources, Direction direction) {
  RIZOMA_TRY(single_process_only(engine, "vertex_distance_sums"));
  RIZOMA_TRY(check_direction(graph, direction, "vertex_distance_sums"));
  RIZOMA_TRY(check_sources(graph, sources, "vertex_distance_sums"));
  RIZOMA_TRY(engine.report("vertex_distance_sums", 0, static_cast<double>(sources.size())));
  const VertexId n = graph.num_vertices();
  VertexDistanceSums all{engine.make_map<std::uint64_t>(n, 0), engine.make_map<std::uint64_t>(n, 0),
                         engine.make_map<double>(n, 0)};
  ReproducibleSums harmonic(engine, n);
  const std::size_t k = sources.size();
  // Fewer searches a word, if that gives every thread one.
  const VertexId grain = std::clamp<VertexId>((k + engine.threads() - 1) / engine.threads(), 1, 64);
  const Status done = read_lists(engine, graph, direction, [&]<class Lists>(Lists& lists) -> Status {
    std::vector<std::unique_ptr<OfThread<Lists>>> workers(engine.threads());
    RIZOMA_TRY(engine.for_blocks(k, grain, [&](VertexRange block, unsigned thread) {
      if (workers[thread] == nullptr) workers[thread] = std::make_unique<OfThread<Lists>>(engine, lists, thread);
      workers[thread]->run(engine, sources.subspan(block.begin, block.size()));
    }));
    for (const auto& worker : workers) {
      if (worker != nullptr) worker->add_to(all, harmonic);
    }
    return {};
  });
  RIZOMA_TRY(done);
  for (VertexId v = 0; v < n; ++v) all.harmonic[v] = harmonic[v];
  return all;
}

}  // namespace rizoma
