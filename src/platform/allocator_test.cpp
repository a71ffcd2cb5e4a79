#include "platform/allocator.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>

namespace rizoma {
namespace {

struct Free {
  void operator()(void* block) const noexcept { std::free(block); }
};
using Block = std::unique_ptr<void, Free>;

std::size_t mapped_bytes() { return ::mallinfo2().hblkhd; }
Block block_of(std::size_t bytes) { return Block(std::malloc(bytes)); }

TEST(Allocator, ReturnsBlocksSmallerThanOneFreedBefore) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const std::size_t at_first = mapped_bytes();
  if (const Block largest = block_of(64 * kMiB); mapped_bytes() < at_first + 64 * kMiB)
    GTEST_SKIP() << "another allocator is in place of that of the C library";
  return_large_blocks();
  block_of(16 * kMiB).reset();
  const std::size_t before = mapped_bytes();
  Block block = block_of(kMiB);
  EXPECT_GE(mapped_bytes(), before + kMiB);
  block.reset();
  EXPECT_EQ(mapped_bytes(), before);
}

}  // namespace
}  // namespace rizoma
#endif
