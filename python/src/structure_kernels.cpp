// Kernels that look at the neighbourhoods of vertices: cores, triangles, products.
#include "kernels.h"

#include <rizoma/algorithms/clustering.h>
#include <rizoma/algorithms/common_neighbors.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/edge_triangles.h>
#include <rizoma/algorithms/greedy_coloring.h>
#include <rizoma/algorithms/local_efficiency.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/multiply.h>
#include <rizoma/algorithms/square_clustering.h>
#include <rizoma/algorithms/two_coloring.h>
#include <rizoma/algorithms/weighted_triangles.h>

namespace rizoma::python {

namespace {

Answer run_core_numbers(PyEngine& engine, const GraphView& view) {
  CoreNumbersResult result = engine.run([&](Engine& e) { return core_numbers(e, view); });
  Answer out;
  out["core"] = to_numpy(std::move(result.cores));
  out["greatest"] = result.greatest;
  return out;
}

Array<double> run_multiply(PyEngine& engine, const GraphView& view, const Input<double>& x, bool transpose,
                           bool use_weights) {
  return to_numpy(engine.run([&](Engine& e) { return multiply(e, view, span_of(x), {transpose, use_weights}); }));
}

Array<double> run_weighted_triangles(PyEngine& engine, const GraphView& view, bool use_weights) {
  return to_numpy(engine.run([&](Engine& e) { return weighted_triangles(e, view, use_weights); }));
}

Array<std::uint64_t> run_edge_triangles(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return edge_triangles(e, view); }));
}

Array<std::uint8_t> run_k_truss(PyEngine& engine, const GraphView& view, std::uint64_t k) {
  return to_numpy(engine.run([&](Engine& e) { return k_truss(e, view, k); }));
}

Answer run_clustering(PyEngine& engine, const GraphView& view) {
  ClusteringResult result = engine.run([&](Engine& e) { return clustering(e, view); });
  Answer out;
  out["coefficient"] = to_numpy(std::move(result.coefficients));
  out["average"] = result.average;
  return out;
}

Array<double> run_square_clustering(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return square_clustering(e, view); }));
}

Array<double> run_local_efficiency(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return local_efficiency(e, view); }));
}

Answer run_common_neighbors(PyEngine& engine, const GraphView& view, const Input<VertexId>& us,
                            const Input<VertexId>& vs) {
  CommonNeighbors result = engine.run([&](Engine& e) { return common_neighbors(e, view, span_of(us), span_of(vs)); });
  Answer out;
  out["common"] = to_numpy(std::move(result.common));
  out["either"] = to_numpy(std::move(result.either));
  out["adamic_adar"] = to_numpy(std::move(result.adamic_adar));
  out["resource_allocation"] = to_numpy(std::move(result.resource_allocation));
  return out;
}

Answer run_two_coloring(PyEngine& engine, const GraphView& view) {
  TwoColoring result = engine.run([&](Engine& e) { return two_coloring(e, view); });
  Answer out;
  out["color"] = to_numpy(std::move(result.colors));
  out["bipartite"] = result.bipartite;
  return out;
}

Answer run_greedy_coloring(PyEngine& engine, const GraphView& view, const Input<VertexId>& order) {
  GreedyColoring result = engine.run([&](Engine& e) { return greedy_coloring(e, view, span_of(order)); });
  Answer out;
  out["color"] = to_numpy(std::move(result.colors));
  out["count"] = result.count;
  return out;
}

Answer run_louvain(PyEngine& engine, const GraphView& view, double resolution, double threshold, int max_level,
                   std::uint64_t seed, bool use_weights) {
  LouvainResult result =
      engine.run([&](Engine& e) { return louvain(e, view, {resolution, threshold, max_level, seed, use_weights}); });
  Answer out;
  out["community"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["modularity"] = result.modularity;
  out["levels"] = result.levels;
  return out;
}

double run_modularity(PyEngine& engine, const GraphView& view, const Input<std::uint64_t>& labels, double resolution,
                      bool use_weights) {
  return engine.run([&](Engine& e) { return modularity(e, view, span_of(labels), resolution, use_weights); });
}

}  // namespace

void bind_structure_kernels(nb::module_& module) {
  using namespace nb::literals;
  module.def("core_numbers", &run_core_numbers, "engine"_a, "view"_a);
  module.def("weighted_triangles", &run_weighted_triangles, "engine"_a, "view"_a, "use_weights"_a = false,
             "Of each vertex the sum, over its triangles, of the product of the cube roots of the weights.");
  module.def("edge_triangles", &run_edge_triangles, "engine"_a, "view"_a, "Triangles of each entry of the out-lists.");
  module.def("k_truss", &run_k_truss, "engine"_a, "view"_a, "k"_a, "1 for each entry of the out-lists that stays.");
  module.def("clustering", &run_clustering, "engine"_a, "view"_a, "Needs sorted lists.");
  module.def("square_clustering", &run_square_clustering, "engine"_a, "view"_a);
  module.def("local_efficiency", &run_local_efficiency, "engine"_a, "view"_a);
  module.def("common_neighbors", &run_common_neighbors, "engine"_a, "view"_a, "us"_a, "vs"_a,
             "Of each pair: `common` neighbours other than the two, `either` (size of the union), and two sums.");
  module.def("two_coloring", &run_two_coloring, "engine"_a, "view"_a);
  module.def("greedy_coloring", &run_greedy_coloring, "engine"_a, "view"_a, "order"_a);
  module.def("louvain", &run_louvain, "engine"_a, "view"_a, "resolution"_a = 1.0, "threshold"_a = 1e-7,
             "max_level"_a = -1, "seed"_a = 1, "use_weights"_a = true);
  module.def("modularity", &run_modularity, "engine"_a, "view"_a, "labels"_a, "resolution"_a = 1.0,
             "use_weights"_a = true);
  module.def("multiply", &run_multiply, "engine"_a, "view"_a, "x"_a, "transpose"_a = false, "use_weights"_a = false);
}

}  // namespace rizoma::python
