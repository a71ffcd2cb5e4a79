#include "base/timestamp.h"

#include <charconv>
#include <chrono>

namespace rizoma {
namespace {

/// Takes pieces from the front of a text.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] bool is_digit() const { return !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; }
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// A number of `digits` digits, no greater than `most`.
  std::optional<unsigned> number(std::size_t digits, unsigned most) {
    if (text_.size() < digits) return std::nullopt;
    unsigned value = 0;
    const char* const end = text_.data() + digits;
    const auto read = std::from_chars(text_.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || value > most) return std::nullopt;
    text_.remove_prefix(digits);
    return value;
  }
  /// Digits of a fraction, in units of 10^-9.
  std::optional<std::uint32_t> fraction() {
    std::uint32_t value = 0;
    std::uint32_t unit = 100'000'000;
    if (!is_digit()) return std::nullopt;
    for (; is_digit(); text_.remove_prefix(1), unit /= 10) {
      if (unit == 0) return std::nullopt;
      value += static_cast<std::uint32_t>(text_[0] - '0') * unit;
    }
    return value;
  }

 private:
  std::string_view text_;
};

/// Days since 1970-01-01.
std::optional<std::int64_t> day(TextReader& reader) {
  const auto year = reader.number(4, 9999);
  if (!year || !reader.take('-')) return std::nullopt;
  const auto month = reader.number(2, 12);
  if (!month || !reader.take('-')) return std::nullopt;
  const auto of_month = reader.number(2, 31);
  if (!of_month) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                         std::chrono::day(*of_month)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

/// Seconds since midnight, and their fraction.
std::optional<Moment> time_of_day(TextReader& reader) {
  Moment time;
  const auto hour = reader.number(2, 23);
  if (!hour || !reader.take(':')) return std::nullopt;
  const auto minute = reader.number(2, 59);
  if (!minute) return std::nullopt;
  time.seconds = 3600 * std::int64_t{*hour} + 60 * std::int64_t{*minute};
  if (!reader.take(':')) return time;
  const auto second = reader.number(2, 59);
  if (!second) return std::nullopt;
  time.seconds += *second;
  if (reader.take('.')) {
    const auto part = reader.fraction();
    if (!part) return std::nullopt;
    time.nanoseconds = *part;
  }
  return time;
}

}  // namespace

std::optional<Moment> timestamp_of(std::string_view text) {
  TextReader reader(text);
  const auto days = day(reader);
  if (!days) return std::nullopt;
  Moment time;
  if (reader.take('T') || reader.take(' ')) {
    const auto later = time_of_day(reader);
    if (!later) return std::nullopt;
    time = *later;
    reader.take('Z');
  }
  if (!reader.at_end()) return std::nullopt;
  time.seconds += *days * kSecondsOfDay;
  return time;
}

}  // namespace rizoma
