#include "engine/balance/one_sided_stealing.h"

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

GraphView made_graph() {
  return testing::build_graph(1 << 13, testing::rmat_edges(12, 30'000, 3), {.section_bits = 7, .by_degree = true});
}

struct Found {
  std::uint64_t triangles = 0;
  std::uint64_t greatest = 0;  ///< bytes that a thread had at hand
};

/// Triangles as ranks find them of which the first has nearly all work, and does none before another has some.
Found find_triangles(std::uint64_t fetch_limit, std::uint64_t cache_bytes = 0) {
  const GraphView graph = made_graph();
  std::atomic<std::uint64_t> triangles = 0;
  std::atomic<std::uint64_t> greatest = 0;
  std::atomic<bool> moved = false;
  run_simulated_cluster(2, 5, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.partition = PlacementPolicy::halves, .migration = true, .cache_bytes = cache_bytes});
    Engine engine({.threads = 1, .ranks = &ranks});
    auto lists = OrientedLists::make(engine, graph);
    ASSERT_TRUE(lists);
    auto core = CoreRows::make(engine, *lists, 64);  // few: most lists have to be brought
    ASSERT_TRUE(core);
    const auto moving = OneSidedStealing::make(engine, *lists, *core, fetch_limit);
    ASSERT_TRUE(moving);
    const OwnLists own{&*lists, core->size()};
    OrientedTriangles closed(lists->size(), *core);
    const auto add = [&](OrientedLists::DegreeRank, std::uint64_t found) { triangles += found; };
    const Status done = (*moving)->for_each(
        [&](OrientedLists::DegreeRank r, unsigned) {
          while (transport.rank() == 0 && !moved) std::this_thread::yield();
          closed.of((*lists)[r], own, add, OrientedTriangles::NoThird());
        },
        [&](OrientedLists::DegreeRank, std::span<const OrientedLists::DegreeRank> list, const StolenLists& stolen,
            unsigned) {
          moved = true;
          greatest = std::max(greatest.load(), static_cast<const OneSidedStealing::Fetched&>(stolen).bytes());
          closed.of(list, stolen, add, OrientedTriangles::NoThird());
        });
    EXPECT_TRUE(done);
    EXPECT_TRUE(ranks.finalize(done));
  });
  EXPECT_TRUE(moved);
  return {triangles, greatest};
}

/// Bytes of what has to be at hand of one list, whatever the bound.
std::uint64_t most_of_one_list() {
  const GraphView graph = made_graph();
  Engine engine({.threads = 1});
  const auto lists = OrientedLists::make(engine, graph);
  EXPECT_TRUE(lists);
  std::uint64_t longest = 0;
  std::uint64_t places = 0;
  std::uint64_t others = 0;
  for (OrientedLists::DegreeRank r = 0; r < lists->size(); ++r) {
    const auto list = (*lists)[r];
    std::uint64_t led_to = 0;
    for (const OrientedLists::DegreeRank v : list) led_to += (*lists)[v].size_bytes();
    longest = std::max<std::uint64_t>(longest, list.size_bytes());
    places = std::max(places, list.size() * OneSidedStealing::kBeside);
    others = std::max(others, led_to);
  }
  return longest + places + others;
}

TEST(OneSidedStealing, AsManyListsAreAtHandAsTheBoundAllows) {
  const Found all = find_triangles(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(all.triangles, 1000U);
  constexpr std::uint64_t kFew = 2'000;
  const Found few = find_triangles(kFew);
  EXPECT_EQ(few.triangles, all.triangles);
  const Found one = find_triangles(0);
  EXPECT_EQ(one.triangles, all.triangles);
  const std::uint64_t least = most_of_one_list();
  EXPECT_LE(one.greatest, least);
  constexpr std::uint64_t kSome = 20'000;
  const Found some = find_triangles(kSome);
  EXPECT_EQ(some.triangles, all.triangles);
  EXPECT_LE(few.greatest, 2 * kFew + least);
  EXPECT_LE(some.greatest, 2 * kSome + least);
  const Found with_kept = find_triangles(kSome, 1 << 20);
  EXPECT_EQ(with_kept.triangles, all.triangles);
  EXPECT_LE(with_kept.greatest, 2 * kSome + least);
  EXPECT_GT(all.greatest, 2 * kSome + least) << "the bound decides";
}

}  // namespace
}  // namespace rizoma
