// resident_pages: how much memory bytes really take.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma::testing {

/// The number of pages under these bytes that take memory; zeros that were only read count, too.
inline std::size_t resident_pages(const void* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(data) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(data) + bytes - begin;
  std::vector<unsigned char> pages((length + page - 1) / page);
  if (::mincore(reinterpret_cast<void*>(begin), length, pages.data()) != 0) return pages.size();
  return static_cast<std::size_t>(std::ranges::count_if(pages, [](unsigned char one) { return (one & 1) != 0; }));
}

}  // namespace rizoma::testing
