#include <rizoma/columns.h>

#include <rizoma/detail/column_types.h>

#include "base/timestamp.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rizoma {
namespace {

TimeValue time_of(ColumnType type, std::int64_t number) {
  if (column_kind(type) == ColumnKind::date) return {number * kSecondsOfDay, 0};
  const std::int64_t per_second = units_per_second(type);
  std::int64_t seconds = number / per_second;
  std::int64_t rest = number % per_second;
  if (rest < 0) {
    --seconds;
    rest += per_second;
  }
  return {seconds, static_cast<std::uint32_t>(rest * (1'000'000'000 / per_second))};
}

template <class T>
Scalar number_of(ColumnType type, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return double{value};
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return value;
    return static_cast<std::int64_t>(value);
  } else {
    if (is_time(type)) return time_of(type, std::int64_t{value});
    return std::int64_t{value};
  }
}

}  // namespace

std::int64_t units_per_second(ColumnType type) noexcept { return column_traits(type).units_per_second; }

bool is_time(ColumnType type) noexcept {
  return column_kind(type) == ColumnKind::date || column_kind(type) == ColumnKind::timestamp;
}

Scalar scalar_of(const ColumnValues& values, std::size_t row) {
  if (!values.is_valid(row)) return std::monostate{};
  return visit_column(values.type, [&]<class T>(ColumnTag<T>) -> Scalar {
    if constexpr (std::is_same_v<T, bool>) {
      return values.values[row] != std::byte{0};
    } else if constexpr (std::is_arithmetic_v<T>) {
      T value;
      std::memcpy(&value, values.values.data() + row * sizeof value, sizeof value);
      return number_of(values.type, value);
    } else {
      const auto bytes = values.bytes(row);
      return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  });
}

ColumnRun run_of(const ColumnValues& values, std::size_t row, std::size_t most) {
  ColumnRun run{.type = values.type, .values = values.values.data()};
  if (const unsigned width = column_width(values.type); width != 0) {
    run.values += row * width;
  } else {
    run.ends = values.ends.data() + row;
    run.start = row == 0 ? 0 : values.ends[row - 1];
  }
  if (!values.valid.empty()) run.valid = values.valid.data() + row;
  run.size = std::min(most, values.size() - row);
  return run;
}

}  // namespace rizoma
