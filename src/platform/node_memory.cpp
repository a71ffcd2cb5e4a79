#include "platform/node_memory.h"

#include "platform/pages.h"

#include <hwloc.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

namespace rizoma {
namespace {

using NodeSet = std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)>;

Error refused(const std::string& why) {
  return {ErrorCode::unsupported,
          "cannot choose the nodes of memory: " + why + " (a container needs the right to call mbind: CAP_SYS_NICE)"};
}

}  // namespace

struct NodeMemory::Impl {
  hwloc_topology_t topology = nullptr;
  bool loaded = false;
};

NodeMemory::NodeMemory() : impl_(std::make_unique<Impl>()) {
  if (hwloc_topology_init(&impl_->topology) != 0) return;
  impl_->loaded = hwloc_topology_load(impl_->topology) == 0;
}

NodeMemory::~NodeMemory() {
  if (impl_->topology != nullptr) hwloc_topology_destroy(impl_->topology);
}

Result<PageMemory> PageBinder::allocate(std::size_t bytes, const MemoryNodes& where) const {
  PageMemory memory;
  try {
    memory = PageMemory(static_cast<std::byte*>(allocate_pages(bytes)),
                        [bytes](std::byte* pages) { release_pages(pages, bytes); });
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "not enough memory for " + std::to_string(bytes) + " bytes"};
  }
  RIZOMA_TRY(bind(memory.get(), bytes, where));
  return memory;
}

Status NodeMemory::bind(void* pages, std::size_t bytes, const MemoryNodes& where) const {
  if (where.use == MemoryNodes::Use::first_touch || bytes == 0) return {};
  if (!impl_->loaded) return refused("the machine's topology cannot be read");
  const hwloc_const_nodeset_t present = hwloc_topology_get_topology_nodeset(impl_->topology);
  const NodeSet wanted(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  for (const unsigned node : where.nodes) {
    if (!hwloc_bitmap_isset(present, node)) {
      return Error{ErrorCode::invalid_argument, "this machine has no memory node " + std::to_string(node)};
    }
    hwloc_bitmap_set(wanted.get(), node);
  }
  if (hwloc_bitmap_isequal(wanted.get(), present) && hwloc_bitmap_weight(present) == 1) return {};
  // Without STRICT, hwloc's "bind" is the kernel's "preferred".
  const bool interleave = where.use == MemoryNodes::Use::interleave;
  const int strict = where.use == MemoryNodes::Use::preferred ? 0 : HWLOC_MEMBIND_STRICT;
  if (hwloc_set_area_membind(impl_->topology, pages, bytes, wanted.get(),
                             interleave ? HWLOC_MEMBIND_INTERLEAVE : HWLOC_MEMBIND_BIND,
                             strict | HWLOC_MEMBIND_BYNODESET) != 0) {
    return refused(std::strerror(errno));
  }
  return {};
}

}  // namespace rizoma
