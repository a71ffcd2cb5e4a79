#include "ingest/text_scan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rizoma {

const char* scan_signed(const char* p, std::int64_t& value) noexcept {
  if (*p != '-') return scan_unsigned(p, value);
  const char* end = scan_unsigned(p + 1, value);
  if (end == p + 1) return p;
  if (end != nullptr) {
    value = -value;
    return end;
  }
  // Only -2^63 is left, which has no positive twin.
  end = p + 1;
  while (*end >= '0' && *end <= '9') ++end;
  const auto parsed = std::from_chars(p, end, value);
  return parsed.ec == std::errc{} ? parsed.ptr : nullptr;
}

bool is_below_one(std::string_view number) noexcept {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  if (first == digits.npos) return true;
  const double place = first < point ? static_cast<double>(point - first) : -static_cast<double>(first - point - 1);
  double exponent = 0;  // as long as it likes: only sign and size count
  for (const char c : number.substr(e)) {
    if (c >= '0' && c <= '9') exponent = exponent * 10 + (c - '0');
  }
  if (number.substr(e).starts_with("e-") || number.substr(e).starts_with("E-")) exponent = -exponent;
  return place + exponent < 1;
}

const char* scan_number(const char* p, const char* end, double& value) noexcept {
  const EightDigits small = scan_eight_digits(p);
  if (small.count > 0 && small.count < 8 && at_token_end(p + small.count)) {
    value = small.value;
    return p + small.count;
  }
  if (*p == '+' && p[1] != '-') ++p;
  const auto parsed = std::from_chars(p, end, value);
  if (parsed.ec == std::errc::result_out_of_range && is_below_one({p, parsed.ptr})) {
    value = *p == '-' ? -0.0 : 0.0;
    return parsed.ptr;
  }
  if (parsed.ec != std::errc{} || !std::isfinite(value)) return nullptr;
  return parsed.ptr;
}

std::string describe_token(const char* p, const char* end) {
  if (p >= end || at_line_end(p)) return "the end of the line";
  constexpr std::size_t kLongest = 24;
  std::string token;
  for (; p < end && !at_token_end(p); ++p) {
    if (token.size() == kLongest) return "'" + token + "...'";
    const auto byte = static_cast<unsigned char>(*p);
    if (byte >= 0x20 && byte < 0x7F) {
      token += *p;
      continue;
    }
    if (!token.empty()) break;
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "byte 0x%02X", byte);
    return text.data();
  }
  return token.empty() ? "a blank" : "'" + token + "'";
}

}  // namespace rizoma
