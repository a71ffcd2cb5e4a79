// A value of a column by itself, and runs of values as they lie in memory.  Module: graph.
#pragma once

#include <rizoma/columns.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace rizoma {

/// A moment of a date or timestamp.
struct TimeValue {
  std::int64_t seconds = 0;  ///< since 1970-01-01 00:00 UTC
  std::uint32_t nanoseconds = 0;
  friend auto operator<=>(const TimeValue&, const TimeValue&) = default;
};

/// A value of a column or a constant; monostate is null; a uint64 stands for numbers beyond int64 alone.  Binary values
/// are their bytes, and so are lists.
using Scalar = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string_view, TimeValue>;

/// Values of one column that lie one behind the other.
struct ColumnRun {
  ColumnType type = ColumnType::float64;
  const std::byte* values = nullptr;    ///< the first; of variable width: what `ends` counts from
  const std::uint64_t* ends = nullptr;  ///< of variable width: where each ends, the first beginning at `start`
  std::uint64_t start = 0;
  const std::uint8_t* valid = nullptr;  ///< 0 where a value is null; null: none is
  std::size_t size = 0;                 ///< 0: they do not lie so, and are asked for one by one
};

/// At most `most` values of a column from a row on.
[[nodiscard]] ColumnRun run_of(const ColumnValues& values, std::size_t row, std::size_t most);

/// The value of a row; texts and bytes stay where they are.
[[nodiscard]] Scalar scalar_of(const ColumnValues& values, std::size_t row);

/// Units of a date or timestamp column in a second; 0 of a date, whose unit is a day, and of other columns.
[[nodiscard]] std::int64_t units_per_second(ColumnType type) noexcept;
[[nodiscard]] bool is_time(ColumnType type) noexcept;

}  // namespace rizoma
