// Values of columns as documents (GML, GraphML, JSON) have them: out of texts and numbers, and back.
#pragma once

#include <rizoma/columns.h>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rizoma {

/// The kind of a value in a document.  `number`: not written as an integer; `list`: in JSON; `other`: no column holds
/// it.
enum class ValueKind : std::uint8_t { null, boolean, integer, number, text, list, other };

/// A number as documents write it: "-1.5", "+2", "nan", "Infinity"; none if it is not a number, or has more after it.
/// What is too large is infinite, which `fits` tells from "inf"; what is too near to 0 is 0.
[[nodiscard]] std::optional<double> number_in(std::string_view text) noexcept;

/// What to do with a number that `fits<double>` refuses.
inline constexpr std::string_view kTooLarge =
    "it is beyond 1.8e308, the largest number: correct it, write inf where it is without bound, or keep the column as "
    "string";

/// Whether the number that a text is, by number_in, is as a T what the text says, but for rounding: "1e400" is not
/// infinite, and 3.4028235e38 is the largest float32, which is a little less.
template <std::floating_point T>
[[nodiscard]] bool fits(std::string_view text, double number) noexcept {
  if (std::isinf(number)) return text.find_first_of("0123456789") == text.npos;
  return !std::isinf(static_cast<T>(number));
}

/// A number of 64 bits, with a sign or without.
[[nodiscard]] std::optional<std::int64_t> integer_in(std::string_view text) noexcept;

/// Whether a value is a list without items, which would be of any type.
[[nodiscard]] inline bool is_empty_list(ValueKind kind, std::string_view text) noexcept {
  return kind == ValueKind::list && text == "[]";
}

/// Digits that may have a sign: an integer, however long.
[[nodiscard]] bool is_whole(std::string_view text) noexcept;

/// Without blanks and line ends around it.
[[nodiscard]] std::string_view without_blanks(std::string_view text) noexcept;

/// Appends a value to a column; false, and nothing is appended, if it is no value of the column's type.  Days and
/// moments are read as ISO 8601 has them, bytes as Base64, lists as JSON, and an empty list as no text; what a type has
/// no room for is none of it.
[[nodiscard]] bool put_value(ColumnValues& column, ValueKind kind, std::string_view text);

/// Whether the last row of a column, of which this is the text as `put_value` reads it, is another whole number than
/// the text: float32 holds each up to 2^24, float64 up to 2^53.  Cost: O(1) but for such numbers and lists.
[[nodiscard]] bool rounds_last(const ColumnValues& column, std::string_view text);

/// Writes the value of a row to `text`, which is emptied before, so that put_value reads it back; returns whether it is
/// null, boolean ("true"), integer, number, or text.
ValueKind value_text(const ColumnValues& column, std::size_t row, std::string& text);

/// Appends a number so that it differs from an integer: "2.0", "1.0e+22", "nan", "-inf".
void append_real(std::string& text, double value);
void append_real(std::string& text, float value);

}  // namespace rizoma
