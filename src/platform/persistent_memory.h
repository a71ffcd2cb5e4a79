// PersistentMemory: the seam between a DAX file and the machine: how its bytes are mapped, and how
// stores to them become durable.
//
// As in libpmem2, a store is durable once it has left the processor's caches (store, then flush; or a
// store around the cache) and a later `drain` of the same thread has returned.  The real one maps with
// MAP_SYNC, so that the file system's own records of a mapped block are durable before the first store
// to it, and flushes with the best instruction that the processor has: CLWB, CLFLUSHOPT or CLFLUSH.
// Tests put in one that forgets what was not flushed.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace rizoma {

inline constexpr std::size_t kCacheLine = 64;

/// A mapping for stores; unmapped with its last copy.
using WritableMapping = std::shared_ptr<std::byte>;

class PersistentMemory {
 public:
  virtual ~PersistentMemory() = default;
  /// Maps the first `bytes` of a file open for reading and writing; they may reach beyond its end, but
  /// must not be touched there.  `where` is for messages.
  [[nodiscard]] virtual Result<WritableMapping> map(int file, std::size_t bytes, std::string_view where) = 0;
  /// Plain stores: they may stay in the cache until flushed.
  virtual void store(std::byte* to, std::span<const std::byte> from) = 0;
  /// Sends the lines of [at, at + bytes) on their way to the memory.
  virtual void flush(const std::byte* at, std::size_t bytes) = 0;
  /// Stores that need no flush; `to` and the size are multiples of a cache line.
  virtual void store_around_cache(std::byte* to, std::span<const std::byte> from) = 0;
  /// Waits until all stores that this thread has flushed are durable.
  virtual void drain() = 0;
};

/// Stores, flushes and drains: durable when it returns.  Large pieces go around the cache.
void persist(PersistentMemory& memory, std::byte* to, std::span<const std::byte> from);

/// This machine's instructions; null if it lacks them.
[[nodiscard]] std::shared_ptr<PersistentMemory> machine_persistent_memory();

}  // namespace rizoma
