#include "testing/all_kernels.h"

#include <rizoma/algorithms/bellman_ford.h>
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/biconnected_components.h>
#include <rizoma/algorithms/breadth_first_trees.h>
#include <rizoma/algorithms/clustering.h>
#include <rizoma/algorithms/common_neighbors.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/depth_first_forest.h>
#include <rizoma/algorithms/diameter.h>
#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/algorithms/distance_sums.h>
#include <rizoma/algorithms/edge_triangles.h>
#include <rizoma/algorithms/four_cycles.h>
#include <rizoma/algorithms/greedy_coloring.h>
#include <rizoma/algorithms/influence.h>
#include <rizoma/algorithms/influence_maximization.h>
#include <rizoma/algorithms/katz_centrality.h>
#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/algorithms/leiden.h>
#include <rizoma/algorithms/local_efficiency.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/motif_counts.h>
#include <rizoma/algorithms/multiply.h>
#include <rizoma/algorithms/neighborhood_edges.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/partition_quality.h>
#include <rizoma/algorithms/path_dependencies.h>
#include <rizoma/algorithms/sampled_betweenness.h>
#include <rizoma/algorithms/single_linkage.h>
#include <rizoma/algorithms/spanning_forest.h>
#include <rizoma/algorithms/square_clustering.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/strong_components.h>
#include <rizoma/algorithms/topological_order.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/algorithms/two_coloring.h>
#include <rizoma/algorithms/weighted_triangles.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::testing {
namespace {

/// Live vertices, all of them.
std::vector<VertexId> live_vertices(const GraphView& graph) {
  std::vector<VertexId> live;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_live(v)) live.push_back(v);
  }
  return live;
}

class Runner {
 public:
  /// Calls `heard` with each kernel that was run and its status.
  Runner(Engine& engine, const GraphView& graph, std::uint64_t which, HearsOfKernels heard)
      : engine_(engine), graph_(graph), which_(which), heard_(heard), live_(live_vertices(graph)), few_(live_) {
    if (few_.size() > 6) few_.resize(6);
  }

  void run_all() {
    of_all();
    if (!few_.empty()) from_vertices();
    graph_.directed() ? of_directed() : of_undirected();
    others();
  }

 private:
  template <class Call>
  void run(const char* kernel, Call&& call) {
    const bool wanted = (which_ >> next_++ % 64 & 1) != 0;
    if (!wanted) return;
    const auto result = call();
    heard_(kernel, result.ok() ? Status() : Status(result.error()));
  }

  void of_all() {
    const std::vector<double> ones(graph_.num_vertices(), 1.0);
    run("pagerank", [&] { return pagerank(engine_, graph_); });
    run("connected_components", [&] { return connected_components(engine_, graph_); });
    run("strong_components", [&] { return strong_components(engine_, graph_); });
    run("core_numbers", [&] { return core_numbers(engine_, graph_); });
    run("clustering", [&] { return clustering(engine_, graph_); });
    run("edge_triangles", [&] { return edge_triangles(engine_, graph_); });
    run("triangle_count", [&] { return triangle_count(engine_, graph_); });
    run("weighted_triangles",
        [&] { return weighted_triangles(engine_, graph_, graph_.weight_type() != WeightType::none); });
    run("louvain", [&] { return louvain(engine_, graph_); });
    run("two_coloring", [&] { return two_coloring(engine_, graph_); });
    run("greedy_coloring", [&] { return greedy_coloring(engine_, graph_, live_); });
    run("betweenness_centrality", [&] { return betweenness_centrality(engine_, graph_, {.sources = few_}); });
    run("multiply", [&] { return multiply(engine_, graph_, ones); });
  }

  void from_vertices() {
    run("bfs", [&] { return bfs(engine_, graph_, few_[0]); });
    run("sssp", [&] { return sssp(engine_, graph_, few_[0]); });
    run("bellman_ford", [&] { return bellman_ford(engine_, graph_, few_); });
    run("breadth_first_trees", [&] { return breadth_first_trees(engine_, graph_, few_); });
    run("depth_first_forest", [&] { return depth_first_forest(engine_, graph_, few_); });
    run("dijkstra_trees", [&] { return dijkstra_trees(engine_, graph_, few_); });
    run("distance_sums", [&] { return distance_sums(engine_, graph_, few_); });
    run("path_dependencies", [&] { return path_dependencies(engine_, graph_, few_); });
  }

  void of_directed() {
    run("topological_order", [&] { return topological_order(engine_, graph_); });
  }

  void of_undirected() {
    run("biconnected_components", [&] { return biconnected_components(engine_, graph_); });
    run("common_neighbors", [&] { return common_neighbors(engine_, graph_, few_, few_); });
    run("k_truss", [&] { return k_truss(engine_, graph_, 4); });
    run("local_efficiency", [&] { return local_efficiency(engine_, graph_); });
    run("single_linkage", [&] { return single_linkage(engine_, graph_); });
    run("spanning_forest", [&] { return spanning_forest(engine_, graph_); });
    run("square_clustering", [&] { return square_clustering(engine_, graph_); });
  }

  /// Which came later: those before keep their bits.
  void others() {
    const std::vector<std::uint64_t> one_group(graph_.num_vertices(), 0);
    if (!graph_.directed()) run("cut_elements", [&] { return cut_elements(engine_, graph_); });
    run("influence", [&] { return influence(engine_, graph_, few_, {}, 20); });
    run("influence_maximization",
        [&] { return influence_maximization(engine_, graph_, {.k = 2, .epsilon = 0.5, .delta = 0.1}); });
    run("katz_centrality", [&] { return katz_centrality(engine_, graph_, {.alpha = 0.001}); });
    run("label_propagation", [&] { return label_propagation(engine_, graph_); });
    run("leiden", [&] { return leiden(engine_, graph_); });
    run("neighborhood_edges", [&] { return neighborhood_edges(engine_, graph_); });
    run("partition_quality", [&] { return partition_quality(engine_, graph_, one_group); });
    run("sampled_betweenness", [&] { return sampled_betweenness(engine_, graph_, {.epsilon = 0.2}); });
    run("vertex_distance_sums", [&] { return vertex_distance_sums(engine_, graph_, few_); });
    if (graph_.directed()) return;
    run("diameter", [&] { return diameter(engine_, graph_); });
    run("four_cycles", [&] { return four_cycles(engine_, graph_); });
    run("motif_counts", [&] { return motif_counts(engine_, graph_); });
  }

  Engine& engine_;
  const GraphView& graph_;
  std::uint64_t which_;
  HearsOfKernels heard_;
  unsigned next_ = 0;
  std::vector<VertexId> live_;
  std::vector<VertexId> few_;
};

}  // namespace

void run_kernels(Engine& engine, const GraphView& graph, std::uint64_t which) {
  // Kernels may refuse (negative weights, in-edges that are not stored), with a reason.
  const auto judge = [](std::string_view kernel, const Status& status) {
    if (status) return;
    const Error& error = status.error();
    const bool expected = error.code == ErrorCode::invalid_argument || error.code == ErrorCode::unsupported;
    if (!expected || error.message.empty()) throw std::logic_error(std::string(kernel) + ": " + error.message);
  };
  Runner(engine, graph, which, judge).run_all();
}

void run_each_kernel(Engine& engine, const GraphView& graph, HearsOfKernels heard) {
  Runner(engine, graph, kAllKernels, heard).run_all();
}

}  // namespace rizoma::testing
