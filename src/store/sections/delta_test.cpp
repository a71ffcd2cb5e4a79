// A delta whose header cannot be is refused, though its checksums are right.
#include "store/sections/delta.h"

#include "store/disk_format.h"
#include "testing/store_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;
using Header = format::DeltaHeader;

std::vector<std::byte> a_delta() {
  const DeltaSpec spec{.section = 2, .weighted = true, .num_entries = 2, .target_bound = 10};
  const std::array<std::uint64_t, 2> words{change_word(ChangeKind::add, 0, 8), change_word(ChangeKind::remove, 1, 9)};
  const std::array<double, 2> weights{0.5, 2};
  const ChangeRun run{words, weights.data()};
  return encode_delta(spec, {&run, 1});
}

std::vector<std::byte> with_header(const std::function<void(Header&)>& change) {
  std::vector<std::byte> bytes = a_delta();
  seal<Header>(bytes, 0, format::kSeedDeltaHeader, change);
  return bytes;
}

TEST(Delta, CutAnywhereOrWithAnotherByteIsRefused) {
  const std::vector<std::byte> whole = a_delta();
  const auto read = verify_delta(whole, 4, "delta");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->num_entries, 2U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(verify_delta(std::span(whole).first(size), 4, "delta").error().code, ErrorCode::corrupt) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> damaged = whole;
    damaged[at] ^= std::byte{32};
    EXPECT_EQ(verify_delta(damaged, 4, "delta").error().code, ErrorCode::corrupt) << at;
  }
}

TEST(Delta, ThatCannotBeIsRefusedThoughItsChecksumsAreRight) {
  const std::pair<const char*, std::function<void(Header&)>> cases[] = {
      {"is not a delta", [](Header& it) { it.magic ^= 1; }},
      {"impossible sizes", [](Header& it) { it.direction = 2; }},
      {"impossible sizes", [](Header& it) { it.weighted = 2; }},
      {"impossible sizes", [](Header& it) { it.weighted = 0; }},
      {"impossible sizes", [](Header& it) { it.num_entries = 3; }},
      // 16 bytes an entry: as much as there is, beyond all numbers.
      {"impossible sizes", [](Header& it) { it.num_entries += std::uint64_t{1} << 60; }},
      {"names vertices", [](Header& it) { it.target_bound = 9; }},
  };
  for (const auto& [says, change] : cases) {
    const auto read = verify_delta(with_header(change), 4, "delta");
    ASSERT_FALSE(read) << says;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr(says));
  }
  EXPECT_THAT(verify_delta(a_delta(), 1, "delta").error().message, HasSubstr("names vertices"));
  const auto later = verify_delta(with_header([](Header& it) { it.version = 99; }), 4, "delta");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
