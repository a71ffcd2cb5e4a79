// Files that ranks leave for each other during an import: read as they were written, or refused.
#include "store/loading/share_file.h"

#include "platform/memory_medium.h"
#include "testing/store_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kHead = 24;
constexpr std::uint64_t kLongestAt = 8;  // where a head has the bytes of its block

Result<std::vector<std::uint32_t>> read(const std::vector<std::byte>& bytes) {
  return read_records<std::uint32_t>(*medium_of({{"share", bytes}}), "share");
}

/// A file of three blocks of numbers, the second of which is empty, and where each ends.
struct Written {
  std::vector<std::byte> bytes;
  std::set<std::size_t> ends{0, kHead + 12, 2 * kHead + 12, 3 * kHead + 20};

  Written() {
    const std::shared_ptr<Medium> folder = make_memory_medium();
    auto file = ShareFile::create(*folder, "share");
    EXPECT_TRUE(file);
    const std::uint32_t numbers[] = {1, 2, 3, 4, 5};
    for (const auto& block : {std::span(numbers).first(3), std::span(numbers).first(0), std::span(numbers).last(2)}) {
      EXPECT_TRUE(file->write(std::as_bytes(block)));
    }
    bytes = read_files(*folder).at("share");
  }
};

TEST(ShareFiles, AreReadAsTheyWereWritten) {
  const Written written;
  ASSERT_EQ(written.bytes.size(), *written.ends.rbegin());
  EXPECT_EQ(*read(written.bytes), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  // As many records as fill a block, and one more.
  const std::shared_ptr<Medium> folder = make_memory_medium();
  std::vector<std::uint32_t> many(RecordFile<std::uint32_t>::kBlock + 1);
  std::iota(many.begin(), many.end(), 1U);
  ASSERT_TRUE(write_records<std::uint32_t>(*folder, "many", many));
  EXPECT_EQ(*read_records<std::uint32_t>(*folder, "many"), many);
  many.pop_back();
  ASSERT_TRUE(write_records<std::uint32_t>(*folder, "many", many));
  EXPECT_EQ(*read_records<std::uint32_t>(*folder, "many"), many);
}

TEST(ShareFiles, CutWithinABlockOrWithAnotherByteAreRefused) {
  const Written written;
  for (std::size_t size = 0; size < written.bytes.size(); ++size) {
    const auto records = read({written.bytes.begin(), written.bytes.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_EQ(records.ok(), written.ends.contains(size)) << size;
    if (records) continue;
    EXPECT_EQ(records.error().code, ErrorCode::corrupt);
    EXPECT_THAT(records.error().message, HasSubstr("is not what another rank has written; import again"));
  }
  for (std::size_t at = 0; at < written.bytes.size(); ++at) {
    std::vector<std::byte> damaged = written.bytes;
    damaged[at] ^= std::byte{2};
    const auto records = read(damaged);
    ASSERT_FALSE(records) << at;
    EXPECT_EQ(records.error().code, ErrorCode::corrupt) << at;
  }
}

/// A length is believed only as far as the file reaches, whatever memory that would take.
TEST(ShareFiles, OfAnImpossibleLengthAreRefused) {
  for (const std::uint64_t length : {std::uint64_t{13}, std::uint64_t{1} << 39, UINT64_MAX}) {
    std::vector<std::byte> damaged = Written().bytes;
    damaged.resize(kHead + 12);
    std::memcpy(damaged.data() + kLongestAt, &length, sizeof length);
    const auto records = read(damaged);
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().code, ErrorCode::corrupt);
  }
}

TEST(ShareFiles, AnErrorOfWhoTakesTheBlocksEndsTheReading) {
  int taken = 0;
  const auto medium = medium_of({{"share", Written().bytes}});
  const Status status = read_share_file(*medium, "share", [&](std::span<const std::byte>) -> Status {
    ++taken;
    return Error{ErrorCode::cancelled, "enough"};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(read_share_file(*medium, "no", [](auto) { return Status(); }).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace rizoma
