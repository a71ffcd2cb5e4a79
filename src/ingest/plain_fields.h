// Numbers, dates and timestamps in their most frequent form, read where they stand: decimal digits with at most one
// point, 2025-01-31, 2025-01-31 12:30:00.  Cost: O(characters), eight of them at a time.
//
// Each reader returns the first character after the value, or nullptr for what it leaves to the readers of every form
// (csv_cells.h), which give the same value for what it takes: it decides nothing, it is only faster.
// Text ends in '\n' and TextChunk::kPadding zero bytes.
#pragma once

#include "base/timestamp.h"
#include "ingest/text_scan.h"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace rizoma {

/// An integer of 63 bits and a sign; not -0.
[[nodiscard]] inline const char* plain_integer(const char* p, std::int64_t& value) noexcept {
  const bool negative = *p == '-';
  const char* const digits = p + (negative ? 1 : 0);
  const char* const end = scan_unsigned(digits, value);
  if (end == nullptr || end == digits || (negative && value == 0)) return nullptr;
  value = negative ? -value : value;
  return end;
}

/// Digits, at most 16 of them, appended to `value`; nullptr: more, or none.
[[nodiscard]] inline const char* plain_digits(const char* p, std::int64_t& value) noexcept {
  const char* const begin = p;
  for (int i = 0; i < 2; ++i) {
    const EightDigits found = scan_eight_digits(p);
    value = value * kPowersOfTen[found.count] + found.value;
    p += found.count;
    if (found.count < 8) return p == begin ? nullptr : p;
  }
  return nullptr;
}

/// A number of at most 15 digits with at most one point, none of it at an end: a quotient of two numbers that float64
/// holds exactly, so that it is rounded once, to the nearest.
[[nodiscard]] inline const char* plain_real(const char* p, double& value) noexcept {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const bool negative = *p == '-';
  const char* const digits = p + (negative ? 1 : 0);
  std::int64_t whole = 0;
  const char* end = plain_digits(digits, whole);
  if (end == nullptr || end - digits > 15) return nullptr;
  if (*end == '.') {
    const char* const point = end;
    if (point[1] < '0' || point[1] > '9') return nullptr;
    const std::int64_t before = whole;
    std::int64_t fraction = 0;
    end = plain_digits(point + 1, fraction);
    if (end == nullptr || end - digits > 16) return nullptr;
    const auto places = static_cast<std::size_t>(end - point - 1);
    value = (static_cast<double>(before) * kPowers[places] + static_cast<double>(fraction)) / kPowers[places];
  } else {
    value = static_cast<double>(whole);
  }
  value = negative ? -value : value;
  return end;
}

namespace plain_fields {

/// A form of eight characters, in which '0' stands for a digit and all else for itself.
struct FormOfEight {
  consteval explicit FormOfEight(std::string_view form) {
    for (unsigned i = 0; i < 8; ++i) {
      mask |= static_cast<std::uint64_t>(form[i] == '0' ? 0x76 : 0x7F) << (8 * i);
      wanted |= static_cast<std::uint64_t>(static_cast<unsigned char>(form[i])) << (8 * i);
    }
  }
  std::uint64_t mask = 0;    // carries into the highest bit of a byte that is no digit, or is another character
  std::uint64_t wanted = 0;  // the characters
};

inline constexpr FormOfEight kDateForm("0000-00-");
inline constexpr FormOfEight kTimeForm("00:00:00");

/// Eight characters as numbers, of which those of digits are 0 to 9; false if they are not of this form.
[[nodiscard]] inline bool eight_of_form(const char* p, const FormOfEight& form, std::uint64_t& digits) noexcept {
  std::memcpy(&digits, p, sizeof digits);
  digits ^= form.wanted;
  return (((digits + form.mask) | digits) & 0x8080808080808080U) == 0;
}

/// The number of two digits, the first of which is byte `place`.
[[nodiscard]] inline unsigned two_digits(std::uint64_t digits, unsigned place) noexcept {
  return static_cast<unsigned>((digits >> (8 * place)) & 0xFF) * 10 +
         static_cast<unsigned>((digits >> (8 * place + 8)) & 0xFF);
}

}  // namespace plain_fields

/// A date, as days since 1970-01-01.
[[nodiscard]] inline const char* plain_date(const char* p, std::int64_t& days) noexcept {
  using plain_fields::two_digits;
  static constexpr std::uint8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::uint64_t digits = 0;
  if (!plain_fields::eight_of_form(p, plain_fields::kDateForm, digits)) return nullptr;
  const auto tens = static_cast<unsigned char>(p[8] - '0'), ones = static_cast<unsigned char>(p[9] - '0');
  const unsigned year = two_digits(digits, 0) * 100 + two_digits(digits, 2), month = two_digits(digits, 5);
  const unsigned day = 10U * tens + ones;
  if (tens > 3 || ones > 9 || month < 1 || month > 12 || day < 1) return nullptr;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (day > kDays[month - 1] + (leap && month == 2 ? 1U : 0U)) return nullptr;
  // Years that begin in March, so that the day of a leap year is the last; 719468 days before 1970-01-01 year 0 begins.
  const std::int64_t from_march = std::int64_t{year} - (month <= 2 ? 1 : 0);
  const std::int64_t era = (from_march >= 0 ? from_march : from_march - 399) / 400;
  const std::int64_t of_era = from_march - era * 400;
  const std::int64_t of_year = (153 * (std::int64_t{month} + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  days = era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
  return p + 10;
}

/// A date, with a time of hours, minutes and seconds or without, as seconds since 1970-01-01 00:00.
[[nodiscard]] inline const char* plain_timestamp(const char* p, std::int64_t& seconds) noexcept {
  using plain_fields::two_digits;
  const char* const end = plain_date(p, seconds);
  if (end == nullptr) return nullptr;
  seconds *= kSecondsOfDay;
  std::uint64_t digits = 0;
  if ((*end != ' ' && *end != 'T') || !plain_fields::eight_of_form(end + 1, plain_fields::kTimeForm, digits))
    return end;
  const unsigned hour = two_digits(digits, 0), minute = two_digits(digits, 3), second = two_digits(digits, 6);
  if (hour > 23 || minute > 59 || second > 59) return nullptr;
  seconds += 3600 * std::int64_t{hour} + 60 * std::int64_t{minute} + second;
  return end + 9;
}

}  // namespace rizoma
