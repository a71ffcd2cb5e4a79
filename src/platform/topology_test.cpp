#include "platform/topology.h"

#include "platform/thread_pool.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

namespace rizoma {
namespace {

/// Makes hwloc see a made-up machine while it lives.
class SyntheticMachine {
 public:
  explicit SyntheticMachine(const char* description) { ::setenv("HWLOC_SYNTHETIC", description, 1); }
  ~SyntheticMachine() { ::unsetenv("HWLOC_SYNTHETIC"); }
};

TEST(MachineTopology, HasExactlyTheProcessorsOfThisProcess) {
  if (::getenv("HWLOC_SYNTHETIC") != nullptr) GTEST_SKIP() << "the machine is made up by HWLOC_SYNTHETIC";
  const Topology topology = machine_topology();
  std::vector<unsigned> processors;
  for (const TopologyNode& node : topology.nodes) {
    processors.insert(processors.end(), node.processors.begin(), node.processors.end());
  }
  std::sort(processors.begin(), processors.end());
  EXPECT_EQ(processors, usable_processors());
  EXPECT_EQ(topology.num_processors(), processors.size());
}

TEST(MachineTopology, ReadsNodesOfADescribedMachine) {
  const SyntheticMachine machine("node:2 core:2 pu:2");
  const Topology topology = machine_topology();
  ASSERT_EQ(topology.nodes.size(), 2u);
  EXPECT_EQ(topology.nodes[0].processors.size(), 4u);
  EXPECT_EQ(topology.nodes[1].processors.size(), 4u);
  EXPECT_EQ(topology.num_processors(), 8u);
}

TEST(MachineTopology, ASecondMemoryOfAPackageHasNoProcessors) {
  const SyntheticMachine machine("pack:2 [numa(memory=1073741824)] [numa(memory=2147483648)] core:2 pu:1");
  const Topology topology = machine_topology();
  ASSERT_EQ(topology.nodes.size(), 4u);
  EXPECT_EQ(topology.num_processors(), 4u);
  const auto memory_only = std::count_if(topology.nodes.begin(), topology.nodes.end(),
                                         [](const TopologyNode& node) { return node.processors.empty(); });
  EXPECT_EQ(memory_only, 2);
}

TEST(SyntheticTopology, HasTheNodesAskedFor) {
  const Topology topology = synthetic_topology(2, 3, 1);
  ASSERT_EQ(topology.nodes.size(), 3u);
  EXPECT_EQ(topology.num_processors(), 6u);
  EXPECT_EQ(topology.nodes[1].processors, (std::vector<unsigned>{3, 4, 5}));
  EXPECT_TRUE(topology.nodes[2].processors.empty());
  EXPECT_EQ(topology.nodes[2].memory_kind, "cxl");
  EXPECT_EQ(topology.distances[1][1], 10u);
  EXPECT_LT(topology.distances[0][1], topology.distances[0][2]);
}

}  // namespace
}  // namespace rizoma
