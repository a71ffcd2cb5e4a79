#include "placement/tiers.h"

#include <algorithm>
#include <string>

namespace rizoma {
namespace {

/// Place of a node in the topology; 0 if it is not there.
std::size_t place_of(const Topology& topology, unsigned node) {
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (topology.nodes[i].id == node) return i;
  }
  return 0;
}

bool belongs(const TopologyNode& node, MemoryTier tier) {
  return node.memory_bytes > 0 && node.processors.empty() == (tier == MemoryTier::slow);
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
  if (places.empty()) {
    return Error{ErrorCode::unsupported, "this machine has no memory of the tier " + std::string(name_of(choice.tier)) +
                                             (choice.tier == MemoryTier::slow ? ": it needs a memory-only node, such as a CXL "
                                                                                "expander or a DAX device as system memory"
                                                                              : "")};
  }
  const std::size_t here = place_of(topology, node);
  const auto distance = [&](std::size_t place) {
    return topology.distances.empty() ? (place == here ? 0U : 1U) : topology.distances[here][place];
  };
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  const bool one = choice.nodes == NodeChoice::preferred || choice.nodes == NodeChoice::bind;
  if (one) places.resize(1);
  MemoryNodes chosen{use_of(choice.nodes), {}};
  for (const std::size_t place : places) chosen.nodes.push_back(topology.nodes[place].id);
  return chosen;
}

}  // namespace rizoma
