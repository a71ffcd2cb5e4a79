#include "ingest/xml_scanner.h"

#include "base/letters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // of a text

/// The encoding that is declared in the first line, in small letters; empty if none is.
std::string declared_encoding(std::string_view begin) {
  if (!begin.starts_with("<?xml")) return {};
  const std::string_view line = begin.substr(0, begin.find("?>"));
  const std::size_t word = line.find("encoding");
  if (word == line.npos) return {};
  const std::size_t quote = line.find_first_of("\"'", word);
  if (quote == line.npos) return {};
  const std::size_t end = line.find(line[quote], quote + 1);
  return in_small_letters(std::string(line.substr(quote + 1, end == line.npos ? end : end - quote - 1)));
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

XmlScanner::XmlScanner(DocumentText& text) : document_(text), text_(text), skipper_(text_) {
  if (text.encoding() != Encoding::utf8) return;  // whatever is declared
  const std::string declared = declared_encoding(text.beginning());
  const auto encoding = encoding_called(declared);
  if (encoding) text.set_encoding(*encoding);
  unknown_encoding_ = !encoding && !declared.empty();
}

XmlScanner::Event XmlScanner::failed(std::string_view what) {
  text_.fail(what);
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

XmlScanner::Event XmlScanner::next() {
  if (unknown_encoding_) {
    return failed("the encoding '" + declared_encoding(document_.beginning()) +
                  "' is not read; convert the file to UTF-8");
  }
  if (closes_) return end_element();
  for (;;) {
    const int c = text_.peek();
    if (c == XmlText::kEnd) {
      if (!had_root_) return failed("no element found");
      if (!begins_.empty())
        return failed("the file ends within the element " + shown(std::string_view(open_).substr(begins_.back())) +
                      ": it is cut off, so write or fetch it again");
      return document_.status() ? Event::finished : failed("");
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
    return skipper_.instruction(!begun_);
  }
  if (c != '!') {
    event = start_element();
    return event != Event::failed;
  }
  text_.skip();
  if (text_.peek() == '-') return skipper_.comment();
  if (text_.peek() != '[') {
    if (std::exchange(had_type_, true) || had_root_)
      return text_.fail("not well-formed: a document type after the root element");
    return skipper_.document_type();
  }
  if (!cdata()) return false;
  event = Event::text;
  return true;
}

/// Reads text up to a tag, or a part of it; outside of all elements only blanks are allowed.
bool XmlScanner::characters() {
  value_.clear();
  const bool outside = begins_.empty();
  while (text_.peek() != '<' && text_.peek() != XmlText::kEnd && value_.size() < kPiece) {
    const auto stops = [](int c) { return c == '<' || c == '&' || c == '\r' || c == ']' || is_forbidden_in_xml(c); };
    if (!text_.take_until(value_, stops)) return false;
    const int c = text_.peek();
    if (is_forbidden_in_xml(c)) return text_.fail("not well-formed: a control character");
    if (c == '\r') {
      value_ += static_cast<char>(text_.take());
    } else if (c == '&') {
      text_.skip();
      if (outside) return text_.fail("not well-formed: text outside of all elements");
      if (!text_.read_reference(value_)) return false;
    } else if (c == ']') {
      while (text_.take_if(']')) value_ += ']';
      if (text_.peek() == '>' && value_.ends_with("]]")) return text_.fail("not well-formed: ]]> in a text");
    }
  }
  begun_ = true;
  if (outside && !std::ranges::all_of(value_, [](unsigned char c) { return is_xml_blank(c); })) {
    return text_.fail(had_root_ ? "junk after document element" : "not well-formed: text outside of all elements");
  }
  return true;
}

XmlScanner::Event XmlScanner::start_element() {
  if (begins_.empty() && had_root_) return failed("junk after document element");
  if (!text_.read_name(name_)) return Event::failed;
  had_root_ = true;
  attribute_count_ = 0;
  for (;;) {
    const bool blank = text_.skip_blanks();
    const int c = text_.peek();
    if (c == '>') {
      text_.skip();
      break;
    }
    if (c == '/') {
      if (!text_.expect("/>")) return Event::failed;
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
  if (!text_.read_name(attribute.name)) return false;
  if (this->attribute(attribute.name) != nullptr) return text_.fail("duplicate attribute " + shown(attribute.name));
  text_.skip_blanks();
  if (!text_.expect("=")) return false;
  text_.skip_blanks();
  const int quote = text_.take();
  if (quote != '"' && quote != '\'') return text_.fail("not well-formed: expected the value of an attribute in quotes");
  if (!text_.read_value(attribute.value, quote)) return false;
  constexpr std::size_t kMost = 1000;  // each is compared with all before it
  return ++attribute_count_ <= kMost || text_.fail("an element has more than 1000 attributes");
}

XmlScanner::Event XmlScanner::end_element() {
  if (begins_.empty()) return failed("not well-formed: an end tag without a start");
  const std::string_view expected = std::string_view(open_).substr(begins_.back());
  if (closes_) {
    closes_ = false;
    name_ = expected;
  } else {
    if (!text_.read_name(name_)) return Event::failed;
    text_.skip_blanks();
    if (!text_.expect(">")) return Event::failed;
    if (name_ != expected)
      return failed("mismatched tag: " + shown(name_) + " ends where " + shown(expected) + " is open");
  }
  open_.resize(begins_.back());
  begins_.pop_back();
  return Event::end;
}

bool XmlScanner::cdata() {
  if (!text_.expect("[CDATA[")) return false;
  if (begins_.empty()) return text_.fail("not well-formed: text outside of all elements");
  value_.clear();
  for (;;) {
    if (!text_.take_until(value_, [](int c) { return c == '>' || c == '\r' || is_forbidden_in_xml(c); })) return false;
    const int c = text_.take();
    if (c == XmlText::kEnd) return text_.fail("the file ends within CDATA");
    if (is_forbidden_in_xml(c)) return text_.fail("not well-formed: a control character");
    if (c == '>' && value_.ends_with("]]")) break;
    value_ += static_cast<char>(c);
  }
  value_.resize(value_.size() - 2);
  return true;
}

}  // namespace rizoma
