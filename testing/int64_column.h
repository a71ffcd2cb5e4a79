// A table with one column of int64, to give edges or vertices values.
#pragma once

#include <rizoma/columns.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace rizoma::testing {

inline ColumnTable int64_column(std::string name, std::span<const std::int64_t> values) {
  ColumnTable table;
  ColumnValues& column = table.columns.emplace_back();
  column.name = std::move(name);
  column.type = ColumnType::int64;
  for (const std::int64_t value : values) column.push(std::as_bytes(std::span(&value, 1)));
  return table;
}

}  // namespace rizoma::testing
