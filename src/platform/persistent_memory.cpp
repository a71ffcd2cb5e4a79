#include "platform/persistent_memory.h"

#include "platform/os_error.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace rizoma {
namespace {

// From here on stores around the cache are faster than stores and flushes (the limit that libpmem uses).
constexpr std::size_t kAroundCacheBytes = 256;

std::size_t bytes_to_line(const std::byte* at) {
  return (kCacheLine - reinterpret_cast<std::uintptr_t>(at) % kCacheLine) % kCacheLine;
}

void store_and_flush(PersistentMemory& memory, std::byte* to, std::span<const std::byte> from) {
  if (from.empty()) return;
  memory.store(to, from);
  memory.flush(to, from.size());
}

#if defined(__x86_64__)

using FlushLine = void (*)(const std::byte* line);

__attribute__((target("clwb"))) void flush_clwb(const std::byte* line) { _mm_clwb(const_cast<std::byte*>(line)); }
__attribute__((target("clflushopt"))) void flush_clflushopt(const std::byte* line) {
  _mm_clflushopt(const_cast<std::byte*>(line));
}
void flush_clflush(const std::byte* line) { _mm_clflush(line); }

FlushLine find_flush() {
  // Leaf 7 of CPUID; not every compiler knows these instructions by name.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return flush_clflush;
  if ((ebx & bit_CLWB) != 0) return flush_clwb;
  if ((ebx & bit_CLFLUSHOPT) != 0) return flush_clflushopt;
  return flush_clflush;
}

/// In a virtual machine CPUID takes microseconds, which each opening would pay.
FlushLine best_flush() {
  static const FlushLine best = find_flush();
  return best;
}

class MachineMemory final : public PersistentMemory {
 public:
  [[nodiscard]] Result<WritableMapping> map(int file, std::size_t bytes, std::string_view where) override {
    void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_SYNC, file, 0);
    if (data == MAP_FAILED) return os_error("map with MAP_SYNC", where, errno);
    return WritableMapping(static_cast<std::byte*>(data), [bytes](std::byte* mapped) { ::munmap(mapped, bytes); });
  }

  void store(std::byte* to, std::span<const std::byte> from) override { std::memcpy(to, from.data(), from.size()); }

  void flush(const std::byte* at, std::size_t bytes) override {
    const std::byte* end = at + bytes;
    for (const std::byte* line = at - reinterpret_cast<std::uintptr_t>(at) % kCacheLine; line < end;
         line += kCacheLine) {
      flush_line_(line);
    }
  }

  void store_around_cache(std::byte* to, std::span<const std::byte> from) override {
    auto* target = reinterpret_cast<__m128i*>(to);
    const auto* source = reinterpret_cast<const __m128i*>(from.data());
    for (std::size_t i = 0; i < from.size() / sizeof(__m128i); ++i) {
      _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
    }
  }

  void drain() override { _mm_sfence(); }

 private:
  FlushLine flush_line_ = best_flush();
};

#endif

}  // namespace

void persist(PersistentMemory& memory, std::byte* to, std::span<const std::byte> from) {
  std::size_t head = from.size();
  std::size_t middle = 0;
  if (from.size() >= kAroundCacheBytes) {
    head = bytes_to_line(to);
    middle = (from.size() - head) / kCacheLine * kCacheLine;
  }
  store_and_flush(memory, to, from.first(head));
  if (middle > 0) memory.store_around_cache(to + head, from.subspan(head, middle));
  store_and_flush(memory, to + head + middle, from.subspan(head + middle));
  memory.drain();
}

std::shared_ptr<PersistentMemory> machine_persistent_memory() {
#if defined(__x86_64__)
  return std::make_shared<MachineMemory>();
#else
  return nullptr;
#endif
}

}  // namespace rizoma
