#include "platform/pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

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

/// How many of these pages take memory.
std::size_t resident(void* data, std::size_t bytes) {
  std::vector<unsigned char> pages((bytes + page_bytes() - 1) / page_bytes());
  EXPECT_EQ(::mincore(data, bytes, pages.data()), 0);
  return static_cast<std::size_t>(std::ranges::count_if(pages, [](unsigned char page) { return (page & 1) != 0; }));
}

TEST(Pages, AreThereOnceTheyHaveBeenTouched) {
  constexpr std::size_t kBytes = 100 * 4096 + 5;  // no huge page
  void* const data = allocate_pages(kBytes);
  EXPECT_EQ(resident(data, kBytes), 0U);
  touch_pages(data, kBytes);
  const std::size_t there = resident(data, kBytes);
  EXPECT_EQ(static_cast<unsigned char*>(data)[kBytes - 1], 0);
  release_pages(data, kBytes);
  touch_pages(nullptr, 0);
  if (there == 0) GTEST_SKIP() << "the system is older than MADV_POPULATE_WRITE";
  EXPECT_EQ(there, (kBytes + page_bytes() - 1) / page_bytes());
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
