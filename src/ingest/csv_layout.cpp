#include "ingest/csv_layout.h"

#include "base/letters.h"
#include "base/text.h"
#include "base/utf8.h"
#include "ingest/column_text.h"
#include "ingest/csv_cells.h"
#include "ingest/csv_names.h"
#include "ingest/date_text.h"
#include "ingest/edge_lines.h"
#include "ingest/id_kind.h"

#include <rizoma/detail/interpret.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_set>

namespace rizoma {
namespace {

constexpr std::size_t kLines = 1000;  // that the first is compared with

using Fields = std::vector<CsvField>;

Result<char> detect_delimiter(const TextChunk& chunk, const char* line, char quote, char decimal, bool has_quotes) {
  std::array<std::uint64_t, 4> counts{};
  constexpr std::string_view kDelimiters = ",;\t|";
  bool quoted = false;
  const auto count = [&](char but) {
    for (const char* p = line; !at_line_end(p); ++p) {
      if (*p == quote && quote != 0) quoted = !quoted;
      const std::size_t which = kDelimiters.find(*p);
      if (!quoted && which != kDelimiters.npos && *p != but) ++counts[which];
    }
  };
  count(decimal);
  auto most = std::max_element(counts.begin(), counts.end());
  if (*most == 0 && has_quotes) {  // numbers with a comma are in quotes
    count('\0');
    most = std::max_element(counts.begin(), counts.end());
  }
  if (*most == 0) {
    count('\0');
    const bool is_mark = decimal == ',' && counts[kDelimiters.find(decimal)] > 0;
    const std::string commas =
        is_mark ? "; a comma is its decimal mark: without decimal=\",\" it would separate them" : "";
    return chunk.error(line,
                       "fields separated by a comma, semicolon, tab or | (for another one give delimiter=)" + commas);
  }
  return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

/// Whether a text is a number of this format; what is too great for a double is one, too.
bool is_number(std::string_view text, const NumberFormat& format, std::string& buffer) {
  const auto plain = plain_number(text, format, buffer);
  const auto value = plain ? number_in(*plain) : std::nullopt;
  return value && (std::isfinite(*value) || plain->find_first_of("0123456789") != plain->npos);
}

/// A column given as a 0-based number; nothing if `name` is not a number.
std::optional<std::size_t> column_number(const std::string& name) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

bool is_named(const std::string& column) { return !column.empty() && !column_number(column); }

Error no_column(const std::string& wanted, const std::vector<std::string>& columns) {
  std::string there;
  for (const std::string& each : columns) there += (there.empty() ? "" : ", ") + in_quotes(each);
  return {ErrorCode::not_found, "there is no column " + in_quotes(wanted) + " to rename; there are " + there};
}

/// Whether a text is a date such as 2025-01-31, alone or before a time, or one in the format asked for.
bool is_moment(std::string_view text, const std::string& format) {
  if (!format.empty() && moment_in(text, format)) return true;
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return false;
  return std::all_of(text.begin(), text.begin() + 10, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

/// A file with carriage returns alone would be a single line: a header, and no edge.
Status check_line_end(const TextChunk& chunk, const char* line, char quote) {
  bool quoted = false;
  for (const char* p = line; !at_line_end(p); ++p) {
    if (*p == quote && quote != 0) quoted = !quoted;
    if (*p != '\r' || quoted) continue;
    return chunk.error_saying(p,
                              "found a carriage return without a newline; end lines with a newline (tr '\\r' '\\n')");
  }
  return {};
}

/// The separator that a line such as "sep=;", written by Excel, states for the lines after it; 0: none.
char stated_separator(const char* line, const char* end) {
  std::string_view text(line, next_line(line, end));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() == 7 && text.front() == '"' && text.back() == '"') text = text.substr(1, 5);
  return text.size() == 5 && (text.starts_with("sep=") || text.starts_with("SEP=")) ? text[4] : '\0';
}

/// What a column of rows has that is no whole number.
std::vector<std::string> texts_in(const std::vector<Fields>& rows, std::size_t column, const ReadOptions& options) {
  std::vector<std::string> texts;
  for (const Fields& fields : rows) {
    const std::string_view text = trimmed(fields[column].text);
    std::int64_t integer = 0;
    const bool is_text = options.ids == IdKind::string || !is_whole_number(text, integer);
    if (!fields[column].text.empty() && text != options.null_text && is_text) texts.emplace_back(fields[column].text);
  }
  return texts;
}

/// An error if a name of a column, which is shown and asked for, is not UTF-8.
Status check_names(const TextChunk& chunk, const Fields& header) {
  for (const CsvField& field : header) {
    if (!is_utf8(field.text))
      return chunk.error_saying(field.at, std::string("found bytes that are not UTF-8; ") + kSayEncoding);
  }
  return {};
}

/// The first rows of a file, and what separates their fields.
class FirstRows {
 public:
  FirstRows(const TextChunk& chunk, const ReadOptions& options, const CellFormat& format)
      : chunk_(chunk), options_(options), format_(format), comment_(options.comment.value_or('\0')) {}

  /// Reads them; false if there is no row.
  Result<bool> read() {
    RIZOMA_ASSIGN(line_, find_first_line());
    if (line_ == chunk_.end) return false;
    RIZOMA_ASSIGN(first_, csv_fields(chunk_, line_, dialect_));
    read_others(next_row(line_, chunk_.end, dialect_));
    return true;
  }

  /// The header, or the first row.
  [[nodiscard]] const Fields& first() const noexcept { return first_; }
  [[nodiscard]] const char* line() const noexcept { return line_; }
  /// A few of those after it that have as many fields.
  [[nodiscard]] const std::vector<Fields>& others() const noexcept { return others_; }
  [[nodiscard]] const CsvDialect& dialect() const noexcept { return dialect_; }
  /// Of the lines before the first row.
  [[nodiscard]] std::uint64_t comments() const noexcept { return comments_; }
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

  [[nodiscard]] std::string name(std::size_t column) const {
    return std::string(trimmed(unescaped(first_[column], dialect_.quote)));
  }

  /// Whether a row is none, but a comment or empty.
  [[nodiscard]] bool skips(const char* row) const { return skips_csv_row(row, comment_); }

  /// True if the column has numbers in all other lines that have something there, and such lines there are.
  [[nodiscard]] bool has_numbers(std::size_t column) const {
    bool some = false;
    for (const Fields& fields : others_) {
      if (is_gap(fields[column])) continue;
      if (!is_number(fields[column].text)) return false;
      some = true;
    }
    return some;
  }

  [[nodiscard]] bool is_number(std::string_view text) const {
    return rizoma::is_number(text, format_.numbers, buffer_);
  }

  [[nodiscard]] bool is_gap(const CsvField& field) const {
    const std::string_view text = trimmed(field.text);
    return text.empty() || text == options_.null_text;
  }

 private:
  /// The header, or the first row; and by it the delimiter.
  Result<const char*> find_first_line() {
    const bool by_format = !options_.comment.has_value();
    const char* hashed = nullptr;  // the first of the last comments, in each of which a name follows '#' immediately
    const char* p = chunk_.begin;
    for (; p < chunk_.end; p = next_line(p, chunk_.end)) {
      if (at_line_end(p)) continue;
      if (const char stated = stated_separator(p, chunk_.end); stated != 0 && separator_ == 0) {
        separator_ = stated;
        notes_.push_back(std::string("the first line says that ") +
                         (stated == '\t' ? "tabs separate" : std::string("'") + stated + "' separates") + " fields");
        continue;
      }
      if (by_format ? *p != '#' : !skips_csv_row(p, comment_)) break;
      ++comments_;
      const bool is_hashed = by_format && p[1] != ' ' && p[1] != '\t' && !at_line_end(p + 1);
      if (!is_hashed || hashed == nullptr) hashed = is_hashed ? p : nullptr;
    }
    if (p == chunk_.end && (hashed == nullptr || !find_delimiter(hashed))) return p;
    if (p != chunk_.end) RIZOMA_TRY(find_delimiter(p));
    return hashed == nullptr ? p : first_row_of(hashed, p);
  }

  /// The first of the last comments from `hashed` to `end` that have as many fields as the line after them, or as the
  /// last of them where there is none: they are rows whose first id begins with '#'.  `end` if the last one has not.
  const char* first_row_of(const char* hashed, const char* end) {
    const auto after = end == chunk_.end ? Result<Fields>(Fields()) : csv_fields(chunk_, end, dialect_);
    if (!after) return end;
    std::size_t width = after->size();
    const char* first = nullptr;
    std::uint64_t rows = 0;
    for (const char* p = hashed; p < end; p = next_line(p, end)) {
      if (at_line_end(p)) continue;
      const auto fields = csv_fields(chunk_, p, dialect_);
      const std::size_t found = fields ? fields->size() : 0;
      const bool fits = found > 1 && (found == width || (end == chunk_.end && first == nullptr));
      if (fits && first == nullptr) width = found;
      first = !fits ? nullptr : first == nullptr ? p : first;
      rows = fits ? rows + 1 : 0;
    }
    comments_ -= rows;
    return first == nullptr ? end : first;
  }

  Status find_delimiter(const char* line) {
    RIZOMA_TRY(check_line_end(chunk_, line, options_.quote));
    const bool has_quotes =
        options_.quote != 0 && std::string_view(line, chunk_.end).find(options_.quote) != std::string_view::npos;
    dialect_ = {options_.delimiter != 0 ? options_.delimiter : separator_, options_.quote, options_.multiline};
    if (dialect_.delimiter == 0) {
      RIZOMA_ASSIGN(dialect_.delimiter, detect_delimiter(chunk_, line, options_.quote, options_.decimal, has_quotes));
    }
    if (dialect_.delimiter != options_.decimal || has_quotes) return {};
    return Error{ErrorCode::invalid_argument, std::string("a '") + options_.decimal +
                                                  "' cannot be both the delimiter and the decimal mark; give another "
                                                  "delimiter= or decimal="};
  }

  /// A line that has too few fields, or is malformed, is reported when the file is read.
  void read_others(const char* p) {
    for (; p < chunk_.end && others_.size() < kLines; p = next_row(p, chunk_.end, dialect_)) {
      if (skips(p)) continue;
      auto fields = csv_fields(chunk_, p, dialect_);
      if (fields && fields->size() == first_.size()) others_.push_back(*std::move(fields));
    }
  }

  const TextChunk& chunk_;
  const ReadOptions& options_;
  const CellFormat& format_;
  mutable std::string buffer_;
  char comment_;        ///< after the first row
  char separator_ = 0;  ///< as a line "sep=;" says; 0: none does
  const char* line_ = nullptr;
  CsvDialect dialect_;
  std::uint64_t comments_ = 0;
  std::vector<std::string> notes_;
  Fields first_;
  std::vector<Fields> others_;
};

/// Finds out the layout of one file.
class Finder {
 public:
  Finder(const TextChunk& chunk, const TextChunk& top, bool whole, const ReadOptions& options, CellFormat format)
      : chunk_(chunk),
        top_(top),
        whole_(whole),
        options_(options),
        format_(std::move(format)),
        rows_(chunk, options, format_) {
    for (const KeptColumn& column : options.edge_columns) kept_.insert(column.name);
  }

  Result<std::optional<CsvLayout>> run(bool values) {
    RIZOMA_ASSIGN(const bool some, rows_.read());
    if (!some) return std::optional<CsvLayout>();
    layout_.dialect = rows_.dialect();
    layout_.comments = rows_.comments();
    layout_.notes = rows_.notes();
    RIZOMA_ASSIGN(layout_.header, find_header());
    if (layout_.header) RIZOMA_TRY(check_names(chunk_, rows_.first()));
    RIZOMA_TRY(name_columns());
    RIZOMA_TRY(options_.vertex_table ? plan_vertices() : plan_columns());
    for (const std::size_t end : {layout_.source, layout_.target}) note_blanks(end);
    if (values) find_values();
    layout_.first_line = chunk_.first_line + static_cast<std::uint64_t>(std::count(chunk_.begin, rows_.line(), '\n'));
    return std::optional(std::move(layout_));
  }

 private:
  /// The header's names of the columns, or their places, and the options' names for them.
  Status name_columns() {
    for (std::size_t i = 0; i < rows_.first().size(); ++i)
      layout_.columns.push_back(layout_.header ? rows_.name(i) : "column " + std::to_string(i));
    const std::vector<std::string> before = layout_.columns;
    for (const RenamedColumn& renamed : options_.rename) {
      auto found = std::find(before.begin(), before.end(), renamed.from);
      const std::optional<std::size_t> number = column_number(renamed.from);
      if (found == before.end() && number && *number < before.size())
        found = before.begin() + static_cast<std::ptrdiff_t>(*number);
      if (found == before.end()) return no_column(renamed.from, before);
      layout_.columns[static_cast<std::size_t>(found - before.begin())] = renamed.to;
      layout_.notes.push_back(in_quotes(*found) + " is called " + in_quotes(renamed.to));
    }
    for (const RenamedColumn& renamed : options_.rename) {
      if (std::count(layout_.columns.begin(), layout_.columns.end(), renamed.to) < 2) continue;
      return Error{ErrorCode::invalid_argument, "rename= calls two columns " + in_quotes(renamed.to) +
                                                    "; choose another name for " + in_quotes(renamed.from)};
    }
    return {};
  }

  /// The columns in which the first line is looked at for ids: those asked for by number, else the first two.
  [[nodiscard]] std::pair<std::size_t, std::size_t> likely_ends() const {
    const std::size_t last = rows_.first().size() - 1;
    return {std::min(column_number(options_.source_column).value_or(0), last),
            std::min(column_number(options_.target_column).value_or(1), last)};
  }

  [[nodiscard]] bool comes_up_again(std::string_view id) const {
    const auto [source, target] = likely_ends();
    return std::any_of(rows_.others().begin(), rows_.others().end(), [&, s = source, t = target](const Fields& fields) {
      return fields[s].text == id || fields[t].text == id;
    });
  }

  Result<bool> find_header() {
    const auto from_header = [&](const std::string& column) {
      return is_named(column) && std::none_of(options_.rename.begin(), options_.rename.end(),
                                              [&](const RenamedColumn& each) { return each.to == column; });
    };
    const bool renames = std::any_of(options_.rename.begin(), options_.rename.end(),
                                     [](const RenamedColumn& each) { return is_named(each.from); });
    if (renames || from_header(options_.source_column) || from_header(options_.target_column) ||
        from_header(options_.weight_column))
      return true;
    if (options_.header) return *options_.header;
    if (options_.vertex_table) return true;
    for (std::size_t i = 0; i < rows_.first().size(); ++i) {
      if (trimmed(rows_.first()[i].text).empty() || rows_.is_number(rows_.first()[i].text) || !rows_.has_numbers(i))
        continue;
      layout_.notes.push_back("the first line is a header: " + in_quotes(rows_.name(i)) +
                              " stands above a column of numbers");
      return true;
    }
    return find_header_by_words();
  }

  /// Whether a later line has the same fields as the first.
  [[nodiscard]] bool repeats_first() const {
    const Fields& first = rows_.first();
    return std::any_of(rows_.others().begin(), rows_.others().end(), [&](const Fields& fields) {
      return std::equal(fields.begin(), fields.end(), first.begin(), first.end(),
                        [](const CsvField& a, const CsvField& b) { return is_name_again(a.text, b.text); });
    });
  }

  Result<bool> find_header_by_words() {
    const auto [s, t] = likely_ends();
    const std::string source = rows_.name(s), target = rows_.name(t);
    if (rows_.is_number(source) || rows_.is_number(target)) return false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rows_.first().size(); ++i) names.push_back(rows_.name(i));
    const bool again = comes_up_again(rows_.first()[s].text) || comes_up_again(rows_.first()[t].text);
    if (!again && (!ends_by_name(names).empty() || (is_column_name(source) && is_column_name(target)))) {
      layout_.notes.push_back("the first line is a header: " + in_quotes(source) + " and " + in_quotes(target) +
                              " are names of columns");
      return true;
    }
    if (rows_.others().empty() || (again && !(repeats_first() && !ends_by_name(names).empty()))) {
      layout_.notes.push_back("there is no header: the first line is an edge");
      return false;
    }
    return chunk_.error_saying(rows_.first().front().at,
                               "the first line can be read as a header, the names of columns, or as an edge from " +
                                   in_quotes(source) + " to " + in_quotes(target) +
                                   "; give header=True or header=False");
  }

  /// What the rows have in a column.
  [[nodiscard]] SourceColumn describe(std::size_t column) const {
    SourceColumn found{.name = layout_.columns[column]};
    bool text = false, fractions = false, moments = true, some = false;
    double before = 0;
    bool counts = true;
    for (std::size_t row = layout_.header ? 0 : std::size_t(-1); row != rows_.others().size(); ++row) {
      const CsvField& field = row == std::size_t(-1) ? rows_.first()[column] : rows_.others()[row][column];
      if (rows_.is_gap(field)) {
        found.gaps = true;
        continue;
      }
      const std::string_view value = trimmed(field.text);
      std::int64_t integer = 0;
      const bool whole = is_whole_number(value, integer);
      text = text || (!whole && !rows_.is_number(value));
      fractions = fractions || !whole;
      moments = moments && is_moment(value, format_.date_format);
      const double number = static_cast<double>(integer);
      counts = counts && whole && (some ? number == before + 1 : integer == 0 || integer == 1);
      before = number;
      some = true;
    }
    found.counts_rows = counts && rows_.others().size() > 1;
    found.content = !some     ? ColumnContent::nothing
                    : moments ? ColumnContent::moments
                    : text    ? ColumnContent::text
                              : (fractions ? ColumnContent::numbers : ColumnContent::integers);
    return found;
  }

  Status plan_columns() {
    Source source{.columns = {}, .named = layout_.header || !options_.rename.empty()};
    for (std::size_t i = 0; i < rows_.first().size(); ++i) source.columns.push_back(describe(i));
    if (!source.named) source.square = is_matrix();
    add_claims(source);
    const Result<ReadPlan> plan = interpret(source, options_);
    if (!plan) return chunk_.error_saying(rows_.first().front().at, plan.error().message);
    layout_.source = plan->source;
    layout_.target = plan->target;
    if (layout_.header) {
      layout_.header_source = rows_.name(plan->source);
      layout_.header_target = rows_.name(plan->target);
    }
    layout_.weight = plan->weight;
    layout_.directed = plan->directed;
    layout_.both_ways = plan->both_ways;
    layout_.guesses = plan->guesses;
    if (!options_.directed) guess_direction();
    for (const std::size_t end : {layout_.source, layout_.target}) {
      const std::string shown = layout_.header ? in_quotes(layout_.columns[end]) : layout_.columns[end];
      std::string guess = ids_guess(shown, texts_in(rows_.others(), end, options_));
      if (!guess.empty()) layout_.guesses.push_back(std::move(guess));
    }
    layout_.notes.insert(layout_.notes.end(), plan->notes.begin(), plan->notes.end());
    return {};
  }

  /// Of a table of vertices: the column of the ids; by place only where there is one besides, or no header.
  Status plan_vertices() {
    const auto& names = layout_.columns;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (options_.vertex_column.empty() ? has_ids_by_name(names[i]) : names[i] == options_.vertex_column)
        found.push_back(i);
    }
    const std::string there = joined(names, ", ");
    if (found.empty() && !options_.vertex_column.empty())
      return Error{ErrorCode::not_found,
                   "no column " + in_quotes(options_.vertex_column) + " (there are " + there + ")"};
    if (layout_.header && (found.size() > 1 || (found.empty() && names.size() > 2))) {
      return Error{ErrorCode::invalid_argument, std::string(found.empty() ? "no column is" : "two columns are") +
                                                    " called 'vertex' or 'id' (there are " + there +
                                                    "): name the one that has the ids with vertex="};
    }
    layout_.source = layout_.target = found.empty() ? 0 : found.front();
    return {};
  }

  static bool has_ids_by_name(std::string_view column) { return is_word(column, "vertex") || is_word(column, "id"); }

  /// Types of the columns beside the ends and the weight, and what those that are text look like.
  void find_values() {
    std::vector<CellSample> samples(rows_.first().size(), CellSample(format_));
    CsvField field;
    const char* p = layout_.header ? next_row(rows_.line(), chunk_.end, layout_.dialect) : rows_.line();
    for (; p < chunk_.end; p = next_row(p, chunk_.end, layout_.dialect)) {
      if (rows_.skips(p)) continue;
      CsvFieldScanner scanner(chunk_, p, layout_.dialect);
      std::size_t i = 0;
      for (; i < samples.size() && scanner.next(field); ++i) samples[i].add(field.text);
    }
    for (const CellSample& sample : samples) layout_.zoned.push_back(sample.zoned());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (i == layout_.source || i == layout_.target || i == layout_.weight) continue;
      layout_.values.push_back(samples[i].found(layout_.columns[i]));
      const FoundValues& found = layout_.values.back();
      if (!found.looks_like.empty() && kept_.find(found.name) == kept_.end())
        layout_.notes.push_back(in_quotes(found.name) + " is text: " + found.looks_like);
    }
  }

  void add_claims(Source& source) {
    if (says_directed(top_)) source.claims.push_back({true, "the comment \"Directed graph\""});
    if (says(top_, kSaysUndirected)) source.claims.push_back({false, "the comment \"Undirected graph\""});
    for (std::size_t i = 0; i < rows_.first().size() && layout_.header; ++i) {
      bool some = false, directed = false, undirected = false, other = false;
      const bool asks = asks_direction(layout_.columns[i]);
      for (const Fields& fields : rows_.others()) {
        const std::optional<bool> said = direction_said(fields[i].text, asks);
        some = true;
        other = other || !said;
        (said.value_or(false) ? directed : undirected) = true;
      }
      if (!some || other) continue;
      layout_.direction = source.direction = i;
      source.claims.push_back({directed, "the column " + in_quotes(layout_.columns[i])});
      layout_.notes.push_back("each row says in column " + in_quotes(layout_.columns[i]) + " that its edge has " +
                              (directed && undirected ? "a direction or none; an edge without one counts in both"
                               : directed             ? "a direction"
                                                      : "no direction"));
      return;
    }
  }

  /// Says so if a column seems to say a direction, but not in each row.
  void guess_direction() {
    constexpr std::size_t kMostWords = 8;
    for (std::size_t i = 0; i < rows_.first().size() && layout_.header && !layout_.direction; ++i) {
      if (kept_.contains(layout_.columns[i]) || i == layout_.source || i == layout_.target) continue;
      std::set<std::string> words;
      for (const Fields& fields : rows_.others()) {
        words.emplace(fields[i].text);
        if (words.size() > kMostWords) break;
      }
      std::string guess;
      if (words.size() <= kMostWords) guess = direction_guess(layout_.columns[i], {words.begin(), words.end()});
      if (!guess.empty()) layout_.guesses.push_back(std::move(guess));
    }
  }

  [[nodiscard]] bool is_matrix() const {
    if (!whole_ || rows_.others().size() + 1 != rows_.first().size()) return false;
    std::vector<std::vector<double>> rows;
    for (std::size_t row = 0; row < rows_.first().size(); ++row) {
      rows.emplace_back();
      for (const CsvField& field : row == 0 ? rows_.first() : rows_.others()[row - 1]) {
        double value = 0;
        if (!CellReader(format_).weight(field.text, value)) return false;
        rows.back().push_back(value);
      }
    }
    return looks_like_matrix(rows);
  }

  /// Says so if names have blanks around them: "ann, bob" has.
  void note_blanks(std::size_t column) {
    const auto has_blanks = [&](const Fields& fields) {
      const std::string_view text = fields[column].text;
      return text != trimmed(text) && !rows_.is_number(text);
    };
    const auto found = std::find_if(rows_.others().begin(), rows_.others().end(), has_blanks);
    if (found == rows_.others().end()) return;
    const std::string_view text = (*found)[column].text;
    layout_.notes.push_back("blanks around names are part of the names: " + in_quotes(std::string(text)) + " is not " +
                            in_quotes(std::string(trimmed(text))));
  }

  const TextChunk& chunk_;
  const TextChunk& top_;
  bool whole_;
  const ReadOptions& options_;
  CellFormat format_;
  std::unordered_set<std::string> kept_;  ///< names of columns that edges keep
  FirstRows rows_;
  CsvLayout layout_;
};

}  // namespace

Result<std::optional<CsvLayout>> csv_layout(const TextChunk& chunk, const TextChunk& top, bool whole,
                                            const ReadOptions& options, bool values) {
  RIZOMA_ASSIGN(CellFormat format, CellFormat::of(options));
  return Finder(chunk, top, whole, options, std::move(format)).run(values);
}

}  // namespace rizoma
