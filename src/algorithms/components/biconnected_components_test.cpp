#include <rizoma/algorithms/biconnected_components.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;
using testing::TestEdge;
using Edge = std::pair<VertexId, VertexId>;
using Edges = std::multiset<Edge>;  // the lesser end first; parallel edges several times

class Biconnected : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Biconnected, testing_shapes());

std::size_t count_components(VertexId n, const std::vector<TestEdge>& entries) {
  const auto labels = testing::oracle_components(n, entries);
  return std::set<VertexId>(labels.begin(), labels.end()).size();
}

/// Components of the graph without one vertex, that vertex not counted.
std::size_t components_without(const GraphView& graph, VertexId gone) {
  auto entries = entries_of(graph);
  std::erase_if(entries, [gone](const TestEdge& edge) { return edge.source == gone || edge.target == gone; });
  return count_components(graph.num_vertices(), entries) - 1;
}

/// The edges whose removal leaves more components.
std::set<Edge> oracle_bridges(const GraphView& graph) {
  const auto entries = entries_of(graph);
  const std::size_t whole = count_components(graph.num_vertices(), entries);
  std::map<Edge, int> copies;
  for (const TestEdge& edge : entries) {
    if (edge.source < edge.target) ++copies[{edge.source, edge.target}];
  }
  std::set<Edge> bridges;
  for (const auto& [edge, count] : copies) {
    if (count > 1) continue;
    auto others = entries;
    std::erase_if(others, [edge = edge](const TestEdge& e) { return Edge(std::minmax(e.source, e.target)) == edge; });
    if (count_components(graph.num_vertices(), others) > whole) bridges.insert(edge);
  }
  return bridges;
}

/// The components as sets of edges, self-loops left out.
std::multiset<Edges> parts_of(const BiconnectedComponents& result) {
  std::multiset<Edges> parts;
  for (std::size_t c = 0; c + 1 < result.offsets.size(); ++c) {
    Edges part;
    for (std::size_t i = result.offsets[c]; i < result.offsets[c + 1]; ++i) {
      const auto [u, v] = std::minmax(result.sources[i], result.targets[i]);
      if (u != v) part.emplace(u, v);
    }
    parts.insert(part);
  }
  return parts;
}

std::vector<VertexId> sorted(std::vector<VertexId> list) {
  std::ranges::sort(list);
  return list;
}

void expect_same(const BiconnectedComponents& a, const BiconnectedComponents& b) {
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.sources, b.sources);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.articulation_points, b.articulation_points);
}

TEST_P(Biconnected, PointsAreThoseWhoseRemovalSplits) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool depth_first : {false, true}) {
      const auto result = biconnected_components(engine, graph, {.depth_first_order = depth_first});
      ASSERT_EQ(result.ok(), !graph.directed());
      if (!result.ok()) continue;
      const std::set<VertexId> points(result->articulation_points.begin(), result->articulation_points.end());
      ASSERT_EQ(points.size(), result->articulation_points.size());
      const std::size_t whole = count_components(graph.num_vertices(), entries_of(graph));
      std::vector<std::set<std::size_t>> components_of(graph.num_vertices());
      for (std::size_t c = 0; c + 1 < result->offsets.size(); ++c) {
        for (std::size_t i = result->offsets[c]; i < result->offsets[c + 1]; ++i) {
          components_of[result->sources[i]].insert(c);
          components_of[result->targets[i]].insert(c);
        }
      }
      for (VertexId v = 0; v < graph.num_vertices(); ++v) {
        const bool splits = components_without(graph, v) > whole;
        ASSERT_EQ(points.contains(v), splits) << v;
        ASSERT_EQ(components_of[v].size() > 1, points.contains(v)) << v;
      }
    }
  }
}

TEST_P(Biconnected, BridgesAreThoseWhoseRemovalSplits) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto cuts = cut_elements(engine, graph);
    ASSERT_EQ(cuts.ok(), !graph.directed());
    if (!cuts.ok()) continue;
    std::set<Edge> bridges;
    for (std::size_t i = 0; i < cuts->bridge_targets.size(); ++i)
      bridges.insert(std::minmax(cuts->bridge_sources[i], cuts->bridge_targets[i]));
    ASSERT_EQ(bridges.size(), cuts->bridge_targets.size());
    ASSERT_EQ(bridges, oracle_bridges(graph));
    const auto listed = biconnected_components(engine, graph);
    ASSERT_EQ(cuts->articulation_points, listed->articulation_points);
    ASSERT_EQ(cuts->biconnected_components, listed->offsets.size() - 1);
    const std::size_t removed = graph.num_vertices() - graph.num_live();
    ASSERT_EQ(cuts->connected_components, count_components(graph.num_vertices(), entries_of(graph)) - removed);
  }
}

/// Larger graphs: a great component with trees, many components, long cycles, and one within another.
std::vector<std::vector<TestEdge>> larger_graphs() {
  std::vector<std::vector<TestEdge>> graphs{
      testing::rmat_edges(11, 6000, 1),      testing::uniform_edges(3000, 2500, 2),
      testing::uniform_edges(3000, 4000, 3), testing::uniform_edges(800, 9000, 4),
      testing::grid_edges(40, 60),           testing::star_edges(3000)};
  auto cycles = testing::path_edges(3000);
  for (const auto& [from, to] : std::vector<Edge>{{0, 999}, {2999, 2000}, {1200, 1700}, {1500, 1900}, {1950, 1960}})
    cycles.push_back({from, to});
  graphs.push_back(cycles);
  auto far = testing::uniform_edges(3000, 3200, 5);  // in a random order of numbers, beside a circle through 1000
  for (VertexId v = 0; v < 3000; v += 3) far.push_back({v, (v + 3) % 3000});
  graphs.push_back(far);
  return graphs;
}

TEST_P(Biconnected, ComponentsAreThoseOfADepthFirstSearch) {
  if (options.directed) return;
  for (const auto& edges : larger_graphs()) {
    const GraphView graph = build_graph(3000, edges, options);
    const auto searched = biconnected_components(engine, graph, {.depth_first_order = true});
    const auto found = biconnected_components(engine, graph);
    ASSERT_TRUE(searched.ok() && found.ok());
    ASSERT_EQ(parts_of(*found), parts_of(*searched));
    ASSERT_EQ(found->articulation_points, sorted(searched->articulation_points));
    Engine alone(EngineOptions{.threads = 1});
    expect_same(*found, *biconnected_components(alone, graph));
  }
}

/// Where the way from a vertex to the name of its set may be half of the graph.
TEST(BiconnectedComponents, OfALongCircleAreOneAndOfAPathItsEdges) {
  constexpr VertexId kLength = 100'000;
  auto edges = testing::path_edges(kLength);
  const GraphView path = build_graph(kLength, edges, {});
  edges.push_back({kLength - 1, 0});
  const GraphView circle = build_graph(kLength, edges, {});
  for (const unsigned threads : {1U, 4U}) {
    Engine engine(team_of(threads, 3));
    const auto of_circle = biconnected_components(engine, circle);
    ASSERT_TRUE(of_circle.ok());
    EXPECT_EQ(of_circle->offsets, (std::vector<std::size_t>{0, kLength}));
    EXPECT_TRUE(of_circle->articulation_points.empty());
    const auto of_path = cut_elements(engine, path);
    ASSERT_TRUE(of_path.ok());
    EXPECT_EQ(of_path->bridge_targets.size(), kLength - 1);
    EXPECT_EQ(of_path->articulation_points.size(), kLength - 2);
  }
}

TEST_P(Biconnected, ParallelEdgesAreOneComponentAndLoopsInNone) {
  if (options.directed) return;
  for (const std::uint64_t seed : {1, 2, 3}) {
    auto edges = testing::uniform_edges(300, 350, seed);
    std::erase_if(edges, [](const TestEdge& edge) { return edge.source == edge.target; });
    const auto plain = *biconnected_components(engine, build_graph(300, edges, options));
    edges.insert(edges.end(), edges.begin(), edges.begin() + 150);
    for (VertexId v = 0; v < 300; v += 5) edges.push_back({v, v});
    auto kept = options;
    kept.merge = false;
    const GraphView graph = build_graph(300, edges, kept);
    const auto result = biconnected_components(engine, graph);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->articulation_points, plain.articulation_points);
    std::map<Edge, std::size_t> copies;
    for (const TestEdge& edge : entries_of(graph)) {
      if (edge.source < edge.target) ++copies[{edge.source, edge.target}];
    }
    std::multiset<Edges> repeated;
    for (const Edges& part : parts_of(plain)) {
      Edges more;
      for (const Edge& edge : part) {
        for (std::size_t i = 0; i < copies[edge]; ++i) more.insert(edge);
      }
      repeated.insert(more);
    }
    EXPECT_EQ(parts_of(*result), repeated);
    EXPECT_TRUE(std::ranges::equal(result->sources, result->targets, [](VertexId u, VertexId v) { return u != v; }));
  }
}

}  // namespace
}  // namespace rizoma
