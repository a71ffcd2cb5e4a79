// Dates and times in a given format, such as "%d.%m.%Y", and in ISO 8601 with a zone.
#pragma once

#include <rizoma/result.h>

#include "base/timestamp.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Errors: invalid_argument (a directive that is not known, or no day, month and year).
Status check_date_format(std::string_view format);

/// The same without abbreviations of several directives (%F %T %D %R), and without the - of %-d.
[[nodiscard]] std::string plain_date_format(std::string_view format);

/// The moment that a text of such a plain format is, in UTC; none if it is no such text.  Directives: %Y %y %m %d %e %b
/// %B %j %H %I %M %S %f (1 to 9 digits) %p %z %a %A %%; a blank stands for any number of blanks.
[[nodiscard]] std::optional<Moment> moment_in(std::string_view text, std::string_view format);

/// A moment in ISO 8601, with a zone (Z, +02:00, +0200, +02) or without: then it is taken for UTC.
struct IsoMoment {
  Moment moment;
  bool zoned = false;
};
[[nodiscard]] std::optional<IsoMoment> iso_moment(std::string_view text);

/// Formats in which all these texts, at least one, are dates: "%d/%m/%Y" and "%m/%d/%Y" if both fit.
[[nodiscard]] std::vector<std::string> date_formats(const std::vector<std::string_view>& texts);

/// The options that ask for them, for people; empty if there is none.
[[nodiscard]] std::string date_options(const std::vector<std::string_view>& texts);

}  // namespace rizoma
