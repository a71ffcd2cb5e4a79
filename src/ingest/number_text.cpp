#include "ingest/number_text.h"

#include "base/letters.h"
#include "base/text.h"
#include "base/utf8.h"
#include "ingest/column_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rizoma {
namespace {

constexpr std::array<std::string_view, 4> kBlanks = {" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
constexpr std::array<std::string_view, 2> kApostrophes = {"'", "\xE2\x80\x99"};

template <std::size_t N>
std::size_t length_of_one(std::string_view text, const std::array<std::string_view, N>& marks) {
  const auto found = std::find_if(marks.begin(), marks.end(), [&](auto mark) { return text.starts_with(mark); });
  return found == marks.end() ? 0 : found->size();
}

/// Bytes of the separator that the text begins with; 0: it begins with none.
std::size_t separator_length(std::string_view text, std::string_view thousands) {
  if (thousands.empty()) return 0;
  if (thousands == " ") return length_of_one(text, kBlanks);
  if (thousands == "'") return length_of_one(text, kApostrophes);
  return text.starts_with(thousands) ? thousands.size() : 0;
}

/// Appends the digits before the fraction, without separators, and takes them off the text; false if these are not
/// where they belong.
bool take_digits(std::string_view& text, std::string_view thousands, std::string& out) {
  std::size_t group = 0;
  bool grouped = false;
  for (;;) {
    if (!text.empty() && is_digit(text.front())) {
      out += text.front();
      text.remove_prefix(1);
      ++group;
      continue;
    }
    const std::size_t length = separator_length(text, thousands);
    if (length == 0) return !grouped || group == 3;
    if (group > 3 || group < (grouped ? 2 : 1)) return false;
    text.remove_prefix(length);
    grouped = true;
    group = 0;
  }
}

/// The options that ask for a format.
std::string said(const NumberFormat& format) {
  std::string options;
  if (!format.thousands.empty()) options = "thousands=\"" + format.thousands + "\"";
  if (format.decimal != '.') {
    options += (options.empty() ? "decimal=\"" : " and decimal=\"") + std::string(1, format.decimal) + "\"";
  }
  return options;
}

}  // namespace

Status check_number_format(const NumberFormat& format) {
  const std::string& mark = format.thousands;
  const auto refused = [](std::string what) { return Error{ErrorCode::invalid_argument, std::move(what)}; };
  if (format.decimal != '.' && format.decimal != ',') {
    return refused("decimal is " + in_quotes(std::string(1, format.decimal)) + "; it must be \".\" or \",\"");
  }
  if (mark.empty()) return {};
  const auto characters =
      std::count_if(mark.begin(), mark.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (!is_utf8(mark) || characters != 1 || is_letter(mark[0]) || is_digit(mark[0]) || mark == "+" || mark == "-" ||
      mark == "\n" || mark == "\r") {
    return refused("thousands is " + in_quotes(mark) +
                   "; it must be one character that no number has, such as . , ' or a blank");
  }
  if (mark == std::string(1, format.decimal)) {
    return refused(in_quotes(mark) +
                   " cannot separate thousands and stand before fractions, too; give another thousands= or decimal=");
  }
  return {};
}

std::optional<std::string_view> plain_number(std::string_view text, const NumberFormat& format, std::string& buffer) {
  text = without_blanks(text);
  if (format.is_plain()) return text;
  buffer.clear();
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') buffer += '-';
    text.remove_prefix(1);
    if (text.empty() || text.front() == '-' || text.front() == '+') return std::nullopt;
  }
  if (!take_digits(text, format.thousands, buffer)) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == format.decimal) {
      buffer += '.';
    } else if (text[i] == '.') {
      return std::nullopt;
    } else {
      buffer += text[i];
    }
  }
  return buffer;
}

std::optional<double> number_of(std::string_view text, const NumberFormat& format, std::string& buffer) {
  const auto plain = plain_number(text, format, buffer);
  return plain ? number_in(*plain) : std::nullopt;
}

std::vector<NumberFormat> number_formats(const std::vector<std::string_view>& texts) {
  std::vector<NumberFormat> found;
  std::string buffer;
  for (const char decimal : {'.', ','}) {
    for (const char* const thousands : {"", ",", ".", "'", " ", "_"}) {
      const NumberFormat format{decimal, thousands};
      if (format.thousands == std::string(1, decimal)) continue;
      const bool less = std::any_of(found.begin(), found.end(), [&](const NumberFormat& other) {
        return other.decimal == decimal && other.thousands.empty();
      });
      const auto reads = [&](std::string_view text) {
        const std::optional<double> number = number_of(text, format, buffer);
        return number && std::isfinite(*number);
      };
      if (!less && !texts.empty() && std::all_of(texts.begin(), texts.end(), reads)) found.push_back(format);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const NumberFormat& a, const NumberFormat& b) {
    return a.thousands.empty() && !b.thousands.empty();
  });
  return found;
}

std::string number_options(const std::vector<std::string_view>& texts) {
  const std::vector<NumberFormat> formats = number_formats(texts);
  if (formats.empty() || formats.front().is_plain()) return {};
  // Whole numbers with one kind of mark do not show what separates a fraction.
  std::string options = said(formats[0]);
  const auto other = std::find_if(formats.begin() + 1, formats.end(),
                                  [&](const NumberFormat& format) { return format.thousands != formats[0].thousands; });
  return other == formats.end() ? options : options + ", or " + said(*other);
}

}  // namespace rizoma
