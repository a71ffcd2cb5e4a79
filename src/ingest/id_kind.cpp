#include "ingest/id_kind.h"

#include <algorithm>
#include <charconv>

namespace rizoma {

bool is_integer(std::string_view text, std::int64_t& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

bool is_whole_number(std::string_view text, std::int64_t& value) {
  const std::size_t point = text.find('.');
  if (point == text.npos) return is_integer(text, value);
  const std::string_view zeros = text.substr(point + 1);
  return !zeros.empty() && zeros.find_first_not_of('0') == zeros.npos && is_integer(text.substr(0, point), value);
}

bool may_have_thousands(std::string_view id) noexcept {
  if (id.starts_with('-')) id.remove_prefix(1);
  return id.size() > 4 && id.size() < 8 && id.ends_with(".000") && id[0] != '0' &&
         id.find_first_not_of("0123456789") == id.size() - 4;
}

bool IdSample::add_id(std::string_view id) {
  std::int64_t value = 0;
  const bool integer = is_whole_number(id, value);
  const bool zeros = integer && has_leading_zero(id);
  if ((!integer || zeros) && (text_.empty() || (zeros && !zeros_))) text_ = id;
  zeros_ = zeros_ || zeros;
  if (!integer) return false;
  ids_.push_back(value);
  return true;
}

std::string IdSample::why_strings() const {
  constexpr std::size_t kLongest = 40;
  if (text_.empty()) return "";
  const std::string shown = "'" + (text_.size() > kLongest ? text_.substr(0, kLongest) + "..." : text_) + "'";
  if (zeros_) return shown + " would lose its leading zeros as an integer";
  double number = 0;
  const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), number);
  const bool fraction =
      text_.find('.') != text_.npos && parsed.ec == std::errc{} && parsed.ptr == text_.data() + text_.size();
  if (fraction) return shown + " is not an integer";
  const bool digits = text_.find_first_not_of("0123456789", text_[0] == '-' ? 1 : 0) == text_.npos;
  return digits ? shown + " does not fit 64 bits" : "";
}

void IdSample::add(std::string_view source, std::string_view target) {
  const bool source_is_integer = add_id(source);
  const bool integers = add_id(target) && source_is_integer;
  bool& all = edges_ == 0 ? first_is_integer_ : others_are_integers_;
  all = all && integers;
  ++edges_;
}

IdKind IdSample::kind(bool whole_file, double estimated_edges) const {
  if (zeros_) return IdKind::string;
  if (!first_is_integer_ && (edges_ == 1 || !others_are_integers_)) return IdKind::string;
  if (ids_.empty()) return IdKind::dense;
  std::vector<std::int64_t> sorted = ids_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const std::int64_t least = sorted.front();
  const std::int64_t greatest = sorted.back();
  if (least < 0) return IdKind::integer;
  if (whole_file) {
    return least == 0 && static_cast<std::uint64_t>(greatest) + 1 == sorted.size() ? IdKind::dense : IdKind::integer;
  }
  return least != 1 && static_cast<double>(greatest) < 4 * estimated_edges ? IdKind::dense : IdKind::integer;
}

}  // namespace rizoma
