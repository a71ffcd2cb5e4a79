#include "ingest/date_text.h"

#include "base/letters.h"
#include "base/text.h"
#include "ingest/column_text.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace rizoma {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {"monday", "tuesday",  "wednesday", "thursday",
                                                       "friday", "saturday", "sunday"};

bool is_space_or_tab(char c) noexcept { return c == ' ' || c == '\t'; }
/// What stands for several directives.
std::string_view long_form(char directive) {
  switch (directive) {
    case 'F': return "%Y-%m-%d";
    case 'T': return "%H:%M:%S";
    case 'R': return "%H:%M";
    case 'D': return "%m/%d/%y";
    default: return {};
  }
}

}  // namespace

std::string plain_date_format(std::string_view format) {
  std::string all;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      all += format[i];
      continue;
    }
    if (format[i + 1] == '-' && i + 2 < format.size()) ++i;  // %-d: digits without a 0, as %d takes them too
    const std::string_view longer = long_form(format[++i]);
    all += longer.empty() ? std::string("%") + format[i] : std::string(longer);
  }
  return all;
}

namespace {

/// Reads one text by one format.
class MomentParser {
 public:
  MomentParser(std::string_view text, std::string_view format) : text_(text), format_(format) {}

  std::optional<Moment> run() {
    for (; !format_.empty(); format_.remove_prefix(1)) {
      if (format_.front() == '%' && format_.size() > 1) {
        format_.remove_prefix(1);
        if (!take(format_.front())) return std::nullopt;
      } else if (is_space_or_tab(format_.front())) {
        while (!text_.empty() && is_space_or_tab(text_.front())) text_.remove_prefix(1);
      } else if (!take_mark(format_.front())) {
        return std::nullopt;
      }
    }
    return text_.empty() ? moment() : std::nullopt;
  }

 private:
  bool take_mark(char mark) {
    if (text_.empty() || text_.front() != mark) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool number(std::size_t fewest, std::size_t most, int low, int high, int& value) {
    std::size_t digits = 0;
    value = 0;
    for (; digits < most && digits < text_.size() && is_digit(text_[digits]); ++digits)
      value = value * 10 + (text_[digits] - '0');
    if (digits < fewest || value < low || value > high) return false;
    text_.remove_prefix(digits);
    return true;
  }

  /// One of these words, or its first three letters, in any case.
  template <std::size_t N>
  bool word(const std::array<std::string_view, N>& words, int& place) {
    const std::string small = in_small_letters(std::string(text_.substr(0, 9)));
    for (std::size_t i = 0; i < N; ++i) {
      const bool whole = small.starts_with(words[i]);
      if (!whole && !small.starts_with(words[i].substr(0, 3))) continue;
      text_.remove_prefix(whole ? words[i].size() : 3);
      place = static_cast<int>(i) + 1;
      return true;
    }
    return false;
  }

  bool fraction() {
    std::uint32_t unit = 100'000'000;
    std::size_t digits = 0;
    for (; digits < text_.size() && digits < 9 && is_digit(text_[digits]); ++digits, unit /= 10)
      nanoseconds_ += static_cast<std::uint32_t>(text_[digits] - '0') * unit;
    text_.remove_prefix(digits);
    return digits > 0;
  }

  bool half_of_day() {
    const std::string half(text_.substr(0, 2));
    if (half.size() < 2 || (half[1] != 'M' && half[1] != 'm')) return false;
    const char first = lower(half[0]);
    if (first != 'a' && first != 'p') return false;
    afternoon_ = first == 'p' ? 1 : 0;
    text_.remove_prefix(2);
    return true;
  }

  bool zone() {
    if (take_mark('Z')) return true;
    if (text_.empty() || (text_.front() != '+' && text_.front() != '-')) return false;
    const int sign = text_.front() == '-' ? -1 : 1;
    text_.remove_prefix(1);
    int hours = 0, minutes = 0;
    if (!number(2, 2, 0, 23, hours)) return false;
    const bool colon = take_mark(':');
    if ((colon || (!text_.empty() && is_digit(text_.front()))) && !number(2, 2, 0, 59, minutes)) return false;
    offset_ = sign * (3600 * hours + 60 * minutes);
    return true;
  }

  bool take(char directive) {
    int weekday = 0;
    switch (directive) {
      case 'Y': return number(4, 4, 1, 9999, year_);
      case 'y':
        if (!number(2, 2, 0, 99, year_)) return false;
        year_ += year_ < 69 ? 2000 : 1900;
        return true;
      case 'm': return number(1, 2, 1, 12, month_);
      case 'e':
        while (!text_.empty() && is_space_or_tab(text_.front())) text_.remove_prefix(1);
        return number(1, 2, 1, 31, day_);
      case 'd': return number(1, 2, 1, 31, day_);
      case 'j': return number(1, 3, 1, 366, day_of_year_);
      case 'H': return number(1, 2, 0, 23, hour_);
      case 'I': return number(1, 2, 1, 12, hour_);
      case 'M': return number(1, 2, 0, 59, minute_);
      case 'S': return number(1, 2, 0, 59, second_);
      case 'f': return fraction();
      case 'p': return half_of_day();
      case 'b':
      case 'B': return word(kMonths, month_);
      case 'a':
      case 'A': return word(kWeekdays, weekday);
      case 'z': return zone();
      case '%': return take_mark('%');
      default: return false;
    }
  }

  [[nodiscard]] std::optional<Moment> moment() const {
    using std::chrono::sys_days;
    const std::chrono::year year(year_);
    if (day_of_year_ == 366 && !year.is_leap()) return std::nullopt;
    const std::chrono::year_month_day date{year, std::chrono::month(static_cast<unsigned>(month_)),
                                           std::chrono::day(static_cast<unsigned>(day_))};
    if (!date.ok()) return std::nullopt;
    std::int64_t days = sys_days(date).time_since_epoch().count();
    if (day_of_year_ > 0) days = sys_days(year / 1 / 1).time_since_epoch().count() + day_of_year_ - 1;
    const int hour = afternoon_ < 0 ? hour_ : hour_ % 12 + 12 * afternoon_;
    return Moment{days * kSecondsOfDay + 3600 * hour + 60 * minute_ + second_ - offset_, nanoseconds_};
  }

  std::string_view text_, format_;
  int year_ = 1970, month_ = 1, day_ = 1, day_of_year_ = 0, hour_ = 0, minute_ = 0, second_ = 0;
  int afternoon_ = -1;  ///< 0: before noon, 1: after; -1: unknown
  int offset_ = 0;
  std::uint32_t nanoseconds_ = 0;
};

bool is_one_of(const std::string& format, std::string_view letters) {
  return std::any_of(letters.begin(), letters.end(),
                     [&](char letter) { return format.find(std::string("%") + letter) != std::string::npos; });
}

}  // namespace

Status check_date_format(std::string_view format) {
  if (format.empty()) return {};
  const std::string all = plain_date_format(format);
  const std::string known = "YymdejHIMSfpbBaAz%";
  const auto refused = [&](const std::string& what) {
    return Error{ErrorCode::invalid_argument, "date_format is " + in_quotes(format) + what};
  };
  for (std::size_t at = all.find('%'); at != std::string::npos; at = all.find('%', at + 2)) {
    if (at + 1 < all.size() && known.find(all[at + 1]) != std::string::npos) continue;
    return refused(": " + in_quotes(all.substr(at, 2)) +
                   " is not known; there are %Y %y %m %d %e %b %B %j %H %I %M %S %f %p %z %a %A");
  }
  const bool day = is_one_of(all, "j") || (is_one_of(all, "de") && is_one_of(all, "mbB"));
  if (!day || !is_one_of(all, "Yy")) return refused("; it must have a day, a month and a year, such as \"%d.%m.%Y\"");
  return {};
}

std::optional<Moment> moment_in(std::string_view text, std::string_view format) {
  return MomentParser(text, format).run();
}

std::optional<IsoMoment> iso_moment(std::string_view text) {
  constexpr std::size_t kTime = 16;  // "2025-01-31 12:30"
  if (text.ends_with('Z')) {
    const auto moment = timestamp_of(text);
    return moment ? std::optional(IsoMoment{*moment, true}) : std::nullopt;
  }
  const std::size_t sign = text.size() > kTime ? text.find_first_of("+-", kTime) : std::string_view::npos;
  const auto moment = timestamp_of(text.substr(0, sign));
  if (!moment || sign == std::string_view::npos) return moment ? std::optional(IsoMoment{*moment}) : std::nullopt;
  const auto zone = MomentParser(text.substr(sign), "%z").run();
  if (!zone) return std::nullopt;
  return IsoMoment{{moment->seconds + zone->seconds, moment->nanoseconds}, true};
}

std::vector<std::string> date_formats(const std::vector<std::string_view>& texts) {
  constexpr std::array<std::string_view, 20> kDates = {"%d.%m.%Y",  "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y",  "%m-%d-%Y",
                                                       "%Y/%m/%d",  "%Y.%m.%d", "%d.%m.%y", "%d/%m/%y",  "%m/%d/%y",
                                                       "%d-%m-%y",  "%m-%d-%y", "%d-%b-%Y", "%d %b %Y",  "%d. %b %Y",
                                                       "%b %d, %Y", "%d-%b-%y", "%d/%b/%Y", "%d %b, %Y", "%b %d %Y"};
  constexpr std::array<std::string_view, 7> kTimes = {
      "", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", ", %H:%M", " %H:%M:%S.%f"};
  std::vector<std::string> found;
  for (const std::string_view date : kDates) {
    for (const std::string_view time : kTimes) {
      const std::string format = std::string(date) + std::string(time);
      const auto reads = [&](std::string_view text) { return moment_in(without_blanks(text), format).has_value(); };
      if (!texts.empty() && std::all_of(texts.begin(), texts.end(), reads)) found.push_back(format);
    }
  }
  return found;
}

std::string date_options(const std::vector<std::string_view>& texts) {
  std::string options;
  for (const std::string& format : date_formats(texts)) {
    options += (options.empty() ? "" : ", or ") + ("date_format=\"" + format + "\"");
  }
  return options;
}

}  // namespace rizoma
