#include "ingest/csv_layout.h"

#include "base/utf8.h"
#include "ingest/csv_names.h"
#include "ingest/id_kind.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace rizoma {
namespace {

constexpr std::size_t kLines = 1000;  // that the first is compared with

using Fields = std::vector<CsvField>;

/// The first line of data at or behind p; chunk.end if there is none.
const char* first_data_line(const TextChunk& chunk, const char* p) {
  while (p < chunk.end && skips_csv_line(p)) p = next_line(p, chunk.end);
  return p;
}

Result<char> detect_delimiter(const TextChunk& chunk, const char* line, char quote, char decimal) {
  std::array<std::uint64_t, 4> counts{};
  constexpr std::string_view kDelimiters = ",;\t|";
  bool quoted = false;
  for (const char* p = line; !at_line_end(p); ++p) {
    if (*p == quote && quote != 0) quoted = !quoted;
    const std::size_t which = kDelimiters.find(*p);
    if (!quoted && which != kDelimiters.npos && *p != decimal) ++counts[which];
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  if (*most == 0)
    return chunk.error(line,
                       "fields separated by a comma, semicolon, tab or | (for others say delimiter=, --delimiter)");
  return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

bool is_number(std::string_view text, char decimal) {
  text = trimmed(text);
  double with_comma = 0;
  if (decimal != '.' && is_weight(text, decimal, with_comma)) return true;
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = !text.empty() && parsed.ptr == text.data() + text.size();
  return all && (parsed.ec == std::errc::result_out_of_range || (parsed.ec == std::errc{} && std::isfinite(value)));
}

/// A column given as a 0-based number; nothing if `name` is not a number.
std::optional<std::size_t> column_number(const std::string& name) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

bool is_named(const std::string& column) { return !column.empty() && !column_number(column); }

std::string quoted_name(const std::string& name) { return '"' + name + '"'; }

/// Finds out the layout of one file.
class Finder {
 public:
  Finder(const TextChunk& chunk, const ReadOptions& options) : chunk_(chunk), options_(options) {}

  Result<std::optional<CsvLayout>> run() {
    const char* line = first_data_line(chunk_, chunk_.begin);
    if (line == chunk_.end) return std::optional<CsvLayout>();
    RIZOMA_TRY(check_line_end(line));
    layout_.dialect = {options_.delimiter, options_.quote};
    if (options_.delimiter == 0) {
      RIZOMA_ASSIGN(layout_.dialect.delimiter, detect_delimiter(chunk_, line, options_.quote, options_.decimal));
    }
    if (layout_.dialect.delimiter == options_.decimal) {
      return Error{ErrorCode::invalid_argument, std::string("a '") + options_.decimal +
                                                    "' cannot separate fields and stand before fractions, too: say "
                                                    "another delimiter= (--delimiter) or decimal= (--decimal)"};
    }
    RIZOMA_ASSIGN(first_, csv_fields(chunk_, line, layout_.dialect));
    read_others(next_line(line, chunk_.end));
    RIZOMA_TRY(find_ids_as_asked());
    RIZOMA_ASSIGN(layout_.header, find_header());
    RIZOMA_TRY(check_names());
    for (std::size_t i = 0; i < first_.size(); ++i)
      layout_.columns.push_back(layout_.header ? name(i) : "column " + std::to_string(i));
    RIZOMA_TRY(find_ids());
    RIZOMA_TRY(find_weight());
    note_columns();
    layout_.header_line = chunk_.first_line + static_cast<std::uint64_t>(std::count(chunk_.begin, line, '\n'));
    return std::optional(std::move(layout_));
  }

 private:
  [[nodiscard]] std::string name(std::size_t column) const {
    return std::string(trimmed(unescaped(first_[column], layout_.dialect.quote)));
  }

  /// A file with carriage returns alone would be a single line: a header, and no edge.
  Status check_line_end(const char* line) const {
    bool quoted = false;
    for (const char* p = line; !at_line_end(p); ++p) {
      if (*p == options_.quote && options_.quote != 0) quoted = !quoted;
      if (*p != '\r' || quoted) continue;
      return chunk_.error_saying(p,
                                 "found a carriage return that ends no line: end lines with a newline, as "
                                 "tr '\\r' '\\n' makes them");
    }
    return {};
  }

  /// A line that has too few fields, or is malformed, is reported when the file is read.
  void read_others(const char* p) {
    for (p = first_data_line(chunk_, p); p < chunk_.end && others_.size() < kLines;
         p = first_data_line(chunk_, next_line(p, chunk_.end))) {
      auto fields = csv_fields(chunk_, p, layout_.dialect);
      if (fields && fields->size() == first_.size()) others_.push_back(*std::move(fields));
    }
  }

  /// Index of the column that `wanted` means; `fallback` for an empty name.
  Result<std::size_t> find_column(const std::string& wanted, std::size_t fallback, const char* role) const {
    std::size_t index = fallback;
    if (is_named(wanted)) {
      for (index = 0; index < first_.size() && name(index) != wanted;) ++index;
    } else if (!wanted.empty()) {
      index = *column_number(wanted);
    }
    if (index < first_.size()) return index;
    const std::string what = is_named(wanted) ? "a column named " + quoted_name(wanted)
                                              : "a column number " + std::to_string(index) + role + " (counted from 0)";
    return chunk_.error_saying(first_.front().at, "found a first line of " + std::to_string(first_.size()) +
                                                      " fields without what is expected, " + what);
  }

  /// Names of columns are shown, and asked for.
  Status check_names() const {
    for (const CsvField& field : first_) {
      if (layout_.header && !is_utf8(field.text))
        return chunk_.error_saying(field.at, "found bytes that are not UTF-8: convert the file to UTF-8");
    }
    return {};
  }

  Status find_ids_as_asked() {
    RIZOMA_ASSIGN(layout_.source, find_column(options_.source_column, 0, ""));
    RIZOMA_ASSIGN(layout_.target, find_column(options_.target_column, 1, ""));
    return {};
  }

  /// True if the column has numbers in all other lines that have something there, and such lines there are.
  [[nodiscard]] bool has_numbers(std::size_t column) const { return has_numbers(column, options_.decimal); }
  [[nodiscard]] bool has_numbers(std::size_t column, char decimal) const {
    bool some = false;
    for (const Fields& fields : others_) {
      const std::string_view text = trimmed(fields[column].text);
      if (text.empty() || text == options_.null_text) continue;
      if (!is_number(fields[column].text, decimal)) return false;
      some = true;
    }
    return some;
  }

  [[nodiscard]] bool comes_up_again(std::string_view id) const {
    return std::any_of(others_.begin(), others_.end(), [&](const Fields& fields) {
      return fields[layout_.source].text == id || fields[layout_.target].text == id;
    });
  }

  Result<bool> find_header() {
    if (is_named(options_.source_column) || is_named(options_.target_column) || is_named(options_.weight_column))
      return true;
    if (options_.header) return *options_.header;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (trimmed(first_[i].text).empty() || is_number(first_[i].text, options_.decimal) || !has_numbers(i)) continue;
      layout_.notes.push_back("the first line is a header: " + quoted_name(name(i)) +
                              " stands above a column of numbers");
      return true;
    }
    const std::string source = name(layout_.source), target = name(layout_.target);
    if (is_number(source, options_.decimal) || is_number(target, options_.decimal)) return false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < first_.size(); ++i) names.push_back(name(i));
    if (!comes_up_again(first_[layout_.source].text) && !comes_up_again(first_[layout_.target].text) &&
        (!ends_by_name(names).empty() || (is_column_name(source) && is_column_name(target)))) {
      layout_.notes.push_back("the first line is a header: " + quoted_name(source) + " and " + quoted_name(target) +
                              " are names of columns");
      return true;
    }
    if (others_.empty() || comes_up_again(first_[layout_.source].text) || comes_up_again(first_[layout_.target].text)) {
      layout_.notes.push_back("there is no header: the first line is an edge");
      return false;
    }
    return chunk_.error_saying(first_.front().at,
                               "the first line can be read as a header, the names of columns, or as an edge from " +
                                   quoted_name(source) + " to " + quoted_name(target) +
                                   ": say which (header=True or False; --header or --no-header)");
  }

  Status find_ids() {
    if (!options_.source_column.empty() || !options_.target_column.empty() || !layout_.header) return {};
    const auto ends = ends_by_name(layout_.columns);
    if (ends.size() == 1) {
      std::tie(layout_.source, layout_.target) = ends.front();
      return {};
    }
    if (ends.size() == 2 && ends[0].first == ends[1].second && ends[0].second == ends[1].first) {
      const std::string one = quoted_name(name(ends[0].first)), other = quoted_name(name(ends[0].second));
      return chunk_.error_saying(first_.front().at, "edges can be read from " + one + " to " + other + " or from " +
                                                        other + " to " + one +
                                                        ": name their ends (source= and target=; --source-column, "
                                                        "--target-column)");
    }
    if (first_.size() <= 2) return {};
    if (ends.empty() && !counts_rows(0)) return {};
    std::string all;
    for (const std::string& column : layout_.columns) all += (all.empty() ? "" : ", ") + quoted_name(column);
    return chunk_.error_saying(first_.front().at, "the columns " + all +
                                                      " do not tell which two are the ends of an edge: name them "
                                                      "(source= and target=; --source-column, --target-column)");
  }

  /// True if the column's name says that it numbers the rows.
  [[nodiscard]] bool counts_rows(std::size_t column) const {
    const auto words = words_of_name(layout_.columns[column]);
    return words.empty() || (words.size() == 1 && (words[0] == "id" || words[0] == "index"));
  }

  /// True if the column is one of the two ends.
  [[nodiscard]] bool is_end(std::size_t column) const { return column == layout_.source || column == layout_.target; }

  Status find_weight() {
    if (!options_.weight_column.empty()) {
      RIZOMA_ASSIGN(layout_.weight, find_column(options_.weight_column, 2, " of weights"));
      return {};
    }
    for (const char* wanted : {"weight", "w"}) {
      for (std::size_t i = 0; i < first_.size() && layout_.header && !layout_.weight; ++i) {
        const auto words = words_of_name(layout_.columns[i]);
        if (is_end(i) || words.size() != 1 || words[0] != wanted) continue;
        // Where weights are asked for, this is the column meant; a cell that is no number is named when it is read.
        if (has_numbers(i) || options_.weighted) layout_.weight = i;
        note_other_mark(i);
      }
    }
    if (layout_.weight || !options_.weighted) return {};
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (!is_end(i) && (!layout_.header || (has_numbers(i) && (i > 0 || !counts_rows(0))))) numbers.push_back(i);
    }
    if (layout_.header && numbers.size() > 1) {
      return chunk_.error_saying(first_.front().at,
                                 "several columns have numbers: name the one of the weights (weight=; "
                                 "--weight-column)");
    }
    if (numbers.empty() && layout_.header) {
      return chunk_.error_saying(first_.front().at,
                                 "no column beside the ends has numbers: name the one of the weights (weight=; "
                                 "--weight-column), or read the file without weights");
    }
    if (numbers.empty()) {
      RIZOMA_ASSIGN(layout_.weight, find_column("", std::max<std::size_t>(2, first_.size()), " of weights"));
    }
    layout_.weight = numbers.front();
    return {};
  }

  /// Says so if the column has numbers of the other mark before fractions only.
  void note_other_mark(std::size_t column) {
    const char other = options_.decimal == ',' ? '.' : ',';
    if (has_numbers(column) || !has_numbers(column, other)) return;
    const std::string mark(1, other);
    layout_.notes.push_back(shown(column) + " would be numbers if a '" + mark + "' stood before fractions: decimal=\"" +
                            mark + "\", --decimal " + mark);
  }

  /// A column for people: its name, or "column 2".
  [[nodiscard]] std::string shown(std::size_t column) const {
    return layout_.header ? quoted_name(layout_.columns[column]) : layout_.columns[column];
  }

  void note_columns() {
    std::string note = "source is " + shown(layout_.source) + ", target is " + shown(layout_.target);
    if (layout_.weight) note += ", weight is " + shown(*layout_.weight);
    layout_.notes.push_back(note);
    std::string rest;
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      if (!is_end(i) && layout_.weight != i) rest += (rest.empty() ? "" : ", ") + shown(i);
    }
    if (!rest.empty()) layout_.notes.push_back("not read: " + rest);
    for (const std::size_t end : {layout_.source, layout_.target}) note_blanks(end);
  }

  /// Says so if names have blanks around them: "ann, bob" has.
  void note_blanks(std::size_t column) {
    const auto has_blanks = [&](const Fields& fields) {
      const std::string_view text = fields[column].text;
      return text != trimmed(text) && !is_number(text, options_.decimal);
    };
    const auto found = std::find_if(others_.begin(), others_.end(), has_blanks);
    if (found == others_.end()) return;
    const std::string_view text = (*found)[column].text;
    layout_.notes.push_back("blanks around names are part of them: " + quoted_name(std::string(text)) + " is not " +
                            quoted_name(std::string(trimmed(text))));
  }

  const TextChunk& chunk_;
  const ReadOptions& options_;
  CsvLayout layout_;
  Fields first_;
  std::vector<Fields> others_;
};

}  // namespace

Result<std::optional<CsvLayout>> csv_layout(const TextChunk& chunk, const ReadOptions& options) {
  return Finder(chunk, options).run();
}

}  // namespace rizoma
