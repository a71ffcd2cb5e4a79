// The file that says which part of a distributed graph a directory has: read as it was written, or refused.
#include "store/sections/part.h"

#include "testing/store_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;

Part a_part(bool in_edges = true, bool rows = true) {
  Part part;
  part.store = {7, 8};
  part.generation = 5;
  part.number = 1;
  part.parts = 3;
  part.rule = 2;
  part.owners = {0, 1, 2, 1, 0};
  part.out_heads = {11, 12, 13, 14, 15};
  if (in_edges) part.in_heads = {21, 22, 23, 24, 25};
  if (rows) part.edge_blocks = std::vector<bool>(70, false);
  if (rows) part.edge_blocks[3] = part.edge_blocks[69] = true;
  return part;
}

using Header = format::PartHeader;

/// The file with another header, whose checksum is right.
std::vector<std::byte> with_header(std::vector<std::byte> bytes, const std::function<void(Header&)>& change) {
  seal<Header>(bytes, 0, format::kSeedPartHeader, change);
  return bytes;
}

TEST(PartFile, IsReadAsItWasWritten) {
  for (const auto& [in_edges, rows] : {std::pair(true, true), {true, false}, {false, true}, {false, false}}) {
    const Part part = a_part(in_edges, rows);
    const std::vector<std::byte> bytes = encode_part(part);
    EXPECT_EQ(*part_bytes(std::span(bytes).first(sizeof(Header)), part.owners.size(), "part"), bytes.size());
    const auto read = decode_part(bytes, "part");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->store == part.store);
    EXPECT_EQ(std::tuple(read->generation, read->number, read->parts, read->rule),
              std::tuple(part.generation, part.number, part.parts, part.rule));
    EXPECT_EQ(read->owners, part.owners);
    EXPECT_EQ(read->out_heads, part.out_heads);
    EXPECT_EQ(read->in_heads, part.in_heads);
    EXPECT_EQ(read->edge_blocks, part.edge_blocks);
    EXPECT_TRUE(read->has(1));
    EXPECT_FALSE(read->has(0));
    EXPECT_FALSE(read->has(5)) << "a section that came later";
    EXPECT_EQ(read->head(4, Direction::out), 15U);
    EXPECT_EQ(read->head(4, Direction::in), in_edges ? 25U : 0U);
    EXPECT_EQ(read->head(5, Direction::out), 0U);
  }
  const Part empty{{1, 2}, 3, 0, 1, 0, {}, {}, {}, {}};
  const auto read = decode_part(encode_part(empty), "part");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->owners.empty());
}

TEST(PartFile, CutAnywhereOrWithAnotherByteIsRefused) {
  const std::vector<std::byte> bytes = encode_part(a_part());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = decode_part(std::span(bytes).first(size), "part");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{16};
    const auto read = decode_part(damaged, "part");
    ASSERT_FALSE(read) << at;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt) << at;
  }
}

TEST(PartFile, ThatCannotBeIsRefusedThoughItsChecksumsAreRight) {
  const std::vector<std::byte> bytes = encode_part(a_part());
  const std::pair<const char*, std::function<void(Header&)>> cases[] = {
      {"does not say which part", [](Header& it) { it.magic ^= 1; }},
      {"impossible sizes", [](Header& it) { it.sections = format::kMaxSections + 1; }},
      {"impossible sizes", [](Header& it) { it.number = it.parts; }},
      {"impossible sizes", [](Header& it) { it.in_edges = 2; }},
      {"impossible sizes", [](Header& it) { it.edge_blocks = (std::uint64_t{1} << 40) + 1; }},
      {"impossible sizes", [](Header& it) { it.sections += 2; }},
      {"names parts that do not exist", [](Header& it) { it.parts = 2; }},
  };
  for (const auto& [says, change] : cases) {
    const auto read = decode_part(with_header(bytes, change), "part");
    ASSERT_FALSE(read) << says;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr(says));
  }
  const auto later = decode_part(with_header(bytes, [](Header& it) { it.version = 99; }), "part");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::unsupported);
  const auto other = part_bytes(bytes, 4, "part");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another number of sections"));
}

}  // namespace
}  // namespace rizoma
