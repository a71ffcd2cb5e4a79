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

}  // namespace
}  // namespace rizoma
