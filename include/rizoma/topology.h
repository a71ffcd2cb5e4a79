// Topology: the seam between placement and the machine: nodes, processors, memory, distances.
// Module: platform.  Cost: milliseconds, of hwloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// The memory kind of high-bandwidth memory, on the package of its processors.
inline constexpr std::string_view kHighBandwidth = "hbm";

/// One NUMA node.  A node without processors is memory only (CXL, persistent memory as KMEM-DAX, HBM in flat mode).
struct TopologyNode {
  unsigned id = 0;                   ///< the operating system's number
  std::vector<unsigned> processors;  ///< the ones this process may use
  std::uint64_t memory_bytes = 0;
  std::string memory_kind;  ///< "dram", "hbm", "nvm", "cxl", or "" if unknown
};

/// A description of the machine at one time.
struct Topology {
  std::vector<TopologyNode> nodes;
  std::vector<std::vector<unsigned>> distances;  ///< [from][to], 10 = local; empty if unknown
  /// What the firmware says (ACPI HMAT), [from][to], from nodes with processors; 0 where it says nothing.
  /// Empty if it says nothing at all.
  std::vector<std::vector<double>> latency_ns;
  std::vector<std::vector<double>> bandwidth_mib;  ///< MiB a second

  [[nodiscard]] unsigned num_processors() const noexcept {
    std::size_t n = 0;
    for (const TopologyNode& node : nodes) n += node.processors.size();
    return static_cast<unsigned>(n);
  }
};

/// The nodes that memory is to be on, and how the system chooses among them.
struct MemoryNodes {
  enum class Use : std::uint8_t {
    first_touch,  ///< the node of the thread that touches a page first; `nodes` is empty
    preferred,    ///< these nodes, others of the machine once they are full
    bind,         ///< these nodes only, the nearest to the toucher first
    interleave,   ///< pages in turn over these nodes
  };
  Use use = Use::first_touch;
  std::vector<unsigned> nodes;
  friend bool operator==(const MemoryNodes&, const MemoryNodes&) = default;
};

/// The machine this process runs on, with container and cpuset limits honoured (hwloc).  The variables
/// HWLOC_SYNTHETIC and HWLOC_XMLFILE make hwloc describe another one.
[[nodiscard]] Topology machine_topology();

/// A synthetic machine for tests: `nodes` nodes of `processors_per_node`, then `memory_only` nodes.
[[nodiscard]] Topology synthetic_topology(unsigned nodes, unsigned processors_per_node, unsigned memory_only = 0);

/// The topology as text: a box for each node, and tables of distances, latency and bandwidth.
[[nodiscard]] std::string to_text(const Topology& topology);

}  // namespace rizoma
