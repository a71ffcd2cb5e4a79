// NodeMemory: memory on chosen NUMA nodes, memory-only ones included (KMEM-DAX, CXL), by hwloc.
#pragma once

#include <rizoma/result.h>

#include <rizoma/topology.h>

#include <cstddef>
#include <memory>

namespace rizoma {

/// Pages that are freed with the last copy.
using PageMemory = std::shared_ptr<std::byte>;

/// Puts pages on nodes; any thread may.  Tests have one that only notes its calls.
class PageBinder {
 public:
  PageBinder() = default;
  PageBinder(const PageBinder&) = delete;
  PageBinder& operator=(const PageBinder&) = delete;
  virtual ~PageBinder() = default;

  /// Binds pages that were not touched yet to the nodes asked for. Errors:
  /// invalid_argument (a node that is missing), unsupported (binding is refused, as in
  /// some containers).
  [[nodiscard]] virtual Status bind(void* pages, std::size_t bytes, const MemoryNodes& where) const = 0;

  /// As allocate_pages, bound.  Errors: those of bind, and out_of_memory (the address space; a bound node
  /// that is full shows at the touch).
  [[nodiscard]] Result<PageMemory> allocate(std::size_t bytes, const MemoryNodes& where) const;
};

/// The machine's own nodes.  Loads its topology once.
class NodeMemory final : public PageBinder {
 public:
  NodeMemory();
  ~NodeMemory() override;

  [[nodiscard]] Status bind(void* pages, std::size_t bytes, const MemoryNodes& where) const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
