#include "platform/mapped_bytes.h"

#include "platform/file_medium.h"
#include "platform/pages.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

namespace rizoma {
namespace {

/// Pages after the end of a file that was cut are what this process can make unreadable.
TEST(MappedBytes, ThatCannotBeReadGiveAnErrorInPlaceOfASignal) {
  const testing::TemporaryDirectory directory;
  const auto medium = open_file_medium(directory.path(), false);
  ASSERT_TRUE(medium) << medium.error().message;
  const auto file = (*medium)->open("bytes", FileMode::create);
  ASSERT_TRUE(file);
  const std::size_t page = page_bytes();
  ASSERT_TRUE((*file)->write(0, std::vector<std::byte>(4 * page, std::byte{1})));
  const auto mapping = (*file)->map(0, 4 * page);
  ASSERT_TRUE(mapping);
  EXPECT_TRUE((*file)->populate(0, mapping->bytes));
  EXPECT_TRUE((*file)->populate(100, mapping->bytes.subspan(100, 1)));
  std::filesystem::resize_file(directory / "bytes", page);
  EXPECT_TRUE((*file)->populate(0, mapping->bytes.first(page)));
  const Status cut = (*file)->populate(page - 96, mapping->bytes.subspan(page - 96, 200));
  if (cut) GTEST_SKIP() << "the system is older than MADV_POPULATE_READ";
  EXPECT_EQ(cut.error().code, ErrorCode::io);
  EXPECT_NE(cut.error().message.find("bytes"), std::string::npos) << cut.error().message;
}

/// As 4 KiB of a file do where the system's pages have 64 KiB.
TEST(MappedBytes, MayBeginWithinAPageOfTheSystem) {
  const testing::TemporaryDirectory directory;
  const auto medium = open_file_medium(directory.path(), false);
  ASSERT_TRUE(medium) << medium.error().message;
  const auto file = (*medium)->open("bytes", FileMode::create);
  ASSERT_TRUE(file);
  std::vector<std::byte> bytes(3 * page_bytes() + 5);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
  ASSERT_TRUE((*file)->write(0, bytes));
  for (const std::size_t offset : {std::size_t{512}, page_bytes() - 1, 2 * page_bytes() + 8}) {
    const auto mapping = (*file)->map(offset, bytes.size() - offset);
    ASSERT_TRUE(mapping) << mapping.error().message;
    EXPECT_TRUE(std::ranges::equal(mapping->bytes, std::span(bytes).subspan(offset))) << offset;
    EXPECT_TRUE((*file)->populate(offset, mapping->bytes));
  }
}

}  // namespace
}  // namespace rizoma
