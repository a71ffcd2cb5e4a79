#include <rizoma/algorithms/four_cycles.h>
#include <rizoma/algorithms/motif_counts.h>

#include "algorithms/motifs/five_vertex_shapes.h"
#include "base/random.h"
#include "testing/delta_graph.h"
#include "testing/graph_shapes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::TestEdge;

/// The subgraph that five vertices induce: edges, and their degrees by size.
struct Shape {
  std::array<unsigned, 5> degrees{};
  unsigned edges = 0;
  unsigned triangles = 0;
  bool connected = false;
};

Shape shape_of(const std::vector<std::vector<bool>>& matrix, const std::array<VertexId, 5>& vertices) {
  Shape shape;
  std::array<unsigned, 5> label{0, 1, 2, 3, 4};
  for (unsigned a = 0; a < 5; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      if (!matrix[vertices[a]][vertices[b]]) continue;
      ++shape.edges;
      ++shape.degrees[a];
      ++shape.degrees[b];
      const unsigned from = label[a];
      std::ranges::replace(label, from, label[b]);
      for (unsigned c = 0; c < b; ++c) {
        if (matrix[vertices[a]][vertices[c]] && matrix[vertices[b]][vertices[c]]) ++shape.triangles;
      }
    }
  }
  shape.connected = std::ranges::all_of(label, [&](unsigned l) { return l == label[0]; });
  std::ranges::sort(shape.degrees);
  return shape;
}

/// Degrees and triangles tell all of the 21 apart.
std::string name_of(const Shape& shape) {
  std::string key;
  for (const unsigned d : shape.degrees) key += static_cast<char>('0' + d);
  key += '/' + std::to_string(shape.triangles);
  static const std::vector<std::pair<std::string, std::string>> kNames{{"11222/0", "path"},
                                                                       {"11123/0", "fork"},
                                                                       {"11114/0", "star"},
                                                                       {"22222/0", "cycle"},
                                                                       {"12223/0", "banner"},
                                                                       {"11233/1", "bull"},
                                                                       {"11224/1", "cricket"},
                                                                       {"12223/1", "tadpole"},
                                                                       {"22233/0", "k_2_3"},
                                                                       {"22233/1", "house"},
                                                                       {"22224/2", "butterfly"},
                                                                       {"12234/2", "dart"},
                                                                       {"12333/2", "kite"},
                                                                       {"13334/4", "lollipop"},
                                                                       {"22334/3", "gem"},
                                                                       {"22244/3", "book"},
                                                                       {"23333/2", "wheel_minus_spoke"},
                                                                       {"33334/4", "wheel"},
                                                                       {"23344/5", "clique_minus_path"},
                                                                       {"33444/7", "clique_minus_edge"},
                                                                       {"44444/10", "clique"}};
  for (const auto& [known, name] : kNames) {
    if (known == key) return name;
  }
  return "unknown " + key;
}

/// All sets of five vertices, one by one.
MotifCounts oracle(const GraphView& graph) {
  const auto matrix = matrix_of(graph);
  const VertexId n = graph.num_vertices();
  MotifCounts found;
  std::array<VertexId, 5> v{};
  for (v[0] = 0; v[0] < n; ++v[0])
    for (v[1] = 0; v[1] < v[0]; ++v[1])
      for (v[2] = 0; v[2] < v[1]; ++v[2])
        for (v[3] = 0; v[3] < v[2]; ++v[3])
          for (v[4] = 0; v[4] < v[3]; ++v[4]) {
            const Shape shape = shape_of(matrix, v);
            if (!shape.connected) continue;
            const auto name = std::ranges::find(kFiveVertexMotifNames, name_of(shape));
            EXPECT_NE(name, kFiveVertexMotifNames.end()) << name_of(shape);
            if (name == kFiveVertexMotifNames.end()) continue;
            ++found.counts[static_cast<std::size_t>(name - kFiveVertexMotifNames.begin())];
          }
  return found;
}

std::uint64_t cycles_by_definition(const GraphView& graph) {
  const auto matrix = matrix_of(graph);
  const VertexId n = graph.num_vertices();
  std::uint64_t twice = 0;
  for (VertexId a = 0; a < n; ++a) {
    for (VertexId b = 0; b < a; ++b) {
      std::uint64_t wedges = 0;
      for (VertexId m = 0; m < n; ++m) wedges += m != a && m != b && matrix[a][m] && matrix[b][m] ? 1 : 0;
      twice += wedges * (wedges - 1) / 2;
    }
  }
  return twice / 2;
}

void expect_correct(Engine& engine, const GraphView& graph, const std::string& what) {
  const auto found = motif_counts(engine, graph);
  ASSERT_TRUE(found.ok());
  const MotifCounts expected = oracle(graph);
  for (std::size_t i = 0; i < kFiveVertexMotifs; ++i) {
    ASSERT_EQ(static_cast<std::uint64_t>(found->counts[i]), static_cast<std::uint64_t>(expected.counts[i]))
        << kFiveVertexMotifNames[i] << ' ' << what;
    ASSERT_EQ(static_cast<std::uint64_t>(found->counts[i] >> 64), 0U);
  }
  const auto cycles = four_cycles(engine, graph);
  ASSERT_TRUE(cycles.ok());
  ASSERT_EQ(*cycles, cycles_by_definition(graph)) << what;
}

TEST(MotifCountsTest, AgreeWithAllSetsOfFiveVerticesOnThousandsOfGraphs) {
  Engine one({.threads = 1});
  Engine three({.threads = 3});
  Random random(11);
  for (int i = 0; i < 4000; ++i) {
    const VertexId n = 1 + random.below(11);
    const double density = random.unit();
    std::vector<TestEdge> edges;
    for (VertexId u = 0; u < n; ++u) {
      for (VertexId v = 0; v < u; ++v) {
        if (random.unit() < density) edges.push_back({u, v});
      }
    }
    const bool rough = i % 3 == 0 && !edges.empty();
    if (rough) {
      edges.push_back(edges[random.below(edges.size())]);
      edges.push_back({random.below(n), 0});
      edges.back().target = edges.back().source;
    }
    const GraphView graph = build_graph(n, edges, {.section_bits = 2, .wide = i % 2 == 0, .merge = !rough});
    expect_correct(i % 5 == 0 ? three : one, graph, "graph " + std::to_string(i));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(MotifCountsTest, AgreeOnSparseGraphsWithHubs) {
  Engine engine({.threads = 2});
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    expect_correct(engine, build_graph(40, testing::rmat_edges(5, 40 + 10 * seed, seed)), "rmat");
    expect_correct(engine, build_graph(36, testing::uniform_edges(36, 60, seed)), "uniform");
    if (::testing::Test::HasFatalFailure()) return;
  }
  expect_correct(engine, build_graph(0, testing::star_edges(30)), "star");
  expect_correct(engine, build_graph(0, testing::grid_edges(5, 7)), "grid");
  expect_correct(engine, testing::with_changed_lists(build_graph(32, testing::rmat_edges(5, 120, 3)), 4), "changed");
  expect_correct(engine, build_graph(32, testing::rmat_edges(5, 120, 4), {.removed = {0, 7}}), "removed");
}

TEST(MotifCountsTest, AgreeWhereAListIsManyTimesAsLongAsThoseOfItsNeighbors) {
  Engine engine({.threads = 2});
  auto windmill = testing::star_edges(70);
  for (VertexId v = 1; v < 68; v += 2) windmill.push_back({v, v + 1});
  expect_correct(engine, build_graph(70, windmill), "windmill");
}

TEST(MotifCountsTest, StarsExceed64Bits) {
  Engine engine({.threads = 2});
  const VertexId n = 200'001;
  const auto found = motif_counts(engine, build_graph(n, testing::star_edges(n)));
  ASSERT_TRUE(found.ok());
  const MotifCount d = 200'000;
  EXPECT_TRUE(found->counts[2] == d * (d - 1) / 2 * (d - 2) / 3 * (d - 3) / 4);
  EXPECT_GT(static_cast<std::uint64_t>(found->counts[2] >> 64), 0U);
}

TEST(MotifCountsTest, RefusesDirectedGraphsAndStops) {
  Engine engine({.threads = 2});
  const GraphView directed = build_graph(5, testing::path_edges(5), {.directed = true});
  EXPECT_EQ(motif_counts(engine, directed).error().code, ErrorCode::unsupported);
  EXPECT_EQ(four_cycles(engine, directed).error().code, ErrorCode::unsupported);
  engine.request_stop();
  EXPECT_EQ(motif_counts(engine, build_graph(5, testing::path_edges(5))).error().code, ErrorCode::cancelled);
  engine.request_stop();
  EXPECT_EQ(four_cycles(engine, build_graph(5, testing::path_edges(5))).error().code, ErrorCode::cancelled);
}

class FourCycles : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, FourCycles, testing_shapes());

TEST_P(FourCycles, AgreeWithTheDefinition) {
  if (options.directed) return;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto cycles = four_cycles(engine, graph);
    ASSERT_TRUE(cycles.ok());
    EXPECT_EQ(*cycles, cycles_by_definition(graph));
  }
}

}  // namespace
}  // namespace rizoma
