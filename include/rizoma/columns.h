// Columns: typed values of edges and vertices; a column has an id, a name, a type and a nullable flag.
// Module: graph.
//
// `visit_column` is the only switch over types: all code that depends on a column's type goes through it.
#pragma once

#include <rizoma/result.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

/// Numbers are durable: they are in files.
enum class ColumnType : std::uint8_t {
  boolean = 1,
  int8 = 2,
  int16 = 3,
  int32 = 4,
  int64 = 5,
  uint8 = 6,
  uint16 = 7,
  uint32 = 8,
  uint64 = 9,
  float32 = 10,
  float64 = 11,
  string = 12,       ///< UTF-8
  binary = 13,       ///< any bytes
  date = 14,         ///< days since 1970-01-01, 32 bits
  timestamp_s = 15,  ///< since 1970-01-01 00:00 UTC, 64 bits
  timestamp_ms = 16,
  timestamp_us = 17,
  timestamp_ns = 18,
  float32_list = 19,  ///< any number of float32, such as an embedding
};

/// A tag for a type: `typename decltype(tag)::type`.
template <class T>
struct ColumnTag {
  using type = T;
};

/// Calls f(ColumnTag<T>), where T is the type of one value: a bool or number; std::string_view for string and
/// binary; std::span<const float> for lists.
template <class F>
decltype(auto) visit_column(ColumnType type, F&& f) {
  switch (type) {
    case ColumnType::boolean: return f(ColumnTag<bool>{});
    case ColumnType::int8: return f(ColumnTag<std::int8_t>{});
    case ColumnType::int16: return f(ColumnTag<std::int16_t>{});
    case ColumnType::int32:
    case ColumnType::date: return f(ColumnTag<std::int32_t>{});
    case ColumnType::uint8: return f(ColumnTag<std::uint8_t>{});
    case ColumnType::uint16: return f(ColumnTag<std::uint16_t>{});
    case ColumnType::uint32: return f(ColumnTag<std::uint32_t>{});
    case ColumnType::uint64: return f(ColumnTag<std::uint64_t>{});
    case ColumnType::float32: return f(ColumnTag<float>{});
    case ColumnType::float64: return f(ColumnTag<double>{});
    case ColumnType::string:
    case ColumnType::binary: return f(ColumnTag<std::string_view>{});
    case ColumnType::float32_list: return f(ColumnTag<std::span<const float>>{});
    case ColumnType::int64:
    case ColumnType::timestamp_s:
    case ColumnType::timestamp_ms:
    case ColumnType::timestamp_us:
    case ColumnType::timestamp_ns: break;
  }
  return f(ColumnTag<std::int64_t>{});
}

/// Bytes of a value; 0 for types of variable width.
[[nodiscard]] inline unsigned column_width(ColumnType type) {
  return visit_column(type, []<class T>(ColumnTag<T>) -> unsigned {
    if constexpr (std::is_arithmetic_v<T>) return sizeof(T);
    return 0;
  });
}

[[nodiscard]] constexpr bool is_column_type(unsigned number) noexcept { return number >= 1 && number <= 19; }

/// "float64", "timestamp[s]", "list<float32>", ..
[[nodiscard]] std::string_view column_type_name(ColumnType type) noexcept;
/// Errors: invalid_argument, which lists the names.
Result<ColumnType> parse_column_type(std::string_view name);

/// How the edge that replaces parallel ones gets its value in a column (ParallelEdges::merge).  A sum, minimum or
/// maximum ignores nulls, and is null if all values are.  Numbers are durable.
enum class ParallelRule : std::uint8_t {
  last = 0,   ///< the value of the edge added last, a null too
  first = 1,  ///< that of the edge added first, a null too
  sum = 2,    ///< of numbers; one that does not fit the column's type is an error
  min = 3,    ///< of numbers, booleans, dates and timestamps
  max = 4,
};

[[nodiscard]] constexpr bool is_parallel_rule(unsigned number) noexcept { return number <= 4; }
/// "last", "first", ..
[[nodiscard]] std::string_view parallel_rule_name(ParallelRule rule) noexcept;

/// One column of a graph.  Ids are never reused, so values of a dropped column never reappear under another.
struct ColumnSchema {
  std::uint32_t id = 0;  ///< given by the store
  ColumnType type = ColumnType::float64;
  bool nullable = true;
  std::string name;
  ParallelRule parallel = ParallelRule::last;  ///< of edges
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

/// The column of this name, or null.
[[nodiscard]] const ColumnSchema* find_column(const std::vector<ColumnSchema>& columns, std::string_view name) noexcept;

/// Values of one column, row by row.
struct ColumnValues {
  std::string name;
  ColumnType type = ColumnType::float64;
  std::vector<std::byte> values;    ///< fixed width: one value per row; else the bytes of all rows
  std::vector<std::uint64_t> ends;  ///< variable width: the end of each row in `values`
  std::vector<std::uint8_t> valid;  ///< 0 where a row is null; empty if none is
  /// 0 where a row does not give the column, which then keeps the value that it has (and is null in a new edge); such a
  /// row is null in `valid` too.  Empty if every row gives it.
  std::vector<std::uint8_t> given = {};

  [[nodiscard]] std::size_t size() const;  ///< rows
  [[nodiscard]] bool is_valid(std::size_t row) const noexcept { return valid.empty() || valid[row] != 0; }
  [[nodiscard]] bool is_given(std::size_t row) const noexcept { return given.empty() || given[row] != 0; }
  /// Of variable width.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t row) const noexcept {
    const std::uint64_t begin = row == 0 ? 0 : ends[row - 1];
    return {values.data() + begin, static_cast<std::size_t>(ends[row] - begin)};
  }
  /// Appends a row: the bytes of a value, or a null.
  void push(std::span<const std::byte> value);
  void push_null();
  /// Appends a row that does not give the column.
  void push_absent();
  /// Appends row `row` of a column of the same type.
  void push_row(const ColumnValues& from, std::size_t row);
};

/// Columns of equal length, by name.
struct ColumnTable {
  std::vector<ColumnValues> columns;
  [[nodiscard]] bool empty() const noexcept { return columns.empty(); }
  [[nodiscard]] const ColumnValues* find(std::string_view name) const noexcept;
};

/// Appends columns whose rows follow the first `before` ones of the table; a row that has no value of a column does not
/// give it.  Follow it with `pad_columns` once all columns of these rows are there.  Errors: invalid_argument (a column
/// changes its type).
Status append_columns(ColumnTable& table, std::size_t before, ColumnTable&& more);
/// Makes every column `rows` rows long: the rows that it lacks do not give it.
void pad_columns(ColumnTable& table, std::size_t rows);

/// Copies these rows of the table, in this order.  Cost: O(rows * columns).
[[nodiscard]] ColumnTable take_rows(const ColumnTable& table, std::span<const std::uint64_t> rows);

/// Checks that every column has `rows` rows, is one of `columns` with its type, is named once, and is null only
/// if nullable.  `whose`: "edges" or "vertices".  Errors: invalid_argument.
Status check_table(const ColumnTable& table, std::size_t rows, const std::vector<ColumnSchema>& columns,
                   std::string_view whose);

/// Fails unless values of the column's type can be combined by its rule.  Errors: invalid_argument.
Status check_parallel_rule(const ColumnSchema& column);

/// Fails unless the names are not empty, differ, and are none of `taken`.  Errors: invalid_argument.
Status check_columns_of_schema(const std::vector<ColumnSchema>& columns, std::span<const std::string_view> taken,
                               std::string_view whose);

/// A point in time, as a date or timestamp holds it.
struct TimeValue {
  std::int64_t seconds = 0;  ///< since 1970-01-01 00:00 UTC
  std::uint32_t nanoseconds = 0;
  friend auto operator<=>(const TimeValue&, const TimeValue&) = default;
};

/// A value of a column or a constant; monostate is null; a uint64 stands for numbers beyond int64 alone.  Binary values
/// are their bytes, and so are lists.
using Scalar = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string_view, TimeValue>;

/// Consecutive values of one column.
struct ColumnRun {
  ColumnType type = ColumnType::float64;
  const std::byte* values = nullptr;    ///< the first; of variable width: what `ends` counts from
  const std::uint64_t* ends = nullptr;  ///< of variable width: where each ends, the first beginning at `start`
  std::uint64_t start = 0;
  const std::uint8_t* valid = nullptr;  ///< 0 where a value is null; null: none is
  std::size_t size = 0;                 ///< 0: not contiguous; the caller reads them one by one
};

/// At most `most` values of a column from a row on.
[[nodiscard]] ColumnRun run_of(const ColumnValues& values, std::size_t row, std::size_t most);

/// The value of a row; text and bytes are not copied.
[[nodiscard]] Scalar scalar_of(const ColumnValues& values, std::size_t row);

/// Units per second of a timestamp column; 0 for a date, whose unit is a day, and for other columns.
[[nodiscard]] std::int64_t units_per_second(ColumnType type) noexcept;
[[nodiscard]] bool is_time(ColumnType type) noexcept;

}  // namespace rizoma
