#include <rizoma/topology.h>

#include "base/letters.h"
#include "platform/thread_pool.h"

#include <hwloc.h>
#include <hwloc/memattrs.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace rizoma {
namespace {

using LoadedTopology = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;

LoadedTopology load() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
  LoadedTopology owner(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) owner.reset();
  return owner;
}

/// One word for the kind of a node's memory, from firmware, kernel and hwloc.
std::string memory_kind(hwloc_obj_t node) {
  std::string said;
  if (node->subtype != nullptr) said += node->subtype;
  for (const char* key : {"MemoryTier", "DAXType", "DAXParent"}) {
    if (const char* value = hwloc_obj_get_info_by_name(node, key)) said.append(" ").append(value);
  }
  said = in_small_letters(std::move(said));
  // "CXL-DRAM" is CXL first of all, so DRAM comes last.
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kinds{
      {{"cxl", "cxl"}, {"nvm", "nvm"}, {"hbm", "hbm"}, {"mcdram", "hbm"}, {"dram", "dram"}}};
  for (const auto& [word, kind] : kinds) {
    if (said.find(word) != std::string::npos) return kind;
  }
  return "";
}

/// The node that `processor` belongs to.  hwloc lists a memory-only node with the processors of the
/// whole package it hangs on, so of all nodes that hold the processor the closest one is taken:
/// ordinary memory before special, then the fewest processors, then the lowest number.
hwloc_obj_t home_of(const std::vector<hwloc_obj_t>& nodes, unsigned processor) {
  const auto rank = [](hwloc_obj_t node) {
    const std::string kind = memory_kind(node);
    return std::tuple(!kind.empty() && kind != "dram", hwloc_bitmap_weight(node->cpuset), node->os_index);
  };
  hwloc_obj_t best = nullptr;
  for (const hwloc_obj_t node : nodes) {
    if (hwloc_bitmap_isset(node->cpuset, processor) && (best == nullptr || rank(node) < rank(best))) best = node;
  }
  return best;
}

std::vector<hwloc_obj_t> nodes_by_number(hwloc_topology_t topology) {
  std::vector<hwloc_obj_t> nodes;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end(), [](hwloc_obj_t a, hwloc_obj_t b) { return a->os_index < b->os_index; });
  return nodes;
}

/// hwloc knows the container's processors but not the affinity mask of this very process.
std::vector<unsigned> processors_of(hwloc_topology_t topology) {
  std::set<unsigned> usable;
  const bool this_machine = hwloc_topology_is_thissystem(topology) != 0;
  if (this_machine) {
    for (const unsigned processor : usable_processors()) usable.insert(processor);
  }
  std::vector<unsigned> processors;
  hwloc_obj_t unit = nullptr;
  while ((unit = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, unit)) != nullptr) {
    if (!this_machine || usable.contains(unit->os_index)) processors.push_back(unit->os_index);
  }
  return processors;
}

std::vector<std::vector<unsigned>> distances(hwloc_topology_t topology, const std::vector<hwloc_obj_t>& nodes) {
  unsigned count = 1;
  hwloc_distances_s* found = nullptr;
  if (hwloc_distances_get_by_name(topology, "NUMALatency", &count, &found, 0) != 0 || count == 0) return {};
  std::vector<std::vector<unsigned>> table(nodes.size(), std::vector<unsigned>(nodes.size(), 0));
  bool complete = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      hwloc_uint64_t forth = 0;
      hwloc_uint64_t back = 0;
      complete = complete && hwloc_distances_obj_pair_values(found, nodes[i], nodes[j], &forth, &back) == 0;
      table[i][j] = static_cast<unsigned>(forth);
    }
  }
  hwloc_distances_release(topology, found);
  if (!complete) table.clear();
  return table;
}

/// One attribute of each memory as seen by the processors of each node; empty if there is none.
std::vector<std::vector<double>> memory_attribute(hwloc_topology_t topology, const std::vector<hwloc_obj_t>& nodes,
                                                  hwloc_memattr_id_t attribute) {
  std::vector<std::vector<double>> table(nodes.size(), std::vector<double>(nodes.size(), 0));
  bool any = false;
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    if (nodes[from]->cpuset == nullptr || hwloc_bitmap_iszero(nodes[from]->cpuset)) continue;
    hwloc_location initiator{};
    initiator.type = HWLOC_LOCATION_TYPE_CPUSET;
    initiator.location.cpuset = nodes[from]->cpuset;
    for (std::size_t to = 0; to < nodes.size(); ++to) {
      hwloc_uint64_t value = 0;
      if (hwloc_memattr_get_value(topology, attribute, nodes[to], &initiator, 0, &value) != 0) continue;
      table[from][to] = static_cast<double>(value);
      any = true;
    }
  }
  if (!any) table.clear();
  return table;
}

/// The fallback without hwloc's data: one node with the processors of this process.
Topology flat_topology() {
  Topology flat;
  TopologyNode& node = flat.nodes.emplace_back();
  node.processors = usable_processors();
  return flat;
}

}  // namespace

Topology machine_topology() {
  const LoadedTopology loaded = load();
  if (loaded == nullptr) return flat_topology();
  const std::vector<hwloc_obj_t> nodes = nodes_by_number(loaded.get());
  if (nodes.empty()) return flat_topology();

  Topology result;
  for (const hwloc_obj_t node : nodes) {
    result.nodes.push_back({node->os_index, {}, node->attr->numanode.local_memory, memory_kind(node)});
  }
  for (const unsigned processor : processors_of(loaded.get())) {
    const hwloc_obj_t home = home_of(nodes, processor);
    const auto place = std::find(nodes.begin(), nodes.end(), home) - nodes.begin();
    result.nodes[home != nullptr ? static_cast<std::size_t>(place) : 0].processors.push_back(processor);
  }
  result.distances = distances(loaded.get(), nodes);
  result.latency_ns = memory_attribute(loaded.get(), nodes, HWLOC_MEMATTR_ID_LATENCY);
  result.bandwidth_mib = memory_attribute(loaded.get(), nodes, HWLOC_MEMATTR_ID_BANDWIDTH);
  return result;
}

Topology synthetic_topology(unsigned nodes, unsigned processors_per_node, unsigned memory_only) {
  constexpr std::uint64_t kMemory = std::uint64_t{16} << 30;
  constexpr unsigned kLocal = 10;
  constexpr unsigned kRemote = 21;
  constexpr unsigned kSlow = 28;  // what firmware typically reports for memory after CXL
  Topology topology;
  for (unsigned id = 0; id < nodes + memory_only; ++id) {
    TopologyNode& node = topology.nodes.emplace_back();
    node.id = id;
    node.memory_bytes = kMemory;
    node.memory_kind = id < nodes ? "dram" : "cxl";
    for (unsigned i = 0; id < nodes && i < processors_per_node; ++i) {
      node.processors.push_back(id * processors_per_node + i);
    }
  }
  for (unsigned from = 0; from < nodes + memory_only; ++from) {
    std::vector<unsigned>& row = topology.distances.emplace_back();
    for (unsigned to = 0; to < nodes + memory_only; ++to) {
      row.push_back(from == to ? kLocal : (from < nodes && to < nodes ? kRemote : kSlow));
    }
  }
  return topology;
}

}  // namespace rizoma
