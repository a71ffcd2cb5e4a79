// Entries are numbered through all lists, wherever the lists lie.
#include "graph/entry_numbers.h"

#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

void expect_numbered(const GraphView& graph) {
  const EntryNumbers numbers(graph);
  graph.with_out([&](const auto& out) {
    EdgeCount next = 0;
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      EXPECT_EQ(numbers.first(v), next) << v;
      next += out.degree(v);
    }
  });
}

TEST(EntryNumbersTest, CountThroughAllLists) {
  for (const unsigned section_bits : {0U, 4U, 12U}) {
    const GraphView graph = testing::build_graph(300, testing::rmat_edges(8, 2000, 3), {.section_bits = section_bits});
    expect_numbered(graph);
    expect_numbered(testing::with_changed_lists(graph, section_bits));
  }
}

}  // namespace
}  // namespace rizoma
