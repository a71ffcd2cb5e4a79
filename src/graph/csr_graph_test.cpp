#include <rizoma/csr_graph.h>

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

namespace rizoma {
namespace {

using testing::entries_of;
using testing::TestEdge;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Numbers = std::vector<std::uint32_t>;

// 0 -> 2, 1; 1 -> 0; 2 -> 2, 0
const Numbers kOffsets{0, 2, 3, 5};
const Numbers kTargets{2, 1, 0, 2, 0};
const std::vector<double> kWeights{1, 2, 3, 4, 5};

TEST(CsrGraph, SortsListsAndMakesInEdges) {
  const auto view = view_of_csr({kOffsets, kTargets, kWeights}, {.directed = true});
  ASSERT_TRUE(view.ok());
  EXPECT_TRUE(view->sorted());
  EXPECT_EQ(view->num_edges(), 5U);
  EXPECT_EQ(view->num_self_loops(), 1U);
  EXPECT_THAT(entries_of(*view), ElementsAre(TestEdge{0, 1, 2}, TestEdge{0, 2, 1}, TestEdge{1, 0, 3}, TestEdge{2, 0, 5}, TestEdge{2, 2, 4}));
  EXPECT_THAT(entries_of(reversed(*view)),
              ElementsAre(TestEdge{0, 1, 3}, TestEdge{0, 2, 5}, TestEdge{1, 0, 2}, TestEdge{2, 0, 1}, TestEdge{2, 2, 4}));
}

TEST(CsrGraph, KeepsTheOrderGiven) {
  const auto view = view_of_csr({kOffsets, kTargets, {}}, {.directed = true, .sort = false});
  ASSERT_TRUE(view.ok());
  EXPECT_FALSE(view->sorted());
  view->with_out([](const auto& out) { EXPECT_THAT(out.neighbors(0), ElementsAre(2, 1)); });
  const Numbers in_targets{2, 1, 0, 2, 0};  // of 0: 2, 1; of 1: 0; of 2: 2, 0
  const auto both = view_of_csr({kOffsets, kTargets, {}}, {kOffsets, in_targets, {}});
  ASSERT_TRUE(both.ok());
  both->with_both([](const auto&, const auto& in) { EXPECT_THAT(in.neighbors(2), ElementsAre(2, 0)); });
}

TEST(CsrGraph, UndirectedListsAreSorted) {
  const auto view = view_of_csr({Numbers{0, 2, 3, 4}, Numbers{2, 1, 0, 0}, std::vector<double>{7, 8, 8, 7}});
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->num_edges(), 2U);
  EXPECT_THAT(entries_of(*view), ElementsAre(TestEdge{0, 1, 8}, TestEdge{0, 2, 7}, TestEdge{1, 0, 8}, TestEdge{2, 0, 7}));
}

TEST(CsrGraph, NoVertices) {
  const auto view = view_of_csr({Numbers{0}, {}, {}});
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->num_vertices(), 0U);
  EXPECT_EQ(entries_of(*view).size(), 0U);
}

TEST(CsrGraph, RefusesWhatIsNoGraph) {
  const auto message = [](const CsrArrays& arrays, bool directed) {
    const auto view = view_of_csr(arrays, {.directed = directed});
    return view.ok() ? std::string("accepted") : view.error().message;
  };
  EXPECT_THAT(message({{}, {}, {}}, true), HasSubstr("begin with 0"));
  EXPECT_THAT(message({Numbers{0, 2, 1}, Numbers{0}, {}}, true), HasSubstr("fall"));
  EXPECT_THAT(message({Numbers{0, 2}, Numbers{0}, {}}, true), HasSubstr("there are 1 targets"));
  EXPECT_THAT(message({Numbers{0, 1}, Numbers{1}, {}}, true), HasSubstr("none of the 1 vertices"));
  EXPECT_THAT(message({Numbers{0, 1}, Numbers{0}, std::vector<double>{1, 2}}, true), HasSubstr("2 weights"));
  EXPECT_THAT(message({Numbers{0, 1, 1}, Numbers{1}, {}}, false), HasSubstr("both entries"));
}

}  // namespace
}  // namespace rizoma
