// A flat copy lists what the sections list; one section is not copied.
#include <rizoma/export.h>

#include "testing/delta_graph.h"
#include "testing/graph_builder.h"
#include "testing/ingest_support.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

using testing::BuildOptions;
using testing::PoolExecutor;

template <class W>
void expect_weights(const GraphView& view, const FlatCsrOf<std::int32_t>& flat) {
  view.with_out([&](const auto& out) {
    for (VertexId v = 0; v < view.num_vertices(); ++v) {
      const auto expected = out.template weights<W>(v);
      const W* found = static_cast<const W*>(flat.weights) + flat.offsets[v];
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found));
    }
  });
}

void expect_same_lists(const GraphView& view, Direction direction, const FlatCsrOf<std::int32_t>& flat) {
  ASSERT_EQ(flat.offsets.size(), view.num_vertices() + 1);
  const auto check = [&](const auto& lists) {
    for (VertexId v = 0; v < view.num_vertices(); ++v) {
      const auto expected = lists.neighbors(v);
      const auto first = static_cast<std::size_t>(flat.offsets[v]);
      const auto found = flat.targets.subspan(first, static_cast<std::size_t>(flat.offsets[v + 1]) - first);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end())) << v;
    }
  };
  if (direction == Direction::out) return view.with_out(check);
  view.with_both([&](const auto&, const auto& in) { check(in); });
}

TEST(FlatCsr, ListsWhatTheSectionsList) {
  PoolExecutor executor(3);
  const auto edges = testing::rmat_edges(9, 3000, 2);
  for (const bool directed : {false, true}) {
    for (const bool wide : {false, true}) {
      const GraphView view = testing::build_graph(
          600, edges,
          BuildOptions{.directed = directed, .weights = WeightType::float32, .section_bits = 5, .wide = wide});
      for (const Direction direction : {Direction::out, Direction::in}) {
        const auto flat = flat_csr(view, direction, executor);
        ASSERT_TRUE(flat.ok());
        expect_same_lists(view, direction, std::get<FlatCsrOf<std::int32_t>>(*flat));
      }
      const auto flat = flat_csr(view, Direction::out, executor);
      expect_weights<float>(view, std::get<FlatCsrOf<std::int32_t>>(*flat));
      const auto changed = flat_csr(testing::with_changed_lists(view, 1), Direction::out, executor);
      expect_same_lists(view, Direction::out, std::get<FlatCsrOf<std::int32_t>>(*changed));
      expect_weights<float>(view, std::get<FlatCsrOf<std::int32_t>>(*changed));
    }
  }
}

TEST(FlatCsr, OneSectionIsNotCopiedAndOutlivesTheView) {
  SerialExecutor executor;
  Result<FlatCsr> flat = FlatCsr();
  const std::uint32_t* targets = nullptr;
  {
    const GraphView view = testing::build_graph(5, testing::path_edges(5), BuildOptions{.section_bits = 10});
    flat = flat_csr(view, Direction::out, executor);
    targets = std::get<Adjacency<std::uint32_t>>(view.parts().out).section(0).targets;
  }
  const auto& csr = std::get<FlatCsrOf<std::int32_t>>(*flat);
  EXPECT_EQ(static_cast<const void*>(csr.targets.data()), targets);
  EXPECT_EQ(csr.offsets.back(), 8);
  EXPECT_EQ(csr.targets[7], 3);
}

TEST(FlatCsr, AnEmptyGraph) {
  SerialExecutor executor;
  const auto flat = flat_csr(GraphView(), Direction::out, executor);
  ASSERT_TRUE(flat.ok());
  EXPECT_EQ(std::get<FlatCsrOf<std::int32_t>>(*flat).offsets.size(), 1u);
}

}  // namespace
}  // namespace rizoma
