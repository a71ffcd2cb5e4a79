#include "ingest/csv_fields.h"

namespace rizoma {
namespace {

/// Finds where rows end.
class RowEnds {
 public:
  RowEnds(const char* begin, const char* end, CsvDialect dialect, char comment)
      : p_(begin), end_(end), dialect_(dialect), comment_(comment) {}

  /// Goes past the row that begins here; false if the text ends within it.
  bool next() {
    if (comment_ != 0 && p_ < end_ && *p_ == comment_) return to_line_end();
    bool begins = true;
    while (p_ < end_) {
      const char c = *p_++;
      if (c == '\n') return true;
      if (begins && c == dialect_.quote && c != 0) {
        if (!to_closing_quote()) return false;
        begins = false;
      } else {
        begins = c == dialect_.delimiter;
      }
    }
    return false;
  }
  [[nodiscard]] const char* position() const noexcept { return p_; }

 private:
  bool to_line_end() {
    const void* const newline = std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_));
    if (newline == nullptr) return false;
    p_ = static_cast<const char*>(newline) + 1;
    return true;
  }

  bool to_closing_quote() {
    while (p_ < end_) {
      const void* const quote = std::memchr(p_, dialect_.quote, static_cast<std::size_t>(end_ - p_));
      if (quote == nullptr) return false;
      p_ = static_cast<const char*>(quote) + 1;
      if (p_ == end_) return false;  // the next byte decides whether it is a doubled one
      if (*p_ != dialect_.quote) return true;
      ++p_;
    }
    return false;
  }

  const char* p_;
  const char* end_;
  CsvDialect dialect_;
  char comment_;
};

}  // namespace

std::size_t end_of_rows(std::string_view text, CsvDialect dialect, char comment, std::uint64_t before) {
  const char* const end = text.data() + text.size();
  const char* first = text.data();
  for (; before > 1 && first < end; --before) first = next_line(first, end);
  RowEnds ends(first, end, dialect, comment);
  std::size_t last = std::string_view::npos;
  while (ends.next()) last = static_cast<std::size_t>(ends.position() - text.data());
  return last;
}

const char* next_row(const char* p, const char* end, CsvDialect dialect) {
  if (!dialect.multiline) return next_line(p, end);
  RowEnds ends(p, end, dialect, 0);
  return ends.next() ? ends.position() : end;
}

}  // namespace rizoma
