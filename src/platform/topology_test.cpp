#include <rizoma/topology.h>

#include "platform/thread_pool.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <hwloc.h>
#include <hwloc/memattrs.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace rizoma {
namespace {

/// Makes hwloc see a synthetic machine while it lives.
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

/// A description of a machine as hwloc keeps it, with what an ACPI HMAT says; removed at the end.
class DescribedMachine {
 public:
  DescribedMachine(const char* synthetic, double remote_latency) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    hwloc_topology_set_synthetic(topology, synthetic);
    hwloc_topology_load(topology);
    for (unsigned from = 0; from < 2; ++from) {
      hwloc_location initiator{};
      initiator.type = HWLOC_LOCATION_TYPE_CPUSET;
      initiator.location.cpuset = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, from)->cpuset;
      for (unsigned to = 0; to < 2; ++to) {
        hwloc_memattr_set_value(topology, HWLOC_MEMATTR_ID_LATENCY,
                                hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, to), &initiator, 0,
                                from == to ? 80 : static_cast<hwloc_uint64_t>(remote_latency));
      }
    }
    const std::filesystem::path path = directory_ / "topology.xml";
    hwloc_topology_export_xml(topology, path.c_str(), 0);
    hwloc_topology_destroy(topology);
    ::setenv("HWLOC_XMLFILE", path.c_str(), 1);
  }
  ~DescribedMachine() { ::unsetenv("HWLOC_XMLFILE"); }

 private:
  testing::TemporaryDirectory directory_;
};

TEST(MachineTopology, ReadsWhatTheFirmwareSaysOfLatency) {
  const DescribedMachine machine("node:2 core:2 pu:1", 140);
  const Topology topology = machine_topology();
  ASSERT_EQ(topology.latency_ns.size(), 2u);
  EXPECT_EQ(topology.latency_ns[0], (std::vector<double>{80, 140}));
  EXPECT_EQ(topology.latency_ns[1], (std::vector<double>{140, 80}));
  EXPECT_TRUE(topology.bandwidth_mib.empty());
}

/// As hwloc describes a processor with HBM in flat mode: the second memory of each package says so.
TEST(MachineTopology, KnowsHighBandwidthMemory) {
  const testing::TemporaryDirectory directory;
  const std::filesystem::path path = directory / "flat.xml";
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  hwloc_topology_set_synthetic(topology, "pack:2 [numa(memory=1073741824)] [numa(memory=268435456)] core:2 pu:1");
  hwloc_topology_load(topology);
  for (unsigned i = 1; i < 4; i += 2) {
    hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i);
    node->subtype = ::strdup("HBM");
  }
  hwloc_topology_export_xml(topology, path.c_str(), 0);
  hwloc_topology_destroy(topology);
  ::setenv("HWLOC_XMLFILE", path.c_str(), 1);
  const Topology flat = machine_topology();
  ::unsetenv("HWLOC_XMLFILE");
  ASSERT_EQ(flat.nodes.size(), 4u);
  for (const unsigned node : {1u, 3u}) {
    EXPECT_EQ(flat.nodes[node].memory_kind, kHighBandwidth);
    EXPECT_TRUE(flat.nodes[node].processors.empty());
    EXPECT_EQ(flat.nodes[node - 1].processors.size(), 2u);
  }
}

TEST(MachineTopology, HonoursTheAffinityOfThisThread) {
  if (::getenv("HWLOC_SYNTHETIC") != nullptr) GTEST_SKIP() << "the machine is made up by HWLOC_SYNTHETIC";
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  const unsigned allowed = usable_processors().back();
  CPU_SET(allowed, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const Topology topology = machine_topology();
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(topology.num_processors(), 1u);
  for (const TopologyNode& node : topology.nodes) {
    EXPECT_TRUE(node.processors.empty() || node.processors == std::vector<unsigned>{allowed});
  }
}

TEST(TopologyText, ShowsEveryNodeAndDistance) {
  const std::string text = to_text(synthetic_topology(2, 3, 1));
  EXPECT_THAT(text, ::testing::HasSubstr("node 0"));
  EXPECT_THAT(text, ::testing::HasSubstr("node 1"));
  EXPECT_THAT(text, ::testing::HasSubstr("processors 3-5"));
  EXPECT_THAT(text, ::testing::HasSubstr("no processors"));
  EXPECT_THAT(text, ::testing::HasSubstr("cxl"));
  EXPECT_THAT(text, ::testing::HasSubstr("distance"));
  EXPECT_THAT(text, ::testing::HasSubstr("28"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("latency")));
}

TEST(TopologyText, ShowsWhatTheFirmwareSays) {
  Topology topology = synthetic_topology(2, 1);
  topology.latency_ns = {{80, 140}, {140, 0}};
  const std::string text = to_text(topology);
  EXPECT_THAT(text, ::testing::HasSubstr("latency (ns)"));
  EXPECT_THAT(text, ::testing::HasSubstr("140"));
  EXPECT_THAT(text, ::testing::HasSubstr("-"));
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
