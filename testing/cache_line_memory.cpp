#include "testing/cache_line_memory.h"

#include "base/check.h"
#include "platform/os_error.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace rizoma {
namespace {

std::byte* line_of(const std::byte* at) {
  return const_cast<std::byte*>(at) - reinterpret_cast<std::uintptr_t>(at) % kCacheLine;
}

}  // namespace

Result<WritableMapping> CacheLineMemory::map(int file, std::size_t bytes, std::string_view where) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) return os_error("map", where, errno);
  WritableMapping mapping(static_cast<std::byte*>(data), [bytes](std::byte* mapped) { ::munmap(mapped, bytes); });
  const std::lock_guard guard(mutex_);
  mappings_[mapping.get()] = {bytes, mapping};
  return mapping;
}

/// Remembers the durable bytes of a line before they change.
CacheLineMemory::Line& CacheLineMemory::touch(std::byte* line) {
  const auto known = lines_.find(line);
  if (known != lines_.end()) return known->second;
  const auto after = mappings_.upper_bound(line);
  RIZOMA_CHECK(after != mappings_.begin());
  Line& fresh = lines_[line];
  fresh.mapping = std::prev(after)->second.second.lock();
  RIZOMA_CHECK(fresh.mapping != nullptr);
  std::memcpy(fresh.before.data(), line, kCacheLine);
  return fresh;
}

void CacheLineMemory::store(std::byte* to, std::span<const std::byte> from) {
  const std::lock_guard guard(mutex_);
  for (std::byte* line = line_of(to); line < to + from.size(); line += kCacheLine) touch(line).flushed = false;
  std::memcpy(to, from.data(), from.size());
}

void CacheLineMemory::flush(const std::byte* at, std::size_t bytes) {
  const std::lock_guard guard(mutex_);
  for (std::byte* line = line_of(at); line < at + bytes; line += kCacheLine) {
    const auto known = lines_.find(line);
    if (known == lines_.end()) continue;
    known->second.flushed = true;
    known->second.by = std::this_thread::get_id();
  }
}

void CacheLineMemory::store_around_cache(std::byte* to, std::span<const std::byte> from) {
  RIZOMA_CHECK(line_of(to) == to && from.size() % kCacheLine == 0);
  store(to, from);
  flush(to, from.size());
  const std::lock_guard guard(mutex_);
  around_ += from.size() / kCacheLine;
}

void CacheLineMemory::drain() {
  const std::lock_guard guard(mutex_);
  ++drains_;
  std::erase_if(
      lines_, [](const auto& entry) { return entry.second.flushed && entry.second.by == std::this_thread::get_id(); });
}

void CacheLineMemory::crash() {
  const std::lock_guard guard(mutex_);
  for (const auto& [line, lost] : lines_) std::memcpy(line, lost.before.data(), kCacheLine);
  lines_.clear();
}

std::uint64_t CacheLineMemory::drains() const {
  const std::lock_guard guard(mutex_);
  return drains_;
}

std::uint64_t CacheLineMemory::lines_around_cache() const {
  const std::lock_guard guard(mutex_);
  return around_;
}

}  // namespace rizoma
