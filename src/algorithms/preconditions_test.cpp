// A call that breaks each precondition that the header of an algorithm states, and the error that comes of it.
//
// tools/check_preconditions.py compares the rows with what stands behind "Errors:" in include/rizoma/algorithms.
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
#include <rizoma/algorithms/topological_order.h>
#include <rizoma/algorithms/two_coloring.h>

#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::TestEdge;

constexpr VertexId kN = 6;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr auto kInvalid = ErrorCode::invalid_argument;
constexpr auto kUnsupported = ErrorCode::unsupported;

const std::vector<TestEdge> kEdges = {{0, 1, 1}, {1, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 0, 1}, {1, 5, 1}};

/// Vertex 2 is removed.
GraphView plain() { return build_graph(kN, kEdges, {.removed = {2}}); }
GraphView directed() { return build_graph(kN, kEdges, {.directed = true}); }
GraphView without_in_edges() { return build_graph(kN, kEdges, {.directed = true, .in_edges = false}); }
GraphView weighing(double weight) {
  std::vector<TestEdge> edges = kEdges;
  edges[0].weight = weight;
  return build_graph(kN, edges, {.weights = WeightType::float64});
}

/// One vertex, given where several are taken.
std::span<const VertexId> one(VertexId v) {
  static const std::vector<VertexId> all = {0, 1, 2, 3, 4, 5, 6};
  return std::span(all).subspan(v, 1);
}
const std::vector<double> kPoints(2 * kN);
const std::vector<double> kFewNumbers = {1, 2};
const std::vector<double> kNoShares(kN, 0);
const std::vector<double> kNegativeShares = {1, 1, 1, -1, 1, 1};
const std::vector<VertexId> kFewVertices = {0, 1};
const std::vector<VertexId> kFarLabels = {0, 1, 2, 3, 4, 99};
const std::vector<VertexId> kLabels = {0, 1, 2, 3, 4, 5};
const std::vector<std::uint64_t> kFewLabels = {0, 1};
const std::vector<std::uint64_t> kFarGroups = {0, 1, 2, 3, 4, 99};
const std::vector<std::uint64_t> kGroups = {0, 1, 2, 3, 4, 5};
const std::vector<VertexId> kTwice = {1, 1};

template <class T>
ErrorCode code_of(const Result<T>& result) {
  return result ? ErrorCode::cancelled : result.error().code;  // no precondition has that one
}

struct Row {
  std::string_view header;
  std::string_view stated;
  ErrorCode code;
  ErrorCode (*call)(Engine&);
};

using E = Engine&;

const std::vector<Row> kRows = {
    {"bellman_ford.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(bellman_ford(e, plain(), one(6))); }},
    {"bellman_ford.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(bellman_ford(e, plain(), one(2))); }},
    {"bellman_ford.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(bellman_ford(e, without_in_edges(), one(0), {{.direction = Direction::in}})); }},
    {"betweenness_centrality.h", "a source out of range, removed or given twice", kInvalid,
     [](E e) { return code_of(betweenness_centrality(e, plain(), {.sources = one(6)})); }},
    {"betweenness_centrality.h", "a source out of range, removed or given twice", kInvalid,
     [](E e) { return code_of(betweenness_centrality(e, plain(), {.sources = one(2)})); }},
    {"betweenness_centrality.h", "a source out of range, removed or given twice", kInvalid,
     [](E e) { return code_of(betweenness_centrality(e, plain(), {.sources = kTwice})); }},
    {"bfs.h", "no source", kInvalid, [](E e) { return code_of(bfs(e, plain(), std::span<const VertexId>())); }},
    {"bfs.h", "source out of range or removed", kInvalid, [](E e) { return code_of(bfs(e, plain(), 6)); }},
    {"bfs.h", "source out of range or removed", kInvalid, [](E e) { return code_of(bfs(e, plain(), 2)); }},
    {"biconnected_components.h", "directed", kUnsupported,
     [](E e) { return code_of(biconnected_components(e, directed())); }},
    {"biconnected_components.h", "directed", kUnsupported, [](E e) { return code_of(cut_elements(e, directed())); }},
    {"breadth_first_trees.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(breadth_first_trees(e, plain(), one(6))); }},
    {"breadth_first_trees.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(breadth_first_trees(e, plain(), one(2))); }},
    {"breadth_first_trees.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(breadth_first_trees(e, without_in_edges(), one(0), {{.direction = Direction::in}})); }},
    {"clustering.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(clustering(e, without_in_edges())); }},
    {"common_neighbors.h", "us and vs of different lengths, a vertex out of range", kInvalid,
     [](E e) { return code_of(common_neighbors(e, plain(), one(0), kFewVertices)); }},
    {"common_neighbors.h", "us and vs of different lengths, a vertex out of range", kInvalid,
     [](E e) { return code_of(common_neighbors(e, plain(), one(0), one(6))); }},
    {"common_neighbors.h", "a directed graph", kUnsupported,
     [](E e) { return code_of(common_neighbors(e, directed(), one(0), one(1))); }},
    {"connected_components.h", "names are not one for each vertex and below n, a changed vertex is not in the graph",
     kInvalid, [](E e) { return code_of(connected_components(e, plain(), {.names = kFewLabels, .changed = one(0)})); }},
    {"connected_components.h", "names are not one for each vertex and below n, a changed vertex is not in the graph",
     kInvalid, [](E e) { return code_of(connected_components(e, plain(), {.names = kFarGroups, .changed = one(0)})); }},
    {"connected_components.h", "names are not one for each vertex and below n, a changed vertex is not in the graph",
     kInvalid, [](E e) { return code_of(connected_components(e, plain(), {.names = kGroups, .changed = one(6)})); }},
    {"connected_components.h", "a NaN weight or threshold", kInvalid,
     [](E e) { return code_of(threshold_components(e, weighing(kNan), {1.0})); }},
    {"connected_components.h", "a NaN weight or threshold", kInvalid,
     [](E e) { return code_of(threshold_components(e, weighing(1), {1.0, kNan})); }},
    {"connected_components.h", "directed, or an engine with ranks", kUnsupported,
     [](E e) { return code_of(threshold_components(e, directed(), {1.0})); }},
    {"core_numbers.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(core_numbers(e, without_in_edges())); }},
    {"depth_first_forest.h", "a root out of range or removed", kInvalid,
     [](E e) { return code_of(depth_first_forest(e, plain(), one(6))); }},
    {"depth_first_forest.h", "a root out of range or removed", kInvalid,
     [](E e) { return code_of(depth_first_forest(e, plain(), one(2))); }},
    {"depth_first_forest.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(depth_first_forest(e, without_in_edges(), one(0), {.direction = Direction::in})); }},
    {"dijkstra.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(dijkstra_trees(e, plain(), one(6))); }},
    {"dijkstra.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(dijkstra_trees(e, plain(), one(2))); }},
    {"dijkstra.h", "a negative or NaN weight on the way", kInvalid,
     [](E e) { return code_of(dijkstra_trees(e, weighing(-1), one(0))); }},
    {"dijkstra.h", "a negative or NaN weight on the way", kInvalid,
     [](E e) { return code_of(shortest_path(e, weighing(kNan), 0, 3)); }},
    {"dijkstra.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(dijkstra_trees(e, without_in_edges(), one(0), {{.direction = Direction::in}})); }},
    {"dijkstra.h", "`in_turns` without in-edges", kUnsupported,
     [](E e) { return code_of(shortest_path(e, without_in_edges(), 0, 3, {.in_turns = true})); }},
    {"dijkstra.h", "an end that is no vertex", kInvalid, [](E e) { return code_of(shortest_path(e, plain(), 0, 6)); }},
    {"dijkstra.h", "an end that is no vertex", kInvalid, [](E e) { return code_of(shortest_path(e, plain(), 2, 0)); }},
    {"dijkstra.h", "dimensions other than 2 and 3", kInvalid,
     [](E e) { return code_of(distance_bound(e, plain(), std::vector<double>(24), 4)); }},
    {"dijkstra.h", "no landmark", kInvalid, [](E e) { return code_of(distance_bound(e, plain(), {}, 0, true, true)); }},
    {"dijkstra.h", "not as many coordinates as vertices need", kInvalid,
     [](E e) { return code_of(distance_bound(e, plain(), std::vector<double>(10), 2)); }},
    {"dijkstra.h", "not as many coordinates as vertices need", kInvalid,
     [](E e) { return code_of(distance_bound(e, plain(), std::vector<double>(13), 2)); }},
    {"dijkstra.h", "one of a vertex of the graph that is NaN or beyond 1e150", kInvalid,
     [](E e) { return code_of(distance_bound(e, plain(), std::vector<double>(12, kNan), 2)); }},
    {"dijkstra.h", "one of a vertex of the graph that is NaN or beyond 1e150", kInvalid,
     [](E e) { return code_of(distance_bound(e, plain(), std::vector<double>(12, 1e151), 2)); }},
    {"dijkstra.h", "a negative or NaN weight", kInvalid,
     [](E e) { return code_of(distance_bound(e, weighing(-1), kPoints, 2)); }},
    {"dijkstra.h", "a negative or NaN weight", kInvalid,
     [](E e) { return code_of(distance_bound(e, weighing(kNan), kPoints, 2)); }},
    {"dijkstra.h", "a bound of another graph, of edges that are counted otherwise, or with `in_turns`", kInvalid,
     [](E e) {
       const DistanceBound other{.points = {0, 0}};
       return code_of(shortest_path(e, plain(), 0, 3, {.bound = &other}));
     }},
    {"dijkstra.h", "a bound of another graph, of edges that are counted otherwise, or with `in_turns`", kInvalid,
     [](E e) {
       const DistanceBound unweighted{.points = kPoints, .weighted = false};
       return code_of(shortest_path(e, plain(), 0, 3, {.bound = &unweighted}));
     }},
    {"dijkstra.h", "a bound of another graph, of edges that are counted otherwise, or with `in_turns`", kInvalid,
     [](E e) {
       const DistanceBound bound{.points = kPoints};
       return code_of(shortest_path(e, plain(), 0, 3, {.in_turns = true, .bound = &bound}));
     }},
    {"distance_sums.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(distance_sums(e, plain(), one(6))); }},
    {"distance_sums.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(distance_sums(e, plain(), one(2))); }},
    {"distance_sums.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(distance_sums(e, without_in_edges(), one(0), Direction::in)); }},
    {"edge_triangles.h", "directed", kUnsupported, [](E e) { return code_of(k_truss(e, directed(), 3)); }},
    {"greedy_coloring.h", "a vertex of the order out of range", kInvalid,
     [](E e) { return code_of(greedy_coloring(e, plain(), one(6))); }},
    {"influence.h", "a seed is no vertex", kInvalid, [](E e) { return code_of(influence(e, plain(), one(6))); }},
    {"influence.h", "a seed is no vertex", kInvalid, [](E e) { return code_of(influence(e, plain(), one(2))); }},
    {"influence.h", "a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence(e, plain(), one(0), {.probability = 1.5})); }},
    {"influence.h", "a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence(e, weighing(2), one(0), {.chance = EdgeChance::weights})); }},
    {"influence.h", "a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence(e, plain(), one(0), {}, 10, 1, kNegativeShares)); }},
    {"influence.h", "runs is 0", kInvalid, [](E e) { return code_of(influence(e, plain(), one(0), {}, 0)); }},
    {"influence.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(influence(e, without_in_edges(), one(0), {.chance = EdgeChance::by_degree})); }},
    {"influence.h", "no weights", kUnsupported,
     [](E e) { return code_of(influence(e, plain(), one(0), {.chance = EdgeChance::weights})); }},
    {"influence_maximization.h", "k is not from 1 to the number of vertices left", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 0})); }},
    {"influence_maximization.h", "k is not from 1 to the number of vertices left", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 6})); }},
    {"influence_maximization.h", "epsilon, delta, a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 1, .epsilon = 0})); }},
    {"influence_maximization.h", "epsilon, delta, a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 1, .delta = kNan})); }},
    {"influence_maximization.h", "epsilon, delta, a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.cascade = {.probability = -1}, .k = 1})); }},
    {"influence_maximization.h", "epsilon, delta, a probability or a weight is out of range", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 1, .weights = kNegativeShares})); }},
    {"influence_maximization.h", "no vertex has a weight above 0", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 1, .weights = kNoShares})); }},
    {"influence_maximization.h", "a seed is not a vertex", kInvalid,
     [](E e) { return code_of(influence_maximization(e, plain(), {.k = 1, .seeds = one(2)})); }},
    {"influence_maximization.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(influence_maximization(e, without_in_edges(), {.k = 1})); }},
    {"influence_maximization.h", "no weights of edges", kUnsupported,
     [](E e) {
       return code_of(influence_maximization(e, plain(), {.cascade = {.chance = EdgeChance::weights}, .k = 1}));
     }},
    {"katz_centrality.h", "alpha, beta or tol is not finite, or tol is negative", kInvalid,
     [](E e) { return code_of(katz_centrality(e, plain(), {.alpha = kInfinity})); }},
    {"katz_centrality.h", "alpha, beta or tol is not finite, or tol is negative", kInvalid,
     [](E e) { return code_of(katz_centrality(e, plain(), {.beta = kNan})); }},
    {"katz_centrality.h", "alpha, beta or tol is not finite, or tol is negative", kInvalid,
     [](E e) { return code_of(katz_centrality(e, plain(), {.tol = -1})); }},
    {"katz_centrality.h", "the scores grow without bound: alpha is too large", kInvalid,
     [](E e) { return code_of(katz_centrality(e, plain(), {.alpha = 100})); }},
    {"katz_centrality.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(katz_centrality(e, without_in_edges())); }},
    {"label_propagation.h", "start has not n labels below n", kInvalid,
     [](E e) { return code_of(label_propagation(e, plain(), {.start = kFewVertices})); }},
    {"label_propagation.h", "start has not n labels below n", kInvalid,
     [](E e) { return code_of(label_propagation(e, plain(), {.start = kFarLabels})); }},
    {"label_propagation.h", "`changed` names no vertex", kInvalid,
     [](E e) { return code_of(label_propagation(e, plain(), {.start = kLabels, .changed = one(6)})); }},
    {"label_propagation.h", "a weight is negative or not a number", kInvalid,
     [](E e) { return code_of(label_propagation(e, weighing(-1), {.use_weights = true})); }},
    {"label_propagation.h", "a weight is negative or not a number", kInvalid,
     [](E e) { return code_of(label_propagation(e, weighing(kNan), {.use_weights = true})); }},
    {"label_propagation.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(label_propagation(e, without_in_edges())); }},
    {"leiden.h", "as louvain", kInvalid, [](E e) { return code_of(leiden(e, plain(), {.resolution = -1})); }},
    {"leiden.h", "as louvain", kInvalid, [](E e) { return code_of(leiden(e, weighing(-1))); }},
    {"leiden.h", "as louvain", kUnsupported, [](E e) { return code_of(leiden(e, without_in_edges())); }},
    {"local_efficiency.h", "a directed graph, 2^32 vertices or more", kUnsupported,
     [](E e) { return code_of(local_efficiency(e, directed())); }},
    {"louvain.h", "a negative, infinite or NaN weight, size or resolution", kInvalid,
     [](E e) { return code_of(louvain(e, weighing(-1))); }},
    {"louvain.h", "a negative, infinite or NaN weight, size or resolution", kInvalid,
     [](E e) { return code_of(louvain(e, weighing(kInfinity))); }},
    {"louvain.h", "a negative, infinite or NaN weight, size or resolution", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.resolution = kNan})); }},
    {"louvain.h", "a negative threshold", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.threshold = -1})); }},
    {"louvain.h", "`start` or `sizes` has not n values", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.start = kFewLabels})); }},
    {"louvain.h", "`start` or `sizes` has not n values", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.objective = CommunityObjective::cpm, .sizes = kFewNumbers})); }},
    {"louvain.h", "a negative, infinite or NaN weight, size or resolution", kInvalid,
     [](E e) {
       return code_of(louvain(e, plain(), {.objective = CommunityObjective::rber, .sizes = kNegativeShares}));
     }},
    {"louvain.h", "`sizes` with modularity or rb", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.sizes = kNoShares})); }},
    {"louvain.h", "`changed` or `fixed` names no vertex", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.start = kGroups, .changed = one(6)})); }},
    {"louvain.h", "`changed` or `fixed` names no vertex", kInvalid,
     [](E e) { return code_of(louvain(e, plain(), {.fixed = one(6)})); }},
    {"louvain.h", "directed without in-edges", kUnsupported,
     [](E e) { return code_of(louvain(e, without_in_edges())); }},
    {"multiply.h", "x has not n values", kInvalid, [](E e) { return code_of(multiply(e, plain(), kFewNumbers)); }},
    {"multiply.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(multiply(e, without_in_edges(), kNoShares, {.transpose = true})); }},
    {"neighborhood_edges.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(neighborhood_edges(e, without_in_edges())); }},
    {"pagerank.h", "alpha, sizes, negative values, weights that lie too far apart to be added", kInvalid,
     [](E e) { return code_of(pagerank(e, plain(), {.alpha = 1})); }},
    {"pagerank.h", "alpha, sizes, negative values, weights that lie too far apart to be added", kInvalid,
     [](E e) { return code_of(pagerank(e, plain(), {.personalization = kFewNumbers})); }},
    {"pagerank.h", "alpha, sizes, negative values, weights that lie too far apart to be added", kInvalid,
     [](E e) { return code_of(pagerank(e, plain(), {.dangling = kNegativeShares})); }},
    {"pagerank.h", "alpha, sizes, negative values, weights that lie too far apart to be added", kInvalid,
     [](E e) { return code_of(pagerank(e, plain(), {.start = kNoShares})); }},
    {"pagerank.h", "alpha, sizes, negative values, weights that lie too far apart to be added", kInvalid,
     [](E e) { return code_of(pagerank(e, weighing(-1), {.use_weights = true})); }},
    {"partition_quality.h", "labels", kInvalid, [](E e) { return code_of(partition_quality(e, plain(), kFewLabels)); }},
    {"partition_quality.h", "labels", kInvalid, [](E e) { return code_of(partition_quality(e, plain(), kFarGroups)); }},
    {"partition_quality.h", "a negative, infinite or NaN weight", kInvalid,
     [](E e) { return code_of(partition_quality(e, weighing(kNan), kGroups)); }},
    {"partition_quality.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(partition_quality(e, without_in_edges(), kGroups)); }},
    {"path_dependencies.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(path_dependencies(e, plain(), one(6))); }},
    {"path_dependencies.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(path_dependencies(e, plain(), one(2))); }},
    {"path_dependencies.h", "a weight that is not above 0", kInvalid,
     [](E e) { return code_of(path_dependencies(e, weighing(0), one(0), {.weighted = true})); }},
    {"single_linkage.h", "a NaN weight", kInvalid, [](E e) { return code_of(single_linkage(e, weighing(kNan))); }},
    {"single_linkage.h", "directed, or an engine with ranks", kUnsupported,
     [](E e) { return code_of(single_linkage(e, directed())); }},
    {"single_linkage.h", "more merges than there are", kInvalid,
     [](E) { return code_of(linkage_components({{0}, {1}, {1.0}, {2}}, 3, 2)); }},
    {"single_linkage.h", "a merge of clusters that do not exist", kInvalid,
     [](E) { return code_of(linkage_components({{0}, {3}, {1.0}, {2}}, 3, 1)); }},
    {"spanning_forest.h", "a NaN weight", kInvalid, [](E e) { return code_of(spanning_forest(e, weighing(kNan))); }},
    {"spanning_forest.h", "directed, or an engine with ranks", kUnsupported,
     [](E e) { return code_of(spanning_forest(e, directed())); }},
    {"diameter.h", "a directed graph", kUnsupported, [](E e) { return code_of(diameter(e, directed())); }},
    {"four_cycles.h", "a directed graph", kUnsupported, [](E e) { return code_of(four_cycles(e, directed())); }},
    {"motif_counts.h", "a directed graph", kUnsupported, [](E e) { return code_of(motif_counts(e, directed())); }},
    {"sampled_betweenness.h", "epsilon not between 1e-8 and 1, delta not between 0 and 1", kInvalid,
     [](E e) { return code_of(sampled_betweenness(e, plain(), {.epsilon = 1e-9})); }},
    {"sampled_betweenness.h", "epsilon not between 1e-8 and 1, delta not between 0 and 1", kInvalid,
     [](E e) { return code_of(sampled_betweenness(e, plain(), {.delta = kNan})); }},
    {"sampled_betweenness.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(sampled_betweenness(e, without_in_edges())); }},
    {"square_clustering.h", "a directed graph", kUnsupported,
     [](E e) { return code_of(square_clustering(e, directed())); }},
    {"sssp.h", "source out of range or removed", kInvalid, [](E e) { return code_of(sssp(e, plain(), 6)); }},
    {"sssp.h", "source out of range or removed", kInvalid, [](E e) { return code_of(sssp(e, plain(), 2)); }},
    {"sssp.h", "no source", kInvalid, [](E e) { return code_of(sssp(e, plain(), std::span<const VertexId>())); }},
    {"sssp.h", "another number of distances than vertices", kInvalid,
     [](E e) { return code_of(path_parents(e, plain(), kFewNumbers, one(0))); }},
    {"sssp.h", "delta < 0", kInvalid, [](E e) { return code_of(sssp(e, plain(), 0, {.delta = -1})); }},
    {"sssp.h", "delta < 0", kInvalid, [](E e) { return code_of(sssp(e, plain(), 0, {.delta = kNan})); }},
    {"sssp.h", "a negative or NaN weight: the message names the edge by internal ids", kInvalid,
     [](E e) { return code_of(sssp(e, weighing(-1), 0)); }},
    {"sssp.h", "a negative or NaN weight: the message names the edge by internal ids", kInvalid,
     [](E e) { return code_of(sssp(e, weighing(kNan), 0)); }},
    {"topological_order.h", "an undirected graph", kInvalid,
     [](E e) { return code_of(topological_order(e, plain())); }},
    {"two_coloring.h", "a directed graph without in-edges", kUnsupported,
     [](E e) { return code_of(two_coloring(e, without_in_edges())); }},
    {"distance_sums.h", "a source out of range or removed", kInvalid,
     [](E e) { return code_of(vertex_distance_sums(e, plain(), one(2))); }},
    {"distance_sums.h", "in-edges that are not stored", kUnsupported,
     [](E e) { return code_of(vertex_distance_sums(e, without_in_edges(), one(0), Direction::in)); }},
};

TEST(Preconditions, OfAlgorithmsAreChecked) {
  for (const unsigned threads : {1U, 2U}) {
    Engine engine({.threads = threads});
    for (const Row& row : kRows) {
      EXPECT_EQ(row.call(engine), row.code) << row.header << ": " << row.stated << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace rizoma
