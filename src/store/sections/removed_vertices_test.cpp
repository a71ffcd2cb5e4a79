// RemovedVertices: a persistent set against std::set, its bytes and what damaged ones give.
#include "store/sections/removed_vertices.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace rizoma {
namespace {

void expect_equal(const RemovedVertices& removed, const std::set<VertexId>& expected, VertexId universe) {
  ASSERT_EQ(removed.count(), expected.size());
  const VertexSet set = removed.to_set(universe);
  for (VertexId v = 0; v < universe; ++v) {
    ASSERT_EQ(removed.contains(v), expected.contains(v)) << v;
    ASSERT_EQ(set.contains(v), expected.contains(v)) << v;
  }
}

TEST(RemovedVertices, StatesStayAsTheyAre) {
  for (const unsigned bits : {2u, 5u, 7u}) {
    Random random(bits);
    constexpr VertexId kUniverse = 500;
    std::vector<RemovedVertices> states{RemovedVertices(bits)};
    std::vector<std::set<VertexId>> expected{{}};
    for (int i = 0; i < 60; ++i) {
      std::vector<VertexId> some(random.below(20));
      for (VertexId& v : some) v = random.below(kUniverse);
      std::set<VertexId> next = expected.back();
      const bool removing = random.below(3) != 0;
      for (const VertexId v : some) removing ? static_cast<void>(next.insert(v)) : static_cast<void>(next.erase(v));
      states.push_back(removing ? states.back().with(some) : states.back().without(some));
      expected.push_back(std::move(next));
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      expect_equal(states[i], expected[i], kUniverse);
      const auto bytes = states[i].encode();
      const auto decoded = RemovedVertices::decode(bytes, bits, kUniverse, "here");
      ASSERT_TRUE(decoded) << decoded.error().message;
      expect_equal(*decoded, expected[i], kUniverse);
    }
  }
}

TEST(RemovedVertices, RefusesDamageAndVerticesThatAreNot) {
  const std::vector<VertexId> gone{1, 70, 99};
  const auto bytes = RemovedVertices(4).with(gone).encode();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto damaged = bytes;
    damaged[at] ^= std::byte{4};
    EXPECT_FALSE(RemovedVertices::decode(damaged, 4, 100, "here")) << at;
    EXPECT_FALSE(RemovedVertices::decode(std::span(bytes).first(at), 4, 100, "here")) << at;
  }
  const auto beyond = RemovedVertices::decode(bytes, 4, 99, "here");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace rizoma
