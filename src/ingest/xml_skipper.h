// XmlSkipper: what an XML file has beside elements and text: comments, processing instructions, the document type.
#pragma once

#include "ingest/xml_text.h"

#include <string>

namespace rizoma {

/// Each function begins behind what tells the kinds apart: `<!`, `<?`.  An entity that is declared is refused.
class XmlSkipper {
 public:
  explicit XmlSkipper(XmlText& text) : text_(text) {}

  bool comment();
  /// `first`: nothing comes before it in the file.
  bool instruction(bool first);
  bool document_type();

 private:
  bool internal_subset();
  bool declaration();
  bool skip_quoted();

  XmlText& text_;
  std::string name_;  ///< of what is declared
};

}  // namespace rizoma
