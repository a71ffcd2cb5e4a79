// The fields of a line of CSV: separated by one character; a field may be quoted ("a,b", "" for a quote), but may not
// contain a line end.  Python reads files that have such fields by another way, which the message names.
#pragma once

#include "ingest/text_scan.h"
#include "ingest/text_stream.h"

#include <rizoma/result.h>

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
  char quote = '"';  ///< 0: fields are not quoted
};

inline constexpr std::string_view kWantsQuote =
    "the closing quote of a field (if fields span several lines: multiline=True, --multiline; if quotes are plain "
    "characters: quote=None, --quote '')";

/// Lines that are no data at the beginning of a file: empty ones and comments.
[[nodiscard]] inline bool skips_csv_line(const char* p) { return *p == '#' || at_line_end(p); }

/// Walks the fields of one line.
class CsvFieldScanner {
 public:
  CsvFieldScanner(const TextChunk& chunk, const char* line, CsvDialect dialect)
      : chunk_(chunk), p_(line), dialect_(dialect) {}

  /// Reads the next field; false after the last.
  Result<bool> next(CsvField& field) {
    if (done_) return false;
    field = {.at = p_};
    if (*p_ == dialect_.quote && dialect_.quote != 0) {
      RIZOMA_TRY(quoted(field));
    } else {
      const char* begin = p_;
      while (*p_ != dialect_.delimiter && !at_line_end(p_)) ++p_;
      field.text = {begin, p_};
    }
    if (at_line_end(p_)) {
      done_ = true;
    } else {
      ++p_;
    }
    return true;
  }
  /// Where the scanner stands: after the last field, at the end of the line.
  [[nodiscard]] const char* position() const noexcept { return p_; }

 private:
  Status quoted(CsvField& field) {
    const char* begin = ++p_;
    for (;; ++p_) {
      if (at_line_end(p_)) return chunk_.error(p_, kWantsQuote);
      if (*p_ != dialect_.quote) continue;
      if (p_[1] != dialect_.quote) break;
      field.has_escapes = true;
      ++p_;
    }
    field.text = {begin, p_};
    ++p_;
    if (*p_ != dialect_.delimiter && !at_line_end(p_)) return chunk_.error(p_, "a delimiter after the closing quote");
    return {};
  }

  const TextChunk& chunk_;
  const char* p_;
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

/// True for a finite number with this mark before its fraction.
[[nodiscard]] inline bool is_weight(std::string_view text, char decimal, double& weight) {
  text = trimmed(text);
  if (text.empty()) return false;
  if (decimal == '.') return scan_number(text.data(), text.data() + text.size(), weight) == text.data() + text.size();
  std::string with_point(text);
  for (char& c : with_point) {
    if (c == '.') return false;
    if (c == decimal) c = '.';
  }
  const char* const end = with_point.data() + with_point.size();
  return scan_number(with_point.data(), end, weight) == end;
}

[[nodiscard]] inline Result<std::vector<CsvField>> csv_fields(const TextChunk& chunk, const char* line,
                                                              CsvDialect dialect) {
  std::vector<CsvField> fields;
  CsvFieldScanner scanner(chunk, line, dialect);
  CsvField field;
  for (;;) {
    RIZOMA_ASSIGN(const bool more, scanner.next(field));
    if (!more) return fields;
    fields.push_back(field);
  }
}

}  // namespace rizoma
