// Whatever lists a kernel reads are counted, wherever its loops are.
#include "testing/all_kernels.h"
#include "testing/graph_shapes.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr VertexId kVertices = 2000;  // an even number: the circle has two colours
constexpr VertexId kSources = 6;      // of the kernels that search from several

/// A circle through all vertices, which all can thus be reached from all, and chords of it.
GraphView circle_with_chords(bool directed, std::size_t chords, WeightType weights) {
  auto edges = testing::uniform_edges(kVertices, chords, 7);
  for (VertexId v = 0; v < kVertices; ++v) edges.push_back({v, (v + 1) % kVertices, 5});
  return testing::build_graph(kVertices, edges, {.directed = directed, .weights = weights, .section_bits = 3});
}

/// How often each entry must be read at least, of one direction; once if a kernel is not here.
const std::map<std::string, double, std::less<>> kLeast{
    {"betweenness_centrality", 2 * kSources},  // forth and back
    {"path_dependencies", 2 * kSources},
    {"bellman_ford", kSources},
    {"breadth_first_trees", kSources},
    {"dijkstra_trees", kSources},
    {"common_neighbors", 0.001},  // the lists of six vertices
    {"influence", 0.001},         // by chance
    {"triangle_count", 0.5},      // of each edge one entry: the other end is ranked higher
    {"edge_triangles", 0.5},
};

/// Kernels that stop early where they can, and that read all lists of a circle alone.
const std::set<std::string, std::less<>> kOfCircles{"two_coloring"};

double times_read(const SweepCount& counted, const GraphView& graph) {
  return static_cast<double>(counted.local.edges + counted.remote.edges) / static_cast<double>(graph.num_entries());
}

TEST(CountedLists, AreAsManyAsEachKernelMustRead) {
  std::set<std::string> run;
  for (const bool directed : {false, true}) {
    for (const WeightType weights : {WeightType::none, WeightType::int32}) {
      for (const std::size_t chords : {0, 9000}) {
        const GraphView graph = circle_with_chords(directed, chords, weights);
        for (const unsigned threads : {1U, 4U}) {
          Engine engine(team_of(threads, 3));
          engine.reset_traffic();
          testing::run_each_kernel(engine, graph, [&](std::string_view kernel, const Status& status) {
            const SweepCount counted = engine.traffic().total();
            engine.reset_traffic();
            ASSERT_TRUE(status) << kernel << ": " << status.error().message;
            if (chords > 0 && kOfCircles.contains(kernel)) return;
            run.emplace(kernel);
            const auto least = kLeast.find(kernel);
            EXPECT_GE(times_read(counted, graph), least == kLeast.end() ? 1.0 : least->second)
                << kernel << " directed " << directed << " chords " << chords << " threads " << threads;
            EXPECT_GE(counted.local.bytes + counted.remote.bytes, 4 * (counted.local.edges + counted.remote.edges));
          });
        }
      }
    }
  }
  EXPECT_GE(run.size(), 35U);
}

TEST(CountedLists, AreTheSameOfOneHomeAndOfSeveral) {
  // Kernels whose way through the graph does not depend on which thread comes first.
  const std::set<std::string, std::less<>> alike{
      "bellman_ford",   "breadth_first_trees", "common_neighbors",   "depth_first_forest",
      "dijkstra_trees", "greedy_coloring",     "local_efficiency",   "multiply",
      "pagerank",       "path_dependencies",   "square_clustering",  "topological_order",
      "two_coloring",   "neighborhood_edges",  "weighted_triangles", "betweenness_centrality"};
  const GraphView graph = circle_with_chords(false, 9000, WeightType::int32);
  std::map<std::string, std::vector<std::uint64_t>> counted;
  for (const bool several : {false, true}) {
    EngineOptions options = team_of(4, 3);
    if (!several) options.fixed.reset();
    Engine engine(options);
    engine.reset_traffic();
    testing::run_each_kernel(engine, graph, [&](std::string_view kernel, const Status&) {
      const SweepCount all = engine.traffic().total();
      engine.reset_traffic();
      if (alike.contains(kernel)) counted[std::string(kernel)].push_back(all.local.edges + all.remote.edges);
    });
  }
  for (const auto& [kernel, entries] : counted) {
    ASSERT_EQ(entries.size(), 2U) << kernel;
    EXPECT_EQ(entries[0], entries[1]) << kernel;
  }
}

}  // namespace
}  // namespace rizoma
