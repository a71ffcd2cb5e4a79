#include "ingest/column_text.h"

#include "base/letters.h"
#include "base/timestamp.h"
#include "graph/fixed_values.h"
#include "ingest/text_scan.h"

#include <rizoma/detail/column_types.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <system_error>
#include <vector>

namespace rizoma {
namespace {

std::string_view without_plus(std::string_view text) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

template <class T>
bool push(ColumnValues& column, T value) {
  push_fixed(column, value);
  return true;
}

bool push_no_value(ColumnValues& column) {
  column.push_null();
  return true;
}

bool push_bytes(ColumnValues& column, std::string_view bytes) {
  column.push(std::as_bytes(std::span(bytes)));
  return true;
}

bool put(ColumnTag<bool> /*type*/, ColumnValues& column, ValueKind kind, std::string_view text) {
  if (kind == ValueKind::integer || kind == ValueKind::number) {
    const auto number = number_in(text);
    return number && push(column, std::uint8_t{*number != 0});
  }
  if (is_word(text, "true") || text == "1") return push(column, std::uint8_t{1});
  return (is_word(text, "false") || text == "0") && push(column, std::uint8_t{0});
}

template <class T>
bool put_whole(ColumnValues& column, ValueKind kind, std::string_view text) {
  if (kind == ValueKind::boolean) return push(column, static_cast<T>(text == "true"));
  text = without_plus(without_blanks(text));
  T value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return push(column, value);
  if (kind != ValueKind::number) return false;
  // 3.0 is a whole number, too.
  constexpr double kBound = static_cast<double>(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1)) * 2;
  const auto number = number_in(text);
  if (!number || *number != std::trunc(*number) || *number >= kBound) return false;
  if (*number < (std::numeric_limits<T>::is_signed ? -kBound : 0)) return false;
  return push(column, static_cast<T>(*number));
}

template <class T>
bool put_real(ColumnValues& column, ValueKind kind, std::string_view text) {
  if (kind == ValueKind::boolean) return push(column, static_cast<T>(text == "true"));
  const auto number = number_in(text);
  return number && fits<T>(text, *number) && push(column, static_cast<T>(*number));
}

bool put_timestamp(ColumnValues& column, ValueKind kind, std::string_view text) {
  const std::int64_t a_second = units_per_second(column.type);
  if (kind == ValueKind::integer) {
    const auto number = integer_in(text);
    return number && push(column, *number);
  }
  const auto moment = kind == ValueKind::text ? timestamp_of(text) : std::nullopt;
  const std::int64_t unit = 1'000'000'000 / a_second;
  std::int64_t value = 0;
  if (!moment || moment->nanoseconds % unit != 0) return false;
  if (__builtin_mul_overflow(moment->seconds, a_second, &value)) return false;
  return !__builtin_add_overflow(value, moment->nanoseconds / unit, &value) && push(column, value);
}

bool put_day(ColumnValues& column, ValueKind kind, std::string_view text) {
  const auto moment = kind == ValueKind::text ? timestamp_of(text) : std::nullopt;
  if (!moment || moment->nanoseconds != 0 || moment->seconds % kSecondsOfDay != 0) return false;
  return push(column, static_cast<std::int32_t>(moment->seconds / kSecondsOfDay));
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool put_base64(ColumnValues& column, std::string_view text) {
  if (text.size() % 4 != 0) return false;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t bits = 0;
    std::size_t padding = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = text[at + i];
      const bool pads = c == '=' && at + 4 == text.size() && i >= 2;
      const std::size_t value = pads ? 0 : kBase64.find(c);
      if (value == kBase64.npos || (padding > 0 && !pads)) return false;
      padding += pads ? 1 : 0;
      bits = bits << 6U | static_cast<std::uint32_t>(value);
    }
    for (std::size_t i = 0; i < 3 - padding; ++i) bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xFFU);
  }
  return push_bytes(column, bytes);
}

/// Calls `take` with the text of each item of a list; false as soon as it returns false, or if the text is no list.
template <class Take>
bool each_item(std::string_view text, Take take) {
  text = without_blanks(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  text = without_blanks(text.substr(1, text.size() - 2));
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma + 1 == text.size() || !take(without_blanks(text.substr(0, comma)))) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

bool put_list(ColumnValues& column, std::string_view text) {
  std::vector<float> items;
  const bool taken = each_item(text, [&](std::string_view item) {
    const auto number = number_in(item);
    if (!number || !fits<float>(item, *number)) return false;
    items.push_back(static_cast<float>(*number));
    return true;
  });
  if (taken) column.push(std::as_bytes(std::span(items)));
  return taken;
}

/// Whether the text is a whole number other than `held`, which is what a T makes of it.  From 2^53 on digits alone are
/// one: 6.02e23 is a measured value.
template <std::floating_point T>
bool rounds(std::string_view text, T held) {
  if (!(std::abs(held) >= kFirstRounded<T>) || std::isinf(held)) return false;
  const std::optional<double> number = number_in(text);
  if (number && std::abs(*number) < kFirstRounded<double> && *number != static_cast<double>(held)) {
    return *number == std::trunc(*number);
  }
  text = without_plus(without_blanks(text));
  if (!is_whole(text)) return false;
  char digits[512];
  const auto end = std::to_chars(digits, digits + sizeof digits, std::abs(held), std::chars_format::fixed, 0).ptr;
  return text.substr(std::min(text.find_first_of("123456789"), text.size())) != std::string_view(digits, end);
}

template <class T>
bool put(ColumnTag<T> /*type*/, ColumnValues& column, ValueKind kind, std::string_view text) {
  switch (column_kind(column.type)) {
    case ColumnKind::text: return is_empty_list(kind, text) ? push_no_value(column) : push_bytes(column, text);
    case ColumnKind::bytes: return kind == ValueKind::text && put_base64(column, text);
    case ColumnKind::list: return (kind == ValueKind::text || kind == ValueKind::list) && put_list(column, text);
    case ColumnKind::date: return put_day(column, kind, text);
    case ColumnKind::timestamp: return put_timestamp(column, kind, text);
    case ColumnKind::boolean:
    case ColumnKind::integer:
    case ColumnKind::real: break;
  }
  if constexpr (std::is_integral_v<T>) return put_whole<T>(column, kind, text);
  if constexpr (std::is_floating_point_v<T>) return put_real<T>(column, kind, text);
  return false;
}

bool rounds_list(const ColumnValues& column, std::string_view text) {
  const std::span<const std::byte> bytes = column.bytes(column.size() - 1);
  std::vector<float> items(bytes.size() / sizeof(float));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  if (std::ranges::none_of(items, [](float item) { return std::abs(item) >= kFirstRounded<float>; })) return false;
  auto held = items.begin();
  return !each_item(text, [&](std::string_view item) { return !rounds(item, *held++); });
}

void append_digits(std::string& text, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number < 0 ? -number : number);
  if (number < 0) text += '-';
  text.append(width - std::min(width, digits.size()), '0');
  text += digits;
}

void append_day(std::string& text, std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  append_digits(text, static_cast<int>(date.year()), 4);
  text += '-';
  append_digits(text, static_cast<unsigned>(date.month()), 2);
  text += '-';
  append_digits(text, static_cast<unsigned>(date.day()), 2);
}

void append_timestamp(std::string& text, std::int64_t value, std::int64_t a_second) {
  std::int64_t seconds = value / a_second - (value % a_second < 0 ? 1 : 0);
  const std::int64_t part = value - seconds * a_second;
  const std::int64_t days = seconds / kSecondsOfDay - (seconds % kSecondsOfDay < 0 ? 1 : 0);
  seconds -= days * kSecondsOfDay;
  append_day(text, days);
  const std::array<std::int64_t, 3> clock = {seconds / 3600, seconds / 60 % 60, seconds % 60};
  for (std::size_t i = 0; i < clock.size(); ++i) {
    text += i == 0 ? ' ' : ':';
    append_digits(text, clock[i], 2);
  }
  if (a_second == 1) return;
  text += '.';
  append_digits(text, part, std::to_string(a_second).size() - 1);
}

void append_base64(std::string& text, std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < have ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i) text += i <= have ? kBase64[bits >> (18 - 6 * i) & 0x3FU] : '=';
  }
}

void append_list(std::string& text, std::span<const std::byte> bytes) {
  text += '[';
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    float item = 0;
    std::memcpy(&item, bytes.data() + at, sizeof(float));
    if (at > 0) text += ", ";
    if (std::isnan(item)) {
      text += "NaN";
    } else if (std::isinf(item)) {
      text += item < 0 ? "-Infinity" : "Infinity";
    } else {
      append_real(text, item);
    }
  }
  text += ']';
}

ValueKind time_text(const ColumnValues& column, std::size_t row, std::string& text) {
  if (column_kind(column.type) == ColumnKind::date) append_day(text, fixed_at<std::int32_t>(column, row));
  else append_timestamp(text, fixed_at<std::int64_t>(column, row), units_per_second(column.type));
  return ValueKind::text;
}

ValueKind variable_text(const ColumnValues& column, std::size_t row, std::string& text) {
  const auto bytes = column.bytes(row);
  if (column_kind(column.type) == ColumnKind::bytes) {
    append_base64(text, bytes);
  } else if (column_kind(column.type) == ColumnKind::list) {
    append_list(text, bytes);
  } else {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return ValueKind::text;
}

template <class T>
void append_shortest(std::string& text, T value) {
  if (!std::isfinite(value)) {
    text += std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return;
  }
  char digits[32];
  const std::string_view written(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  const std::size_t exponent = std::min(written.find('e'), written.size());
  text += written.substr(0, exponent);
  if (written.find('.') == written.npos) text += ".0";
  text += written.substr(exponent);
}

}  // namespace

std::string_view without_blanks(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_whole(std::string_view text) noexcept {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::optional<double> number_in(std::string_view text) noexcept {
  text = without_plus(without_blanks(text));
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ptr != text.data() + text.size() || text.empty() || text.find('(') != text.npos) return std::nullopt;
  if (read.ec == std::errc()) return value;
  if (read.ec != std::errc::result_out_of_range) return std::nullopt;
  const double beyond = is_below_one(text) ? 0 : std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -beyond : beyond;
}

std::optional<std::int64_t> integer_in(std::string_view text) noexcept {
  text = without_plus(without_blanks(text));
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

bool put_value(ColumnValues& column, ValueKind kind, std::string_view text) {
  if (kind == ValueKind::other) return false;
  if (kind == ValueKind::null) return push_no_value(column);
  return visit_column(column.type, [&](auto type) { return put(type, column, kind, text); });
}

bool rounds_last(const ColumnValues& column, std::string_view text) {
  const std::size_t last = column.size() - 1;
  if (!column.is_valid(last)) return false;
  if (column.type == ColumnType::float32) return rounds(text, fixed_at<float>(column, last));
  if (column.type == ColumnType::float64) return rounds(text, fixed_at<double>(column, last));
  return column.type == ColumnType::float32_list && rounds_list(column, text);
}

ValueKind value_text(const ColumnValues& column, std::size_t row, std::string& text) {
  text.clear();
  if (!column.is_valid(row)) return ValueKind::null;
  if (is_time(column.type)) return time_text(column, row, text);
  return visit_column(column.type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      text = fixed_at<std::uint8_t>(column, row) != 0 ? "true" : "false";
      return ValueKind::boolean;
    } else if constexpr (std::is_integral_v<T>) {
      text = std::to_string(fixed_at<T>(column, row));
      return ValueKind::integer;
    } else if constexpr (std::is_floating_point_v<T>) {
      append_real(text, fixed_at<T>(column, row));
      return ValueKind::number;
    } else {
      return variable_text(column, row, text);
    }
  });
}

void append_real(std::string& text, double value) { append_shortest(text, value); }
void append_real(std::string& text, float value) { append_shortest(text, value); }

}  // namespace rizoma
