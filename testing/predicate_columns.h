// Columns of every type with values at the ends of their ranges, for tests of predicates.
#pragma once

#include <rizoma/columns.h>

#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma::testing {

inline std::vector<ColumnSchema> schema_of(const std::vector<ColumnValues>& columns) {
  std::vector<ColumnSchema> schema;
  for (const ColumnValues& column : columns) {
    schema.push_back({static_cast<std::uint32_t>(schema.size()), column.type, true, column.name});
  }
  return schema;
}

template <class T>
void push_value(ColumnValues& column, const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) column.push(std::as_bytes(std::span(value)));
  else column.push(std::as_bytes(std::span(&value, 1)));
}

/// A column of a type: each of the values, and nulls between them.
template <class T>
ColumnValues column_of(std::string_view name, ColumnType type, std::initializer_list<T> values, std::size_t rows) {
  ColumnValues column{std::string(name), type, {}, {}, {}};
  const std::vector<T> all(values);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i = row % (all.size() + 1);
    if (i == all.size()) column.push_null();
    else push_value<T>(column, all[i]);
  }
  return column;
}

/// Of every type that has values to compare, and a list.
inline std::vector<ColumnValues> predicate_columns(std::size_t rows) {
  using Text = std::string_view;
  constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr auto kInf = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<std::int64_t>;
  std::vector<ColumnValues> columns;
  columns.push_back(column_of<std::uint8_t>("open", ColumnType::boolean, {0, 1}, rows));
  columns.push_back(column_of<std::int8_t>("tiny", ColumnType::int8, {-128, 0, 5, 127}, rows));
  columns.push_back(column_of<std::int32_t>("age", ColumnType::int32, {-7, 0, 17, 18, 41}, rows));
  columns.push_back(column_of<std::int64_t>("i", ColumnType::int64, {Limits::min(), -1, 2, Limits::max()}, rows));
  columns.push_back(column_of<std::uint64_t>("u", ColumnType::uint64, {0, 5, ~std::uint64_t{0}}, rows));
  columns.push_back(column_of<float>("f", ColumnType::float32, {0.1F, -2.5F, 16777216.0F}, rows));
  columns.push_back(column_of<double>("x", ColumnType::float64, {0.5, -1e300, kNan, kInf, 41.0}, rows));
  columns.push_back(column_of<Text>("name", ColumnType::string, {"", "ann", "\xC3\x84rger", "100%", "a_b"}, rows));
  columns.push_back(column_of<Text>("raw", ColumnType::binary, {"\xFF\xFE", "ann"}, rows));
  columns.push_back(column_of<std::int32_t>("born", ColumnType::date, {-1, 0, 20'484}, rows));
  columns.push_back(column_of<std::int64_t>("since", ColumnType::timestamp_us, {-1, 0, 1'767'225'600'000'000}, rows));
  columns.push_back(column_of<std::int64_t>("at", ColumnType::timestamp_s, {Limits::min(), Limits::max()}, rows));
  columns.push_back(column_of<Text>("vector", ColumnType::float32_list, {"", "12345678"}, rows));
  columns.push_back(column_of<Text>("Betrag (EUR)", ColumnType::string, {"2.720,01"}, rows));
  return columns;
}

}  // namespace rizoma::testing
