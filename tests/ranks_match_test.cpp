// Patterns counted on simulated ranks against one machine.
#include <rizoma/engine.h>
#include <rizoma/match.h>
#include <rizoma/ranks.h>

#include "base/random.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

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
      ASSERT_TRUE(ranks.settle(found ? Status() : Status(found.error())));
      EXPECT_EQ(*found, *expected);
      EXPECT_FALSE(match->count_by(engine, "a"));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchOnRanks, ::testing::Range<std::uint64_t>(1, 7));

}  // namespace
}  // namespace rizoma
