#include <rizoma/algorithms/breadth_first_trees.h>

#include "algorithms/paths/serial_searches.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

namespace rizoma {
namespace {

template <class Lists>
class BreadthFirst {
 public:
  BreadthFirst(Engine& engine, const GraphView& graph, Lists& lists, const BreadthFirstOptions& options,
               unsigned thread)
      : engine_(engine), lists_(lists), options_(options), thread_(thread), seen_(graph.num_vertices()) {}

  Status run(std::span<const VertexId> sources, SearchTrees<std::int32_t>& trees) {
    const std::size_t begin = trees.order.size();
    const Status status = search(sources, trees);
    for (std::size_t i = begin; i < trees.order.size(); ++i) seen_.words()[trees.order[i] / 64] = 0;
    return status;
  }

 private:
  Status search(std::span<const VertexId> sources, SearchTrees<std::int32_t>& trees) {
    SerialWatch watch(engine_, "breadth-first search", lists_.num_vertices());
    std::size_t next = trees.order.size();
    for (const VertexId source : sources) {
      if (seen_.add(source)) append(trees, source, 0, kNoVertex);
      if (source == options_.target) return {};
    }
    for (; next < trees.order.size(); ++next) {
      RIZOMA_TRY(watch.step());
      const VertexId u = trees.order[next];
      const std::int32_t level = trees.distances[next];
      if (level == options_.max_depth) break;
      for (const auto v : lists_.read(u, thread_).sources()) {
        if (!seen_.add(v)) continue;
        append(trees, VertexId{v}, level + 1, u);
        if (v == options_.target) return {};
      }
    }
    return {};
  }

  Engine& engine_;
  Lists& lists_;
  const BreadthFirstOptions& options_;
  unsigned thread_;
  VertexSet seen_;
};

}  // namespace

Result<SearchTrees<std::int32_t>> breadth_first_trees(Engine& engine, const GraphView& graph,
                                                      std::span<const VertexId> sources,
                                                      const BreadthFirstOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "breadth_first_trees"));
  return grow_trees<BreadthFirst, std::int32_t, false>(engine, graph, sources, options, "breadth_first_trees");
}

}  // namespace rizoma
