// CSV and TSV: fields separated by a comma, semicolon, tab or |.  Empty lines are skipped, and comments before the
// first row, or with ReadOptions::comment wherever they are.  The columns of ReadOptions::edge_columns are kept; a
// table of vertices has a vertex in each row, and the columns of vertex_columns.
//
// What the first lines say: csv_layout.h.  Every line must have as many fields as the first.
// Directed if the options say so, or comments before the first line do, as those of SNAP's files and of exports, or a
// column that says "Directed" or "Undirected" in each row, as Gephi writes it.
#include "base/text.h"
#include "base/utf8.h"
#include "ingest/csv_cells.h"
#include "ingest/csv_layout.h"
#include "ingest/csv_rows.h"
#include "ingest/edge_lines.h"
#include "ingest/file_sample.h"
#include "ingest/skip_errors.h"
#include "ingest/text_scan.h"
#include "ingest/text_writer.h"

#include <rizoma/detail/column_types.h>
#include <rizoma/detail/interpret.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The results of a piece of the file, and what a piece before it had, whose memory is used again.
struct CsvPiece : ParsedLines {
  EdgeBatch spare;

  void recycle() {
    spare = std::exchange(edges, {});
    left_out = {};
  }
};

std::string in_first_line(const std::string& expected, const std::string& found) {
  return expected + ", as in the first line" + found + "; mend the line, or leave such lines out with skip_bad_lines=";
}

bool is_timestamp(ColumnType type) { return column_kind(type) == ColumnKind::timestamp; }

class CsvParser {
 public:
  static Result<CsvParser> create(const CsvLayout& layout, IdKind ids, const ReadOptions& options) {
    RIZOMA_ASSIGN(CellFormat format, CellFormat::of(options));
    CsvParser parser(layout, ids, options, std::move(format));
    RIZOMA_TRY(parser.find_roles());
    return parser;
  }

  Status parse(const TextChunk& chunk, CsvPiece& parsed) const {
    if (ids_ == IdKind::string) return parse_rows<TextIdColumn>(chunk, parsed);
    return parse_rows<IntegerIdColumn>(chunk, parsed);
  }

 private:
  CsvParser(const CsvLayout& layout, IdKind ids, const ReadOptions& options, CellFormat format)
      : layout_(layout),
        ids_(ids),
        options_(options),
        format_(std::move(format)),
        kept_(options.vertex_table ? options.vertex_columns : options.edge_columns),
        comment_(options.comment.value_or('\0')) {}

  Status find_roles() {
    roles_.resize(layout_.columns.size());
    roles_[layout_.source].source = true;
    if (!options_.vertex_table) roles_[layout_.target].target = true;
    if (layout_.weight) roles_[*layout_.weight].weight = true;
    if (layout_.direction) roles_[*layout_.direction].direction = true;
    asks_direction_ = layout_.direction && asks_direction(layout_.columns[*layout_.direction]);
    std::unordered_map<std::string_view, std::size_t> places, counts;
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      places.emplace(layout_.columns[i], i);
      ++counts[layout_.columns[i]];
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const auto found = places.find(kept_[i].name);
      if (found == places.end())
        return Error{ErrorCode::not_found, "there is no column " + in_quotes(kept_[i].name) + " to keep"};
      if (counts[kept_[i].name] > 1) {
        return Error{ErrorCode::invalid_argument, std::to_string(counts[kept_[i].name]) + " columns are called " +
                                                      in_quotes(kept_[i].name) + "; rename all but one"};
      }
      roles_[found->second].kept = i;
      if (!layout_.zoned.empty()) roles_[found->second].zoned = layout_.zoned[found->second];
    }
    for (CsvRole& role : roles_) {
      const auto type = role.kept == CsvRole::kNone ? std::nullopt : std::optional(kept_[role.kept].type);
      role.plain = plain_kind(role, type, ids_ == IdKind::string, format_, layout_.dialect);
    }
    return {};
  }

  /// The beginning of the rows of a chunk: after the header and the lines before it.
  const char* first_row(const TextChunk& chunk, LeftOut& left_out) const {
    const char* p = chunk.begin;
    std::uint64_t line = chunk.first_line;
    for (; p < chunk.end && line < layout_.first_line; ++line) {
      if (*p == '#' || (comment_ != 0 && *p == comment_)) ++left_out.comment_lines;
      p = next_line(p, chunk.end);
    }
    const bool has_header = layout_.header && line == layout_.first_line && p < chunk.end;
    return has_header ? next_row(p, chunk.end, layout_.dialect) : p;
  }

  template <class Ids>
  Status parse_rows(const TextChunk& chunk, CsvPiece& parsed) const {
    CsvRows<Ids> rows(format_, kept_, chunk.lines, std::move(parsed.spare));
    PlainFields<Ids> plain(rows, layout_.dialect);
    const char* p = first_row(chunk, parsed.left_out);
    while (p < chunk.end) {
      if (skips_csv_row(p, comment_)) {
        parsed.left_out.comment_lines += at_line_end(p) ? 0 : 1;
        p = next_line(p, chunk.end);
        continue;
      }
      CsvFieldScanner scanner(chunk, p, layout_.dialect);
      const Result<bool> read = parse_row(chunk, scanner, rows, plain);
      if (read && *read) [[likely]] {
        ++rows.size;
        if (rows.both_ways) rows.add_reverse();
        p = scanner.position();  // mostly at the end of the line: no search
        p = *p == '\n' ? p + 1 : next_line(p, chunk.end);
        continue;
      }
      if (!read && options_.skip_errors == 0) return with_comment(p, read.error());
      rows.rollback();
      if (read) {
        ++parsed.left_out.null_lines;
      } else {
        parsed.add_bad(read.error());
      }
      p = next_row(p, chunk.end, layout_.dialect);
    }
    parsed.edges.sources = rows.sources.take();
    parsed.edges.targets = rows.targets.take();
    parsed.edges.weights = std::move(rows.weights);
    for (CellColumn& column : rows.columns) {
      if (column.is_rounded()) parsed.left_out.add_guess(rounding_guess(column.name(), column.type()));
      parsed.edges.columns.columns.push_back(column.take());
    }
    return {};
  }

  /// False if an id or the weight is the text that stands for none.
  template <class Ids>
  Result<bool> parse_row(const TextChunk& chunk, CsvFieldScanner& scanner, CsvRows<Ids>& rows,
                         PlainFields<Ids>& plain) const {
    const char* const line = scanner.position();
    CsvField field;
    bool whole = true;
    std::optional<Error> bad_value;  // of a row that is left out anyway it is none
    rows.both_ways = layout_.both_ways;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      const CsvRole& role = roles_[i];
      if (scanner.has_more()) {
        if (const char* const end = plain.take(role, scanner.position()); end != nullptr) {
          scanner.pass(end);
          continue;
        }
      }
      if (!scanner.next(field)) {
        if (scanner.is_malformed()) return scanner.error();
        return chunk.error(scanner.position(),
                           in_first_line(std::to_string(roles_.size()) + " fields", ", not " + std::to_string(i)));
      }
      if (!role.is_read()) continue;
      if (role.is_end_or_weight() && options_.null_text && trimmed(field.text) == *options_.null_text) {
        whole = false;
        continue;
      }
      // A column may serve as both source and target.
      if (role.source) RIZOMA_TRY(add_id(chunk, field, rows.sources));
      if (role.target) RIZOMA_TRY(add_id(chunk, field, rows.targets));
      if (role.weight) RIZOMA_TRY(add_weight(chunk, field, rows));
      if (role.direction) RIZOMA_TRY(take_direction(chunk, field, rows.both_ways));
      if (role.kept == CsvRole::kNone || bad_value) continue;
      if (Status added = add_value(chunk, field, rows, role); !added) bad_value = std::move(added).error();
    }
    if (!at_line_end(scanner.position()) || scanner.position()[-1] == layout_.dialect.delimiter) {
      if (scanner.next(field)) {
        return chunk.error(field.at,
                           in_first_line("the end of the line after " + std::to_string(roles_.size()) + " fields", ""));
      }
      if (scanner.is_malformed()) return scanner.error();
    }
    if (whole && bad_value) return *std::move(bad_value);
    if (whole && repeats_header(rows.sources, rows.targets)) return chunk.error_saying(line, kRepeatsHeader);
    return whole;
  }

  /// Whether the ends of the last row are the names of their columns.  A file may have such an edge only if its first
  /// line is one, too, and then it has no header.
  [[nodiscard]] bool repeats_header(const TextIdColumn& sources, const TextIdColumn& targets) const {
    return !layout_.header_source.empty() && is_name_again(sources.back(), layout_.header_source) &&
           is_name_again(targets.back(), layout_.header_target);
  }
  [[nodiscard]] static bool repeats_header(const IntegerIdColumn&, const IntegerIdColumn&) { return false; }

  /// The same of a line that may be a comment, with what makes it one.
  [[nodiscard]] Error with_comment(const char* line, const Error& error) const {
    if (*line != '#' || options_.comment) return error;
    return {error.code, error.message + " (if the line is a comment: comment=\"#\")"};
  }

  /// Whether the edge of a row counts in both directions, as its direction column says.
  Status take_direction(const TextChunk& chunk, const CsvField& field, bool& both_ways) const {
    const std::optional<bool> directed = direction_said(field.text, asks_direction_);
    if (!directed) return found(chunk, field, "Directed or Undirected, as in the first rows");
    if (*directed && !layout_.directed && !options_.directed) {
      return chunk.error_saying(field.at,
                                "found an edge with a direction, which none of the first rows has; give directed=True "
                                "or directed=False");
    }
    both_ways = !*directed && layout_.directed;
    return {};
  }

  Status add_id(const TextChunk& chunk, const CsvField& field, IntegerIdColumn& column) const {
    const std::string_view text = trimmed(field.text);
    std::int64_t id = 0;
    if (!is_whole_number(text, id)) {
      return found(chunk, field, text.empty() ? kExpectsSomeId : kExpectsInteger);
    }
    if (has_leading_zero(text) && !options_.leading_zeros) {
      return found(chunk, field, kExpectsNoZeros);
    }
    if (may_have_thousands(text) && !options_.leading_zeros) {
      return found(chunk, field, kExpectsNoThousands);
    }
    column.push(id);
    return {};
  }

  Status add_id(const TextChunk& chunk, const CsvField& field, TextIdColumn& column) const {
    if (field.text.empty()) return found(chunk, field, kExpectsSomeId);
    if (field.text.find('\0') != field.text.npos) return found(chunk, field, "an id without a NUL byte");
    if (!is_utf8(field.text)) {
      return chunk.error_saying(field.at,
                                "found bytes that are not UTF-8, expected an id; " + std::string(kSayEncoding));
    }
    if (field.has_escapes) {
      column.push(unescaped(field, layout_.dialect.quote));
    } else {
      column.push(field.text);
    }
    return {};
  }

  template <class Ids>
  Status add_weight(const TextChunk& chunk, const CsvField& field, CsvRows<Ids>& rows) const {
    double weight = 0;
    if (rows.cells.weight(field.text, weight)) {
      rows.weights.push_back(weight);
      return {};
    }
    std::string remedy = number_remedy(trimmed(field.text), format_);
    if (remedy.empty()) remedy = "of another column name it by weight=; weights=False takes none";
    return found(chunk, field, "a weight: a finite number (" + remedy + ")");
  }

  template <class Ids>
  Status add_value(const TextChunk& chunk, const CsvField& field, CsvRows<Ids>& rows, const CsvRole& role) const {
    CellColumn& column = rows.columns[role.kept];
    ColumnValues values{column.name(), column.type(), {}, {}, {}};
    const std::string escaped = field.has_escapes ? unescaped(field, layout_.dialect.quote) : std::string();
    const std::string_view text = field.has_escapes ? std::string_view(escaped) : field.text;
    if (rows.cells.put(values, text)) [[likely]] {
      const bool checked = role.zoned && is_timestamp(values.type) && values.is_valid(0);
      column.push_row(values);
      if (rows.cells.was_rounded()) column.note_rounded();
      if (!checked || rows.cells.was_zoned() == role.zoned) return {};
      return chunk.error_saying(field.at, "in column " + in_quotes(values.name) +
                                              " some lines have a zone and others none: keep it as string");
    }
    return chunk.error_saying(field.at, cell_error(values.name, values.type, text, format_));
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
  CellFormat format_;
  const std::vector<KeptColumn>& kept_;
  char comment_;
  bool asks_direction_ = false;  ///< true and false say a direction
  std::vector<CsvRole> roles_;   ///< by column
};

void sample_csv(const TextChunk& chunk, const CsvLayout& layout, const ReadOptions& options, IdSample& sample) {
  std::uint64_t line = chunk.first_line;
  const char* p = chunk.begin;
  for (; p < chunk.end && line < layout.first_line; ++line) p = next_line(p, chunk.end);
  if (layout.header && p < chunk.end) p = next_row(p, chunk.end, layout.dialect);
  for (; p < chunk.end; p = next_row(p, chunk.end, layout.dialect)) {
    if (skips_csv_row(p, options.comment.value_or('\0'))) continue;
    auto fields = csv_fields(chunk, p, layout.dialect);
    // A malformed line is reported when the file is read.
    if (!fields || std::max(layout.source, layout.target) >= fields->size()) continue;
    const std::string_view source = trimmed((*fields)[layout.source].text);
    const std::string_view target = trimmed((*fields)[layout.target].text);
    if (options.null_text && (source == *options.null_text || target == *options.null_text)) continue;
    sample.add(source, target);
  }
}

/// The layout of a file; an error about its columns names the file.
Result<std::optional<CsvLayout>> layout_of(const ReadRequest& request, const FileSample& found, bool values = false) {
  auto layout = csv_layout(found.chunk, found.top(), found.whole(), request.options, values);
  if (layout || layout.error().code == ErrorCode::parse) return layout;
  return Error{layout.error().code, request.file.string() + ": " + layout.error().message};
}

/// A load takes the values of columns in blocks of rows, for which pieces are larger.
constexpr std::size_t kChunkWithColumns = std::size_t{1} << 23;

/// The layout, for people and for the reader of the file.
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
  summary.edge_values = layout.values;
  summary.notes = layout.notes;
  summary.guesses = layout.guesses;
}

Result<FileSummary> inspect_csv(const ReadRequest& request) {
  FileSummary summary{.directed = request.options.directed.value_or(false)};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  summary.ids = request.options.ids.value_or(IdKind::dense);
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, request.options.encoding, skips_csv_line));
  summary.in_ranges = !request.options.multiline && found.in_ranges();
  const bool weighted = request.options.weighted || !request.options.weight_column.empty();
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  if (!found.any) return summary;
  summary.directed = request.options.directed.value_or(says_directed(found.top()));
  RIZOMA_ASSIGN(const std::optional<CsvLayout> layout, layout_of(request, found, true));
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
  const ReadOptions& options = request.options;
  RIZOMA_ASSIGN(const FileSample first, FileSample::read(request.file, options.encoding, skips_csv_line));
  if (!first.any) return {};
  const auto& kept = options.vertex_table ? options.vertex_columns : options.edge_columns;
  const bool has_moments =
      std::any_of(kept.begin(), kept.end(), [](const auto& each) { return is_timestamp(each.type); });
  RIZOMA_ASSIGN(std::optional<CsvLayout> layout, layout_of(request, first, has_moments));
  if (!layout) return {};
  const ByteRange& bytes = options.bytes;
  layout->header = layout->header && bytes.begin == 0;
  if (bytes.begin != 0) layout->first_line = 0;
  RIZOMA_ASSIGN(const CsvParser parser, CsvParser::create(*layout, summary.ids, options));
  SkipErrors deliver(options, sink);
  const bool columns = !kept.empty() || options.vertex_table;
  const std::size_t chunk_bytes =
      columns && request.chunk_bytes == TextStream::kChunkBytes ? kChunkWithColumns : request.chunk_bytes;
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, options.encoding, bytes, chunk_bytes));
  if (options.multiline) {
    stream.end_chunks_with([&](std::string_view text) {
      const std::uint64_t before = layout->first_line - std::min(layout->first_line, stream.line());
      return end_of_rows(text, layout->dialect, options.comment.value_or('\0'), before);
    });
  }
  return parse_chunks<CsvPiece>(
      stream, static_cast<double>(bytes.within(summary.bytes)), executor,
      [&](const TextChunk& chunk, CsvPiece& parsed) { return parser.parse(chunk, parsed); },
      [&](CsvPiece&& parsed) -> Status {
        if (!options.vertex_table) return deliver(std::move(parsed));
        RIZOMA_TRY(deliver.count(parsed.left_out));
        return sink.vertex_values(std::move(parsed.edges.sources), std::move(parsed.edges.columns));
      });
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
