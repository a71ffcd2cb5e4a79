// Numbers as people and spreadsheets write them: "2.720,01", "1,00,000", "1'234.50", "1 234,5".
//
// A separator of thousands stands between digits before the fraction alone, with three digits after the last one and
// two or three between two: so "1.5" is no number where a point separates thousands, and never 15.
#pragma once

#include <rizoma/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

struct NumberFormat {
  char decimal = '.';
  /// One character of UTF-8; empty: none.  A blank stands for the no-break ones too, and ' for a right quotation mark.
  std::string thousands;

  /// Whether programs write numbers so.
  [[nodiscard]] bool is_plain() const noexcept { return decimal == '.' && thousands.empty(); }
};

/// Errors: invalid_argument (a mark that no number can have, or one mark for two things).
Status check_number_format(const NumberFormat& format);

/// The text as programs write the number, perhaps in `buffer`; none if it is not in this format.  What it returns need
/// not be a number: signs, digits and exponents are for who reads it to check.
[[nodiscard]] std::optional<std::string_view> plain_number(std::string_view text, const NumberFormat& format,
                                                           std::string& buffer);

/// The number that the text is in this format; it may be infinite or NaN.  `buffer`: as for plain_number.
[[nodiscard]] std::optional<double> number_of(std::string_view text, const NumberFormat& format, std::string& buffer);

/// The formats in which all these texts, of which there are some, are finite numbers: those without thousands first.
[[nodiscard]] std::vector<NumberFormat> number_formats(const std::vector<std::string_view>& texts);

/// The same as the options that ask for them, for people: `thousands="." and decimal=","`;
/// both readings if there are two; empty if there is none, or the plain one will do.
[[nodiscard]] std::string number_options(const std::vector<std::string_view>& texts);

}  // namespace rizoma
