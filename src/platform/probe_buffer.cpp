#include "platform/probe_buffer.h"

#include "platform/fd_file.h"
#include "platform/os_error.h"
#include "platform/pages.h"

#include <fcntl.h>
#include <hwloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace rizoma::probe {
namespace {

using HwlocTopology = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;
using NodeSet = std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)>;

HwlocTopology load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
  HwlocTopology owner(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) owner.reset();
  return owner;
}

Error no_binding(unsigned node, const char* why) {
  return {ErrorCode::unsupported, "cannot bind memory to node " + std::to_string(node) + ": " + why +
                                      " (a container needs the right to call mbind: CAP_SYS_NICE)"};
}

bool only_node(hwloc_topology_t topology, unsigned node) {
  const hwloc_const_nodeset_t all = hwloc_topology_get_topology_nodeset(topology);
  return hwloc_bitmap_weight(all) == 1 && hwloc_bitmap_isset(all, node);
}

/// Binds before the first touch, so that the kernel never has to move a page.
Status bind(hwloc_topology_t topology, void* data, std::size_t bytes, unsigned node) {
  const NodeSet wanted(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  hwloc_bitmap_only(wanted.get(), node);
  const int flags = HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET;
  if (hwloc_set_area_membind(topology, data, bytes, wanted.get(), HWLOC_MEMBIND_BIND, flags) == 0) return {};
  return no_binding(node, std::strerror(errno));
}

Status verify(hwloc_topology_t topology, void* data, std::size_t bytes, unsigned node) {
  const NodeSet found(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_get_area_memlocation(topology, data, bytes, found.get(), HWLOC_MEMBIND_BYNODESET) != 0) {
    return no_binding(node, std::strerror(errno));
  }
  if (hwloc_bitmap_weight(found.get()) == 1 && hwloc_bitmap_isset(found.get(), node)) return {};
  return no_binding(node, "some pages were placed on another node");
}

}  // namespace

Result<ProbeBuffer> ProbeBuffer::on_node(unsigned node, std::size_t bytes) {
  const HwlocTopology topology = load_topology();
  if (topology == nullptr) return no_binding(node, "the machine's topology cannot be read");
  if (!hwloc_bitmap_isset(hwloc_topology_get_topology_nodeset(topology.get()), node)) {
    return Error{ErrorCode::invalid_argument, "this machine has no memory node " + std::to_string(node)};
  }
  void* pages = nullptr;
  try {
    pages = allocate_pages(bytes);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory,
                 "not enough memory for " + std::to_string(bytes) + " bytes to probe memory with"};
  }
  Data data(pages, [bytes](void* p) { release_pages(p, bytes); });
  const bool bound = !only_node(topology.get(), node);
  if (bound) RIZOMA_TRY(bind(topology.get(), pages, bytes, node));
  std::memset(pages, 0, bytes);
  if (bound) RIZOMA_TRY(verify(topology.get(), pages, bytes, node));
  return ProbeBuffer(std::move(data), bytes, false);
}

Result<int> open_nameless(const std::filesystem::path& directory) {
  const int nameless = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
  if (errno != EOPNOTSUPP && errno != EISDIR) return os_error("make a file in", directory.string(), errno);
  std::string name = (directory / "rizoma-probe-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) return os_error("make a file in", directory.string(), errno);
  ::unlink(name.c_str());
  return named;
}

Result<ProbeBuffer> ProbeBuffer::in_directory(const std::filesystem::path& directory, std::size_t bytes) {
  RIZOMA_ASSIGN(const int number, open_nameless(directory));
  const FileDescriptor file(number);
  if (const int failed = ::posix_fallocate(number, 0, static_cast<off_t>(bytes)); failed != 0) {
    return os_error("reserve space in", directory.string(), failed);
  }
  const auto map = [&](int flags) { return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, number, 0); };
  void* mapped = map(MAP_SHARED_VALIDATE | MAP_SYNC);
  const bool map_sync = mapped != MAP_FAILED;
  if (!map_sync) mapped = map(MAP_SHARED);
  if (mapped == MAP_FAILED) return os_error("map a file in", directory.string(), errno);
  Data data(mapped, [bytes](void* p) { ::munmap(p, bytes); });
  std::memset(mapped, 0, bytes);
  return ProbeBuffer(std::move(data), bytes, map_sync);
}

}  // namespace rizoma::probe
