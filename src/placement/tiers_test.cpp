#include "placement/tiers.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

using Use = MemoryNodes::Use;

/// Two sockets, nodes 0 and 1; memory-only nodes 2 (near 0) and 3 (near 1).
Topology machine() {
  Topology machine;
  machine.nodes = {{0, {0}, 100, "dram"}, {1, {1}, 100, "dram"}, {2, {}, 400, "cxl"}, {3, {}, 400, "cxl"}};
  machine.distances = {{10, 21, 17, 28}, {21, 10, 28, 17}, {17, 28, 10, 28}, {28, 17, 28, 10}};
  return machine;
}

MemoryNodes nodes(MemoryTier tier, NodeChoice choice, unsigned node) {
  const auto found = nodes_of_tier(machine(), {tier, choice}, node);
  EXPECT_TRUE(found);
  return *found;
}

TEST(Tiers, TheNearestNodeOfTheTierIsChosen) {
  EXPECT_EQ(nodes(MemoryTier::slow, NodeChoice::bind, 1), (MemoryNodes{Use::bind, {3}}));
  EXPECT_EQ(nodes(MemoryTier::slow, NodeChoice::preferred, 0), (MemoryNodes{Use::preferred, {2}}));
  EXPECT_EQ(nodes(MemoryTier::dram, NodeChoice::bind, 1), (MemoryNodes{Use::bind, {1}}));
}

TEST(Tiers, AllAndInterleaveTakeEveryNode) {
  EXPECT_EQ(nodes(MemoryTier::slow, NodeChoice::all, 1), (MemoryNodes{Use::bind, {3, 2}}));
  EXPECT_EQ(nodes(MemoryTier::dram, NodeChoice::interleave, 0), (MemoryNodes{Use::interleave, {0, 1}}));
}

TEST(Tiers, InPlaceAsksForNothing) {
  EXPECT_EQ(nodes(MemoryTier::in_place, NodeChoice::bind, 0), MemoryNodes{});
}

TEST(Tiers, AMachineWithoutTheTierSaysSo) {
  const auto found = nodes_of_tier(synthetic_topology(1, 2), {MemoryTier::slow, NodeChoice::bind}, 0);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
