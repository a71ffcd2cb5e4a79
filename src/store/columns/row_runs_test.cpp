// RowRuns: against the rows of the blocks, one by one.
#include "store/columns/row_runs.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint32_t kKept = 7;
constexpr std::uint32_t kDropped = 9;

/// Some rows from `first` on, and the column in which they have values, if any.
struct Rows {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::optional<std::uint32_t> column;
};

RowBlock block_of(const Rows& rows) {
  ColumnValues values{"column", ColumnType::int64, {}, {}, {}};
  std::vector<RowColumn> columns;
  if (rows.column) {
    for (std::uint64_t i = 0; i < rows.count; ++i) values.push(std::as_bytes(std::span(&i, 1)));
    columns.push_back({*rows.column, &values});
  }
  const auto bytes = std::make_shared<const std::vector<std::byte>>(
      encode_rows(RowKind::edges, rows.first, rows.count, columns, true));
  return *RowBlock::open(*bytes, bytes, "block");
}

/// Blocks in two tails, of which the last has one more that is not yet visible.
RowState state_of(const std::vector<Rows>& blocks, std::uint64_t end) {
  const std::array<std::shared_ptr<RowTail>, 2> tails{std::make_shared<RowTail>(), std::make_shared<RowTail>()};
  for (std::size_t i = 0; i < blocks.size(); ++i) tails[i * 2 / blocks.size()]->append(block_of(blocks[i]));
  RowState::Parts parts;
  for (const auto& tail : tails) parts.tails.push_back({tail, tail->size()});
  tails[1]->append(block_of({end, 5, kKept}));
  parts.end = end;
  return RowState(std::move(parts));
}

const std::vector<ColumnSchema> kColumns{{kKept, ColumnType::int64, true, "kept"}};

/// `has` says of each row whether it has values.
void expect_runs(const RowRuns& runs, const std::vector<bool>& has, std::uint64_t first) {
  std::uint64_t next = first;
  for (std::size_t i = 0; i < runs.runs().size(); ++i) {
    const RowRun& run = runs.runs()[i];
    ASSERT_EQ(run.first, next);
    ASSERT_LT(run.first, run.end);
    ASSERT_LE(run.end, has.size());
    EXPECT_TRUE(i == 0 || run.has_values != runs.runs()[i - 1].has_values) << "two runs that are one";
    for (std::uint64_t row = run.first; row < run.end; ++row) EXPECT_EQ(run.has_values, has[row]) << row;
    next = run.end;
  }
  EXPECT_EQ(next, has.size());
  std::uint64_t places = 0;
  for (std::uint64_t row = 0; row < has.size() + 3; ++row) {
    const bool there = row >= first && row < has.size() && has[row];
    EXPECT_EQ(runs.place_of(row), there ? std::optional(places++) : std::nullopt) << row;
  }
  EXPECT_EQ(runs.places(), places);
}

TEST(RowRuns, AreThoseOfTheRowsOneByOne) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Rows> blocks;
    std::vector<bool> has{false};  // there is no row 0
    const std::uint64_t count = 1 + random.below(12);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (random.below(4) == 0) has.resize(has.size() + random.below(5), false);  // what a repair lost
      const std::uint64_t kind = random.below(4);
      Rows rows{has.size(), 1 + random.below(9), std::nullopt};
      if (kind != 0) rows.column = kind == 1 ? kDropped : kKept;
      blocks.push_back(rows);
      has.resize(has.size() + rows.count, rows.column == kKept);
    }
    if (random.below(4) == 0) has.resize(has.size() + 3, false);
    const RowState state = state_of(blocks, has.size());
    SCOPED_TRACE(trial);
    for (const std::uint64_t first : {std::uint64_t{1}, blocks[blocks.size() / 2].first}) {
      const auto runs = RowRuns::of(state, kColumns, first);
      ASSERT_TRUE(runs) << runs.error().message;
      expect_runs(*runs, has, first);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RowRuns, OfNoRowsAreNone) {
  const auto runs = RowRuns::of(state_of({{1, 4, kKept}}, 5), kColumns, 5);
  ASSERT_TRUE(runs);
  EXPECT_TRUE(runs->runs().empty());
  EXPECT_EQ(runs->places(), 0u);
  EXPECT_EQ(runs->place_of(1), std::nullopt);
}

/// A block without values names any number of rows in a few bytes, and takes one run.
TEST(RowRuns, WithoutValuesTakeNoPlaces) {
  const std::uint64_t many = std::uint64_t{1} << 40;
  const auto runs = RowRuns::of(state_of({{1, many, std::nullopt}, {many + 1, 2, kKept}}, many + 3), kColumns, 1);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->runs().size(), 2u);
  EXPECT_EQ(runs->places(), 2u);
  EXPECT_EQ(runs->place_of(many), std::nullopt);
  EXPECT_EQ(runs->place_of(many + 2), std::optional<std::uint64_t>(1));
}

}  // namespace
}  // namespace rizoma
