// Lists of the edges that a predicate keeps, within a limit of memory.
#include "query/plan/filtered_adjacency.h"

#include "predicate/parser.h"
#include "query/plan/edge_pushdown.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

namespace rizoma::query {
namespace {

constexpr VertexId kVertices = 500;

GraphView weighted_graph(bool directed) {
  return testing::build_graph(kVertices, testing::uniform_edges(kVertices, 6'000, 3),
                              {.directed = directed, .weights = WeightType::float32, .section_bits = 6});
}

Filter heavier_than_20() {
  const auto weight = [](const predicate::Name&) -> Result<predicate::Slot> {
    return predicate::Slot{.source = static_cast<unsigned>(SlotSource::edge_column), .type = ColumnType::float32};
  };
  return {std::make_shared<const predicate::Program>(*predicate::parse("weight > 20", weight)),
          std::make_shared<FirstFailure>()};
}

TEST(FilteredAdjacency, AreNotMadeWhereTheyWouldTakeTooMuch) {
  for (const bool directed : {true, false}) {
    for (const unsigned threads : {1u, 3u}) {
      Engine engine({.threads = threads});
      const GraphView graph = weighted_graph(directed);
      const auto columns = columns_of(graph);
      const std::vector<Filter> filters = {heavier_than_20()};
      const auto all = filtered_adjacency(engine, graph, filters, *columns, std::uint64_t{1} << 40);
      ASSERT_TRUE(all && *all);
      EXPECT_GT((*all)->lists.num_entries(), 3'000u);
      EXPECT_GT(bytes_of_filtered(**all), (*all)->lists.num_entries() * 12);
      for (const std::uint64_t limit : {std::uint64_t{1}, kVertices * 32, kVertices * 32 + 32 * 1'000}) {
        const auto none = filtered_adjacency(engine, graph, filters, *columns, limit);
        ASSERT_TRUE(none);
        EXPECT_FALSE(*none) << limit;
      }
      const std::uint64_t edges = directed ? graph.num_entries() : graph.num_entries() / 2 + kVertices;
      const auto enough = filtered_adjacency(engine, graph, filters, *columns, kVertices * 32 + 32 * edges);
      ASSERT_TRUE(enough && *enough);
      EXPECT_EQ((*enough)->lists.num_entries(), (*all)->lists.num_entries());
    }
  }
}

TEST(EdgePushdown, ThatDoNotFitLeaveTheirPredicatesToThePlan) {
  const GraphView graph = weighted_graph(true);
  Engine engine({.threads = 2});
  for (const std::string where :
       {"e.weight > 20", "e.weight > 20 and f.weight > 20", "e.weight > 20 and f.weight < 99"}) {
    const MatchOptions options{.pattern = "(a)-[e]->(b)-[f]->(c)-->(a)", .where = where};
    const auto expected = Match::prepare(graph, options)->count(engine);
    ASSERT_TRUE(expected);
    for (const std::uint64_t limit : {1u, 40'000u, 150'000u, 250'000u, 10'000'000u}) {
      MatchOptions limited = options;
      limited.memory_limit = limit;
      const Match match = *Match::prepare(graph, limited);
      const auto found = match.count(engine);
      ASSERT_TRUE(found);
      EXPECT_EQ(*found, *expected) << where << " in " << limit;
      std::uint64_t rows = 0;
      for (MatchCursor cursor = *match.rows({.vertices = {"a"}}); !cursor.finished();) {
        const auto parts = cursor.next(engine, 1'000);
        ASSERT_TRUE(parts);
        for (const MatchRows& part : *parts) rows += part.rows;
      }
      EXPECT_EQ(rows, *expected) << where << " in " << limit;
    }
  }
}

}  // namespace
}  // namespace rizoma::query
