// CSV and TSV: fields separated by a comma, semicolon or tab; a field may be quoted ("a,b", "" for a
// quote), but may not contain a line end.  Lines that begin with '#' and empty lines are skipped.
//
// Header: as the options say; else there is one if columns are named by name, if the first line's two
// id fields are both common column names (source, target, ...), or if they are not both integers while
// those of the second line are.
// Delimiter: as the options say; else the one of , ; tab that is most frequent in the first line.
// Weight: the column that the options name; else, if there is a header, one that it calls "weight" and
// that begins with a number.
// Every line must have as many fields as the first.
// Directed if the options say so, or comments before the first line do, as those of SNAP's files and of exports.
#include "ingest/edge_lines.h"
#include "ingest/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace rizoma {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

struct Layout {
  char delimiter = ',';
  bool header = false;
  std::uint64_t header_line = 0;  ///< line number of the header, if there is one
  std::size_t columns = 0;
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

/// One field: its text without quotes, and where it begins in the file for messages.
struct Field {
  std::string_view text;
  const char* at = nullptr;
  bool has_escapes = false;  ///< text contains doubled quotes
};

bool skips_line(const char* p) { return *p == '#' || at_line_end(p); }

/// Walks the fields of one line.
class FieldScanner {
 public:
  FieldScanner(const TextChunk& chunk, const char* line, char delimiter)
      : chunk_(chunk), p_(line), delimiter_(delimiter) {}

  /// Reads the next field; false behind the last.
  Result<bool> next(Field& field) {
    if (done_) return false;
    field = {.at = p_};
    if (*p_ == '"') {
      RIZOMA_TRY(quoted(field));
    } else {
      const char* begin = p_;
      while (*p_ != delimiter_ && !at_line_end(p_)) ++p_;
      field.text = {begin, p_};
    }
    if (at_line_end(p_)) {
      done_ = true;
    } else {
      ++p_;
    }
    return true;
  }
  /// Where the scanner stands: behind the last field, at the end of the line.
  [[nodiscard]] const char* position() const noexcept { return p_; }

 private:
  Status quoted(Field& field) {
    const char* begin = ++p_;
    for (;; ++p_) {
      if (at_line_end(p_)) return chunk_.error(p_, "the closing quote of a field");
      if (*p_ != '"') continue;
      if (p_[1] != '"') break;
      field.has_escapes = true;
      ++p_;
    }
    field.text = {begin, p_};
    ++p_;
    if (*p_ != delimiter_ && !at_line_end(p_)) return chunk_.error(p_, "a delimiter behind the closing quote");
    return {};
  }

  const TextChunk& chunk_;
  const char* p_;
  char delimiter_;
  bool done_ = false;
};

std::string unescaped(const Field& field) {
  std::string text;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    text += field.text[i];
    if (field.has_escapes && field.text[i] == '"') ++i;
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Result<std::vector<Field>> fields_of(const TextChunk& chunk, const char* line, char delimiter) {
  std::vector<Field> fields;
  FieldScanner scanner(chunk, line, delimiter);
  Field field;
  for (;;) {
    RIZOMA_ASSIGN(const bool more, scanner.next(field));
    if (!more) return fields;
    fields.push_back(field);
  }
}

/// The first line of data at or behind p; chunk.end if there is none.
const char* first_data_line(const TextChunk& chunk, const char* p) {
  while (p < chunk.end && skips_line(p)) p = next_line(p, chunk.end);
  return p;
}

Result<char> detect_delimiter(const TextChunk& chunk, const char* line) {
  std::array<std::uint64_t, 3> counts{};
  constexpr std::string_view kDelimiters = ",;\t";
  bool quoted = false;
  for (const char* p = line; !at_line_end(p); ++p) {
    if (*p == '"') quoted = !quoted;
    const std::size_t which = kDelimiters.find(*p);
    if (!quoted && which != kDelimiters.npos) ++counts[which];
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  if (*most == 0) return chunk.error(line, "fields separated by a comma, semicolon or tab");
  return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

std::string lower_case(std::string_view text) {
  std::string lower(trimmed(text));
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool is_id_name(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kNames = {
      "source", "target", "src", "dst", "dest", "from", "to", "u", "v", "tail", "head", "start", "end", "destination"};
  return std::find(kNames.begin(), kNames.end(), lower_case(text)) != kNames.end();
}

/// A column given as a 0-based number; nothing if `name` is not a number.
std::optional<std::size_t> column_number(const std::string& name) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

bool is_named(const std::string& column) { return !column.empty() && !column_number(column); }

/// Index of the column that `name` means in the first line; `fallback` for an empty name.
Result<std::size_t> find_column(const TextChunk& chunk, const std::vector<Field>& first, const std::string& name,
                                std::size_t fallback) {
  std::size_t index = fallback;
  if (is_named(name)) {
    const auto same = [&](const Field& field) { return trimmed(unescaped(field)) == name; };
    index = static_cast<std::size_t>(std::find_if(first.begin(), first.end(), same) - first.begin());
  } else if (!name.empty()) {
    index = *column_number(name);
  }
  if (index < first.size()) return index;
  const std::string role = fallback == 2 ? " of weights" : "";
  const std::string wanted = is_named(name) ? "a column named \"" + name + "\""
                                            : "a column number " + std::to_string(index) + role + " (counted from 0)";
  return chunk.error_saying(first.front().at, "found a first line of " + std::to_string(first.size()) +
                                                  " fields without what is expected, " + wanted);
}

bool has_integer_ids(const std::vector<Field>& fields, const Layout& layout) {
  std::int64_t ignored = 0;
  return layout.source < fields.size() && layout.target < fields.size() &&
         is_integer(trimmed(fields[layout.source].text), ignored) &&
         is_integer(trimmed(fields[layout.target].text), ignored);
}

Result<bool> detect_header(const TextChunk& chunk, const std::vector<Field>& first, const char* second,
                           const Layout& layout, const ReadOptions& options) {
  if (is_named(options.source_column) || is_named(options.target_column) || is_named(options.weight_column))
    return true;
  if (options.header) return *options.header;
  if (is_id_name(first[layout.source].text) && is_id_name(first[layout.target].text)) return true;
  if (has_integer_ids(first, layout) || second == chunk.end) return false;
  RIZOMA_ASSIGN(const std::vector<Field> next, fields_of(chunk, second, layout.delimiter));
  return has_integer_ids(next, layout);
}

/// The column that the header calls "weight", if the line at `second` has a number there.
Result<std::optional<std::size_t>> weight_by_name(const TextChunk& chunk, const std::vector<Field>& first,
                                                  const char* second, const Layout& layout) {
  if (second == chunk.end) return std::optional<std::size_t>();
  RIZOMA_ASSIGN(const std::vector<Field> next, fields_of(chunk, second, layout.delimiter));
  for (std::size_t i = 0; i < std::min(first.size(), next.size()); ++i) {
    if (i == layout.source || i == layout.target || lower_case(first[i].text) != "weight") continue;
    const std::string_view text = trimmed(next[i].text);
    double ignored = 0;
    if (!text.empty() && scan_number(text.data(), text.data() + text.size(), ignored) == text.data() + text.size())
      return std::optional(i);
  }
  return std::optional<std::size_t>();
}

/// What the first lines say; nothing if the file has no line of data.
Result<std::optional<Layout>> layout_of(const TextChunk& chunk, const ReadOptions& options) {
  const char* line = first_data_line(chunk, chunk.begin);
  if (line == chunk.end) return std::optional<Layout>();
  Layout layout{.delimiter = options.delimiter};
  if (layout.delimiter == 0) {
    RIZOMA_ASSIGN(layout.delimiter, detect_delimiter(chunk, line));
  }
  RIZOMA_ASSIGN(const std::vector<Field> first, fields_of(chunk, line, layout.delimiter));
  layout.columns = first.size();
  RIZOMA_ASSIGN(layout.source, find_column(chunk, first, options.source_column, 0));
  RIZOMA_ASSIGN(layout.target, find_column(chunk, first, options.target_column, 1));
  if (!options.weight_column.empty()) {
    RIZOMA_ASSIGN(layout.weight, find_column(chunk, first, options.weight_column, 2));
  }
  const char* second = first_data_line(chunk, next_line(line, chunk.end));
  RIZOMA_ASSIGN(layout.header, detect_header(chunk, first, second, layout, options));
  if (layout.header && !layout.weight) {
    RIZOMA_ASSIGN(layout.weight, weight_by_name(chunk, first, second, layout));
  }
  if (options.weighted && !layout.weight) {
    RIZOMA_ASSIGN(layout.weight, find_column(chunk, first, options.weight_column, 2));
  }
  layout.header_line = chunk.first_line + static_cast<std::uint64_t>(std::count(chunk.begin, line, '\n'));
  return std::optional<Layout>(layout);
}

/// Reads the beginning of the file into `chunk`; false if it is empty.
Result<bool> read_sample(const ReadRequest& request, TextChunk& chunk, bool& whole, double& scale, std::uint64_t bytes,
                         std::string& name) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, kSampleBytes));
  RIZOMA_ASSIGN(const bool any, stream.next_chunk(chunk));
  whole = stream.at_end();
  scale = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, stream.consumed()));
  name = stream.name();
  chunk.file = &name;
  return any;
}

class CsvParser {
 public:
  CsvParser(const Layout& layout, IdKind ids) : layout_(layout), ids_(ids) {}

  Status parse(const TextChunk& chunk, EdgeBatch& edges) const {
    if (ids_ == IdKind::string) return parse_lines<StringColumn>(chunk, edges);
    return parse_lines<std::vector<std::int64_t>>(chunk, edges);
  }

 private:
  template <class Column>
  Status parse_lines(const TextChunk& chunk, EdgeBatch& edges) const {
    Column sources;
    Column targets;
    std::uint64_t line = chunk.first_line;
    for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end), ++line) {
      if (skips_line(p) || (layout_.header && line == layout_.header_line)) continue;
      FieldScanner scanner(chunk, p, layout_.delimiter);
      RIZOMA_TRY(parse_line(chunk, scanner, sources, targets, edges.weights));
    }
    edges.sources = std::move(sources);
    edges.targets = std::move(targets);
    return {};
  }

  template <class Column>
  Status parse_line(const TextChunk& chunk, FieldScanner& scanner, Column& sources, Column& targets,
                    std::vector<double>& weights) const {
    Field field;
    for (std::size_t i = 0; i < layout_.columns; ++i) {
      RIZOMA_ASSIGN(const bool found, scanner.next(field));
      if (!found) {
        return chunk.error(scanner.position(),
                           std::to_string(layout_.columns) + " fields as in the first line, not " + std::to_string(i));
      }
      // A column may serve as both source and target.
      if (i == layout_.source) RIZOMA_TRY(add_id(chunk, field, sources));
      if (i == layout_.target) RIZOMA_TRY(add_id(chunk, field, targets));
      if (i == layout_.weight) RIZOMA_TRY(add_weight(chunk, field, weights));
    }
    if (!at_line_end(scanner.position()) || scanner.position()[-1] == layout_.delimiter) {
      RIZOMA_ASSIGN(const bool more, scanner.next(field));
      if (more) {
        return chunk.error(
            field.at, "the end of the line after " + std::to_string(layout_.columns) + " fields as in the first line");
      }
    }
    return {};
  }

  Status add_id(const TextChunk& chunk, const Field& field, std::vector<std::int64_t>& column) const {
    const std::string_view text = trimmed(field.text);
    std::int64_t id = 0;
    if (!is_integer(text, id)) {
      return found(chunk, field, "an id that is an integer of 64 bits (for names read with ids=\"string\")");
    }
    if (id < 0 && ids_ == IdKind::dense) {
      return found(chunk, field, "an id of 0 or more (for negative ids read with ids=\"integer\")");
    }
    column.push_back(id);
    return {};
  }

  Status add_id(const TextChunk& chunk, const Field& field, StringColumn& column) const {
    if (field.text.empty() || field.text.find('\0') != field.text.npos) {
      return found(chunk, field, "an id that is not empty and has no NUL byte");
    }
    if (!is_utf8(field.text)) {
      return chunk.error_saying(field.at, "found bytes that are not UTF-8, expected an id: convert the file to UTF-8");
    }
    if (field.has_escapes) {
      column.push_back(unescaped(field));
    } else {
      column.push_back(field.text);
    }
    return {};
  }

  Status add_weight(const TextChunk& chunk, const Field& field, std::vector<double>& weights) const {
    const std::string_view text = trimmed(field.text);
    double weight = 0;
    const char* end = text.data() + text.size();
    if (text.empty() || scan_number(text.data(), end, weight) != end) {
      return found(chunk, field, "a weight: a finite number");
    }
    weights.push_back(weight);
    return {};
  }

  [[nodiscard]] static Error found(const TextChunk& chunk, const Field& field, const std::string& expected) {
    constexpr std::size_t kLongest = 24;
    const bool is_long = field.text.size() > kLongest;
    std::string text(field.text.substr(0, kLongest));
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20) c = '?';
    }
    return chunk.error_saying(
        field.at, "found " + (text.empty() ? std::string("an empty field") : "'" + text + (is_long ? "...'" : "'")) +
                      ", expected " + expected);
  }

  Layout layout_;
  IdKind ids_;
};

void sample_csv(const TextChunk& chunk, const Layout& layout, IdSample& sample) {
  std::uint64_t line = chunk.first_line;
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end), ++line) {
    if (skips_line(p) || (layout.header && line == layout.header_line)) continue;
    auto fields = fields_of(chunk, p, layout.delimiter);
    // A malformed line is reported when the file is read.
    if (!fields || std::max(layout.source, layout.target) >= fields->size()) continue;
    sample.add(trimmed((*fields)[layout.source].text), trimmed((*fields)[layout.target].text));
  }
}

}  // namespace

Result<FileSummary> inspect_csv(const ReadRequest& request) {
  FileSummary summary{.format = FileFormat::csv, .directed = request.options.directed.value_or(false)};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  summary.ids = request.options.ids.value_or(IdKind::dense);
  TextChunk chunk;
  bool whole = false;
  double scale = 1;
  std::string name;
  RIZOMA_ASSIGN(const bool any, read_sample(request, chunk, whole, scale, summary.bytes, name));
  const bool weighted = request.options.weighted || !request.options.weight_column.empty();
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  if (!any) return summary;
  summary.directed = request.options.directed.value_or(says_directed(chunk));
  RIZOMA_ASSIGN(const std::optional<Layout> layout, layout_of(chunk, request.options));
  if (layout && layout->weight) summary.weights = WeightType::float64;
  if (!layout || request.options.ids) return summary;
  IdSample sample;
  sample_csv(chunk, *layout, sample);
  summary.ids = sample.kind(whole, static_cast<double>(sample.edges()) * scale);
  return summary;
}

Status read_csv(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  TextChunk first;
  bool whole = false;
  double scale = 1;
  std::string name;
  RIZOMA_ASSIGN(const bool any, read_sample(request, first, whole, scale, summary.bytes, name));
  if (!any) return {};
  RIZOMA_ASSIGN(const std::optional<Layout> layout, layout_of(first, request.options));
  if (!layout) return {};
  const CsvParser parser(*layout, summary.ids);
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.chunk_bytes));
  return parse_chunks<EdgeBatch>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, EdgeBatch& edges) { return parser.parse(chunk, edges); },
      [&](EdgeBatch&& edges) { return deliver_edges(sink, std::move(edges)); });
}

}  // namespace rizoma
