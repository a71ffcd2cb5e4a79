// The fields of a row of CSV: separated by one character; a field may be quoted ("a,b", "" for a quote).  It contains a
// line end only where the options allow it: then a file cannot be read range by range.
#pragma once

#include "ingest/byte_search.h"
#include "ingest/text_scan.h"
#include "ingest/text_stream.h"

#include <rizoma/result.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// One field: its text without quotes, and where it begins in the file for messages.
struct CsvField {
  std::string_view text;
  const char* at = nullptr;
  bool has_escapes = false;  ///< text contains doubled quotes
};

struct CsvDialect {
  char delimiter = ',';
  char quote = '"';        ///< 0: fields are not quoted
  bool multiline = false;  ///< a quoted field may contain line ends
};

/// Behind the last '\n' in the text that ends a row; npos if none does.  The text begins where a row does, but for
/// `before` lines that are none.  `comment`: lines that begin with it are none; 0: all are.
[[nodiscard]] std::size_t end_of_rows(std::string_view text, CsvDialect dialect, char comment, std::uint64_t before);

/// The row after the one that begins at p, which may be malformed.
[[nodiscard]] const char* next_row(const char* p, const char* end, CsvDialect dialect);

inline constexpr const char* kWantsQuote =
    "the closing quote of a field (if fields span several lines: multiline=True; if quotes are plain "
    "characters: quote=None)";

/// Lines that are no data at the beginning of a file: empty ones and comments.
[[nodiscard]] inline bool skips_csv_line(const char* p) { return *p == '#' || at_line_end(p); }

/// Walks the fields of one row.
class CsvFieldScanner {
 public:
  CsvFieldScanner(const TextChunk& chunk, const char* row, CsvDialect dialect)
      : chunk_(chunk), p_(row), dialect_(dialect) {}

  /// Reads the next field; false after the last one, and where the row is malformed: `error` then has the message.
  bool next(CsvField& field) {
    if (done_) return false;
    field.at = p_;
    field.has_escapes = false;
    if (*p_ == dialect_.quote && dialect_.quote != 0) {
      if (!quoted(field)) return false;
    } else {
      const char* const begin = p_;
      p_ = find_either(p_, dialect_.delimiter, '\n').at;
      if (*p_ == '\n' && p_ != begin && p_[-1] == '\r') --p_;
      field.text = {begin, p_};
    }
    pass(p_);
    return true;
  }
  [[nodiscard]] bool has_more() const noexcept { return !done_; }
  /// Goes past the next field, which ends at `end`.
  void pass(const char* end) noexcept {
    done_ = at_line_end(end);
    p_ = end + (done_ ? 0 : 1);
  }
  /// Where the scanner stands: at the beginning of the next field, or after the last field, at the end of the row.
  [[nodiscard]] const char* position() const noexcept { return p_; }
  [[nodiscard]] bool is_malformed() const noexcept { return expected_ != nullptr; }
  [[nodiscard]] Error error() const { return chunk_.error(p_, expected_); }

 private:
  bool malformed(const char* expected) {
    expected_ = expected;
    done_ = true;
    return false;
  }

  bool quoted(CsvField& field) {
    const char* const begin = ++p_;
    for (;; ++p_) {
      if (at_line_end(p_) && (!dialect_.multiline || p_ + 1 >= chunk_.end)) return malformed(kWantsQuote);
      if (*p_ != dialect_.quote) continue;
      if (p_[1] != dialect_.quote) break;
      field.has_escapes = true;
      ++p_;
    }
    field.text = {begin, p_};
    ++p_;
    return *p_ == dialect_.delimiter || at_line_end(p_) || malformed("a delimiter after the closing quote");
  }

  const TextChunk& chunk_;
  const char* p_;
  const char* expected_ = nullptr;
  CsvDialect dialect_;
  bool done_ = false;
};

/// The text with doubled quotes made single.
[[nodiscard]] inline std::string unescaped(const CsvField& field, char quote) {
  std::string text;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    text += field.text[i];
    if (field.has_escapes && field.text[i] == quote) ++i;
  }
  return text;
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

[[nodiscard]] inline Result<std::vector<CsvField>> csv_fields(const TextChunk& chunk, const char* row,
                                                              CsvDialect dialect) {
  std::vector<CsvField> fields;
  CsvFieldScanner scanner(chunk, row, dialect);
  CsvField field;
  while (scanner.next(field)) fields.push_back(field);
  if (scanner.is_malformed()) return scanner.error();
  return fields;
}

}  // namespace rizoma
