#include "transport/window.h"

#include "base/check.h"

#include <atomic>
#include <cstring>

namespace rizoma {
namespace {

bool within(std::size_t window, std::uint64_t offset, std::size_t size) {
  return offset <= window && size <= window - offset;
}

}  // namespace

void copy_from_window(std::span<const std::byte> window, std::uint64_t offset, std::span<std::byte> out) {
  RIZOMA_CHECK(within(window.size(), offset, out.size()));
  if (!out.empty()) std::memcpy(out.data(), window.data() + offset, out.size());
}

void copy_to_window(std::span<std::byte> window, std::uint64_t offset, std::span<const std::byte> bytes) {
  RIZOMA_CHECK(within(window.size(), offset, bytes.size()));
  if (!bytes.empty()) std::memcpy(window.data() + offset, bytes.data(), bytes.size());
}

std::uint64_t add_in_window(std::span<std::byte> window, std::uint64_t offset, std::uint64_t amount) {
  RIZOMA_CHECK(within(window.size(), offset, sizeof(std::uint64_t)));
  std::byte* place = window.data() + offset;
  RIZOMA_CHECK(reinterpret_cast<std::uintptr_t>(place) % sizeof(std::uint64_t) == 0);
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(place)).fetch_add(amount);
}

}  // namespace rizoma
