#include <rizoma/algorithms/connected_components.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/state/concurrent_union_find.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Each edge is linked among the sets of the largest threshold that it reaches; then those of each threshold take over
/// the sets of the next larger one, which lie within theirs.
template <class Label>
class LevelSets {
 public:
  /// `thresholds` ascend.
  LevelSets(Engine& engine, const GraphView& graph, std::vector<double> thresholds)
      : engine_(engine), graph_(graph), thresholds_(std::move(thresholds)) {}

  /// The root of each vertex, for each threshold.
  Result<std::vector<VertexMap<std::uint64_t>>> run() {
    for (std::size_t i = 0; i < thresholds_.size(); ++i) {
      RIZOMA_ASSIGN(Sets made, Sets::make(engine_, graph_.num_vertices()));
      sets_.push_back(std::move(made));
    }
    RIZOMA_TRY(link_edges());
    std::vector<VertexMap<std::uint64_t>> labels(sets_.size());
    for (std::size_t i = sets_.size(); i-- > 0;) {
      RIZOMA_TRY(engine_.report("threshold_components", static_cast<double>(sets_.size() - i),
                                static_cast<double>(sets_.size() + 1)));
      labels[i] = engine_.make_unset_map<std::uint64_t>(graph_.num_vertices());
      RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) labels[i][v] = sets_[i].lift(v);
      }));
      sets_[i] = Sets();
      if (i == 0) break;
      RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) sets_[i - 1].link(v, labels[i][v]);
      }));
    }
    return labels;
  }

 private:
  using Sets = ConcurrentUnionFind<Label>;

  /// Reads each edge once, from its end of larger number.
  Status link_edges() {
    std::atomic<VertexId> unweighable = kNoVertex;
    RIZOMA_TRY(gather<true>(engine_, graph_, {}, [&](VertexId v, const auto& entries, unsigned) {
      for (EdgeCount i = 0; i < entries.size() && entries.source(i) < v; ++i) {
        const auto weight = static_cast<double>(entries.weight(i));
        if (std::isnan(weight)) unweighable.store(v, std::memory_order_relaxed);
        const auto above = std::ranges::upper_bound(thresholds_, weight);
        if (above != thresholds_.begin()) {
          sets_[static_cast<std::size_t>(above - thresholds_.begin()) - 1].link(v, entries.source(i));
        }
      }
    }));
    if (unweighable == kNoVertex) return {};
    return Error{ErrorCode::invalid_argument, "threshold_components: an edge of vertex " + std::to_string(unweighable) +
                                                  " (internal id) weighs NaN"};
  }

  Engine& engine_;
  const GraphView& graph_;
  std::vector<double> thresholds_;
  std::vector<Sets> sets_;
};

}  // namespace

Result<std::vector<VertexMap<std::uint64_t>>> threshold_components(Engine& engine, const GraphView& graph,
                                                                   const std::vector<double>& thresholds) {
  RIZOMA_TRY(single_process_only(engine, "threshold_components"));
  RIZOMA_TRY(check_undirected(graph, "threshold_components"));
  std::vector<double> ascending = thresholds;
  for (const double each : ascending) {
    if (std::isnan(each)) return Error{ErrorCode::invalid_argument, "threshold_components: a threshold is NaN"};
  }
  std::ranges::sort(ascending);
  if (graph.num_vertices() <= std::numeric_limits<std::uint32_t>::max()) {
    return LevelSets<std::uint32_t>(engine, graph, std::move(ascending)).run();
  }
  return LevelSets<VertexId>(engine, graph, std::move(ascending)).run();
}

}  // namespace rizoma
