// Placement as JSON (RFC 8259): written whole, read strictly, so that a misspelt member is an error.
#include <rizoma/placement.h>

#include "placement/policies.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace rizoma {
namespace {

constexpr std::string_view kVersion = "rizoma-placement-1";

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }  // names need no escapes

std::string list(const std::vector<unsigned>& numbers) {
  std::string text = "[";
  for (const unsigned number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

/// Reads the part of JSON that a Placement is made of.  After an error everything fails.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Consumes `c` and returns true if it is the next character.
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// A string without escapes: no name has any.
  bool string(std::string_view& value) {
    if (!take('"')) return false;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) return false;
    value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value.find('\\') == std::string_view::npos;
  }

  bool number(unsigned& value) {
    skip_space();
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    at_ += static_cast<std::size_t>(end - begin);
    return error == std::errc{};
  }

  bool numbers(std::vector<unsigned>& values) {
    if (!take('[')) return false;
    for (unsigned value = 0; !take(']'); values.push_back(value)) {
      if ((!values.empty() && !take(',')) || !number(value)) return false;
    }
    return true;
  }

  [[nodiscard]] bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  [[nodiscard]] std::size_t at() const noexcept { return at_; }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Reads one member into `placement`; an Error if its value has no meaning, false if it is malformed.
Result<bool> read_member(Reader& reader, std::string_view name, Placement& placement) {
  std::string_view text;
  if (name == "format") return reader.string(text) && text == kVersion;
  if (name == "homes") return reader.number(placement.homes);
  if (name == "node_of_home") return reader.numbers(placement.node_of_home);
  if (name == "home_of_section") return reader.numbers(placement.home_of_section);
  if (name == "home_of_thread") return reader.numbers(placement.home_of_thread);
  if (name == "processor_of_thread") return reader.numbers(placement.processor_of_thread);
  if (!reader.string(text)) return false;
  if (name == "policy") {
    RIZOMA_ASSIGN(placement.policy, parse_policy(text));
  } else if (name == "tiers") {
    RIZOMA_ASSIGN(placement.tiers, parse_tiers(text));
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string to_json(const Placement& placement) {
  return "{\"format\": " + quoted(kVersion) + ", \"policy\": " + quoted(name_of(placement.policy)) +
         ", \"homes\": " + std::to_string(placement.homes) + ", \"node_of_home\": " + list(placement.node_of_home) +
         ", \"home_of_section\": " + list(placement.home_of_section) +
         ", \"home_of_thread\": " + list(placement.home_of_thread) +
         ", \"processor_of_thread\": " + list(placement.processor_of_thread) +
         ", \"tiers\": " + quoted(to_text(placement.tiers)) + "}";
}

Result<Placement> placement_from_json(std::string_view json) {
  Reader reader(json);
  Placement placement;
  bool good = reader.take('{');
  bool first = true;
  while (good && !reader.take('}')) {
    std::string_view name;
    good = (std::exchange(first, false) || reader.take(',')) && reader.string(name) && reader.take(':');
    if (!good) break;
    RIZOMA_ASSIGN(good, read_member(reader, name, placement));
  }
  if (!good || !reader.at_end()) {
    return Error{ErrorCode::parse,
                 "not a placement that rizoma wrote: unexpected text at character " + std::to_string(reader.at() + 1)};
  }
  RIZOMA_TRY(check_placement(placement));
  return placement;
}

}  // namespace rizoma
