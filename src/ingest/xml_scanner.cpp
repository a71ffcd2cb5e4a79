#include "ingest/xml_scanner.h"

#include "ingest/html_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

constexpr int kEnd = DocumentText::kEnd;
constexpr std::size_t kPiece = std::size_t{1} << 18;  // of a text

bool is_blank(int c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool begins_name(int c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}
bool is_of_name(int c) noexcept { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }
/// Control characters that no XML has.
bool is_forbidden(int c) noexcept { return c != kEnd && c < 0x20 && !is_blank(c); }

/// The encoding that is declared in the first line, in small letters; empty if none is.
std::string declared_encoding(std::string_view begin) {
  if (!begin.starts_with("<?xml")) return {};
  const std::string_view line = begin.substr(0, begin.find("?>"));
  const std::size_t word = line.find("encoding");
  if (word == line.npos) return {};
  const std::size_t quote = line.find_first_of("\"'", word);
  if (quote == line.npos) return {};
  const std::size_t end = line.find(line[quote], quote + 1);
  std::string name(line.substr(quote + 1, end == line.npos ? end : end - quote - 1));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::optional<Encoding> encoding_called(std::string_view name) {
  struct Named {
    std::string_view name;
    Encoding encoding;
  };
  constexpr std::array<Named, 8> kNames = {{{"utf-8", Encoding::utf8},
                                            {"utf8", Encoding::utf8},
                                            {"us-ascii", Encoding::utf8},
                                            {"ascii", Encoding::utf8},
                                            {"iso-8859-1", Encoding::latin1},
                                            {"latin1", Encoding::latin1},
                                            {"windows-1252", Encoding::windows_1252},
                                            {"cp1252", Encoding::windows_1252}}};
  const auto found = std::ranges::find(kNames, name, &Named::name);
  return found == kNames.end() ? std::nullopt : std::optional(found->encoding);
}

}  // namespace

XmlScanner::XmlScanner(DocumentText& text) : text_(text) {
  if (text.encoding() != Encoding::utf8) return;  // whatever is declared
  const std::string declared = declared_encoding(text.beginning());
  const auto encoding = encoding_called(declared);
  if (encoding) text.set_encoding(*encoding);
  unknown_encoding_ = !encoding && !declared.empty();
}

bool XmlScanner::fail(std::string_view what) {
  if (error_.message.empty()) error_ = text_.error(what);
  return false;
}

XmlScanner::Event XmlScanner::failed(std::string_view what) {
  fail(what);
  return Event::failed;
}

std::string_view XmlScanner::name() const noexcept {
  const std::string_view name = name_;
  return name.substr(name.rfind(':') == name.npos ? 0 : name.rfind(':') + 1);
}

const std::string* XmlScanner::attribute(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < attribute_count_; ++i) {
    if (attributes_[i].name == name) return &attributes_[i].value;
  }
  return nullptr;
}

/// The next byte; every form of line end is '\n'.
int XmlScanner::take() {
  const int c = text_.take();
  if (c != '\r') return c;
  static_cast<void>(text_.take_if('\n'));
  return '\n';
}

bool XmlScanner::skip_blanks() {
  bool any = false;
  for (; is_blank(text_.peek()); any = true) text_.skip();
  return any;
}

bool XmlScanner::expect(std::string_view word) {
  for (const char c : word) {
    if (!text_.take_if(c)) return fail("not well-formed: expected " + std::string(word));
  }
  return true;
}

bool XmlScanner::read_name(std::string& name) {
  name.clear();
  if (!begins_name(text_.peek())) return fail("not well-formed: expected a name");
  return text_.take_until(name, [](int c) { return !is_of_name(c); }) || fail("a name of more than 256 MiB");
}

XmlScanner::Event XmlScanner::next() {
  if (unknown_encoding_) {
    return failed("the encoding '" + declared_encoding(text_.beginning()) + "' is not read; convert the file to UTF-8");
  }
  if (closes_) return end_element();
  for (;;) {
    const int c = text_.peek();
    if (c == kEnd) {
      if (!had_root_) return failed("no element found");
      if (!begins_.empty())
        return failed("the file ends within the element " + shown(std::string_view(open_).substr(begins_.back())));
      return text_.status() ? Event::finished : failed("");
    }
    if (c != '<') {
      if (!characters()) return Event::failed;
      if (!begins_.empty()) return Event::text;
      continue;
    }
    text_.skip();
    Event event = Event::failed;
    if (!markup(event)) return Event::failed;
    begun_ = true;
    if (event != Event::failed) return event;
  }
}

/// Reads what follows <: an element's start or end, or CDATA, as an event; skips the rest and returns none (`failed`).
bool XmlScanner::markup(Event& event) {
  const int c = text_.peek();
  if (c == '/') {
    text_.skip();
    event = end_element();
    return event != Event::failed;
  }
  if (c == '?') {
    text_.skip();
    return instruction(!begun_);
  }
  if (c != '!') {
    event = start_element();
    return event != Event::failed;
  }
  text_.skip();
  if (text_.peek() == '-') return comment();
  if (text_.peek() != '[') return document_type();
  if (!cdata()) return false;
  event = Event::text;
  return true;
}

/// Reads text up to a tag, or a part of it; outside of all elements only blanks are allowed.
bool XmlScanner::characters() {
  value_.clear();
  const bool outside = begins_.empty();
  while (text_.peek() != '<' && text_.peek() != kEnd && value_.size() < kPiece) {
    const auto stops = [](int c) { return c == '<' || c == '&' || c == '\r' || c == ']' || is_forbidden(c); };
    if (!text_.take_until(value_, stops)) return fail("a text of more than 256 MiB");
    const int c = text_.peek();
    if (is_forbidden(c)) return fail("not well-formed: a control character");
    if (c == '\r') {
      value_ += static_cast<char>(take());
    } else if (c == '&') {
      text_.skip();
      if (outside) return fail("not well-formed: text outside of all elements");
      if (!reference(value_)) return false;
    } else if (c == ']') {
      while (text_.take_if(']')) value_ += ']';
      if (text_.peek() == '>' && value_.ends_with("]]")) return fail("not well-formed: ]]> in a text");
    }
  }
  begun_ = true;
  if (outside && !std::ranges::all_of(value_, [](unsigned char c) { return is_blank(c); })) {
    return fail(had_root_ ? "junk after document element" : "not well-formed: text outside of all elements");
  }
  return true;
}

/// What is meant by a reference, whose & is read.
bool XmlScanner::reference(std::string& out) {
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
    const bool allowed = character && (!is_forbidden(static_cast<int>(*character)) && *character < 0x110000 &&
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

XmlScanner::Event XmlScanner::start_element() {
  if (begins_.empty() && had_root_) return failed("junk after document element");
  if (!read_name(name_)) return Event::failed;
  had_root_ = true;
  attribute_count_ = 0;
  for (;;) {
    const bool blank = skip_blanks();
    const int c = text_.peek();
    if (c == '>') {
      text_.skip();
      break;
    }
    if (c == '/') {
      if (!expect("/>")) return Event::failed;
      closes_ = true;
      break;
    }
    if (!blank) return failed("not well-formed: expected a blank or > in a tag");
    if (!read_attribute()) return Event::failed;
  }
  begins_.push_back(open_.size());
  open_ += name_;
  return Event::start;
}

bool XmlScanner::read_attribute() {
  if (attribute_count_ == attributes_.size()) attributes_.emplace_back();
  Attribute& attribute = attributes_[attribute_count_];
  if (!read_name(attribute.name)) return false;
  if (this->attribute(attribute.name) != nullptr) return fail("duplicate attribute " + shown(attribute.name));
  skip_blanks();
  if (!expect("=")) return false;
  skip_blanks();
  const int quote = text_.take();
  if (quote != '"' && quote != '\'') return fail("not well-formed: expected the value of an attribute in quotes");
  if (!read_value(attribute.value, quote)) return false;
  constexpr std::size_t kMost = 1000;  // each is compared with all before it
  return ++attribute_count_ <= kMost || fail("an element has more than 1000 attributes");
}

bool XmlScanner::read_value(std::string& value, int quote) {
  value.clear();
  for (;;) {
    const auto stops = [quote](int c) { return c == quote || c == '<' || c == '&' || c < 0x20; };
    if (!text_.take_until(value, stops)) return fail("a value of more than 256 MiB");
    const int c = take();
    if (c == quote) return true;
    if (c == '&') {
      if (!reference(value)) return false;
    } else if (is_blank(c)) {
      value += ' ';
    } else {
      return fail(c == kEnd ? "the file ends within a tag"
                            : "not well-formed: a character that an attribute cannot have");
    }
  }
}

XmlScanner::Event XmlScanner::end_element() {
  if (begins_.empty()) return failed("not well-formed: an end tag without a start");
  const std::string_view expected = std::string_view(open_).substr(begins_.back());
  if (closes_) {
    closes_ = false;
    name_ = expected;
  } else {
    if (!read_name(name_)) return Event::failed;
    skip_blanks();
    if (!expect(">")) return Event::failed;
    if (name_ != expected)
      return failed("mismatched tag: " + shown(name_) + " ends where " + shown(expected) + " is open");
  }
  open_.resize(begins_.back());
  begins_.pop_back();
  return Event::end;
}

bool XmlScanner::comment() {
  if (!expect("--")) return false;
  for (;;) {
    text_.skip_until([](int c) { return c == '-' || is_forbidden(c); });
    if (!text_.take_if('-')) {
      return fail(text_.peek() == kEnd ? "the file ends within a comment" : "not well-formed: a control character");
    }
    if (text_.take_if('-')) return text_.take_if('>') || fail("not well-formed: -- in a comment");
  }
}

bool XmlScanner::instruction(bool first) {
  std::string target;
  if (!read_name(target)) return false;
  std::ranges::transform(target, target.begin(), [](unsigned char c) { return std::tolower(c); });
  if (target == "xml" && !first) return fail("XML or text declaration not at start of entity");
  for (;;) {
    text_.skip_until([](int c) { return c == '?' || is_forbidden(c); });
    if (!text_.take_if('?')) {
      return fail(text_.peek() == kEnd ? "the file ends within <?" : "not well-formed: a control character");
    }
    if (text_.take_if('>')) return true;
  }
}

bool XmlScanner::cdata() {
  if (!expect("[CDATA[")) return false;
  if (begins_.empty()) return fail("not well-formed: text outside of all elements");
  value_.clear();
  for (;;) {
    if (!text_.take_until(value_, [](int c) { return c == '>' || c == '\r' || is_forbidden(c); })) {
      return fail("a text of more than 256 MiB");
    }
    const int c = take();
    if (c == kEnd) return fail("the file ends within CDATA");
    if (is_forbidden(c)) return fail("not well-formed: a control character");
    if (c == '>' && value_.ends_with("]]")) break;
    value_ += static_cast<char>(c);
  }
  value_.resize(value_.size() - 2);
  return true;
}

bool XmlScanner::skip_quoted() {
  const int quote = text_.take();
  text_.skip_until([quote](int c) { return c == quote; });
  return text_.take() == quote || fail("the file ends within quotes");
}

bool XmlScanner::document_type() {
  if (had_root_ || had_type_) return fail("not well-formed: a document type after the root element");
  had_type_ = true;
  if (!expect("DOCTYPE")) return false;
  for (;;) {
    text_.skip_until([](int c) { return c == '"' || c == '\'' || c == '[' || c == '>' || c == '<'; });
    const int c = text_.peek();
    if (c == '"' || c == '\'') {
      if (!skip_quoted()) return false;
      continue;
    }
    text_.take();
    if (c == '>') return true;
    if (c != '[') return fail("not well-formed: a document type without an end");
    if (!internal_subset()) return false;
  }
}

/// Declarations in a document type, up to its ].
bool XmlScanner::internal_subset() {
  for (;;) {
    skip_blanks();
    const int c = text_.take();
    if (c == ']') return true;
    if (c == '%') {
      text_.skip_until([](int each) { return each == ';'; });
      if (!text_.take_if(';')) return fail("the file ends within a document type");
      continue;
    }
    if (c != '<') return fail("not well-formed: expected a declaration in a document type");
    if (text_.take_if('?')) {
      if (!instruction(false)) return false;
    } else if (!text_.take_if('!')) {
      return fail("not well-formed: expected a declaration in a document type");
    } else if (!(text_.peek() == '-' ? comment() : declaration())) {
      return false;
    }
  }
}

/// <!ELEMENT, <!ATTLIST, <!NOTATION: skipped.  <!ENTITY: refused.
bool XmlScanner::declaration() {
  if (!read_name(name_)) return false;
  if (name_ == "ENTITY") {
    skip_blanks();
    if (text_.take_if('%')) skip_blanks();
    if (!read_name(name_)) return false;
    return fail("the file declares the entity " + shown(name_) + ", but entities are not read");
  }
  for (;;) {
    text_.skip_until([](int c) { return c == '"' || c == '\'' || c == '>'; });
    const int c = text_.peek();
    if (c == kEnd) return fail("the file ends within a document type");
    if (c == '>') break;
    if (!skip_quoted()) return false;
  }
  text_.skip();
  return true;
}

}  // namespace rizoma
