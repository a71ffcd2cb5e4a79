#include <rizoma/lab/boundary.h>

#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace rizoma {
namespace {

TEST(Boundary, CountsEachVertexOnceForEachRankThatReadsIt) {
  for (const bool directed : {false, true}) {
    const GraphView graph =
        testing::build_graph(500, testing::rmat_edges(8, 2000, 3), {.directed = directed, .section_bits = 5});
    const std::vector<unsigned> rank_of_section{0, 2, 1, 1, 0, 2, 2, 0, 0, 1, 2, 1, 0, 0, 1, 2};
    std::vector<std::set<VertexId>> read(9);
    for (const testing::TestEdge& edge : testing::entries_of(graph)) {
      // In-lists: the target's rank reads the source.
      const unsigned reader = rank_of_section[edge.target >> 5];
      const unsigned owner = rank_of_section[edge.source >> 5];
      if (reader != owner) read[reader * 3 + owner].insert(edge.source);
    }
    const std::vector<VertexId> counts = boundary_vertices(graph, Direction::in, rank_of_section, 3);
    ASSERT_EQ(counts.size(), 9U);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(counts[i], read[i].size()) << i;
  }
}

TEST(Boundary, ASingleRankHasNone) {
  const GraphView graph = testing::build_graph(10, testing::path_edges(10));
  EXPECT_EQ(boundary_vertices(graph, Direction::out, {}, 1), std::vector<VertexId>{0});
}

}  // namespace
}  // namespace rizoma
