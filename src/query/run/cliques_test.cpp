// Cliques against a search that follows the definition, and what keeps a count from ranking vertices.
#include "query/run/cliques.h"

#include <rizoma/match.h>

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::BuildOptions;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestEdge;

const std::string kTriangle = "(a)--(b)--(c)--(a)";
const std::string kFour = "(a)--(b)--(c)--(d)--(a), (a)--(c), (b)--(d)";
const std::string kFive = "(a)--(b)--(c)--(d)--(e)--(a), (a)--(c)--(e)--(b)--(d)--(a)";

/// Cliques of `size` vertices that `chosen`, ascending, can be extended to.
std::uint64_t cliques(const std::vector<std::vector<bool>>& adjacent, std::vector<VertexId>& chosen, unsigned size) {
  if (chosen.size() == size) return 1;
  std::uint64_t found = 0;
  for (VertexId v = chosen.empty() ? 0 : chosen.back() + 1; v < adjacent.size(); ++v) {
    bool fits = true;
    for (const VertexId u : chosen) fits = fits && adjacent[u][v];
    if (!fits) continue;
    chosen.push_back(v);
    found += cliques(adjacent, chosen, size);
    chosen.pop_back();
  }
  return found;
}

std::uint64_t cliques(const GraphView& graph, unsigned size) {
  std::vector<std::vector<bool>> adjacent(graph.num_vertices(), std::vector<bool>(graph.num_vertices()));
  for (const TestEdge& edge : testing::entries_of(graph)) {
    if (edge.source != edge.target) adjacent[edge.source][edge.target] = true;
  }
  std::vector<VertexId> chosen;
  return cliques(adjacent, chosen, size);
}

std::uint64_t count(const GraphView& graph, const std::string& pattern, unsigned threads) {
  Engine engine({.threads = threads});
  const auto found = Match::prepare(graph, {.pattern = pattern, .distinct = DistinctMatches::nodes})->count(engine);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : 0;
}

std::string explained(const GraphView& graph, const MatchOptions& options) {
  Engine engine({.threads = 2});
  return *Match::prepare(graph, options)->explain(engine, true);
}

/// Dense, with hubs (among them vertices of great numbers), some self-loops, and a hole.
GraphView dense_graph(BuildOptions options) {
  std::vector<TestEdge> edges = testing::uniform_edges(150, 2'500, 3);
  for (VertexId v = 0; v < 400; ++v) {
    if (v % 3 != 0) edges.push_back({149, v});
    if (v % 5 != 0) edges.push_back({399, v});
    if (v % 90 == 0) edges.push_back({v, v});
  }
  if (!options.by_degree) options.removed = {140};
  return testing::build_graph(400, edges, options);
}

TEST(Cliques, AsSearched) {
  for (const bool wide : {false, true}) {
    for (const bool by_degree : {false, true}) {
      const GraphView graph = dense_graph({.section_bits = 6, .wide = wide, .by_degree = by_degree});
      EXPECT_THAT(explained(graph, {.pattern = kFour, .distinct = DistinctMatches::nodes}),
                  HasSubstr("as cliques are counted"));
      for (const unsigned threads : {1u, 3u}) {
        EXPECT_EQ(count(graph, kTriangle, threads), 6 * cliques(graph, 3));
        EXPECT_EQ(count(graph, kFour, threads), 24 * cliques(graph, 4));
        EXPECT_EQ(count(graph, kFive, threads), 120 * cliques(graph, 5));
      }
    }
  }
}

TEST(Cliques, OfListsThatAreLongerThanAWordOfBits) {
  std::vector<TestEdge> edges;
  for (VertexId u = 0; u < 200; ++u) {
    for (VertexId v = 0; v < u; ++v) {
      if ((u * v) % 7 != 3) edges.push_back({u, v});
    }
  }
  const GraphView graph = testing::build_graph(200, edges);
  EXPECT_EQ(count(graph, kTriangle, 2), 6 * cliques(graph, 3));
  EXPECT_EQ(count(graph, kFour, 2), 24 * cliques(graph, 4));
}

TEST(Cliques, OfGroupsWhoseNumbersAreNearOrFarApart) {
  constexpr VertexId kGroups = 60, kGroup = 40;
  for (const bool near : {true, false}) {
    std::vector<TestEdge> edges;
    for (VertexId group = 0; group < kGroups; ++group) {
      const auto number = [&](VertexId i) { return near ? group * kGroup + i : i * kGroups + group; };
      for (VertexId u = 0; u < kGroup; ++u) {
        for (VertexId v = 0; v < u; ++v) edges.push_back({number(u), number(v)});
      }
    }
    const GraphView graph = testing::build_graph(kGroups * kGroup, edges);
    EXPECT_EQ(count(graph, kTriangle, 2), kGroups * 40 * 39 * 38);
    EXPECT_EQ(count(graph, kFour, 2), kGroups * 40 * 39 * 38 * 37);
  }
}

TEST(Cliques, OfShortLists) {
  std::vector<TestEdge> edges = testing::grid_edges(30, 30);
  for (VertexId v = 0; v + 31 < 900; v += 2) edges.push_back({v, v + 31});
  edges.push_back({7, 7});
  const GraphView graph = testing::build_graph(900, edges);
  EXPECT_GT(cliques(graph, 3), 100u);
  EXPECT_EQ(count(graph, kTriangle, 3), 6 * cliques(graph, 3));
  EXPECT_EQ(count(graph, kFour, 2), 24 * cliques(graph, 4));
}

TEST(Cliques, APlanSeesAsManyAsAreCounted) {
  const GraphView graph = dense_graph({});
  const std::string text = explained(graph, {.pattern = kFour, .distinct = DistinctMatches::nodes});
  for (const unsigned size : {2u, 3u, 4u})
    EXPECT_THAT(text, HasSubstr(", " + std::to_string(cliques(graph, size)) + " seen"));
}

TEST(Cliques, OtherCountsDoNotRank) {
  const auto special = HasSubstr("as cliques are counted");
  const GraphView graph = dense_graph({});
  EXPECT_THAT(explained(graph, {.pattern = kTriangle}), special);
  EXPECT_THAT(explained(graph, {.pattern = kTriangle, .memory_limit = 1'000}), Not(special));
  EXPECT_THAT(explained(graph, {.pattern = kTriangle, .where = "a < 100"}), Not(special));
  EXPECT_THAT(explained(graph, {.pattern = "(a)--(b)--(c)--(d)--(a), (a)--(c)"}), Not(special));
  EXPECT_THAT(explained(graph, {.pattern = kTriangle + ", (a)--(a)"}), Not(special));
  EXPECT_THAT(explained(dense_graph({.directed = true}), {.pattern = kTriangle}), Not(special));
  EXPECT_THAT(explained(dense_graph({.merge = false}), {.pattern = kTriangle}), Not(special));
  EXPECT_THAT(explained(testing::build_graph(0, testing::grid_edges(20, 20)), {.pattern = kFour}), Not(special));
}

TEST(Cliques, PathsThatMeetHeedTheLimitOfMemory) {
  const GraphView graph = dense_graph({});
  const auto meet = HasSubstr("where paths from ");
  const std::string cycle = "(a)--(b)--(c)--(d)--(a)";
  const std::string at_once = explained(graph, {.pattern = cycle, .memory_limit = 2 * 8 * 400});
  const std::string one_by_one = explained(graph, {.pattern = cycle, .memory_limit = 2 * 8 * 399});
  EXPECT_THAT(at_once, meet);
  EXPECT_THAT(one_by_one, Not(meet));
  const auto counted = [](const std::string& text) { return text.substr(text.find(", "), text.find('\n')); };
  EXPECT_EQ(counted(at_once.substr(0, at_once.find('\n'))), counted(one_by_one.substr(0, one_by_one.find('\n'))));
}

}  // namespace
}  // namespace rizoma
