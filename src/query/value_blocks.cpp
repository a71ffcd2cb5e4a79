#include "query/value_blocks.h"

#include "query/moment.h"

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
    if (is_time(type)) return moment_of(type, std::int64_t{value});
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

}  // namespace rizoma::query
