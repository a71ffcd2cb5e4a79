#include "platform/pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

namespace rizoma {
namespace {

TEST(Pages, AreAlignedZeroedAndWritableToTheLastByte) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{4096}, std::size_t{4097}, std::size_t{2} << 20, (std::size_t{5} << 20) + 123}) {
    auto* data = static_cast<unsigned char*>(allocate_pages(bytes));
    const std::size_t alignment = bytes >= (std::size_t{2} << 20) ? std::size_t{2} << 20 : 4096;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % alignment, 0u) << bytes;
    EXPECT_EQ(data[0], 0);
    EXPECT_EQ(data[bytes - 1], 0);
    data[0] = 1;
    data[bytes - 1] = 1;
    release_pages(data, bytes);
  }
}

TEST(Pages, NothingIsNull) {
  EXPECT_EQ(allocate_pages(0), nullptr);
  release_pages(nullptr, 0);
}

TEST(Pages, AnImpossibleSizeThrowsBadAlloc) {
  EXPECT_THROW((void)allocate_pages(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW((void)allocate_pages(SIZE_MAX / 2), std::bad_alloc);
}

}  // namespace
}  // namespace rizoma
