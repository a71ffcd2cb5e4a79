// CSV and TSV: fields separated by a comma, semicolon, tab or |.  Empty lines are skipped, and comments before the
// first row, or with ReadOptions::comment wherever they are.
//
// What the first lines say: csv_layout.h.  Every line must have as many fields as the first.
// Directed if the options say so, or comments before the first line do, as those of SNAP's files and of exports, or a
// column that says "Directed" or "Undirected" in each row, as Gephi writes it.
#include "base/utf8.h"
#include "ingest/csv_layout.h"
#include "ingest/edge_lines.h"
#include "ingest/file_sample.h"
#include "ingest/skip_errors.h"
#include "ingest/text_scan.h"
#include "ingest/text_writer.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rizoma {
namespace {

class CsvParser {
 public:
  CsvParser(const CsvLayout& layout, IdKind ids, const ReadOptions& options)
      : layout_(layout), ids_(ids), options_(options), comment_(options.comment.value_or('\0')) {
    const std::size_t none = layout.columns.size();
    direction_ = layout.direction.value_or(none);
  }

  Status parse(const TextChunk& chunk, ParsedLines& parsed) const {
    if (ids_ == IdKind::string) return parse_lines<StringColumn>(chunk, parsed);
    return parse_lines<std::vector<std::int64_t>>(chunk, parsed);
  }

 private:
  template <class Column>
  Status parse_lines(const TextChunk& chunk, ParsedLines& parsed) const {
    Column sources;
    Column targets;
    EdgeBatch& edges = parsed.edges;
    std::uint64_t line = chunk.first_line;
    for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end), ++line) {
      if (line < layout_.first_line || skips_csv_row(p, comment_) || (layout_.header && line == layout_.first_line)) {
        parsed.left_out.comment_lines += at_line_end(p) || line == layout_.first_line ? 0 : 1;
        continue;
      }
      CsvFieldScanner scanner(chunk, p, layout_.dialect);
      Row<Column> row{sources, targets, edges.weights, sources.size()};
      const Result<bool> read = parse_line(chunk, scanner, row);
      if (read && *read) {
        if (row.both_ways) row.add_reverse();
        continue;
      }
      if (!read && options_.skip_errors == 0) return with_comment(p, read.error());
      row.rollback();
      if (read) {
        ++parsed.left_out.null_lines;
      } else {
        parsed.add_bad(read.error());
      }
    }
    edges.sources = std::move(sources);
    edges.targets = std::move(targets);
    return {};
  }

  /// The columns that a line is appended to, and how long they were before.
  template <class Column>
  struct Row {
    Column& sources;
    Column& targets;
    std::vector<double>& weights;
    std::size_t size;
    bool both_ways = false;

    /// The edge in the other direction, too, unless it is a loop.
    void add_reverse() {
      const auto source = sources[size], target = targets[size];
      if (source == target) return;
      append(sources, target);
      append(targets, source);
      if (!weights.empty()) weights.push_back(weights.back());
    }
    static void append(std::vector<std::int64_t>& column, std::int64_t id) { column.push_back(id); }
    static void append(StringColumn& column, std::string_view id) { column.push_back(std::string(id)); }

    void rollback() {
      cut(sources, size);
      cut(targets, size);
      if (weights.size() > size) weights.resize(size);
    }
    static void cut(std::vector<std::int64_t>& column, std::size_t size) { column.resize(size); }
    static void cut(StringColumn& column, std::size_t size) {
      column.offsets.resize(size + 1);
      column.bytes.resize(column.offsets.back());
    }
  };

  /// False if an id or the weight is the text that stands for none.
  template <class Column>
  Result<bool> parse_line(const TextChunk& chunk, CsvFieldScanner& scanner, Row<Column>& row) const {
    CsvField field;
    bool whole = true;
    row.both_ways = layout_.both_ways;
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      RIZOMA_ASSIGN(const bool found, scanner.next(field));
      if (!found) {
        return chunk.error(scanner.position(), std::to_string(layout_.columns.size()) +
                                                   " fields, as in the first line, not " + std::to_string(i));
      }
      // A column may serve as both source and target.
      const bool used = i == layout_.source || i == layout_.target || i == layout_.weight;
      if (used && options_.null_text && trimmed(field.text) == *options_.null_text) {
        whole = false;
        continue;
      }
      if (i == layout_.source) RIZOMA_TRY(add_id(chunk, field, row.sources));
      if (i == layout_.target) RIZOMA_TRY(add_id(chunk, field, row.targets));
      if (i == layout_.weight) RIZOMA_TRY(add_weight(chunk, field, row.weights));
      if (i == direction_) RIZOMA_TRY(take_direction(chunk, field, row.both_ways));
    }
    if (!at_line_end(scanner.position()) || scanner.position()[-1] == layout_.dialect.delimiter) {
      RIZOMA_ASSIGN(const bool more, scanner.next(field));
      if (more) {
        return chunk.error(field.at, "the end of the line after " + std::to_string(layout_.columns.size()) +
                                         " fields, as in the first line");
      }
    }
    return whole;
  }

  /// The same of a line that may be a comment, with what makes it one.
  [[nodiscard]] Error with_comment(const char* line, const Error& error) const {
    if (*line != '#' || options_.comment) return error;
    return {error.code, error.message + " (if the line is a comment: comment=\"#\", --comment '#')"};
  }

  /// Whether the edge of a row counts in both directions, by what the row says.
  Status take_direction(const TextChunk& chunk, const CsvField& field, bool& both_ways) const {
    const std::optional<bool> directed = direction_said(field.text);
    if (!directed) return found(chunk, field, "Directed or Undirected, as in the first rows");
    if (*directed && !layout_.directed && !options_.directed) {
      return chunk.error_saying(field.at,
                                "found an edge with a direction, which none of the first rows has; give directed=True "
                                "or False (--directed, --undirected)");
    }
    both_ways = !*directed && layout_.directed;
    return {};
  }

  Status add_id(const TextChunk& chunk, const CsvField& field, std::vector<std::int64_t>& column) const {
    const std::string_view text = trimmed(field.text);
    std::int64_t id = 0;
    if (!is_whole_number(text, id)) {
      return found(chunk, field, "an id that is an integer of 64 bits (for names read with ids=\"string\")");
    }
    if (id < 0 && ids_ == IdKind::dense) {
      return found(chunk, field, "an id of 0 or more (for negative ids read with ids=\"integer\")");
    }
    if (has_leading_zero(text) && !options_.leading_zeros) {
      return found(chunk, field, "an id without leading zeros (ids=\"string\" keeps them, ids=\"integer\" drops them)");
    }
    column.push_back(id);
    return {};
  }

  Status add_id(const TextChunk& chunk, const CsvField& field, StringColumn& column) const {
    if (field.text.empty() || field.text.find('\0') != field.text.npos) {
      return found(chunk, field, "an id that is not empty and has no NUL byte (skip_bad_lines leaves such lines out)");
    }
    if (!is_utf8(field.text)) {
      return chunk.error_saying(field.at, "found bytes that are not UTF-8, expected an id; convert the file to UTF-8");
    }
    if (field.has_escapes) {
      column.push_back(unescaped(field, layout_.dialect.quote));
    } else {
      column.push_back(field.text);
    }
    return {};
  }

  Status add_weight(const TextChunk& chunk, const CsvField& field, std::vector<double>& weights) const {
    double weight = 0;
    if (is_weight(field.text, options_.decimal, weight)) {
      weights.push_back(weight);
      return {};
    }
    const char other = options_.decimal == ',' ? '.' : ',';
    if (!is_weight(field.text, other, weight)) return found(chunk, field, "a weight: a finite number");
    const std::string mark(1, other);
    return found(chunk, field,
                 "a weight: a finite number (if a " + std::string(other == ',' ? "comma" : "point") +
                     " is the decimal mark: decimal=\"" + mark + "\", --decimal " + mark + ")");
  }

  [[nodiscard]] static Error found(const TextChunk& chunk, const CsvField& field, const std::string& expected) {
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

  const CsvLayout& layout_;
  IdKind ids_;
  const ReadOptions& options_;
  char comment_;
  std::size_t direction_;  ///< the column that says it; none has this number if there is none
};

void sample_csv(const TextChunk& chunk, const CsvLayout& layout, const ReadOptions& options, IdSample& sample) {
  std::uint64_t line = chunk.first_line;
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end), ++line) {
    if (line < layout.first_line || skips_csv_row(p, options.comment.value_or('\0')) ||
        (layout.header && line == layout.first_line))
      continue;
    auto fields = csv_fields(chunk, p, layout.dialect);
    // A malformed line is reported when the file is read.
    if (!fields || std::max(layout.source, layout.target) >= fields->size()) continue;
    const std::string_view source = trimmed((*fields)[layout.source].text);
    const std::string_view target = trimmed((*fields)[layout.target].text);
    if (options.null_text && (source == *options.null_text || target == *options.null_text)) continue;
    sample.add(source, target);
  }
}

Result<std::optional<CsvLayout>> layout_of(const FileSample& found, const ReadOptions& options) {
  return csv_layout(found.chunk, found.top(), found.whole(), options);
}

/// What the layout says, for people and for the reader of the file.
void describe(const CsvLayout& layout, FileSummary& summary) {
  if (layout.weight) summary.weights = WeightType::float64;
  summary.directed = layout.directed;
  summary.both_ways = layout.both_ways;
  summary.columns = layout.columns;
  summary.source = layout.source;
  summary.target = layout.target;
  summary.weight = layout.weight;
  summary.direction = layout.direction;
  summary.delimiter = layout.dialect.delimiter;
  summary.header = layout.header;
  summary.first_line = layout.first_line;
  summary.notes = layout.notes;
  summary.guesses = layout.guesses;
}

Result<FileSummary> inspect_csv(const ReadRequest& request) {
  FileSummary summary{.directed = request.options.directed.value_or(false)};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(const bool compressed, is_compressed(request.file));
  summary.ids = request.options.ids.value_or(IdKind::dense);
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, skips_csv_line));
  summary.in_ranges = !compressed && found.in_ranges();
  const bool weighted = request.options.weighted || !request.options.weight_column.empty();
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  if (!found.any) return summary;
  summary.directed = request.options.directed.value_or(says_directed(found.top()));
  RIZOMA_ASSIGN(const std::optional<CsvLayout> layout, layout_of(found, request.options));
  if (!layout) return summary;
  describe(*layout, summary);
  if (request.options.ids) return summary;
  IdSample sample;
  sample_csv(found.chunk, *layout, request.options, sample);
  summary.ids = says(found.top(), kSaysStrings)
                    ? IdKind::string
                    : sample.kind(found.whole(), static_cast<double>(sample.edges()) * found.scale(summary.bytes));
  const std::string why = sample.why_strings();
  if (summary.ids == IdKind::string && !why.empty()) summary.notes.push_back("ids are strings: " + why);
  return summary;
}

Status read_csv(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(const FileSample first, FileSample::read(request.file, skips_csv_line));
  if (!first.any) return {};
  RIZOMA_ASSIGN(std::optional<CsvLayout> layout, layout_of(first, request.options));
  if (!layout) return {};
  const ByteRange& bytes = request.options.bytes;
  layout->header = layout->header && bytes.begin == 0;
  if (bytes.begin != 0) layout->first_line = 0;
  const CsvParser parser(*layout, summary.ids, request.options);
  SkipErrors deliver(request.options, sink);
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, bytes, request.chunk_bytes));
  return parse_chunks<ParsedLines>(
      stream, static_cast<double>(bytes.within(summary.bytes)), executor,
      [&](const TextChunk& chunk, ParsedLines& parsed) { return parser.parse(chunk, parsed); },
      [&](ParsedLines&& parsed) { return deliver(std::move(parsed)); });
}

/// A comma or semicolon in the first line of data.
bool recognizes_csv(const TextChunk& chunk) {
  const char* p = chunk.begin;
  while (p < chunk.end && (*p == '#' || *p == '%' || at_line_end(p))) p = next_line(p, chunk.end);
  const std::string_view line(p, next_line(p, chunk.end));
  return line.find_first_of(",;") != line.npos;
}

Status write_csv(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  return write_text(request, out, executor, true);
}

constexpr std::array<std::string_view, 2> kEndings = {".csv", ".tsv"};

}  // namespace

namespace formats {

extern const Format csv;
constinit const Format csv{
    .name = "csv",
    .endings = kEndings,
    .recognizes = recognizes_csv,
    .inspect = inspect_csv,
    .read = read_csv,
    .write = write_csv,
};

}  // namespace formats
}  // namespace rizoma
