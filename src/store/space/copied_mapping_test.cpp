// A mapping that is a copy holds what the file does, and is none if the file cannot be read.
#include "store/space/copied_mapping.h"

#include "testing/failing_medium.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

TEST(CopiedMapping, IsNoneOfAFileThatCannotBeRead) {
  FailingCalls calls;
  const auto medium = make_failing_medium(make_heap_medium(), calls);
  const auto file = *medium->open("file", FileMode::create);
  std::vector<std::byte> bytes(5000);
  std::ranges::generate(bytes, [n = 0U]() mutable { return static_cast<std::byte>(n++ * 7); });
  ASSERT_TRUE(file->write(0, bytes));
  const auto copied = copied_mapping(*file, 100, 4900);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_TRUE(std::ranges::equal(copied->bytes, std::span(bytes).subspan(100)));
  calls.fail(1);
  const auto refused = copied_mapping(*file, 100, 4900);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace rizoma
