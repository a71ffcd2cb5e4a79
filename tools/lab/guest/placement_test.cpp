// Placement on a machine with several nodes: what hwloc reports, where threads run, where pages lie.
// Oracles: the configuration of the guest, and the system calls getcpu and move_pages themselves.
#include "configuration.h"
#include "platform/node_memory.h"
#include "platform/pages.h"
#include "platform/probe_buffer.h"
#include "platform/thread_pool.h"

#include <gtest/gtest.h>
#include <rizoma/engine.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/lab/probe.h>
#include <rizoma/detail/working_copy.h>
#include <rizoma/topology.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace rizoma {
namespace {

using lab::Configuration;
using lab::ConfiguredNode;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBytes = std::size_t{8} << 20;

class PlacementOfMachine : public testing::Test {
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

TEST_F(PlacementOfMachine, TopologyEqualsTheConfiguration) {
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

TEST_F(PlacementOfMachine, WorkersRunOnTheirProcessors) {
  const std::vector<Place> places = places_in_turn(machine_);
  std::vector<unsigned> processors;
  for (const Place& place : places) processors.push_back(place.processor);
  ThreadPool pool(static_cast<unsigned>(places.size()), processors);
  std::vector<Place> seen(places.size());
  for (int round = 0; round < 20; ++round) {
    pool.run([&](unsigned thread) { seen[thread] = here(); });
    for (std::size_t worker = 0; worker < places.size(); ++worker) {  // thread 0 is the caller
      EXPECT_EQ(seen[worker].processor, places[worker].processor);
      EXPECT_EQ(seen[worker].node, places[worker].node);
    }
  }
}

TEST_F(PlacementOfMachine, BoundMemoryLiesOnItsNode) {
  for (const ConfiguredNode& node : machine_.nodes) {
    const auto buffer = probe::ProbeBuffer::on_node(node.id, kBytes);
    ASSERT_TRUE(buffer) << buffer.error().message;
    const std::span<std::byte> bytes = buffer->as<std::byte>();
    const std::map<int, std::size_t> wanted{{static_cast<int>(node.id), kBytes / kPage}};
    EXPECT_EQ(nodes_of(bytes.data(), bytes.size()), wanted);
  }
}

TEST_F(PlacementOfMachine, FirstTouchPutsPagesOnTheNodeOfTheThread) {
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

TEST_F(PlacementOfMachine, NodeMemoryFollowsItsPolicy) {
  const NodeMemory memory;
  using Use = MemoryNodes::Use;
  std::vector<unsigned> all;
  for (const ConfiguredNode& node : machine_.nodes) {
    all.push_back(node.id);
    for (const Use use : {Use::bind, Use::preferred}) {
      const auto pages = memory.allocate(kBytes, {use, {node.id}});
      ASSERT_TRUE(pages) << pages.error().message;
      std::memset(pages->get(), 1, kBytes);
      const std::map<int, std::size_t> wanted{{static_cast<int>(node.id), kBytes / kPage}};
      EXPECT_EQ(nodes_of(pages->get(), kBytes), wanted) << "node " << node.id;
    }
  }
  const auto pages = memory.allocate(kBytes, {Use::interleave, all});
  ASSERT_TRUE(pages) << pages.error().message;
  std::memset(pages->get(), 1, kBytes);
  const std::map<int, std::size_t> found = nodes_of(pages->get(), kBytes);
  EXPECT_EQ(found.size(), all.size()) << "interleaved pages lie on every node";
}

/// A ring of n vertices in sections of 2^14.
Graph ring(std::int64_t n) {
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  for (std::int64_t v = 0; v < n; ++v) {
    sources.push_back(v);
    targets.push_back((v + 1) % n);
  }
  GraphSchema schema;
  schema.section_bits = 14;
  auto graph = *Graph::in_memory(schema);
  EXPECT_TRUE(graph.add_edges({.sources = std::move(sources), .targets = std::move(targets)}));
  return graph;
}

TEST_F(PlacementOfMachine, WorkingCopiesLieInTheTierOfTheirHome) {
  Placement placement;
  placement.homes = 0;
  for (const ConfiguredNode& node : machine_.nodes) {
    if (node.processors.empty()) continue;
    placement.node_of_home.push_back(node.id);
    ++placement.homes;
  }
  for (unsigned s = 0; s < 16; ++s) placement.home_of_section.push_back(s % placement.homes);
  SerialExecutor serial;
  const Graph graph = ring(16 << 14);
  const auto snapshot = *graph.snapshot();
  const GraphView view = *snapshot.view(serial);
  const auto is_slow = [&](int id) {
    return std::any_of(machine_.nodes.begin(), machine_.nodes.end(), [&](const ConfiguredNode& node) {
      return static_cast<int>(node.id) == id && node.processors.empty();
    });
  };
  for (const MemoryTier tier : {MemoryTier::dram, MemoryTier::slow}) {
    placement.tiers[Structure::sections] = {tier, NodeChoice::bind};
    const auto copy = load_sections(serial, view, placement);
    ASSERT_TRUE(copy) << copy.error().message;
    copy->with_out([&](const auto& out) {
      for (SectionId s = 0; s < out.num_sections(); ++s) {
        const auto* targets = out.section(s).targets;
        const auto begin = reinterpret_cast<std::uintptr_t>(targets) / kPage * kPage;
        const auto found = nodes_of(reinterpret_cast<void*>(begin), out.section_size(s) * sizeof *targets);
        EXPECT_EQ(found.size(), 1u) << "section " << s;
        const int node = found.begin()->first;
        EXPECT_EQ(is_slow(node), tier == MemoryTier::slow) << "section " << s << " on node " << node;
        const int home = static_cast<int>(placement.node_of_home[s % placement.homes]);
        EXPECT_TRUE(tier == MemoryTier::slow || node == home) << "section " << s << " on node " << node;
      }
      EXPECT_EQ(out.neighbors(7).size(), 2u);
      return 0;
    });
  }
}

/// The nodes of the first and the second half of a map, apart from the page in the middle.
std::pair<std::map<int, std::size_t>, std::map<int, std::size_t>> nodes_of_halves(VertexMap<double>& map) {
  const std::size_t half = map.size() * sizeof(double) / 2;
  auto* const bytes = reinterpret_cast<std::byte*>(map.data());
  return {nodes_of(bytes, half - kPage), nodes_of(bytes + half + kPage, half - kPage)};
}

TEST_F(PlacementOfMachine, VertexStateLiesWithTheSectionsOrInItsTier) {
  constexpr VertexId kVertices = VertexId{1} << 21;  // 16 MiB of doubles
  const Graph graph = ring(kVertices);
  const auto on = [](unsigned node) { return std::map<int, std::size_t>{{static_cast<int>(node), 2047}}; };
  {
    Engine engine(EngineOptions{.placement = PlacementPolicy::halves});
    ASSERT_TRUE(graph.snapshot()->view(engine));
    ASSERT_TRUE(engine.placement(*graph.snapshot()->view(engine)));
    auto map = engine.make_map<double>(kVertices, 0);
    const auto [first, second] = nodes_of_halves(map);
    EXPECT_EQ(first, on(0)) << "touched by threads of node 0";
    EXPECT_EQ(second, on(1));
  }
  EngineOptions options{.placement = PlacementPolicy::halves};
  options.tiers = *parse_tiers("sections=slow:bind,vertex_state=dram:bind,frontiers=slow:bind");
  Engine engine(options);
  ASSERT_TRUE(engine.tiers_status()) << engine.tiers_status().error().message;
  const auto view = graph.snapshot()->view(engine);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(&graph.snapshot()->view(engine)->parts(), &view->parts()) << "loaded once";
  auto map = engine.make_map<double>(kVertices, 1);
  const auto [first, second] = nodes_of_halves(map);
  EXPECT_EQ(first, on(0));
  EXPECT_EQ(second, on(1));
  VertexSet set = engine.make_set(VertexId{1} << 27);
  for (VertexId word = 0; word < VertexSet::words_of(VertexId{1} << 27); word += 512) set.words()[word] = 1;
  for (const auto& [node, pages] : nodes_of(set.words(), std::size_t{1} << 24)) {
    const auto found = std::find_if(machine_.nodes.begin(), machine_.nodes.end(),
                                    [&](const ConfiguredNode& one) { return static_cast<int>(one.id) == node; });
    ASSERT_NE(found, machine_.nodes.end()) << "pages on node " << node;
    EXPECT_TRUE(found->processors.empty()) << "a set of frontiers on node " << node;
  }
}

TEST_F(PlacementOfMachine, AForeignNodeIsRefused) {
  const auto buffer = probe::ProbeBuffer::on_node(machine_.nodes.back().id + 100, kBytes);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::invalid_argument);
}

TEST_F(PlacementOfMachine, TheProbeMeasuresEveryPairOfNodes) {
  for (const ConfiguredNode& from : machine_.nodes) {
    for (const ConfiguredNode& to : machine_.nodes) {
      const MemoryCase what{.kernel = MemoryKernel::random_read,
                            .processor_node = from.id,
                            .memory_node = to.id,
                            .bytes = std::uint64_t{4} << 20,
                            .samples = 2};
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
