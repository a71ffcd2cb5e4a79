// NodeMemory: memory on chosen NUMA nodes, memory-only ones included (KMEM-DAX, CXL), by hwloc.
#pragma once

#include <rizoma/result.h>

#include <rizoma/topology.h>

#include <cstddef>
#include <memory>

namespace rizoma {

/// Pages given back with the last copy.
using PageMemory = std::shared_ptr<std::byte>;

/// Loads the machine's topology once; any thread may allocate.
class NodeMemory {
 public:
  NodeMemory();
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// As allocate_pages, on the nodes asked for; the pages come to lie there when they are touched.
  /// Errors: invalid_argument (a node that is not there), unsupported (binding is refused, as in some
  /// containers), out_of_memory (the address space; a bound node that is full shows at the touch).
  [[nodiscard]] Result<PageMemory> allocate(std::size_t bytes, const MemoryNodes& where) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
