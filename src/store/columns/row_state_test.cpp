// The block of a row: in extents, in memory, and of no block.
#include "platform/memory_medium.h"
#include "store/columns/row_table.h"
#include "store/space/data_files.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint32_t kSince = 7;

/// Rows [first, first + count).
std::vector<std::byte> block_from(std::uint64_t first, std::uint64_t count) {
  ColumnValues values{"since", ColumnType::int64, {}, {}, {}};
  for (std::uint64_t i = 0; i < count; ++i) values.push(std::as_bytes(std::span(&i, 1)));
  const std::vector<RowColumn> columns{{kSince, &values}};
  return encode_rows(RowKind::edges, first, count, columns, true);
}

class RowStateTest : public testing::Test {
 protected:
  RowStateTest() { data_->add(0, *medium_->open("data", FileMode::create), "data"); }
  void store(std::uint64_t first, std::uint64_t count) {
    const std::vector<std::byte> bytes = block_from(first, count);
    auto lease = std::make_shared<const ExtentLease>(extents_, extents_->allocate(bytes.size()));
    ASSERT_TRUE(data_->write(lease->extent(), bytes));
    const RowsEntry entry{lease->extent(), rows_id(bytes), first, count};
    parts_.stored.push_back(std::make_shared<const StoredRows>(std::move(lease), entry));
  }
  /// Of these blocks in memory the first `visible` are of the state.
  void keep(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& blocks, std::size_t visible) {
    const auto tail = std::make_shared<RowTail>();
    for (const auto& [first, count] : blocks) {
      const auto bytes = std::make_shared<const std::vector<std::byte>>(block_from(first, count));
      tail->append(*RowBlock::open(*bytes, bytes, "block"));
      if (tail->size() <= visible) parts_.end = first + count;
    }
    parts_.tails.push_back({tail, visible});
  }

  std::shared_ptr<Medium> medium_ = make_memory_medium();
  std::shared_ptr<ExtentAllocator> extents_ = std::make_shared<ExtentAllocator>();
  std::shared_ptr<DataFiles> data_ = std::make_shared<DataFiles>();
  RowState::Parts parts_{RowKind::edges, data_, {}, {}, 1};
};

TEST_F(RowStateTest, FindsTheBlockOfEachRow) {
  store(5, 3);
  store(10, 2);
  keep({{15, 2}, {20, 1}}, 2);
  keep({{21, 4}, {25, 3}, {28, 9}}, 2);
  const RowState state(parts_);
  ASSERT_EQ(state.end(), 28U);
  const auto first_of = [](std::uint64_t row) -> std::optional<std::uint64_t> {
    const std::pair<std::uint64_t, std::uint64_t> blocks[] = {{5, 8}, {10, 12}, {15, 17}, {20, 21}, {21, 25}, {25, 28}};
    for (const auto& [first, end] : blocks) {
      if (first <= row && row < end) return first;
    }
    return std::nullopt;
  };
  for (std::uint64_t row = 0; row < 40; ++row) {
    const auto block = state.block_of(row);
    ASSERT_TRUE(block) << block.error().message;
    const auto first = *block == nullptr ? std::nullopt : std::optional((*block)->first());
    EXPECT_EQ(first, first_of(row)) << row;
  }
}

TEST_F(RowStateTest, OfExtentsAloneEndsWithThem) {
  store(3, 2);
  parts_.end = 5;
  const RowState state(parts_);
  for (const std::uint64_t row : {0, 1, 2, 5, 6}) EXPECT_EQ(*state.block_of(row), nullptr) << row;
  for (const std::uint64_t row : {3, 4}) EXPECT_EQ((*state.block_of(row))->first(), 3U) << row;
}

}  // namespace
}  // namespace rizoma
