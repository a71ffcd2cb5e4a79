// Cached lists and assigned blocks.
#include "query/distributed/data_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rizoma::query {
namespace {

/// Caches a list of `size` bytes, each of them `value`.
void keep(ListCache& cache, VertexId v, std::size_t bytes, unsigned char value) {
  const std::vector<ListKey> keys = {{v, Direction::in}};
  const std::vector<std::uint64_t> sizes = {bytes};
  cache.keep(std::vector<std::byte>(bytes, std::byte{value}), keys, sizes);
}

TEST(ListCache, KeepsTheListsOfLateBatchesWithinItsBound) {
  ListCache cache(100, 10'000);
  for (VertexId v = 0; v < 40; ++v) {
    cache.begin_batch();
    EXPECT_LE(cache.bytes(), 10'000u + 1'000u);
    keep(cache, v, 900, static_cast<unsigned char>(v));
    EXPECT_NE(cache.use({0, Direction::in}), nullptr) << "used in each batch";
    const ListCache::Held* const late = cache.find({v, Direction::in});
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->bytes, 900u);
    EXPECT_EQ(late->data[899], std::byte{static_cast<unsigned char>(v)});
    EXPECT_EQ(cache.find({v, Direction::out}), nullptr);
  }
  const ListCache::Held* const first = cache.find({0, Direction::in});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(std::count(first->data, first->data + first->bytes, std::byte{0}), 900);
  EXPECT_EQ(cache.find({1, Direction::in}), nullptr);
}

TEST(ListCache, OfNoSizeKeepsABatch) {
  ListCache cache(100, 0);
  cache.begin_batch();
  keep(cache, 1, 100, 1);
  keep(cache, 2, 0, 2);
  EXPECT_NE(cache.use({1, Direction::in}), nullptr);
  EXPECT_NE(cache.use({2, Direction::in}), nullptr);
  cache.begin_batch();
  EXPECT_EQ(cache.find({1, Direction::in}), nullptr);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(Assigned, AllRanksGetEquallyManyAndDataNodesTheirOwn) {
  for (const unsigned ranks : {1u, 2u, 3u, 7u}) {
    for (const unsigned data_nodes : {1u, 2u, 5u}) {
      if (data_nodes > ranks) continue;
      std::vector<unsigned> holders;
      for (unsigned node = 0; node < data_nodes; ++node) holders.insert(holders.end(), 40 + 9 * node, node);
      const std::vector<unsigned> takers = assigned(holders, ranks);
      ASSERT_EQ(takers.size(), holders.size());
      const std::size_t each = (holders.size() + ranks - 1) / ranks;
      for (unsigned rank = 0; rank < ranks; ++rank) {
        const auto taken = static_cast<std::size_t>(std::count(takers.begin(), takers.end(), rank));
        EXPECT_LE(taken, each);
        EXPECT_GE(taken + ranks, each);
      }
      for (unsigned node = 0; node < data_nodes; ++node) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < holders.size(); ++i) kept += holders[i] == node && takers[i] == node ? 1 : 0;
        EXPECT_EQ(kept, std::min<std::size_t>(40 + 9 * node, each));
      }
    }
  }
}

TEST(Assigned, NothingAmongRanks) { EXPECT_TRUE(assigned({}, 3).empty()); }

}  // namespace
}  // namespace rizoma::query
