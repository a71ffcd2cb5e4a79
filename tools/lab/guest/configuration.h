// What the laboratory says the guest consists of, to compare with what the guest shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rizoma::lab {

struct ConfiguredNode {
  unsigned id = 0;  ///< the guest kernel's number
  std::uint64_t memory_bytes = 0;
  std::vector<unsigned> processors;
};

struct Configuration {
  std::vector<ConfiguredNode> nodes;             ///< ascending by id
  std::vector<std::vector<unsigned>> distances;  ///< [from][to], in the order of nodes
  std::vector<std::filesystem::path> dax_mounts;
};

/// Reads LAB_NODES, LAB_DISTANCES, LAB_DAX and LAB_NVDIMM_NODES.  Without nodes: not in the laboratory.
[[nodiscard]] Configuration read_configuration();

}  // namespace rizoma::lab
