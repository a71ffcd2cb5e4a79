#include <rizoma/algorithms/depth_first_forest.h>

#include "algorithms/paths/serial_searches.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

namespace rizoma {
namespace {

template <class Lists>
class DepthFirst {
 public:
  DepthFirst(Engine& engine, Lists& lists, std::int64_t depth_limit, DepthFirstForest& forest)
      : lists_(lists),
        limit_(depth_limit),
        forest_(forest),
        visited_(lists.num_vertices()),
        watch_(engine, "depth-first search", lists.num_vertices()) {}

  Status search(VertexId root) {
    if (!visited_.add(root)) return {};
    append(forest_.visits, root, 0, kNoVertex);
    path_.push_back({root, 0});
    while (!path_.empty()) {
      RIZOMA_TRY(watch_.step());
      if (!go_on()) {
        forest_.left.push_back(path_.back().vertex);
        path_.pop_back();
      }
    }
    forest_.visits.offsets.push_back(forest_.visits.order.size());
    return {};
  }

 private:
  struct Step {
    VertexId vertex;
    EdgeCount next;  ///< the next entry of its list
  };

  /// Visits children of the last vertex of the path until one leads on; false if none does.
  bool go_on() {
    const VertexId u = path_.back().vertex;
    const auto list = path_.back().next == 0 ? lists_.read(u) : lists_.again(u);
    const auto depth = static_cast<std::int64_t>(path_.size());
    for (EdgeCount& next = path_.back().next; next < list.size();) {
      const VertexId v = list.source(next++);
      if (!visited_.add(v)) continue;
      append(forest_.visits, v, static_cast<std::int32_t>(depth), u);
      if (limit_ >= 0 && depth >= limit_) continue;
      path_.push_back({v, 0});
      return true;
    }
    return false;
  }

  Lists& lists_;
  std::int64_t limit_;
  DepthFirstForest& forest_;
  VertexSet visited_;
  std::vector<Step> path_;
  SerialWatch watch_;
};

}  // namespace

Result<DepthFirstForest> depth_first_forest(Engine& engine, const GraphView& graph, std::span<const VertexId> roots,
                                            const DepthFirstOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "depth_first_forest"));
  RIZOMA_TRY(check_direction(graph, options.direction, "depth_first_forest"));
  RIZOMA_TRY(check_sources(graph, roots, "depth_first_forest"));
  return read_lists(engine, graph, options.direction, [&](auto& lists) -> Result<DepthFirstForest> {
    DepthFirstForest forest;
    DepthFirst search(engine, lists, options.depth_limit, forest);
    for (const VertexId root : roots) RIZOMA_TRY(search.search(root));
    return forest;
  });
}

}  // namespace rizoma
