// RowBlock: random columns of every type and coding come back; damaged and crafted blocks are refused.
#include "store/columns/row_block.h"

#include "base/checksum.h"
#include "base/random.h"
#include "testing/store_seal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Bytes = std::vector<std::byte>;
using Cell = std::optional<std::string>;  ///< the bytes of a value; nothing: null

/// Values of a type, few of them different or close to the one before, so that every coding occurs.
std::vector<Cell> random_cells(ColumnType type, std::size_t rows, Random& random) {
  const std::uint64_t range = std::array<std::uint64_t, 4>{2, 200, 60'000, UINT64_MAX}[random.below(4)];
  const bool nulls = random.below(2) == 0;
  const bool climbs = random.below(3) == 0;
  std::uint64_t climbed = random.below(range) - range / 2;
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned width = column_width(type);
    std::string bytes;
    if (width != 0) {
      climbed += random.below(range / 100 + 2);
      const std::uint64_t number = type == ColumnType::boolean ? random.below(2)
                                   : climbs                    ? climbed
                                                               : random.below(range) - range / 2;
      bytes.assign(reinterpret_cast<const char*>(&number), width);
    } else {
      bytes.assign(random.below(6) * 4, static_cast<char>('a' + random.below(range > 100 ? 20 : 1)));
    }
    cells.push_back(nulls && random.below(4) == 0 ? Cell() : Cell(bytes));
  }
  return cells;
}

ColumnValues values_of(ColumnType type, const std::vector<Cell>& cells) {
  ColumnValues values{"column", type, {}, {}, {}};
  for (const Cell& cell : cells) cell ? values.push(std::as_bytes(std::span(*cell))) : values.push_null();
  return values;
}

Cell cell_at(const BlockColumn& column, std::uint64_t row, std::uint64_t rows) {
  if (column.is_null(row, rows)) return std::nullopt;
  return visit_column(column.type(), [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      const T value = column.number<T>(row);
      return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      const auto bytes = column.bytes(row);
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  });
}

/// The numbers of rows [begin, end) at once are those of each.
void expect_same_at_once(const BlockColumn& column, std::uint64_t begin, std::uint64_t end) {
  visit_column(column.type(), [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      const auto all = std::make_unique<T[]>(end - begin);
      column.numbers(begin, end, all.get());
      for (std::uint64_t row = begin; row < end; ++row) {
        const T one = column.template number<T>(row);
        ASSERT_EQ(std::memcmp(&all[row - begin], &one, sizeof one), 0) << row;
      }
    }
  });
}

TEST(RowBlock, EveryTypeComesBack) {
  Random random(3);
  for (unsigned number = 1; is_column_type(number); ++number) {
    for (int trial = 0; trial < 40; ++trial) {
      const auto type = static_cast<ColumnType>(number);
      const std::size_t rows = random.below(3) == 0 ? random.below(3) : random.below(400);
      const std::vector<Cell> cells = random_cells(type, rows, random);
      const ColumnValues values = values_of(type, cells);
      const std::array<RowColumn, 1> columns{{{7, &values}}};
      const auto bytes = std::make_shared<Bytes>(encode_rows(RowKind::edges, 5, rows, columns, random.below(2) == 0));
      const auto block = RowBlock::open(*bytes, bytes, "block");
      ASSERT_TRUE(block) << block.error().message;
      ASSERT_EQ(block->first(), 5u);
      ASSERT_EQ(block->size(), rows);
      ASSERT_FALSE(block->column(6));
      const auto column = block->column(7);
      ASSERT_TRUE(column);
      for (std::size_t row = 0; row < rows; ++row) ASSERT_EQ(cell_at(*column, row, rows), cells[row]) << number;
      const std::size_t begin = random.below(rows + 1);
      expect_same_at_once(*column, begin, begin + random.below(rows - begin + 1));
    }
  }
}

TEST(RowBlock, SmallValuesTakeLittle) {
  std::vector<Cell> cells;
  const std::array<std::string, 2> words = {"a rather long text, again and again", "and another one of them"};
  for (std::size_t row = 0; row < 1000; ++row) cells.emplace_back(words[row % 2]);
  const ColumnValues text = values_of(ColumnType::string, cells);
  std::vector<Cell> times;
  for (std::int64_t row = 0; row < 1000; ++row) {
    const std::int64_t time = 1'700'000'000'000 + row % 200;
    times.emplace_back(std::string(reinterpret_cast<const char*>(&time), sizeof time));
  }
  const ColumnValues moments = values_of(ColumnType::timestamp_ms, times);
  const std::array<RowColumn, 2> columns{{{1, &text}, {2, &moments}}};
  EXPECT_LT(encode_rows(RowKind::edges, 1, 1000, columns, true).size(), 1500u);
}

std::size_t bytes_of(ColumnType type, const std::vector<Cell>& cells) {
  const ColumnValues values = values_of(type, cells);
  const std::array<RowColumn, 1> columns{{{1, &values}}};
  return encode_rows(RowKind::edges, 1, cells.size(), columns, true).size();
}

/// Each is near the ones before, all of them far apart; and some are null, the first ones too.
TEST(RowBlock, TimesInOrderTakeTheBitsOfTheirDistances) {
  constexpr std::size_t kRows = 1 << 16;
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::int64_t time = 1'700'000'000 + static_cast<std::int64_t>(row) * 100;
    cells.emplace_back(row % 7 == 0 ? Cell() : std::string(reinterpret_cast<const char*>(&time), sizeof time));
  }
  const std::size_t bitmap = kRows / 8;
  EXPECT_LT(bytes_of(ColumnType::timestamp_s, cells), kRows * 14 / 8 + bitmap) << "12 bits for 32 rows, and a start";
  std::vector<Cell> flags;
  for (std::size_t row = 0; row < kRows; ++row) flags.emplace_back(std::string(1, row % 3 == 0 ? '\1' : '\0'));
  EXPECT_LT(bytes_of(ColumnType::boolean, flags), kRows / 8 + 300);
}

TEST(RowBlock, DamageIsFound) {
  Random random(9);
  const ColumnValues values = values_of(ColumnType::string, random_cells(ColumnType::string, 50, random));
  const std::array<RowColumn, 1> columns{{{1, &values}}};
  const Bytes whole = encode_rows(RowKind::edges, 1, 50, columns, true);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes damaged = whole;
    damaged[at] ^= std::byte{1};
    ASSERT_FALSE(RowBlock::open(damaged, nullptr, "block")) << at;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_FALSE(RowBlock::open(std::span(whole).first(size), nullptr, "block")) << size;
  }
}

/// Makes both checksums right again.
void reseal(Bytes& bytes) {
  seal<format::RowsHeader>(bytes, 0, format::kSeedRowsHeader, [&](format::RowsHeader& header) {
    header.payload_checksum =
        checksum(std::span<const std::byte>(bytes).subspan(sizeof header), format::kSeedRowsPayload);
  });
}

TEST(RowBlock, CraftedBlocksAreReadWithinTheirBytes) {
  Random random(11);
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto type = static_cast<ColumnType>(1 + random.below(19));
    const ColumnValues values = values_of(type, random_cells(type, 30, random));
    const std::array<RowColumn, 1> columns{{{1, &values}}};
    Bytes bytes = encode_rows(RowKind::edges, 1, 30, columns, random.below(2) == 0);
    const std::size_t changes = 1 + random.below(3);
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t from = random.below(3) == 0 ? 16 : sizeof(format::RowsHeader);
      bytes[from + random.below(bytes.size() - from)] = static_cast<std::byte>(random.below(256));
    }
    reseal(bytes);
    const auto exact = std::make_unique<std::byte[]>(bytes.size());  // so that a sanitizer sees what lies beyond
    std::memcpy(exact.get(), bytes.data(), bytes.size());
    const auto block = RowBlock::open({exact.get(), bytes.size()}, nullptr, "block");
    if (!block) {
      ++refused;
      continue;
    }
    const auto column = block->column(1);
    for (std::uint64_t row = 0; column && row < block->size(); ++row) cell_at(*column, row, block->size());
    if (column) expect_same_at_once(*column, 0, block->size());
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace rizoma
