// Every kernel stops when it is asked to, and works when it is called again.
#include "testing/graph_shapes.h"

#include <rizoma/algorithms/bellman_ford.h>
#include <rizoma/algorithms/biconnected_components.h>
#include <rizoma/algorithms/breadth_first_trees.h>
#include <rizoma/algorithms/clustering.h>
#include <rizoma/algorithms/common_neighbors.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/depth_first_forest.h>
#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/algorithms/distance_sums.h>
#include <rizoma/algorithms/edge_triangles.h>
#include <rizoma/algorithms/greedy_coloring.h>
#include <rizoma/algorithms/local_efficiency.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/multiply.h>
#include <rizoma/algorithms/path_dependencies.h>
#include <rizoma/algorithms/single_linkage.h>
#include <rizoma/algorithms/spanning_forest.h>
#include <rizoma/algorithms/square_clustering.h>
#include <rizoma/algorithms/strong_components.h>
#include <rizoma/algorithms/topological_order.h>
#include <rizoma/algorithms/two_coloring.h>
#include <rizoma/algorithms/weighted_triangles.h>

#include <functional>
#include <string>

namespace rizoma {
namespace {

using Call = std::function<Status(Engine&, const GraphView&)>;

template <class T>
Status status_of(const Result<T>& result) {
  return result.ok() ? Status() : Status(result.error());
}

const std::vector<VertexId> kVertices{0, 1, 2, 3, 4, 5};

/// Kernels for any graph.
std::vector<std::pair<std::string, Call>> kernels_of_all() {
  return {
      {"bellman_ford", [](Engine& e, const GraphView& g) { return status_of(bellman_ford(e, g, kVertices)); }},
      {"breadth_first_trees",
       [](Engine& e, const GraphView& g) { return status_of(breadth_first_trees(e, g, kVertices)); }},
      {"clustering", [](Engine& e, const GraphView& g) { return status_of(clustering(e, g)); }},
      {"core_numbers", [](Engine& e, const GraphView& g) { return status_of(core_numbers(e, g)); }},
      {"depth_first_forest",
       [](Engine& e, const GraphView& g) { return status_of(depth_first_forest(e, g, kVertices)); }},
      {"dijkstra_trees", [](Engine& e, const GraphView& g) { return status_of(dijkstra_trees(e, g, kVertices)); }},
      {"distance_sums", [](Engine& e, const GraphView& g) { return status_of(distance_sums(e, g, kVertices)); }},
      {"edge_triangles", [](Engine& e, const GraphView& g) { return status_of(edge_triangles(e, g)); }},
      {"greedy_coloring", [](Engine& e, const GraphView& g) { return status_of(greedy_coloring(e, g, kVertices)); }},
      {"louvain", [](Engine& e, const GraphView& g) { return status_of(louvain(e, g)); }},
      {"multiply",
       [](Engine& e, const GraphView& g) { return status_of(multiply(e, g, std::vector<double>(g.num_vertices()))); }},
      {"path_dependencies",
       [](Engine& e, const GraphView& g) { return status_of(path_dependencies(e, g, kVertices)); }},
      {"strong_components", [](Engine& e, const GraphView& g) { return status_of(strong_components(e, g)); }},
      {"two_coloring", [](Engine& e, const GraphView& g) { return status_of(two_coloring(e, g)); }},
      {"weighted_triangles", [](Engine& e, const GraphView& g) { return status_of(weighted_triangles(e, g, false)); }},
  };
}

std::vector<std::pair<std::string, Call>> kernels_of_directed() {
  return {{"topological_order", [](Engine& e, const GraphView& g) { return status_of(topological_order(e, g)); }}};
}

std::vector<std::pair<std::string, Call>> kernels_of_undirected() {
  return {
      {"biconnected_components", [](Engine& e, const GraphView& g) { return status_of(biconnected_components(e, g)); }},
      {"biconnected_components in the order of a search",
       [](Engine& e, const GraphView& g) {
         return status_of(biconnected_components(e, g, {.depth_first_order = true}));
       }},
      {"cut_elements", [](Engine& e, const GraphView& g) { return status_of(cut_elements(e, g)); }},
      {"common_neighbors",
       [](Engine& e, const GraphView& g) { return status_of(common_neighbors(e, g, kVertices, kVertices)); }},
      {"k_truss", [](Engine& e, const GraphView& g) { return status_of(k_truss(e, g, 4)); }},
      {"local_efficiency", [](Engine& e, const GraphView& g) { return status_of(local_efficiency(e, g)); }},
      {"single_linkage", [](Engine& e, const GraphView& g) { return status_of(single_linkage(e, g)); }},
      {"spanning_forest", [](Engine& e, const GraphView& g) { return status_of(spanning_forest(e, g)); }},
      {"square_clustering", [](Engine& e, const GraphView& g) { return status_of(square_clustering(e, g)); }},
  };
}

TEST(Stopping, AKernelThatIsAskedToStopDoesAndTheNextCallWorks) {
  for (const unsigned threads : {1U, 3U}) {
    for (const bool directed : {false, true}) {
      Engine engine(EngineOptions{.threads = threads});
      const GraphView graph = testing::build_graph(150, testing::rmat_edges(7, 500, 1), {.directed = directed});
      auto kernels = kernels_of_all();
      for (auto& more : directed ? kernels_of_directed() : kernels_of_undirected()) kernels.push_back(std::move(more));
      for (const auto& [name, call] : kernels) {
        engine.request_stop();
        const Status stopped = call(engine, graph);
        ASSERT_FALSE(stopped.ok()) << name;
        EXPECT_EQ(stopped.error().code, ErrorCode::cancelled) << name;
        EXPECT_TRUE(call(engine, graph).ok()) << name;
      }
    }
  }
}

}  // namespace
}  // namespace rizoma
