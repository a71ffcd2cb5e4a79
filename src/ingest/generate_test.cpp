#include "testing/ingest_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rizoma {
namespace {

using testing::CollectingSink;
using testing::PoolExecutor;

std::vector<CollectingSink::Edge> generated(const GeneratorOptions& options, unsigned threads = 1) {
  CollectingSink sink;
  PoolExecutor executor(threads);
  const Status status = generate(options, executor, sink);
  EXPECT_TRUE(status.ok());
  std::vector<std::string> named(std::size_t{1} << options.scale);
  for (std::size_t v = 0; v < named.size(); ++v) named[v] = std::to_string(v);
  EXPECT_EQ(sink.vertex_ids, named) << "each number is a vertex, with edges or without";
  return std::move(sink.collected);
}

TEST(Generate, SameEdgesForAllThreads) {
  for (const GeneratorKind kind : {GeneratorKind::rmat, GeneratorKind::uniform, GeneratorKind::grid}) {
    const GeneratorOptions options{.kind = kind, .scale = 14, .weighted = true};
    const auto one = generated(options, 1);
    EXPECT_EQ(one, generated(options, 2));
    EXPECT_EQ(one, generated(options, 4));
    for (const auto& edge : one) {
      ASSERT_TRUE(edge.weight >= 1 && edge.weight <= 255);
      ASSERT_LT(std::stoull(edge.source), 1u << 14);
      ASSERT_LT(std::stoull(edge.target), 1u << 14);
    }
  }
}

TEST(Generate, SeedsDiffer) { EXPECT_NE(generated({.scale = 10, .seed = 1}), generated({.scale = 10, .seed = 2})); }

TEST(Generate, CountsAndSmallScales) {
  for (unsigned scale = 0; scale < 8; ++scale) {
    const std::size_t n = std::size_t{1} << scale;
    EXPECT_EQ(generated({.kind = GeneratorKind::rmat, .scale = scale, .edge_factor = 3}).size(), 3 * n);
    EXPECT_EQ(generated({.kind = GeneratorKind::uniform, .scale = scale, .edge_factor = 3}).size(), 3 * n);
    const std::size_t columns = std::size_t{1} << ((scale + 1) / 2);
    const std::size_t rows = std::size_t{1} << (scale / 2);
    EXPECT_EQ(generated({.kind = GeneratorKind::grid, .scale = scale}).size(),
              rows * (columns - 1) + (rows - 1) * columns);
  }
}

TEST(Generate, SmallGridByHand) {
  std::set<CollectingSink::Edge> edges;
  for (const auto& edge : generated({.kind = GeneratorKind::grid, .scale = 3})) edges.insert(edge);
  // Two rows of four: 0 1 2 3 / 4 5 6 7.
  const std::set<CollectingSink::Edge> grid = {{"0", "1"}, {"1", "2"}, {"2", "3"}, {"4", "5"}, {"5", "6"},
                                               {"6", "7"}, {"0", "4"}, {"1", "5"}, {"2", "6"}, {"3", "7"}};
  EXPECT_EQ(edges, grid);
}

/// Ids are permuted, so what can be seen of the quadrants is how uneven the degrees are: the largest
/// out-degree has the expectation 2^scale * factor * 0.76^scale.
TEST(Generate, RmatDegreesAreAsUnevenAsTheQuadrantsSay) {
  constexpr unsigned kScale = 10;
  std::vector<unsigned> degree(1 << kScale);
  for (const auto& edge : generated({.kind = GeneratorKind::rmat, .scale = kScale, .edge_factor = 64}))
    ++degree[std::stoul(edge.source)];
  double expected = 64.0 * (1 << kScale);
  for (unsigned i = 0; i < kScale; ++i) expected *= 0.76;
  EXPECT_NEAR(*std::max_element(degree.begin(), degree.end()), expected, expected / 10);
}

TEST(Generate, RefusesWhatIsTooBig) {
  CollectingSink sink;
  SerialExecutor executor;
  EXPECT_EQ(generate({.scale = 41}, executor, sink).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(generate({.scale = 4, .edge_factor = 1u << 21}, executor, sink).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
