#include "query/run/value_blocks.h"

#include "query/parse/timestamps.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace rizoma::query {
namespace {

bool is_time(ColumnType type) {
  switch (type) {
    case ColumnType::date:
    case ColumnType::timestamp_s:
    case ColumnType::timestamp_ms:
    case ColumnType::timestamp_us:
    case ColumnType::timestamp_ns: return true;
    default: return false;
  }
}

template <class T>
MatchValue number_of(ColumnType type, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return double{value};
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return value;
    return static_cast<std::int64_t>(value);
  } else {
    if (is_time(type)) return timestamp_of(type, std::int64_t{value});
    return std::int64_t{value};
  }
}

}  // namespace

MatchValue value_in(const ColumnValues& values, std::size_t row) {
  if (!values.is_valid(row)) return std::monostate{};
  return visit_column(values.type, [&]<class T>(ColumnTag<T>) -> MatchValue {
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

ColumnRun run_in(const ColumnValues& values, std::size_t row, std::size_t most) {
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

}  // namespace rizoma::query
