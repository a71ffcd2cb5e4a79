#include "platform/mapped_bytes.h"

#include "platform/file_medium.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace rizoma {
namespace {

/// Pages behind the end of a file that was cut are what this process can make unreadable.
TEST(MappedBytes, ThatCannotBeReadGiveAnErrorInPlaceOfASignal) {
  const testing::TemporaryDirectory directory;
  const auto medium = open_file_medium(directory.path(), false);
  ASSERT_TRUE(medium) << medium.error().message;
  const auto file = (*medium)->open("bytes", FileMode::create);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->write(0, std::vector<std::byte>(4 * 4096, std::byte{1})));
  const auto mapping = (*file)->map(0, 4 * 4096);
  ASSERT_TRUE(mapping);
  EXPECT_TRUE((*file)->populate(0, mapping->bytes));
  EXPECT_TRUE((*file)->populate(100, mapping->bytes.subspan(100, 1)));
  std::filesystem::resize_file(directory / "bytes", 4096);
  EXPECT_TRUE((*file)->populate(0, mapping->bytes.first(4096)));
  const Status cut = (*file)->populate(4000, mapping->bytes.subspan(4000, 200));
  if (cut) GTEST_SKIP() << "the system is older than MADV_POPULATE_READ";
  EXPECT_EQ(cut.error().code, ErrorCode::io);
  EXPECT_NE(cut.error().message.find("bytes"), std::string::npos) << cut.error().message;
}

}  // namespace
}  // namespace rizoma
