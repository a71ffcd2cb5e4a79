#include "platform/reading.h"

#include "platform/pages.h"

#include <sys/mman.h>

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

void begin_reading(std::span<const std::byte> bytes) noexcept { advise(bytes, MADV_WILLNEED); }

}  // namespace rizoma
