#include "ingest/xml_text.h"

#include "ingest/html_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

bool begins_name(int c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}
bool is_of_name(int c) noexcept { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

}  // namespace

int XmlText::take() {
  const int c = text_.take();
  if (c != '\r') return c;
  static_cast<void>(text_.take_if('\n'));
  return '\n';
}

bool XmlText::skip_blanks() {
  bool any = false;
  for (; is_xml_blank(text_.peek()); any = true) text_.skip();
  return any;
}

bool XmlText::expect(std::string_view word) {
  for (const char c : word) {
    if (!text_.take_if(c)) return fail("not well-formed: expected " + std::string(word));
  }
  return true;
}

bool XmlText::read_name(std::string& name) {
  name.clear();
  if (!begins_name(text_.peek())) return fail("not well-formed: expected a name");
  return take_until(name, [](int c) { return !is_of_name(c); });
}

bool XmlText::read_reference(std::string& out) {
  constexpr std::size_t kLongest = 4096;
  std::string name;
  while (is_of_name(text_.peek()) || text_.peek() == '#') {
    name += static_cast<char>(text_.take());
    if (name.size() > kLongest) return fail("not well-formed: a reference without a semicolon");
  }
  if (!text_.take_if(';') || name.empty()) return fail("not well-formed: & without a reference to a character");
  if (name[0] == '#') {
    const auto character =
        name.starts_with("#X") ? std::nullopt : character_by_number(std::string_view(name).substr(1));
    const bool allowed = character && (!is_forbidden_in_xml(static_cast<int>(*character)) && *character < 0x110000 &&
                                       *character != 0xFFFE && *character != 0xFFFF);
    if (!allowed) return fail("reference to invalid character number");
    append_utf8(out, *character);
    return true;
  }
  constexpr std::array<std::pair<std::string_view, char>, 5> kKnown = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  const auto* known = std::ranges::find_if(kKnown, [&](const auto& each) { return each.first == name; });
  if (known == kKnown.end()) return fail("undefined entity " + shown(name));
  out += known->second;
  return true;
}

bool XmlText::read_value(std::string& value, int quote) {
  value.clear();
  for (;;) {
    const auto stops = [quote](int c) { return c == quote || c == '<' || c == '&' || c < 0x20; };
    if (!take_until(value, stops)) return false;
    const int c = take();
    if (c == quote) return true;
    if (c == '&') {
      if (!read_reference(value)) return false;
    } else if (is_xml_blank(c)) {
      value += ' ';
    } else {
      return fail(c == kEnd ? "the file ends within a tag"
                            : "not well-formed: a character that an attribute cannot have");
    }
  }
}

bool XmlText::fail(std::string_view what) {
  if (error_.message.empty()) error_ = text_.error(what);
  return false;
}

}  // namespace rizoma
