#include "testing/failing_allocation.h"

#include <cstdlib>
#include <new>

namespace rizoma {
namespace {

struct Countdown {
  std::uint64_t least = 0;  // bytes; smaller ones are not counted
  std::uint64_t left = 0;   // 0: not counting
  bool lasting = false;
  bool happened = false;
};
thread_local Countdown countdown;

bool fails(std::size_t bytes) noexcept {
  if (countdown.left == 0 || bytes < countdown.least) return false;
  if (countdown.left > 1) {
    --countdown.left;
    return false;
  }
  countdown.happened = true;
  if (!countdown.lasting) countdown.left = 0;
  return true;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (fails(bytes)) throw std::bad_alloc();
  void* data = nullptr;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    data = std::malloc(bytes == 0 ? 1 : bytes);
  } else {
    data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  if (data == nullptr) throw std::bad_alloc();
  return data;
}

}  // namespace

FailingAllocation::FailingAllocation(std::uint64_t nth, bool lasting) noexcept : FailingAllocation(0, nth, lasting) {}
FailingAllocation::FailingAllocation(std::uint64_t bytes, std::uint64_t nth, bool lasting) noexcept {
  countdown = {bytes, nth, lasting, false};
}
FailingAllocation::~FailingAllocation() { countdown.left = 0; }
bool FailingAllocation::happened() noexcept { return countdown.happened; }

}  // namespace rizoma

// The other forms of new and delete call these (those that do not throw are here for AddressSanitizer's sake,
// which has its own).
void* operator new(std::size_t bytes) { return rizoma::allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return rizoma::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return rizoma::allocate(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* data, const std::nothrow_t&) noexcept { std::free(data); }
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete(void* data, std::align_val_t) noexcept { std::free(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { std::free(data); }
