// Placement on a machine with several nodes: what hwloc reports, where threads run, where pages lie.
// Oracles: the configuration of the guest, and the system calls getcpu and move_pages themselves.
#include "configuration.h"
#include "platform/pages.h"
#include "platform/probe_buffer.h"
#include "platform/thread_pool.h"

#include <gtest/gtest.h>
#include <rizoma/probe.h>
#include <rizoma/topology.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <set>

namespace rizoma {
namespace {

using lab::Configuration;
using lab::ConfiguredNode;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBytes = std::size_t{8} << 20;

class Placement : public testing::Test {
 protected:
  void SetUp() override {
    if (machine_.nodes.empty()) GTEST_SKIP() << "not in the laboratory: LAB_NODES is not set";
  }
  const Configuration machine_ = lab::read_configuration();
};

/// Nodes on which the pages of [data, data + bytes) lie, with how many, as move_pages tells.
std::map<int, std::size_t> nodes_of(void* data, std::size_t bytes) {
  std::vector<void*> pages;
  for (std::size_t at = 0; at < bytes; at += kPage) pages.push_back(static_cast<std::byte*>(data) + at);
  std::vector<int> status(pages.size(), -1);
  if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0) != 0) return {{-errno, 1}};
  std::map<int, std::size_t> found;
  for (const int node : status) ++found[node];
  return found;
}

struct Place {
  unsigned processor = 0;
  unsigned node = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

Place here() {
  Place place;
  ::syscall(SYS_getcpu, &place.processor, &place.node, nullptr);
  return place;
}

/// All processors with their nodes, the nodes in turn: 0 of node 0, 0 of node 1, 1 of node 0 ..
std::vector<Place> places_in_turn(const Configuration& machine) {
  std::vector<Place> places;
  for (std::size_t i = 0;; ++i) {
    const std::size_t before = places.size();
    for (const ConfiguredNode& node : machine.nodes) {
      if (i < node.processors.size()) places.push_back({node.processors[i], node.id});
    }
    if (places.size() == before) return places;
  }
}

TEST_F(Placement, TopologyEqualsTheConfiguration) {
  const Topology topology = machine_topology();
  ASSERT_EQ(topology.nodes.size(), machine_.nodes.size());
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    const TopologyNode& seen = topology.nodes[i];
    const ConfiguredNode& wanted = machine_.nodes[i];
    EXPECT_EQ(seen.id, wanted.id);
    EXPECT_EQ(seen.processors, wanted.processors) << "node " << seen.id;
    EXPECT_LE(seen.memory_bytes, wanted.memory_bytes) << "node " << seen.id;
    EXPECT_GE(seen.memory_bytes, wanted.memory_bytes / 4 * 3) << "node " << seen.id;  // the kernel takes some
  }
  EXPECT_EQ(topology.distances, machine_.distances);
}

TEST_F(Placement, WorkersRunOnTheirProcessors) {
  const std::vector<Place> places = places_in_turn(machine_);
  std::vector<unsigned> processors;
  for (const Place& place : places) processors.push_back(place.processor);
  ThreadPool pool(static_cast<unsigned>(places.size()), processors);
  std::vector<Place> seen(places.size());
  for (int round = 0; round < 20; ++round) {
    pool.run([&](unsigned thread) { seen[thread] = here(); });
    for (std::size_t worker = 1; worker < places.size(); ++worker) {  // thread 0 is the caller, left alone
      EXPECT_EQ(seen[worker].processor, places[worker].processor);
      EXPECT_EQ(seen[worker].node, places[worker].node);
    }
  }
}

TEST_F(Placement, BoundMemoryLiesOnItsNode) {
  for (const ConfiguredNode& node : machine_.nodes) {
    const auto buffer = probe::ProbeBuffer::on_node(node.id, kBytes);
    ASSERT_TRUE(buffer) << buffer.error().message;
    const std::span<std::byte> bytes = buffer->as<std::byte>();
    const std::map<int, std::size_t> wanted{{static_cast<int>(node.id), kBytes / kPage}};
    EXPECT_EQ(nodes_of(bytes.data(), bytes.size()), wanted);
  }
}

TEST_F(Placement, FirstTouchPutsPagesOnTheNodeOfTheThread) {
  const std::vector<Place> places = places_in_turn(machine_);
  std::vector<unsigned> processors;
  for (const Place& place : places) processors.push_back(place.processor);
  ThreadPool pool(static_cast<unsigned>(places.size()), processors);
  const std::size_t share = kBytes;  // whole huge pages, so that no two threads touch the same one
  void* data = allocate_pages(share * places.size());
  const auto part = [&](std::size_t thread) { return static_cast<std::byte*>(data) + thread * share; };
  pool.run([&](unsigned thread) { std::memset(part(thread), 1, share); });
  for (std::size_t worker = 1; worker < places.size(); ++worker) {
    const std::map<int, std::size_t> wanted{{static_cast<int>(places[worker].node), share / kPage}};
    EXPECT_EQ(nodes_of(part(worker), share), wanted) << "worker " << worker;
  }
  release_pages(data, share * places.size());
}

TEST_F(Placement, AForeignNodeIsRefused) {
  const auto buffer = probe::ProbeBuffer::on_node(machine_.nodes.back().id + 100, kBytes);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::invalid_argument);
}

TEST_F(Placement, TheProbeMeasuresEveryPairOfNodes) {
  for (const ConfiguredNode& from : machine_.nodes) {
    for (const ConfiguredNode& to : machine_.nodes) {
      const MemoryCase what{.kernel = MemoryKernel::random_read, .processor_node = from.id, .memory_node = to.id,
                            .bytes = std::uint64_t{4} << 20, .samples = 2};
      const Result<ProbeSamples> result = probe_memory(what);
      if (from.processors.empty()) {
        EXPECT_FALSE(result) << "node " << from.id << " has no processors";
        continue;
      }
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->seconds.size(), 2u);
      EXPECT_EQ(result->threads, from.processors.size());
    }
  }
}

}  // namespace
}  // namespace rizoma
