// Page-aligned memory from the operating system, on huge pages where they help.
#pragma once

#include <cstddef>

namespace rizoma {

/// Of a page of the system: 4 KiB on x86-64; 4, 16 or 64 KiB on aarch64.
[[nodiscard]] std::size_t page_bytes() noexcept;

/// `bytes` of zeroed memory aligned to 4096; from 2 MiB on aligned to 2 MiB and put on huge pages if
/// the system allows (the pages of a sweep's random reads then fit the TLB).  A page comes to be on
/// the node of the thread that touches it first.  Null for 0 bytes.  Throws std::bad_alloc.
[[nodiscard]] void* allocate_pages(std::size_t bytes);

/// The same on small pages, of which only those that are written to take memory: for what is written to in parts.
[[nodiscard]] void* reserve_pages(std::size_t bytes);

/// Makes pages of allocate_pages take memory at once, before the first write: faster than one by one.
/// A hint: systems without MADV_POPULATE_WRITE (Linux before 5.14) do nothing.
void touch_pages(void* data, std::size_t bytes) noexcept;

/// Makes these bytes zero; the pages within them take no memory until the next write.
void clear_pages(void* data, std::size_t bytes) noexcept;

/// Frees the result of either of them for this many bytes; fits VertexMemory::release.
void release_pages(void* data, std::size_t bytes) noexcept;

/// Tells the system that these bytes, of any kind of memory, will hardly be read again: their pages are
/// the first to be taken when memory is short.
void offer_back(const void* data, std::size_t bytes) noexcept;

}  // namespace rizoma
