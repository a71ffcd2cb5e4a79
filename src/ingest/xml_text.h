// XmlText: characters, names, references and values of XML, out of the text of a document.
#pragma once

#include "ingest/document_text.h"

#include <string>
#include <string_view>

namespace rizoma {

[[nodiscard]] constexpr bool is_xml_blank(int c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
/// Control characters that no XML has.
[[nodiscard]] constexpr bool is_forbidden_in_xml(int c) noexcept {
  return c != DocumentText::kEnd && c < 0x20 && !is_xml_blank(c);
}

/// What is not well-formed is an error, of which the first is kept; each reader is false from then on.
class XmlText {
 public:
  static constexpr int kEnd = DocumentText::kEnd;

  /// `text` outlives it.
  explicit XmlText(DocumentText& text) : text_(text) {}

  [[nodiscard]] int peek() { return text_.peek(); }
  /// The next byte; every form of line end is '\n'.
  int take();
  [[nodiscard]] bool take_if(char c) { return text_.take_if(c); }
  void skip() { text_.skip(); }
  template <class Stops>
  void skip_until(Stops stops) {
    text_.skip_until(stops);
  }
  /// Appends what comes before a byte that stops it; an error: it is as long as no text of a graph.
  template <class Stops>
  [[nodiscard]] bool take_until(std::string& text, Stops stops) {
    return text_.take_until(text, stops) || fail("a text, a value or a name of more than 256 MiB");
  }

  /// Whether there was a blank.
  bool skip_blanks();
  [[nodiscard]] bool expect(std::string_view word);
  [[nodiscard]] bool read_name(std::string& name);
  /// What is meant by a reference, whose & is read.
  [[nodiscard]] bool read_reference(std::string& out);
  /// Of an attribute, up to the quote.
  [[nodiscard]] bool read_value(std::string& value, int quote);

  /// False, with an error in the present line.
  bool fail(std::string_view what);
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  DocumentText& text_;
  Error error_;
};

}  // namespace rizoma
