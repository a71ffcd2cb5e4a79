// Values of columns of fixed width as numbers.
#pragma once

#include <rizoma/columns.h>

#include <cstddef>
#include <cstring>
#include <span>

namespace rizoma {

/// The value of a row that has one; `T` is as wide as the column.
template <class T>
[[nodiscard]] T fixed_at(const ColumnValues& column, std::size_t row) noexcept {
  T value;
  std::memcpy(&value, column.values.data() + row * sizeof value, sizeof value);
  return value;
}

template <class T>
void push_fixed(ColumnValues& column, T value) {
  column.push(std::as_bytes(std::span(&value, 1)));
}

}  // namespace rizoma
