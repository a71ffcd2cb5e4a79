// kColumnTypes: all there is to say of each type that a column may have; who needs it asks column_traits.
// Module: graph.
//
// A type is a value of ColumnType with a case in `visit_column` (columns.h), which gives its values' type in C++, and a
// row here.  Log, images, import, export, predicates, Python and Arrow follow from these.  A new kind of values
// (ColumnKind) needs words for what is read as it (src/ingest/csv_cells.cpp), a text (src/ingest/column_text.cpp), what
// predicates compare it as (src/predicate/program.cpp), where the compiler misses them, and buffers in Arrow
// (python/rizoma/graph/schema.py).
#pragma once

#include <rizoma/columns.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace rizoma {

/// From here on a floating-point type does not hold each whole number: 2^53, or 2^24.
template <std::floating_point T>
inline constexpr T kFirstRounded = static_cast<T>(std::uint64_t{1} << std::numeric_limits<T>::digits);

/// Whether a number is whole and float32 does not hold it.  From 2^53 on it may be a measured value, such as 6.02e23:
/// what is lost of whole numbers there their digits tell (src/ingest/column_text.cpp).
[[nodiscard]] inline bool rounds_to_single(double number) noexcept {
  const double size = std::abs(number);
  return size >= kFirstRounded<float> && size < kFirstRounded<double> && std::trunc(number) == number &&
         static_cast<double>(static_cast<float>(number)) != number;
}

/// What values of a type are, whatever their width.
enum class ColumnKind : std::uint8_t { boolean, integer, real, text, bytes, date, timestamp, list };

/// "boolean", "integer", ..
[[nodiscard]] std::string_view column_kind_name(ColumnKind kind) noexcept;

struct ColumnTraits {
  ColumnType type;
  ColumnKind kind;
  std::string_view name;              ///< as users write it
  std::string_view arrow;             ///< as Arrow does; `large_list<T>`: lists of T
  std::int64_t units_per_second = 0;  ///< of a timestamp
};

/// In the order of their numbers, which begin with 1.
inline constexpr std::array<ColumnTraits, 19> kColumnTypes = {{
    {ColumnType::boolean, ColumnKind::boolean, "bool", "bool"},
    {ColumnType::int8, ColumnKind::integer, "int8", "int8"},
    {ColumnType::int16, ColumnKind::integer, "int16", "int16"},
    {ColumnType::int32, ColumnKind::integer, "int32", "int32"},
    {ColumnType::int64, ColumnKind::integer, "int64", "int64"},
    {ColumnType::uint8, ColumnKind::integer, "uint8", "uint8"},
    {ColumnType::uint16, ColumnKind::integer, "uint16", "uint16"},
    {ColumnType::uint32, ColumnKind::integer, "uint32", "uint32"},
    {ColumnType::uint64, ColumnKind::integer, "uint64", "uint64"},
    {ColumnType::float32, ColumnKind::real, "float32", "float32"},
    {ColumnType::float64, ColumnKind::real, "float64", "float64"},
    {ColumnType::string, ColumnKind::text, "string", "large_string"},
    {ColumnType::binary, ColumnKind::bytes, "binary", "large_binary"},
    {ColumnType::date, ColumnKind::date, "date", "date32"},
    {ColumnType::timestamp_s, ColumnKind::timestamp, "timestamp[s]", "timestamp[s]", 1},
    {ColumnType::timestamp_ms, ColumnKind::timestamp, "timestamp[ms]", "timestamp[ms]", 1'000},
    {ColumnType::timestamp_us, ColumnKind::timestamp, "timestamp[us]", "timestamp[us]", 1'000'000},
    {ColumnType::timestamp_ns, ColumnKind::timestamp, "timestamp[ns]", "timestamp[ns]", 1'000'000'000},
    {ColumnType::float32_list, ColumnKind::list, "list<float32>", "large_list<float32>"},
}};

/// Of a type that is one (is_column_type).
[[nodiscard]] constexpr const ColumnTraits& column_traits(ColumnType type) noexcept {
  return kColumnTypes[static_cast<std::size_t>(type) - 1];
}
[[nodiscard]] constexpr ColumnKind column_kind(ColumnType type) noexcept { return column_traits(type).kind; }

}  // namespace rizoma
