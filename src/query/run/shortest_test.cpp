#include <rizoma/match.h>

#include "base/random.h"
#include "query/run/path_search.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Ends = std::vector<std::pair<std::string, std::vector<VertexId>>>;

constexpr VertexId kSide = 30;

/// A square of vertices, each tied to those beside it.
GraphView square() {
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId v = 0; v < kSide * kSide; ++v) {
    if (v % kSide + 1 < kSide) edges.emplace_back(v, v + 1);
    if (v + kSide < kSide * kSide) edges.emplace_back(v, v + kSide);
  }
  return testing::build_graph(kSide * kSide, edges, {});
}

/// 0 to 64, each with two edges to the next one; a path of single edges from 0 by 65 to 128, as long; 64 -> 129.
GraphView doubled_path() {
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId v = 0; v < 64; ++v) {
    edges.insert(edges.end(), 2, std::pair(v, v + 1));
    edges.emplace_back(v == 0 ? 0 : 64 + v, 65 + v);
  }
  edges.emplace_back(64, 129);
  return testing::build_graph(130, edges, {.directed = true, .merge = false});
}

std::vector<std::vector<VertexId>> first_rows(const GraphView& graph, const std::string& pattern, const Ends& ends,
                                              const std::vector<std::string>& names, std::size_t most) {
  Engine engine({.threads = 2});
  const Result<Match> match = Match::prepare(graph, {.pattern = pattern, .anchors = ends});
  EXPECT_TRUE(match) << match.error().message;
  Result<MatchCursor> cursor = match->rows({.vertices = names});
  EXPECT_TRUE(cursor) << cursor.error().message;
  std::vector<std::vector<VertexId>> rows;
  while (rows.size() < most) {
    const auto parts = cursor->next(engine, 3);
    EXPECT_TRUE(parts) << parts.error().message;
    if (!parts || parts->empty()) break;
    for (const MatchRows& part : *parts) {
      for (std::size_t i = 0; i < part.rows; ++i) {
        rows.emplace_back();
        for (const auto& column : part.vertices) rows.back().push_back(static_cast<VertexId>(column.at(i)));
      }
    }
  }
  return rows;
}

Result<std::uint64_t> count(const GraphView& graph, const std::string& pattern, const Ends& ends) {
  Engine engine({.threads = 2});
  return Match::prepare(graph, {.pattern = pattern, .anchors = ends})->count(engine);
}

TEST(Shortest, FirstRowsOfMorePathsThanMemoryHolds) {
  const GraphView graph = square();
  const Ends corners{{"a", {0}}, {"b", {kSide * kSide - 1}}};
  EXPECT_EQ(*count(graph, "all shortest (a)-[*]-(b)", corners), 30067266499541040u);  // 58 over 29
  const auto rows = first_rows(graph, "all shortest (a)-[*]-(b)", corners, {"a", "b"}, 7);
  ASSERT_GE(rows.size(), 7u);
  for (const auto& row : rows) EXPECT_EQ(row, (std::vector<VertexId>{0, kSide * kSide - 1}));
}

TEST(Shortest, RowsOfMorePathsThan64BitsCount) {
  const GraphView graph = doubled_path();
  const Ends ends{{"a", {0}}, {"b", {64}}};
  EXPECT_GE(first_rows(graph, "all shortest (a)-[*]->(b)", ends, {"b"}, 5).size(), 5u);
  const auto below = first_rows(graph, "all shortest (a)-[*]->(b); (b)-->(c)", ends, {"b", "c"}, 5);
  ASSERT_GE(below.size(), 5u);
  for (const auto& row : below) EXPECT_EQ(row, (std::vector<VertexId>{64, 129}));
  ASSERT_FALSE(count(graph, "all shortest (a)-[*]->(b)", ends));
}

TEST(Shortest, PathsThatLeadNowhereAreNotTakenOneByOne) {
  const GraphView graph = doubled_path();
  const Ends ends{{"a", {0}}, {"b", {129}}};
  EXPECT_EQ(first_rows(graph, "all shortest (a)-[*]->(b); (b)-->(c)", ends, {"b", "c"}, 1).size(), 0u);
  const auto none = count(graph, "all shortest (a)-[*]->(b); (b)-->(c)", ends);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(*none, 0u);
}

TEST(Shortest, PathsToOtherVerticesMayBeTooMany) {
  const auto single = count(doubled_path(), "all shortest (a)-[*]->(b)", {{"a", {0}}, {"b", {128}}});
  ASSERT_TRUE(single) << single.error().message;  // as far as 64, to which there are 2^64
  EXPECT_EQ(*single, 1u);
}

TEST(Shortest, EachPathGoesWithEachMatchBelow) {
  const std::vector<std::pair<VertexId, VertexId>> edges{{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 3}, {2, 4}, {0, 5}};
  const GraphView graph = testing::build_graph(6, edges, {.directed = true, .merge = false});
  const Ends ends{{"a", {0}}, {"b", {2, 5}}};
  std::map<std::vector<VertexId>, int> found;
  for (const auto& row : first_rows(graph, "all shortest (a)-[*]->(b); (b)-->(c)", ends, {"b", "c"}, 1000)) {
    ++found[row];
  }
  EXPECT_EQ(found, (std::map<std::vector<VertexId>, int>{{{2, 3}, 4}, {{2, 4}, 4}}));
}

std::string plan_of(const GraphView& graph, const Ends& ends) {
  Engine engine({.threads = 1});
  return *Match::prepare(graph, {.pattern = "shortest (a)-[*]->(b)", .anchors = ends})->explain(engine, false);
}

/// True if the plan begins with `first`.
bool begins_with(const std::string& plan, const std::string& first) {
  return plan.find("\n  " + first + ",") != std::string::npos;
}

TEST(Shortest, SearchesBeginAtTheEndThatIsMatchedFirst) {
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId v = 0; v < 100; ++v) edges.emplace_back(v, (v + 1) % 100);
  const GraphView both = testing::build_graph(100, edges, {.directed = true});
  const GraphView out = testing::build_graph(100, edges, {.directed = true, .in_edges = false});
  std::vector<VertexId> many(50);
  std::iota(many.begin(), many.end(), VertexId{0});
  const Ends to_few{{"a", many}, {"b", {60, 61}}};
  const Ends to_many{{"a", {60, 61}}, {"b", many}};
  EXPECT_TRUE(begins_with(plan_of(both, to_few), "b")) << plan_of(both, to_few);
  EXPECT_TRUE(begins_with(plan_of(out, to_few), "a")) << plan_of(out, to_few);  // without in-edges a search from each a
  EXPECT_TRUE(begins_with(plan_of(both, to_many), "a"));
  for (const GraphView& graph : {both, out}) {
    for (const Ends& ends : {to_few, to_many}) EXPECT_EQ(*count(graph, "shortest (a)-[*]->(b)", ends), 100u);
  }
}

/// Walks from `from` to `to` of the smallest number of edges, counted step by step.
std::uint64_t paths_by_walks(VertexId n, const std::vector<std::pair<VertexId, VertexId>>& edges, VertexId from,
                             VertexId to) {
  std::vector<std::uint64_t> walks(n);
  walks[from] = 1;
  for (VertexId length = 1; length <= n; ++length) {
    std::vector<std::uint64_t> longer(n);
    for (const auto& [u, v] : edges) longer[v] += walks[u];
    if (longer[to] != 0) return longer[to];
    walks = std::move(longer);
  }
  return 0;
}

TEST(Shortest, PathsAreTheSameFromEitherEnd) {
  Random random(8);
  for (int i = 0; i < 60; ++i) {
    const VertexId n = 4 + random.below(6);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (std::uint64_t m = random.below(25); m > 0; --m) edges.emplace_back(random.below(n), random.below(n));
    std::vector<VertexId> many(n);
    std::iota(many.begin(), many.end(), VertexId{0});
    const VertexId one = random.below(n);
    std::uint64_t from_one = 0;
    std::uint64_t to_one = 0;
    for (VertexId v = 0; v < n; ++v) {
      from_one += paths_by_walks(n, edges, one, v);
      to_one += paths_by_walks(n, edges, v, one);
    }
    for (const bool in_edges : {true, false}) {
      const GraphView graph = testing::build_graph(n, edges, {.directed = true, .in_edges = in_edges, .merge = false});
      EXPECT_EQ(*count(graph, "all shortest (a)-[*]->(b)", {{"a", {one}}, {"b", many}}), from_one);
      EXPECT_EQ(*count(graph, "all shortest (a)-[*]->(b)", {{"a", many}, {"b", {one}}}), to_one);
    }
  }
}

TEST(Shortest, AStoppedSearchBeginsAnew) {
  const GraphView graph = square();
  graph.with_out([&]<class Target>(const Adjacency<Target>&) {
    const query::Lists<Target> lists(graph);
    query::PathSearch<Target> search(query::Side::out, kSide * kSide, true);
    int asked = 0;
    EXPECT_FALSE(search.count(lists, 0, kSide + 1, [&] { return ++asked == 2; }));
    EXPECT_EQ(search.count(lists, 0, kSide + 1, [] { return false; })->value(), 2u);
  });
}

}  // namespace
}  // namespace rizoma
