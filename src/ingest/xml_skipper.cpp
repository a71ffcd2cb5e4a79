#include "ingest/xml_skipper.h"

#include "base/letters.h"
#include "ingest/document_text.h"

namespace rizoma {

bool XmlSkipper::comment() {
  if (!text_.expect("--")) return false;
  for (;;) {
    text_.skip_until([](int c) { return c == '-' || is_forbidden_in_xml(c); });
    if (!text_.take_if('-')) {
      return text_.fail(text_.peek() == XmlText::kEnd ? "the file ends within a comment"
                                                      : "not well-formed: a control character");
    }
    if (text_.take_if('-')) return text_.take_if('>') || text_.fail("not well-formed: -- in a comment");
  }
}

bool XmlSkipper::instruction(bool first) {
  std::string target;
  if (!text_.read_name(target)) return false;
  target = in_small_letters(std::move(target));
  if (target == "xml" && !first) return text_.fail("XML or text declaration not at start of entity");
  for (;;) {
    text_.skip_until([](int c) { return c == '?' || is_forbidden_in_xml(c); });
    if (!text_.take_if('?')) {
      return text_.fail(text_.peek() == XmlText::kEnd ? "the file ends within <?"
                                                      : "not well-formed: a control character");
    }
    if (text_.take_if('>')) return true;
  }
}

bool XmlSkipper::skip_quoted() {
  const int quote = text_.take();
  text_.skip_until([quote](int c) { return c == quote; });
  return text_.take() == quote || text_.fail("the file ends within quotes");
}

bool XmlSkipper::document_type() {
  if (!text_.expect("DOCTYPE")) return false;
  for (;;) {
    text_.skip_until([](int c) { return c == '"' || c == '\'' || c == '[' || c == '>' || c == '<'; });
    const int c = text_.peek();
    if (c == '"' || c == '\'') {
      if (!skip_quoted()) return false;
      continue;
    }
    text_.take();
    if (c == '>') return true;
    if (c != '[') return text_.fail("not well-formed: a document type without an end");
    if (!internal_subset()) return false;
  }
}

/// Declarations in a document type, up to its ].
bool XmlSkipper::internal_subset() {
  for (;;) {
    text_.skip_blanks();
    const int c = text_.take();
    if (c == ']') return true;
    if (c == '%') {
      text_.skip_until([](int each) { return each == ';'; });
      if (!text_.take_if(';')) return text_.fail("the file ends within a document type");
      continue;
    }
    if (c != '<') return text_.fail("not well-formed: expected a declaration in a document type");
    if (text_.take_if('?')) {
      if (!instruction(false)) return false;
    } else if (!text_.take_if('!')) {
      return text_.fail("not well-formed: expected a declaration in a document type");
    } else if (!(text_.peek() == '-' ? comment() : declaration())) {
      return false;
    }
  }
}

/// <!ELEMENT, <!ATTLIST, <!NOTATION: skipped.  <!ENTITY: refused.
bool XmlSkipper::declaration() {
  if (!text_.read_name(name_)) return false;
  if (name_ == "ENTITY") {
    text_.skip_blanks();
    if (text_.take_if('%')) text_.skip_blanks();
    if (!text_.read_name(name_)) return false;
    return text_.fail("the file declares the entity " + shown(name_) + ", but entities are not read");
  }
  for (;;) {
    text_.skip_until([](int c) { return c == '"' || c == '\'' || c == '>'; });
    const int c = text_.peek();
    if (c == XmlText::kEnd) return text_.fail("the file ends within a document type");
    if (c == '>') break;
    if (!skip_quoted()) return false;
  }
  text_.skip();
  return true;
}

}  // namespace rizoma
