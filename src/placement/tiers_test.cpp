#include "placement/tiers.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

TEST(Tiers, InPlaceAsksForNothing) { EXPECT_EQ(nodes(MemoryTier::in_place, NodeChoice::bind, 0), MemoryNodes{}); }

constexpr std::size_t kUnit = kStretchUnit;

/// Two homes on nodes 0 and 1; vertex state near home.
Placement two_homes(std::vector<unsigned> home_of_section, TierChoice choice) {
  Placement placement;
  placement.homes = 2;
  placement.node_of_home = {0, 1};
  placement.home_of_section = std::move(home_of_section);
  placement.tiers[Structure::vertex_state] = choice;
  return placement;
}

std::vector<StateChunk> stretches(const Placement& placement, std::size_t bytes) {
  const auto found = nodes_of_state(machine(), placement, Structure::vertex_state, 4, 64, bytes);
  EXPECT_TRUE(found);
  return *found;
}

TEST(Tiers, StateInPlaceIsPutNowhere) { EXPECT_TRUE(stretches(two_homes({0, 0, 1, 1}, {}), 64 * kUnit).empty()); }

TEST(Tiers, StateLiesNearTheHomeOfItsSections) {
  const TierChoice slow{MemoryTier::slow, NodeChoice::bind};
  const MemoryNodes near0{Use::bind, {2}};
  const MemoryNodes near1{Use::bind, {3}};
  EXPECT_EQ(stretches(two_homes({0, 1, 1, 1}, slow), 64 * kUnit),
            (std::vector<StateChunk>{{0, 16 * kUnit, near0}, {16 * kUnit, 64 * kUnit, near1}}));
  // Only whole huge pages are parted, and the rest belongs to the last.
  EXPECT_EQ(stretches(two_homes({0, 0, 1, 1}, slow), 7 * kUnit + 4096),
            (std::vector<StateChunk>{{0, 3 * kUnit, near0}, {3 * kUnit, 7 * kUnit + 4096, near1}}));
}

TEST(Tiers, StateOfScatteredOrUnknownSectionsTakesTurnsOverTheHomes) {
  const TierChoice dram{MemoryTier::dram, NodeChoice::preferred};
  const MemoryNodes turns{Use::interleave, {0, 1}};
  EXPECT_EQ(stretches(two_homes({0, 1, 0, 1}, dram), 3 * kUnit), (std::vector<StateChunk>{{0, 3 * kUnit, turns}}));
  EXPECT_EQ(stretches(two_homes({}, dram), 64 * kUnit), (std::vector<StateChunk>{{0, 64 * kUnit, turns}}));
}

TEST(Tiers, InterleavedStateIsOneStretch) {
  const TierChoice slow{MemoryTier::slow, NodeChoice::interleave};
  EXPECT_EQ(stretches(two_homes({0, 0, 1, 1}, slow), 64 * kUnit),
            (std::vector<StateChunk>{{0, 64 * kUnit, {Use::interleave, {2, 3}}}}));
}

/// Two sockets with DRAM and, in flat mode, HBM of their own (2 and 3); an expander (4).
TEST(Tiers, HighBandwidthMemoryIsATierOfItsOwn) {
  Topology flat = machine();
  flat.nodes[2].memory_kind = flat.nodes[3].memory_kind = "hbm";
  flat.nodes.push_back({4, {}, 400, "cxl"});
  for (auto& row : flat.distances) row.push_back(28);
  flat.distances.push_back({28, 28, 28, 28, 10});
  const auto of = [&](MemoryTier tier, NodeChoice choice) { return *nodes_of_tier(flat, {tier, choice}, 1); };
  EXPECT_EQ(of(MemoryTier::hbm, NodeChoice::bind), (MemoryNodes{Use::bind, {3}}));
  EXPECT_EQ(of(MemoryTier::hbm, NodeChoice::interleave), (MemoryNodes{Use::interleave, {3, 2}}));
  EXPECT_EQ(of(MemoryTier::slow, NodeChoice::all), (MemoryNodes{Use::bind, {4}}));
  EXPECT_EQ(of(MemoryTier::dram, NodeChoice::bind), (MemoryNodes{Use::bind, {1}}));
}

/// A processor that has HBM alone: its nodes are both.
TEST(Tiers, HighBandwidthMemoryMayBeAllThereIs) {
  Topology alone = synthetic_topology(1, 2);
  alone.nodes[0].memory_kind = "hbm";
  EXPECT_EQ(*nodes_of_tier(alone, {MemoryTier::hbm, NodeChoice::bind}, 0), (MemoryNodes{Use::bind, {0}}));
  EXPECT_EQ(*nodes_of_tier(alone, {MemoryTier::dram, NodeChoice::bind}, 0), (MemoryNodes{Use::bind, {0}}));
  EXPECT_FALSE(nodes_of_tier(alone, {MemoryTier::slow, NodeChoice::bind}, 0));
}

TEST(Tiers, AMachineWithoutTheTierSaysSo) {
  const auto found = nodes_of_tier(synthetic_topology(1, 2), {MemoryTier::slow, NodeChoice::bind}, 0);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::unsupported);
  const auto fast = nodes_of_tier(synthetic_topology(1, 2, 1), {MemoryTier::hbm, NodeChoice::bind}, 0);
  ASSERT_FALSE(fast);
  EXPECT_NE(fast.error().message.find("flat mode"), std::string::npos);
}

}  // namespace
}  // namespace rizoma
