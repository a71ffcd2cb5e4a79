// Kernels that follow paths: searches, and what is summed up along them.
#include "kernels.h"

#include <rizoma/algorithms/bellman_ford.h>
#include <rizoma/algorithms/biconnected_components.h>
#include <rizoma/algorithms/breadth_first_trees.h>
#include <rizoma/algorithms/depth_first_forest.h>
#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/algorithms/distance_sums.h>
#include <rizoma/algorithms/path_dependencies.h>
#include <rizoma/algorithms/spanning_forest.h>
#include <rizoma/algorithms/strong_components.h>
#include <rizoma/algorithms/topological_order.h>

#include <limits>

namespace rizoma::python {

namespace {

template <class Length>
Answer answer_of(SearchTrees<Length>&& trees) {
  Answer out;
  out["offsets"] = to_numpy(std::move(trees.offsets));
  out["order"] = to_numpy(std::move(trees.order));
  out["distance"] = to_numpy(std::move(trees.distances));
  out["parent"] = to_numpy(std::move(trees.parents));
  return out;
}

Answer run_breadth_first(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                         bool together, bool in_edges, std::int64_t max_depth, VertexId target) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const BreadthFirstOptions options{{direction_of(in_edges), together, target}, max_depth};
  return answer_of(engine.run([&](Engine& e) { return breadth_first_trees(e, view, from, options); }));
}

Answer run_dijkstra(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                    bool together, bool in_edges, double cutoff, VertexId target) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const DijkstraOptions options{{direction_of(in_edges), together, target}, cutoff};
  return answer_of(engine.run([&](Engine& e) { return dijkstra_trees(e, view, from, options); }));
}

Answer run_bellman_ford(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                        bool together, bool in_edges, bool heuristic) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const BellmanFordOptions options{{direction_of(in_edges), together}, heuristic};
  BellmanFordResult result = engine.run([&](Engine& e) { return bellman_ford(e, view, from, options); });
  Answer out = answer_of(std::move(result.trees));
  if (result.negative_cycle == kNoVertex) {
    out["negative_cycle"] = nb::none();
  } else {
    out["negative_cycle"] = result.negative_cycle;
  }
  return out;
}

Answer run_distance_sums(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                         bool in_edges) {
  const std::vector<VertexId> from = sources_of(view, sources);
  DistanceSums sums = engine.run([&](Engine& e) { return distance_sums(e, view, from, direction_of(in_edges)); });
  Answer out;
  out["reached"] = to_numpy(std::move(sums.reached));
  out["sum"] = to_numpy(std::move(sums.sums));
  out["harmonic"] = to_numpy(std::move(sums.harmonic));
  out["eccentricity"] = to_numpy(std::move(sums.eccentricity));
  return out;
}

Answer run_path_dependencies(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                             bool weighted, bool edges, bool endpoints) {
  const std::vector<VertexId> from = sources_of(view, sources);
  PathDependencies sums =
      engine.run([&](Engine& e) { return path_dependencies(e, view, from, {weighted, edges, endpoints}); });
  Answer out;
  out["vertices"] = to_numpy(std::move(sums.vertices));
  out["edges"] = to_numpy(std::move(sums.edges));
  return out;
}

Answer run_strong_components(PyEngine& engine, const GraphView& view) {
  StrongComponentsResult result = engine.run([&](Engine& e) { return strong_components(e, view); });
  Answer out;
  out["component"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  return out;
}

Answer run_topological_order(PyEngine& engine, const GraphView& view) {
  TopologicalOrder result = engine.run([&](Engine& e) { return topological_order(e, view); });
  Answer out;
  out["order"] = to_numpy(std::move(result.order));
  out["offsets"] = to_numpy(std::move(result.offsets));
  out["acyclic"] = result.acyclic;
  return out;
}

Answer run_depth_first(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& roots,
                       bool in_edges, std::int64_t depth_limit) {
  const std::vector<VertexId> from = sources_of(view, roots);
  DepthFirstForest forest =
      engine.run([&](Engine& e) { return depth_first_forest(e, view, from, {direction_of(in_edges), depth_limit}); });
  Answer out = answer_of(std::move(forest.visits));
  out["left"] = to_numpy(std::move(forest.left));
  return out;
}

Answer run_biconnected_components(PyEngine& engine, const GraphView& view) {
  BiconnectedComponents result = engine.run([&](Engine& e) { return biconnected_components(e, view); });
  Answer out;
  out["offsets"] = to_numpy(std::move(result.offsets));
  out["source"] = to_numpy(std::move(result.sources));
  out["target"] = to_numpy(std::move(result.targets));
  out["articulation_points"] = to_numpy(std::move(result.articulation_points));
  return out;
}

Answer run_spanning_forest(PyEngine& engine, const GraphView& view, bool maximum) {
  SpanningForest forest = engine.run([&](Engine& e) { return spanning_forest(e, view, maximum); });
  Answer out;
  out["source"] = to_numpy(std::move(forest.sources));
  out["target"] = to_numpy(std::move(forest.targets));
  out["weight"] = to_numpy(std::move(forest.weights));
  out["entry"] = to_numpy(std::move(forest.entries));
  return out;
}

}  // namespace

void bind_path_kernels(nb::module_& module) {
  using namespace nb::literals;
  const char* const trees =
      "Columns `order`, `distance`, `parent` of all searches; search i has [offsets[i], offsets[i+1]).  A source's "
      "parent is 2^64 - 1.";
  module.def("breadth_first_trees", &run_breadth_first, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "together"_a = false, "in_edges"_a = false, "max_depth"_a = -1, "target"_a = kNoVertex, trees);
  module.def("dijkstra_trees", &run_dijkstra, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "cutoff"_a = std::numeric_limits<double>::infinity(), "target"_a = kNoVertex, trees);
  module.def("bellman_ford", &run_bellman_ford, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "heuristic"_a = true, trees);
  module.def("distance_sums", &run_distance_sums, "engine"_a, "view"_a, "sources"_a = nb::none(), "in_edges"_a = false,
             "For each source: `reached` (with itself), `sum` of distances, `harmonic`, `eccentricity`.");
  module.def("path_dependencies", &run_path_dependencies, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "weighted"_a = false, "edges"_a = false, "endpoints"_a = false,
             "Unscaled; `edges` by entry: an undirected edge has the sum of its two.");
  module.def("strong_components", &run_strong_components, "engine"_a, "view"_a);
  module.def("depth_first_forest", &run_depth_first, "engine"_a, "view"_a, "roots"_a = nb::none(), "in_edges"_a = false,
             "depth_limit"_a = -1, "One tree for each root not visited before; `left` is the postorder.");
  module.def("biconnected_components", &run_biconnected_components, "engine"_a, "view"_a);
  module.def("spanning_forest", &run_spanning_forest, "engine"_a, "view"_a, "maximum"_a = false,
             "Kruskal's edges in the order of choice; `entry`: number of the entry source -> target.");
  module.def("topological_order", &run_topological_order, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
