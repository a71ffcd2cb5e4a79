// content_kind: what a file is by its first bytes.  One table for all readers, of the core and of Python.
//
// A name may lie: what was downloaded may be a web page or a pointer to the file, a pipe has no name, and ".txt" is
// anything.  So the content decides where no name tells a format, and is heard where a name tells another one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rizoma {

struct ContentKind {
  /// The format, if it can be read: one of the core's, or "parquet", "ndjson", "gexf", "net"; empty: unknown.
  std::string_view format{};
  /// The kind and the remedy, if the core does not read it: "is a web page: ...".
  std::string_view foreign{};
};

/// Bytes from the beginning, decompressed, that decide the kind.
inline constexpr std::size_t kKindBytes = 4096;

[[nodiscard]] ContentKind content_kind(std::string_view beginning);

/// The kind of a file that begins so, if it is no text that the core reads, and the remedy; else empty.
[[nodiscard]] inline std::string_view foreign_kind(std::string_view beginning) {
  return content_kind(beginning).foreign;
}

}  // namespace rizoma
