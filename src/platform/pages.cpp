#include "platform/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace rizoma {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, which the headers of older systems lack

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::byte* map_memory(std::size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(data);
}

}  // namespace

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

void* allocate_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > SIZE_MAX - 2 * kHugePage) throw std::bad_alloc();
  const std::size_t length = round_up(bytes, page_bytes());
  if (bytes < kHugePage) return map_memory(length);

  // The kernel aligns to its small page: map one huge page more and unmap the two ends.
  std::byte* mapped = map_memory(length + kHugePage);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(mapped) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(mapped, before);
  if (before < kHugePage) ::munmap(mapped + before + length, kHugePage - before);
  ::madvise(mapped + before, length, MADV_HUGEPAGE);
  return mapped + before;
}

void* reserve_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > SIZE_MAX - kHugePage) throw std::bad_alloc();
  const std::size_t length = round_up(bytes, page_bytes());
  std::byte* const mapped = map_memory(length);
  ::madvise(mapped, length, MADV_NOHUGEPAGE);
  return mapped;
}

void touch_pages(void* data, std::size_t bytes) noexcept {
  if (bytes > 0) ::madvise(data, round_up(bytes, page_bytes()), kPopulateWrite);
}

void clear_pages(void* data, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t end = begin + bytes;
  const std::uintptr_t first = round_up(begin, page_bytes());
  const std::uintptr_t last = end / page_bytes() * page_bytes();
  if (last <= first || ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED) != 0) {
    std::memset(data, 0, bytes);  // locked pages stay
    return;
  }
  std::memset(data, 0, first - begin);
  std::memset(reinterpret_cast<void*>(last), 0, end - last);
}

void release_pages(void* data, std::size_t bytes) noexcept {
  if (data != nullptr) ::munmap(data, round_up(bytes, page_bytes()));
}

void offer_back(const void* data, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::size_t page = page_bytes();
  const std::uintptr_t first = round_up(begin, page);
  const std::uintptr_t last = (begin + bytes) / page * page;
  // A hint: a kernel that does not know it changes nothing.
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_COLD);
}

}  // namespace rizoma
