#include "platform/reading.h"

#include "platform/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace rizoma {
namespace {

void advise(std::span<const std::byte> bytes, int advice) noexcept {
  if (bytes.empty()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = begin / page_bytes() * page_bytes();
  ::madvise(reinterpret_cast<void*>(first), begin - first + bytes.size(), advice);
}

}  // namespace

void read_no_more_than_asked(std::span<const std::byte> bytes) noexcept { advise(bytes, MADV_RANDOM); }

void read_as_usual(std::span<const std::byte> bytes) noexcept { advise(bytes, MADV_NORMAL); }

void begin_reading(std::span<const std::byte> bytes) noexcept {
  // The system cuts each call to the device's read-ahead, which is 128 KiB by default.
  constexpr std::size_t kAtOnce = 128u << 10;
  while (!bytes.empty()) {
    const std::size_t size = std::min(kAtOnce, bytes.size());
    advise(bytes.first(size), MADV_WILLNEED);
    bytes = bytes.subspan(size);
  }
}

void let_go(std::span<const std::byte> bytes) noexcept { advise(bytes, MADV_PAGEOUT); }

void leave_to_cache(std::span<const std::byte> bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + page_bytes() - 1) / page_bytes() * page_bytes();
  const std::uintptr_t last = (begin + bytes.size()) / page_bytes() * page_bytes();
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace rizoma
