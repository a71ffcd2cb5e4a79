#include "engine/moving_lists.h"

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <thread>

namespace rizoma {
namespace {

struct Found {
  std::uint64_t triangles = 0;
  std::uint64_t greatest = 0;  ///< bytes that a thread had at hand
};

/// Triangles as ranks find them of which the first has nearly all work, and does none before another has some.
Found find_triangles(std::uint64_t most_brought) {
  const GraphView graph =
      testing::build_graph(1 << 13, testing::rmat_edges(12, 30'000, 3), {.section_bits = 7, .by_degree = true});
  std::atomic<std::uint64_t> triangles = 0;
  std::atomic<std::uint64_t> greatest = 0;
  std::atomic<bool> moved = false;
  run_simulated_cluster(2, 5, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.partition = PlacementPolicy::halves, .migration = true, .cache_bytes = 0});
    Engine engine({.threads = 1, .ranks = &ranks});
    auto lists = RankedLists::make(engine, graph);
    ASSERT_TRUE(lists);
    auto core = CoreRows::make(engine, *lists, 64);  // few: most lists have to be brought
    ASSERT_TRUE(core);
    const auto moving = MovingLists::make(engine, *lists, *core, most_brought);
    ASSERT_TRUE(moving);
    ListCounter counter(engine, graph);
    RankedTriangles closed(*lists, *core, counter[0]);
    const auto add = [&](RankedLists::Rank, std::uint64_t found) { triangles += found; };
    const Status done = (*moving)->for_each(
        [&](RankedLists::Rank r, unsigned) {
          while (transport.rank() == 0 && !moved) std::this_thread::yield();
          closed.of(r, add, RankedTriangles::NoThird());
        },
        [&](RankedLists::Rank r, std::span<const RankedLists::Rank> list, const MovingLists::Brought& brought,
            unsigned) {
          moved = true;
          greatest = std::max(greatest.load(), brought.bytes());
          closed.of(r, list, brought, add, RankedTriangles::NoThird());
        });
    EXPECT_TRUE(done);
    EXPECT_TRUE(ranks.settle(done));
  });
  EXPECT_TRUE(moved);
  return {triangles, greatest};
}

TEST(MovingLists, AsManyListsAreAtHandAsTheBoundAllows) {
  const Found all = find_triangles(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(all.triangles, 1000U);
  const Found few = find_triangles(2'000);
  EXPECT_EQ(few.triangles, all.triangles);
  const Found one = find_triangles(0);
  EXPECT_EQ(one.triangles, all.triangles);
  EXPECT_LT(few.greatest, all.greatest / 2);
  EXPECT_LE(one.greatest, few.greatest);
}

}  // namespace
}  // namespace rizoma
