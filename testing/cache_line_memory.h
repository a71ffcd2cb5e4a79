// CacheLineMemory: persistent memory with a processor's cache before it, on an ordinary file.
//
//   auto memory = std::make_shared<CacheLineMemory>();
//   auto medium = *open_dax_medium(path, true, memory);
//   ...                       // changes; what was acknowledged must be durable
//   memory->crash();          // lines that were stored but not flushed and drained have their old bytes again
//
// Lines that were flushed but not drained are lost too: the processor promises nothing for them.
// What goes through the file system (new blocks, sizes, names) is not modelled; FaultMedium does that.
#pragma once

#include "platform/persistent_memory.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

namespace rizoma {

class CacheLineMemory : public PersistentMemory {
 public:
  [[nodiscard]] Result<WritableMapping> map(int file, std::size_t bytes, std::string_view where) override;
  void store(std::byte* to, std::span<const std::byte> from) override;
  void flush(const std::byte* at, std::size_t bytes) override;
  void store_around_cache(std::byte* to, std::span<const std::byte> from) override;
  void drain() override;

  /// Loses every line that is not durable.
  void crash();
  [[nodiscard]] std::uint64_t drains() const;
  [[nodiscard]] std::uint64_t lines_around_cache() const;

 private:
  struct Line {
    std::array<std::byte, kCacheLine> before;  ///< its durable bytes
    bool flushed = false;                      ///< on its way, if `by` drains
    std::thread::id by;
    WritableMapping mapping;
  };
  Line& touch(std::byte* line);

  mutable std::mutex mutex_;
  std::map<std::byte*, std::pair<std::size_t, std::weak_ptr<std::byte>>> mappings_;  ///< by their first byte
  std::map<std::byte*, Line> lines_;                                                 ///< that are not durable
  std::uint64_t drains_ = 0;
  std::uint64_t around_ = 0;
};

}  // namespace rizoma
