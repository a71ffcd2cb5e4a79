// Any range of edge numbers gives the edges that a walk over all lists gives, on every thread count.
#include <rizoma/export.h>

#include "testing/graph_builder.h"
#include "testing/ingest_support.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rizoma {
namespace {

using testing::BuildOptions;
using testing::PoolExecutor;
using testing::TestEdge;

std::vector<TestEdge> listed_edges(const GraphView& view, const std::vector<std::int64_t>& ids) {
  std::vector<TestEdge> edges;
  for (TestEdge edge : testing::entries_of(view)) {
    if (!view.directed() && edge.target < edge.source) continue;
    if (!ids.empty()) {
      edge.source = static_cast<VertexId>(ids[edge.source]);
      edge.target = static_cast<VertexId>(ids[edge.target]);
    }
    edges.push_back(edge);
  }
  return edges;
}

void append(const EdgeChunk& chunk, std::vector<TestEdge>& edges) {
  for (std::size_t i = 0; i < chunk.sources.size(); ++i) {
    const double weight = std::visit(
        [&](const auto& column) -> double {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(column)>, std::monostate>) {
            return 1;
          } else {
            return static_cast<double>(column.data()[i]);
          }
        },
        chunk.weights);
    edges.push_back(
        {static_cast<VertexId>(chunk.sources.data()[i]), static_cast<VertexId>(chunk.targets.data()[i]), weight});
  }
}

/// Reads everything in chunks of `rows` and compares.
void expect_all(const GraphView& view, const std::vector<std::int64_t>& ids, unsigned threads, EdgeCount rows) {
  SCOPED_TRACE(::testing::Message() << threads << " threads, chunks of " << rows);
  PoolExecutor executor(threads);
  auto scan = EdgeScan::create(view, ids, executor);
  ASSERT_TRUE(scan.ok());
  const std::vector<TestEdge> expected = listed_edges(view, ids);
  ASSERT_EQ(scan->size(), expected.size());
  std::vector<TestEdge> found;
  for (EdgeCount begin = 0; begin < scan->size(); begin += rows) {
    const auto chunk = scan->read(begin, begin + rows, executor);
    ASSERT_TRUE(chunk.ok());
    ASSERT_EQ(chunk->sources.size(), std::min(rows, scan->size() - begin));
    append(*chunk, found);
  }
  EXPECT_EQ(found, expected);
}

class EdgeScanKinds : public ::testing::TestWithParam<std::tuple<bool, WeightType>> {};

TEST_P(EdgeScanKinds, GivesEveryEdgeOnce) {
  const auto [directed, weights] = GetParam();
  auto edges = testing::rmat_edges(10, 6000, 5);
  edges.push_back({7, 7, 3});  // a self-loop, and vertices without edges after it
  const GraphView view =
      testing::build_graph(1500, edges, BuildOptions{.directed = directed, .weights = weights, .section_bits = 6});
  std::vector<std::int64_t> ids(view.num_vertices());
  for (std::size_t v = 0; v < ids.size(); ++v) ids[v] = static_cast<std::int64_t>(v * 7 % ids.size() + 5);
  std::vector<std::int64_t> large_ids = ids;  // some do not fit in 32 bits
  large_ids[3] += std::int64_t{1} << 40;
  for (const unsigned threads : {1u, 3u}) {
    for (const EdgeCount rows : {1u, 97u, 100'000u}) {
      if (rows == 1 && threads > 1) continue;
      expect_all(view, {}, threads, rows);
      expect_all(view, ids, threads, rows);
      expect_all(view, large_ids, threads, rows);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EdgeScanKinds,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(WeightType::none, WeightType::int32, WeightType::float32,
                                                              WeightType::float64)));

TEST(EdgeScan, ColumnsThatAreNotWantedAreEmpty) {
  SerialExecutor executor;
  const GraphView view =
      testing::build_graph(3, {{0, 1, 4}, {1, 2, 5}}, BuildOptions{.directed = true, .weights = WeightType::int32});
  const auto scan = EdgeScan::create(view, {10, 20, 30}, executor);
  ASSERT_TRUE(scan.ok());
  const auto targets = scan->read(0, 2, executor, {.sources = false, .weights = false});
  ASSERT_TRUE(targets.ok());
  EXPECT_EQ(targets->sources.size(), 0u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(targets->weights));
  EXPECT_EQ(std::vector(targets->targets.data(), targets->targets.data() + 2), (std::vector<std::int64_t>{20, 30}));
  const auto weights = scan->read(1, 2, executor, {.sources = false, .targets = false});
  ASSERT_TRUE(weights.ok());
  EXPECT_EQ(weights->targets.size(), 0u);
  EXPECT_EQ(std::get<ScanColumn<std::int32_t>>(weights->weights).data()[0], 5);
}

TEST(EdgeScan, PiecesOfOneListOnSeveralThreads) {
  const GraphView view = testing::build_graph(100'000, testing::star_edges(100'000), BuildOptions{});
  expect_all(view, {}, 4, 70'000);
}

TEST(EdgeScan, EmptyGraphsAndRangesPastTheEnd) {
  SerialExecutor executor;
  auto none = EdgeScan::create(GraphView(), {}, executor);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->size(), 0u);
  EXPECT_EQ(none->read(0, 10, executor)->sources.size(), 0u);
  auto path = EdgeScan::create(testing::build_graph(3, testing::path_edges(3)), {}, executor);
  EXPECT_EQ(path->read(1, 10, executor)->sources.size(), 1u);
  EXPECT_EQ(path->read(7, 10, executor)->sources.size(), 0u);
}

TEST(EdgeScan, IdsMustMatchTheVertices) {
  SerialExecutor executor;
  const auto scan = EdgeScan::create(testing::build_graph(3, testing::path_edges(3)), {1, 2}, executor);
  ASSERT_FALSE(scan.ok());
  EXPECT_EQ(scan.error().code, ErrorCode::invalid_argument);
}

TEST(EdgeScan, AChunkStaysAsItIsWhileLaterOnesAreRead) {
  SerialExecutor executor;
  auto scan = EdgeScan::create(testing::build_graph(9, testing::path_edges(9)), {}, executor);
  const auto first = scan->read(0, 4, executor);
  std::vector<TestEdge> before;
  append(*first, before);
  {
    const auto passing = scan->read(4, 8, executor);
  }
  const auto second = scan->read(4, 8, executor);
  std::vector<TestEdge> after;
  append(*first, after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(second->sources.data()[0], 4);
}

}  // namespace
}  // namespace rizoma
