// DocumentParser: what the parsers of nested formats (GML, GraphML, JSON) share: their text and their first error.
//
// How: a step returns false once it has failed.  Errors: a failed read counts before what the parser says, since it has
// met the end of the text for that reason.
#pragma once

#include "ingest/document_text.h"

#include <rizoma/result.h>

#include <cstdint>
#include <string>

namespace rizoma {

class DocumentParser {
 public:
  explicit DocumentParser(DocumentText& text) : text_(text) {}

  [[nodiscard]] DocumentText& text() const { return text_; }
  /// Why a step has failed.
  [[nodiscard]] Error error() const { return text_.status() ? error_ : text_.status().error(); }

  /// Fails in the present line.
  bool fail(const std::string& what) {
    error_ = text_.error(what);
    return false;
  }
  /// Fails in a line before.
  bool fail_in_line(std::uint64_t line, const std::string& what) {
    error_ = text_.error_in_line(line, what);
    return false;
  }
  /// Fails without a line.
  bool fail_whole(const std::string& what) {
    error_ = text_.error_of_file(what);
    return false;
  }

 protected:
  DocumentText& text_;
  Error error_;
};

}  // namespace rizoma
