// Patterns counted on simulated ranks against one machine.
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/match.h>

#include "base/random.h"
#include "query/distributed/data_nodes.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace rizoma {
namespace {

struct Asked {
  std::string pattern;
  std::string where;
};

const std::vector<Asked> kAsked = {
    {"(a)-->(b)-->(a)", ""},
    {"(a)-->(b)-->(c)-->(a)", ""},
    {"(a)-->(b)-->(c)-->(d)", ""},
    {"(a)--(b)--(c)--(d)--(a)", ""},
    {"(a)-->(b), (c)-->(d)", "a < 5 and c > 7"},
    {"(a)-[e]->(b)-[f]->(c)", "e.weight > 50 and f.weight <= 200"},
    {"(a {id: 3})-->(b)-->(c)", ""},
    {"(a)-->(b)", "a in [1, 2, 30, 31, 32]"},
    {"(a)-->(b)", "a = 1000000"},
};

class MatchOnRanks : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(MatchOnRanks, CountsAsAlone) {
  Random random(GetParam());
  const VertexId n = 40 + random.below(400);
  const testing::BuildOptions options{.directed = true,
                                      .weights = WeightType::float32,
                                      .section_bits = static_cast<unsigned>(2 + random.below(7)),
                                      .merge = random.below(2) == 0};
  const GraphView graph = testing::build_graph(n, testing::uniform_edges(n, 6 * n, GetParam()), options);
  Engine alone({.threads = 2});
  for (const Asked& asked : kAsked) {
    SCOPED_TRACE(asked.pattern + " " + asked.where);
    const Result<Match> match = Match::prepare(graph, {.pattern = asked.pattern, .where = asked.where});
    ASSERT_TRUE(match) << match.error().message;
    const auto expected = match->count(alone);
    ASSERT_TRUE(expected) << expected.error().message;
    run_simulated_cluster(static_cast<Rank>(2 + GetParam() % 3), GetParam(), [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 2, .ranks = &ranks});
      const auto found = match->count(engine);
      ASSERT_TRUE(ranks.finalize(found ? Status() : Status(found.error())));
      EXPECT_EQ(*found, *expected);
      EXPECT_FALSE(match->count_by(engine, "a"));
    });
  }
}

/// What the ranks of a simulated cluster count, each given the pattern by `ask`; all the same.
std::uint64_t count_on_ranks(const Match& match, unsigned size, std::uint64_t seed, std::vector<RankShare>* shares) {
  std::vector<std::uint64_t> counts(size);
  run_simulated_cluster(size, seed, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 2, .ranks = &ranks});
    std::vector<RankShare> mine;
    const auto found = match.count(engine, &mine);
    const Status ended = ranks.finalize(found ? Status() : Status(found.error()));
    EXPECT_TRUE(ended) << (ended ? "" : ended.error().message);
    if (!found) return;
    counts[ranks.rank()] = *found;
    if (ranks.rank() == 0) *shares = mine;
  });
  for (const std::uint64_t count : counts) EXPECT_EQ(count, counts[0]);
  return counts[0];
}

const std::vector<Asked> kAskedOfDataNodes = {
    {"(a)-->(b)-->(c)-->(d)-->(a)", ""},
    {"(a)-->(b), (b)-->(c), (c)-->(d), (d)-->(b)", ""},
    {"(a)-->(b)-->(c), !(a)-->(c)", ""},
    {"(a)-->(b), !(b)-->()", ""},
    {"(a)--(b), !()-->(a)", "a < b"},
    {"(a)-->(a)-->(b)", ""},
    {"(a)-[e]->(b)<-[f]-(c)", "e.weight < f.weight"},
    {"(a)--(b)--(c)--(a), (a)--(d), (b)--(d), (c)--(d)", ""},
};

TEST_P(MatchOnRanks, DataNodesAndWorkersCountAsAlone) {
  Random random(GetParam() + 100);
  const VertexId n = 40 + random.below(300);
  const testing::BuildOptions options{.directed = GetParam() % 3 != 0,
                                      .weights = WeightType::float32,
                                      .section_bits = static_cast<unsigned>(2 + random.below(5)),
                                      .merge = random.below(2) == 0};
  const GraphView graph = testing::build_graph(n, testing::uniform_edges(n, 5 * n, GetParam()), options);
  const auto size = static_cast<unsigned>(2 + random.below(3));
  std::vector<Asked> asked = kAsked;
  asked.insert(asked.end(), kAskedOfDataNodes.begin(), kAskedOfDataNodes.end());
  Engine alone({.threads = 2});
  for (std::size_t i = GetParam() % 6; i < asked.size(); i += 6) {  // each pattern on one graph: rounds take long
    const Asked& each = asked[i];
    SCOPED_TRACE(each.pattern + " " + each.where);
    MatchOptions given{.pattern = each.pattern, .where = each.where};
    given.sharing = {.data_nodes = static_cast<unsigned>(1 + random.below(size)),
                     .cache_bytes = 20'000 + random.below(100'000)};
    const Result<Match> match = Match::prepare(graph, given);
    ASSERT_TRUE(match) << match.error().message;
    const auto expected = match->count(alone);
    ASSERT_TRUE(expected) << expected.error().message;
    std::vector<RankShare> shares;
    EXPECT_EQ(count_on_ranks(*match, size, GetParam(), &shares), *expected);
    for (unsigned rank = 0; rank < shares.size(); ++rank) {
      EXPECT_EQ(shares[rank].holds, rank < given.sharing.data_nodes);
    }
  }
}

/// The same graph, but that the lists that a rank does not hold lie nowhere: a read of one crashes.
GraphView held_part(const GraphView& graph, unsigned data_nodes, unsigned rank) {
  const query::Holders holders(graph, data_nodes, rank);
  GraphView::Parts parts = graph.parts();
  const auto take_away = [&](GraphView::AnyAdjacency& lists) {
    const auto& all = std::get<Adjacency<std::uint32_t>>(lists);
    std::vector<SectionEdges<std::uint32_t>> sections;
    for (SectionId s = 0; s < all.num_sections(); ++s) {
      sections.push_back(all.section(s));
      if (!holders.is_mine(s)) sections.back().targets = nullptr;
    }
    lists = Adjacency<std::uint32_t>(all.section_bits(), all.num_vertices(), std::move(sections));
  };
  take_away(parts.out);
  if (parts.in) take_away(*parts.in);
  return GraphView(std::move(parts));
}

TEST(DataNodes, RanksReadNoListsButTheirOwn) {
  const VertexId n = 512;
  const testing::BuildOptions options{.directed = true, .section_bits = 5, .merge = true};
  const GraphView graph = testing::build_graph(n, testing::uniform_edges(n, 8 * n, 3), options);
  Engine alone({.threads = 1});
  const auto expected = Match::prepare(graph, {.pattern = "(a)-->(b)-->(c)-->(a)"})->count(alone);
  for (const unsigned data_nodes : {1u, 2u}) {
    MatchOptions given{.pattern = "(a)-->(b)-->(c)-->(a)"};
    given.sharing = {.data_nodes = data_nodes};
    run_simulated_cluster(3, 5, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      std::vector<RankShare> shares;
      const auto found = Match::prepare(held_part(graph, data_nodes, ranks.rank()), given)->count(engine, &shares);
      ASSERT_TRUE(ranks.finalize(found ? Status() : Status(found.error())));
      EXPECT_EQ(*found, *expected);
      ASSERT_EQ(shares.size(), 3u);
      EXPECT_EQ(shares[0].lists == 0, data_nodes == 1);
      EXPECT_GT(shares[2].lists, 0u);
      EXPECT_LE(shares[2].bytes, graph.num_entries() * 2 * sizeof(std::uint32_t));
      EXPECT_GT(shares[2].blocks, 0u);
    });
  }
}

/// Rows of one name after the other, ascending.
std::vector<std::vector<std::int64_t>> rows_of(Engine& engine, const Match& match) {
  std::vector<std::vector<std::int64_t>> rows;
  Result<MatchCursor> cursor = match.rows({.vertices = match.vertices()});
  EXPECT_TRUE(cursor);
  while (cursor && !cursor->finished()) {
    const auto parts = cursor->next(engine, 100);
    EXPECT_TRUE(parts) << (parts ? "" : parts.error().message);
    if (!parts) break;
    for (const MatchRows& part : *parts) {
      EXPECT_LE(part.rows, 100u + 5u) << "and the images of the last one";
      for (std::size_t i = 0; i < part.rows; ++i) {
        rows.emplace_back();
        for (const auto& column : part.vertices) rows.back().push_back(column[i]);
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_P(MatchOnRanks, DataNodesAndWorkersFindTheRows) {
  const testing::BuildOptions options{.directed = GetParam() % 2 == 0, .section_bits = 3, .merge = GetParam() % 3 == 0};
  const GraphView graph = testing::build_graph(90, testing::uniform_edges(90, 400, GetParam()), options);
  Engine alone({.threads = 2});
  const std::vector<std::string> patterns = {"(a)-->(b)-->(c)-->(a)", "(a)-->(b), (c {id: 3})-->(d)",
                                             "(a)-->(b), !(b)-->(a)"};
  MatchOptions given{.pattern = patterns[GetParam() % patterns.size()]};
  given.sharing = {.data_nodes = 2, .cache_bytes = 10'000};
  const Result<Match> match = Match::prepare(graph, given);
  ASSERT_TRUE(match) << match.error().message;
  std::vector<std::vector<std::vector<std::int64_t>>> found(3);
  run_simulated_cluster(3, GetParam(), [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 2, .ranks = &ranks});
    found[ranks.rank()] = rows_of(engine, *match);
    EXPECT_TRUE(ranks.finalize({}));
  });
  for (const unsigned other : {1u, 2u}) found[0].insert(found[0].end(), found[other].begin(), found[other].end());
  std::sort(found[0].begin(), found[0].end());
  EXPECT_EQ(found[0], rows_of(alone, *match));
}

TEST(DataNodes, WhatDoesNotFitIsFetchedAgain) {
  const GraphView graph =
      testing::build_graph(2'000, testing::uniform_edges(2'000, 16'000, 3), {.directed = true, .section_bits = 6});
  Engine alone({.threads = 1});
  MatchOptions given{.pattern = "(a)-->(b)-->(c)-->(a)"};
  const auto expected = Match::prepare(graph, given)->count(alone);
  std::vector<RankShare> all_kept;
  given.sharing = {.data_nodes = 1};
  EXPECT_EQ(count_on_ranks(*Match::prepare(graph, given), 2, 1, &all_kept), *expected);
  std::vector<RankShare> few_kept;
  given.sharing = {.data_nodes = 1, .cache_bytes = 40'000};
  EXPECT_EQ(count_on_ranks(*Match::prepare(graph, given), 2, 1, &few_kept), *expected);
  ASSERT_EQ(all_kept.size(), 2u);
  ASSERT_EQ(few_kept.size(), 2u);
  EXPECT_GT(all_kept[1].hits, 0u);
  EXPECT_LE(all_kept[1].lists, 2 * graph.num_vertices());
  EXPECT_GT(few_kept[1].lists, all_kept[1].lists);
}

TEST(DataNodes, MoreThanRanksAreRefused) {
  const GraphView graph = testing::build_graph(20, testing::uniform_edges(20, 60, 3), {.directed = true});
  MatchOptions given{.pattern = "(a)-->(b)"};
  given.sharing = {.data_nodes = 3};
  const Match match = *Match::prepare(graph, given);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto found = match.count(engine);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "3 data nodes are more than the 2 ranks; start more ranks");
    EXPECT_FALSE(ranks.finalize(found.error()));
  });
  given.pattern = "shortest (a)-[*1..3]->(b)";
  given.where = "a = 1 and b = 2";
  EXPECT_FALSE(Match::prepare(graph, given));
}

TEST(DataNodes, ADeadRankIsNamed) {
  const GraphView graph = testing::build_graph(300, testing::uniform_edges(300, 3000, 3), {.directed = true});
  MatchOptions given{.pattern = "(a)-->(b)-->(c)-->(a)"};
  given.sharing = {.data_nodes = 1};
  const Match match = *Match::prepare(graph, given);
  for (const unsigned dead : {0u, 2u}) {
    run_simulated_cluster(3, 1, [&](Transport& transport) {
      if (transport.rank() == dead) return;
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      const auto found = match.count(engine);
      ASSERT_FALSE(found);
      EXPECT_EQ(found.error().code, ErrorCode::io);
      EXPECT_NE(found.error().message.find("rank " + std::to_string(dead)), std::string::npos) << found.error().message;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchOnRanks, ::testing::Range<std::uint64_t>(1, 7));

}  // namespace
}  // namespace rizoma
