#include <rizoma/algorithms/dijkstra.h>

#include "algorithms/paths/indexed_heap.h"
#include "algorithms/paths/serial_searches.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

namespace rizoma {
namespace {

constexpr double kUnseen = std::numeric_limits<double>::infinity();

template <class Lists>
class Dijkstra {
  using Target = typename Lists::target_type;

 public:
  Dijkstra(Engine& engine, const GraphView& graph, Lists& lists, const DijkstraOptions& options, unsigned thread)
      : engine_(engine),
        lists_(lists),
        options_(options),
        thread_(thread),
        distance_(graph.num_vertices(), kUnseen),
        parent_(graph.num_vertices(), static_cast<Target>(kNoVertex)),
        done_(graph.num_vertices()) {}

  Status run(std::span<const VertexId> sources, SearchTrees<double>& trees) {
    for (const VertexId source : sources) offer(source, 0, static_cast<Target>(kNoVertex));
    const Status status = search(trees);
    for (const Target v : seen_) {
      distance_[v] = kUnseen;
      done_.words()[v / 64] = 0;
    }
    seen_.clear();
    heap_.clear();
    return status;
  }

 private:
  Status search(SearchTrees<double>& trees) {
    SerialWatch watch(engine_, "dijkstra", lists_.num_vertices());
    while (!heap_.empty()) {
      RIZOMA_TRY(watch.step());
      const auto [distance, v] = heap_.pop();
      if (!done_.add(v)) continue;
      append(trees, VertexId{v}, distance,
             parent_[v] == static_cast<Target>(kNoVertex) ? kNoVertex : VertexId{parent_[v]});
      if (v == options_.target) break;
      RIZOMA_TRY(relax(v, distance));
    }
    return {};
  }
  Status relax(Target u, double distance) {
    const auto list = lists_.read(u, thread_);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Target v = list.source(i);
      const auto weight = static_cast<double>(list.weight(i));
      if (!(weight >= 0)) return negative_weight(u, v, weight, "dijkstra");
      if (const double way = distance + weight; way <= options_.cutoff && way < distance_[v]) offer(v, way, u);
    }
    return {};
  }
  void offer(VertexId v, double distance, Target parent) {
    if (distance_[v] == kUnseen) seen_.push_back(static_cast<Target>(v));
    distance_[v] = distance;
    parent_[v] = parent;
    heap_.push(distance, static_cast<Target>(v));
  }

  Engine& engine_;
  Lists& lists_;
  const DijkstraOptions& options_;
  unsigned thread_;
  std::vector<double> distance_;  ///< the smallest offered
  std::vector<Target> parent_;    ///< of a vertex seen; the largest number for a source
  VertexSet done_;
  std::vector<Target> seen_;
  IndexedHeap<Target> heap_;
};

}  // namespace

Result<SearchTrees<double>> dijkstra_trees(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                           const DijkstraOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "dijkstra_trees"));
  return grow_trees<Dijkstra, double, true>(engine, graph, sources, options, "dijkstra");
}

}  // namespace rizoma
