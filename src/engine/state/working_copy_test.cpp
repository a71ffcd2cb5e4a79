// A working copy is the same graph elsewhere: same lists, other bytes, nothing of the first kept.
#include <rizoma/detail/working_copy.h>

#include <rizoma/topology.h>

#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

struct Arrays {
  std::vector<std::vector<std::uint32_t>> offsets;
  std::vector<std::vector<std::uint32_t>> targets;
  std::vector<std::vector<float>> weights;
};

/// A directed, weighted graph in sections of 8 vertices: v -> v + 1 .. v + v % 4, with its transpose missing.
GraphView sample(VertexId n, const std::shared_ptr<Arrays>& arrays) {
  std::vector<SectionEdges<std::uint32_t>> sections;
  EdgeCount entries = 0;
  for (VertexId begin = 0; begin < n; begin += 8) {
    auto& offsets = arrays->offsets.emplace_back(1, 0);
    auto& targets = arrays->targets.emplace_back();
    auto& weights = arrays->weights.emplace_back();
    for (VertexId v = begin; v < std::min(begin + 8, n); ++v) {
      for (VertexId i = 1; i <= v % 4 && v + i < n; ++i) {
        targets.push_back(static_cast<std::uint32_t>(v + i));
        weights.push_back(static_cast<float>(v) / 2);
      }
      offsets.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    entries += targets.size();
  }
  for (std::size_t s = 0; s < arrays->offsets.size(); ++s) {
    sections.push_back({arrays->offsets[s].data(), arrays->targets[s].data(), arrays->weights[s].data()});
  }
  GraphView::Parts parts;
  parts.directed = true;
  parts.weight_type = WeightType::float32;
  parts.out = Adjacency<std::uint32_t>(3, n, std::move(sections));
  parts.num_entries = entries;
  parts.owner = arrays;
  return GraphView(std::move(parts));
}

Placement two_homes(SectionId sections) {
  Placement placement;
  placement.homes = 2;
  for (SectionId s = 0; s < sections; ++s) placement.home_of_section.push_back(s % 2);
  const unsigned node = machine_topology().nodes.front().id;
  placement.node_of_home = {node, node};
  placement.tiers[Structure::sections] = {MemoryTier::dram, NodeChoice::preferred};
  return placement;
}

TEST(WorkingCopy, HasTheSameListsAndOutlivesItsSource) {
  constexpr VertexId kVertices = 100;
  auto arrays = std::make_shared<Arrays>();
  const Arrays wanted = (sample(kVertices, arrays), *arrays);
  SerialExecutor serial;
  GraphView copy;
  {
    auto source = std::make_shared<Arrays>();
    const GraphView view = sample(kVertices, source);
    const auto loaded = load_sections(serial, view, two_homes(13));
    ASSERT_TRUE(loaded) << loaded.error().message;
    copy = *loaded;
    EXPECT_EQ(copy.num_entries(), view.num_entries());
  }
  EXPECT_TRUE(copy.directed());
  copy.with_out([&](const auto& out) {
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      const auto& section = out.section(s);
      EXPECT_TRUE(std::equal(wanted.offsets[s].begin(), wanted.offsets[s].end(), section.offsets));
      for (std::size_t e = 0; e < wanted.targets[s].size(); ++e) EXPECT_EQ(section.targets[e], wanted.targets[s][e]);
      const auto* weights = static_cast<const float*>(section.weights);
      EXPECT_TRUE(std::equal(wanted.weights[s].begin(), wanted.weights[s].end(), weights));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(section.targets) % 64, 0u);
    }
    return 0;
  });
}

TEST(WorkingCopy, ChangedListsComeToTheirPlaces) {
  SerialExecutor serial;
  const GraphView graph = testing::build_graph(100, testing::rmat_edges(6, 900, 4),
                                               {.directed = true, .weights = WeightType::float64, .section_bits = 3});
  const auto copy = load_sections(serial, testing::with_changed_lists(graph, 7), two_homes(13));
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(testing::entries_of(*copy), testing::entries_of(graph));
  copy->with_both([](const auto& out, const auto& in) {
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      EXPECT_EQ(out.section(s).changed, nullptr);
      EXPECT_EQ(in.section(s).changed, nullptr);
    }
  });
}

TEST(WorkingCopy, InPlaceIsTheGraphItself) {
  const GraphView view = sample(20, std::make_shared<Arrays>());
  SerialExecutor serial;
  const auto same = load_sections(serial, view, Placement());
  ASSERT_TRUE(same);
  EXPECT_EQ(&same->parts(), &view.parts());
}

TEST(WorkingCopy, AMissingTierIsNamed) {
  const auto nodes = machine_topology().nodes;
  if (std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.processors.empty(); })) {
    GTEST_SKIP() << "this machine has slow memory";
  }
  Placement placement = two_homes(3);
  placement.tiers[Structure::sections] = {MemoryTier::slow, NodeChoice::bind};
  SerialExecutor serial;
  EXPECT_EQ(load_sections(serial, sample(20, std::make_shared<Arrays>()), placement).error().code,
            ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
