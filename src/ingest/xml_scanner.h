// XmlScanner: the elements of an XML file, one after the other, in bounded memory.
//
// What: as much of XML 1.0 (W3C, 2008) as files of graphs use: elements, attributes, text, CDATA, comments, processing
// instructions, references to characters.  What is not well-formed is an error.  Names of attributes keep prefixes.
// Entities are refused where they are declared, since a short file can make them as long as it wants; else a document
// type is skipped.
// How: events come one at a time; names of open elements lie one after another in one text, so that no nesting takes
// a stack.
#pragma once

#include "ingest/document_text.h"
#include "ingest/xml_skipper.h"
#include "ingest/xml_text.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

class XmlScanner {
 public:
  enum class Event : std::uint8_t { start, end, text, finished, failed };
  struct Attribute {
    std::string name;
    std::string value;
  };

  /// Sets the encoding of the text by its first bytes.  `text` outlives the scanner.
  explicit XmlScanner(DocumentText& text);
  XmlScanner(const XmlScanner&) = delete;
  XmlScanner& operator=(const XmlScanner&) = delete;

  /// The next event: `start` and `end` of an element (`name`), or `text` of one, perhaps in pieces.
  Event next();

  /// Of the element that starts or ends, without a prefix.
  [[nodiscard]] std::string_view name() const noexcept;
  /// Of the element that has just started; nullptr if it has none of this name.
  [[nodiscard]] const std::string* attribute(std::string_view name) const noexcept;
  /// All of them.
  [[nodiscard]] std::span<const Attribute> attributes() const noexcept {
    return {attributes_.data(), attribute_count_};
  }
  [[nodiscard]] std::string attribute_or(std::string_view name, std::string_view otherwise) const {
    const std::string* found = attribute(name);
    return found == nullptr ? std::string(otherwise) : *found;
  }
  [[nodiscard]] const std::string& text() const noexcept { return value_; }
  [[nodiscard]] const Error& error() const noexcept { return text_.error(); }

 private:
  Event failed(std::string_view what);
  Event start_element();
  Event end_element();
  bool characters();
  bool markup(Event& event);
  bool cdata();
  bool read_attribute();

  DocumentText& document_;
  XmlText text_;
  XmlSkipper skipper_;
  std::string open_;                 ///< names of open elements
  std::vector<std::size_t> begins_;  ///< where each begins
  std::string name_;                 ///< of the element that the event is about
  std::vector<Attribute> attributes_;
  std::size_t attribute_count_ = 0;  ///< those of the present element; the rest are kept for their memory
  std::string value_;
  bool closes_ = false;  ///< the element that has started is empty
  bool begun_ = false;   ///< something was read
  bool had_root_ = false;
  bool had_type_ = false;
  bool unknown_encoding_ = false;
};

}  // namespace rizoma
