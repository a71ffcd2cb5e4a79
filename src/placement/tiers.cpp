#include "placement/tiers.h"

#include <algorithm>
#include <string>

namespace rizoma {
namespace {

/// Place of a node in the topology; 0 if it is missing.
std::size_t index_of_node(const Topology& topology, unsigned node) {
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (topology.nodes[i].id == node) return i;
  }
  return 0;
}

bool belongs(const TopologyNode& node, MemoryTier tier) {
  if (node.memory_bytes == 0) return false;
  const bool fast = node.memory_kind == kHighBandwidth;
  switch (tier) {
    case MemoryTier::hbm: return fast;
    case MemoryTier::slow: return node.processors.empty() && !fast;
    case MemoryTier::in_place:
    case MemoryTier::dram: break;
  }
  return !node.processors.empty();
}

std::string lacks(MemoryTier tier) {
  std::string message = "this machine has no memory of the tier " + std::string(name_of(tier));
  if (tier == MemoryTier::slow)
    message += ": it needs a memory-only node, such as a CXL expander or a DAX device as system memory";
  if (tier == MemoryTier::hbm)
    message += ": it needs a node of high-bandwidth memory; processors that have such show it in flat mode";
  return message;
}

MemoryNodes::Use use_of(NodeChoice choice) {
  switch (choice) {
    case NodeChoice::preferred: return MemoryNodes::Use::preferred;
    case NodeChoice::interleave: return MemoryNodes::Use::interleave;
    case NodeChoice::bind:
    case NodeChoice::all: break;
  }
  return MemoryNodes::Use::bind;
}

}  // namespace

Result<MemoryNodes> nodes_of_tier(const Topology& topology, TierChoice choice, unsigned node) {
  if (choice.tier == MemoryTier::in_place) return MemoryNodes{};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (belongs(topology.nodes[i], choice.tier)) places.push_back(i);
  }
  if (places.empty()) return Error{ErrorCode::unsupported, lacks(choice.tier)};
  const std::size_t here = index_of_node(topology, node);
  const auto distance = [&](std::size_t place) {
    return topology.distances.empty() ? (place == here ? 0U : 1U) : topology.distances[here][place];
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  const bool one = choice.nodes == NodeChoice::preferred || choice.nodes == NodeChoice::bind;
  if (one) places.resize(1);
  MemoryNodes chosen{use_of(choice.nodes), {}};
  for (const std::size_t place : places) chosen.nodes.push_back(topology.nodes[place].id);
  return chosen;
}

unsigned node_of_home(const Topology& topology, const Placement& placement, unsigned home) {
  return home < placement.node_of_home.size() ? placement.node_of_home[home] : topology.nodes.front().id;
}

namespace {

/// Sections first..last-1 that follow each other and have one home.
struct Run {
  unsigned home;
  SectionId first;
  SectionId last;
};

std::vector<Run> runs_of(const std::vector<unsigned>& home_of_section) {
  std::vector<Run> runs;
  for (SectionId s = 0; s < home_of_section.size(); ++s) {
    if (runs.empty() || runs.back().home != home_of_section[s]) runs.push_back({home_of_section[s], s, s});
    runs.back().last = s + 1;
  }
  return runs;
}

/// The nodes that any home's memory of the tier is on, in turn.
MemoryNodes in_turn(const std::vector<MemoryNodes>& of_homes) {
  MemoryNodes all{MemoryNodes::Use::interleave, {}};
  for (const MemoryNodes& one : of_homes) {
    for (const unsigned node : one.nodes) {
      if (std::find(all.nodes.begin(), all.nodes.end(), node) == all.nodes.end()) all.nodes.push_back(node);
    }
  }
  return all;
}

}  // namespace

Result<std::vector<StateChunk>> nodes_of_state(const Topology& topology, const Placement& placement,
                                               Structure structure, unsigned section_bits, VertexId n,
                                               std::size_t bytes) {
  const TierChoice choice = placement.tiers[structure];
  if (choice.tier == MemoryTier::in_place || bytes == 0) return std::vector<StateChunk>();
  std::vector<MemoryNodes> of_homes;
  for (unsigned home = 0; home < placement.homes; ++home) {
    RIZOMA_ASSIGN(MemoryNodes nodes, nodes_of_tier(topology, choice, node_of_home(topology, placement, home)));
    of_homes.push_back(std::move(nodes));
  }
  const bool near_home = choice.nodes == NodeChoice::preferred || choice.nodes == NodeChoice::bind;
  const bool alike =
      std::all_of(of_homes.begin(), of_homes.end(), [&](const auto& nodes) { return nodes == of_homes.front(); });
  if (!near_home || alike) return std::vector<StateChunk>{{0, bytes, of_homes.front()}};
  const std::vector<Run> runs = runs_of(placement.home_of_section);
  if (runs.empty() || bytes / runs.size() < kStretchUnit) return std::vector<StateChunk>{{0, bytes, in_turn(of_homes)}};
  std::vector<StateChunk> stretches;
  std::size_t begin = 0;
  for (const Run& run : runs) {
    const VertexId last = std::min<VertexId>(VertexId{run.last} << section_bits, n);
    const auto exact =
        static_cast<std::size_t>(static_cast<double>(bytes) * static_cast<double>(last) / static_cast<double>(n));
    const std::size_t end = &run == &runs.back() ? bytes : std::min(exact / kStretchUnit * kStretchUnit, bytes);
    if (end > begin) stretches.push_back({begin, end, of_homes[run.home]});
    begin = std::max(begin, end);
  }
  return stretches;
}

}  // namespace rizoma
