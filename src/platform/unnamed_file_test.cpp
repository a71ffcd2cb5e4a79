#include "platform/unnamed_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(UnnamedFile, HoldsWhatWasGivenAndLeavesNothing) {
  const std::filesystem::path directory = std::filesystem::path(::testing::TempDir()) / "rizoma_unnamed_file_test";
  std::filesystem::create_directories(directory);
  const std::string great(300000, 'x');
  const std::array parts{bytes_of("abc"), bytes_of(""), bytes_of(great), bytes_of("end")};
  auto mapped = map_unnamed_file(directory.string(), parts);
  ASSERT_TRUE(mapped.ok()) << mapped.error().message;
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  const std::string expected = "abc" + great + "end";
  const std::span<const std::byte> all(mapped->get(), expected.size());
  EXPECT_EQ(std::memcmp(all.data(), expected.data(), expected.size()), 0);
  let_pages_go(all);
  let_pages_go(all.subspan(5, 10));
  let_pages_go({});
  EXPECT_EQ(std::memcmp(all.data(), expected.data(), expected.size()), 0);
  const auto missing = map_unnamed_file((directory / "not there").string(), parts);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_NE(missing.error().message.find("not there"), std::string::npos);
  std::filesystem::remove_all(directory);
}

TEST(UnnamedFile, HoldsZerosThatCanBeWrittenOver) {
  const std::filesystem::path directory = std::filesystem::path(::testing::TempDir()) / "rizoma_zeros_test";
  std::filesystem::create_directories(directory);
  constexpr std::size_t kBytes = 300'001;
  const auto mapped = map_zeros(directory.string(), kBytes);
  ASSERT_TRUE(mapped.ok()) << mapped.error().message;
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  const std::span<std::byte> all(*mapped, kBytes);
  for (const std::byte byte : all) ASSERT_EQ(byte, std::byte{0});
  all.back() = std::byte{7};
  let_pages_go(all);
  EXPECT_EQ(all.back(), std::byte{7}) << "it is in the file";
  unmap_zeros(*mapped, kBytes);
  std::filesystem::remove_all(directory);
}

TEST(UnnamedFile, MoreThanTheDiskHasIsAnErrorBeforeAnythingIsWritten) {
  const std::string directory = ::testing::TempDir();
  const std::size_t before = std::filesystem::space(directory).available;
  const auto mapped = map_zeros(directory, std::size_t{1} << 60);
  ASSERT_FALSE(mapped.ok());
  EXPECT_EQ(mapped.error().code, ErrorCode::out_of_space);
  EXPECT_NE(mapped.error().message.find(directory), std::string::npos) << mapped.error().message;
  EXPECT_GT(std::filesystem::space(directory).available, before / 2);
}

}  // namespace
}  // namespace rizoma
