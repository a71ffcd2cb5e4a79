#include "platform/pages.h"

#include "testing/resident_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Pages, AreThereOnceTheyHaveBeenTouched) {
  constexpr std::size_t kBytes = 100 * 4096 + 5;  // no huge page
  void* const data = allocate_pages(kBytes);
  EXPECT_EQ(testing::resident_pages(data, kBytes), 0U);
  touch_pages(data, kBytes);
  const std::size_t there = testing::resident_pages(data, kBytes);
  EXPECT_EQ(static_cast<unsigned char*>(data)[kBytes - 1], 0);
  release_pages(data, kBytes);
  touch_pages(nullptr, 0);
  if (there == 0) GTEST_SKIP() << "the system is older than MADV_POPULATE_WRITE";
  EXPECT_EQ(there, (kBytes + page_bytes() - 1) / page_bytes());
}

TEST(Pages, ReservedOnesTakeMemoryWhereTheyAreWrittenAndGiveItBackCleared) {
  constexpr std::size_t kPages = 2000;  // more than a huge page
  const std::size_t bytes = kPages * page_bytes();
  auto* const data = static_cast<unsigned char*>(reserve_pages(bytes));
  for (const std::size_t page : {std::size_t{3}, std::size_t{700}, kPages - 1}) data[page * page_bytes() + 9] = 1;
  EXPECT_EQ(testing::resident_pages(data, bytes), 3U);
  const std::size_t first = 3 * page_bytes() + 5;
  data[first - 1] = 4;
  clear_pages(data + first, bytes - first);
  EXPECT_EQ(data[first - 1], 4) << "what lies before stays";
  EXPECT_TRUE(std::all_of(data + first, data + bytes, [](unsigned char byte) { return byte == 0; }));
  clear_pages(data, 3);
  clear_pages(data + 700 * page_bytes(), 0);
  release_pages(data, bytes);
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
