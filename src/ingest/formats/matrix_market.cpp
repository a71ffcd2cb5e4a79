// MatrixMarket coordinate files (Boisvert, Pozo, Remington, NISTIR 5935, 1996): a square matrix whose
// entry (i, j) is the edge i -> j; pattern, real or integer; general, symmetric or skew-symmetric.
//
// Rows count from 1 and become ids 0..n-1.  A general matrix is a directed graph unless the options say
// otherwise; a symmetric one is undirected, each stored entry one edge; a skew-symmetric one is directed
// and its mirrored entries are delivered too, with the opposite weight (as are those of a symmetric one
// read as directed).  The number of entries must be the one that the header gives.
#include "base/letters.h"
#include "ingest/edge_lines.h"
#include "ingest/export_rows.h"
#include "ingest/text_scan.h"

#include <array>
#include <limits>
#include <sstream>

namespace rizoma {
namespace {

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool weighted = false;
  bool integer = false;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::uint64_t size_line = 0;
};

Status parse_banner(const TextChunk& line, Header& header) {
  const std::string text = in_small_letters({line.begin, line.end});
  std::istringstream words(text);
  std::string banner, object, format, field, symmetry;
  words >> banner >> object >> format >> field >> symmetry;
  const auto unsupported = [&](const std::string& word, const std::string& expected) {
    const std::size_t at = text.find(word, banner.size());
    return line.error(line.begin + (word.empty() || at == text.npos ? text.size() - 1 : at), expected);
  };
  if (banner != "%%matrixmarket") return line.error(line.begin, "the banner %%MatrixMarket");
  if (object != "matrix") return unsupported(object, "matrix");
  if (format != "coordinate") return unsupported(format, "coordinate (a dense array is not read)");
  if (field != "pattern" && field != "real" && field != "double" && field != "integer") {
    return unsupported(field, "pattern, real or integer");
  }
  header.weighted = field != "pattern";
  header.integer = field == "integer";
  if (symmetry == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (symmetry == "skew-symmetric" && header.weighted) {
    header.symmetry = Symmetry::skew;
  } else if (symmetry != "general") {
    return unsupported(symmetry, "general, symmetric or skew-symmetric");
  }
  return {};
}

Status parse_sizes(const TextChunk& line, Header& header) {
  std::int64_t columns = 0;
  const char* p = line.begin;
  const char* at[3] = {};
  std::int64_t* const values[] = {&header.rows, &columns, &header.entries};
  for (int i = 0; i < 3; ++i) {
    p = at[i] = skip_blanks(p);
    p = scan_id(p, IdKind::dense, *values[i]);
    if (p == nullptr) return line.error(at[i], "the size line: rows, columns and entries");
  }
  if (!at_line_end(skip_blanks(p))) return line.error(skip_blanks(p), "the end of the size line");
  if (columns != header.rows) return line.error(at[1], "as many columns as rows: the matrix of a graph is square");
  return {};
}

Result<Header> parse_header(TextStream& stream) {
  Header header;
  TextChunk line;
  RIZOMA_ASSIGN(bool more, stream.next_line(line));
  if (!more)
    return Error{ErrorCode::parse,
                 stream.name() + ":1:1: found the end of the file, expected the banner %%MatrixMarket"};
  RIZOMA_TRY(parse_banner(line, header));
  for (;;) {
    header.size_line = stream.line();
    RIZOMA_ASSIGN(more, stream.next_line(line));
    if (!more) {
      return Error{ErrorCode::parse,
                   stream.name() + ":" + std::to_string(stream.line()) +
                       ":1: found the end of the file, expected the size line: rows, columns and entries"};
    }
    if (*line.begin == '%' || at_line_end(skip_blanks(line.begin))) continue;
    RIZOMA_TRY(parse_sizes(line, header));
    return header;
  }
}

/// What one entry becomes.
struct EntryRules {
  Header header;
  std::int64_t first_row = 1;
  bool mirrored = false;  ///< deliver (j, i) beside (i, j)
};

struct ParsedEntries {
  IntegerEdges edges;
  std::uint64_t entries = 0;
};

Result<std::int64_t> scan_row(const TextChunk& chunk, const char*& p, std::int64_t rows, std::string_view what) {
  std::int64_t row = 0;
  const char* end = scan_id(p, IdKind::dense, row);
  if (end == nullptr || row < 1 || row > rows) {
    return chunk.error(p, std::string(what) + " from 1 to " + std::to_string(rows));
  }
  p = end;
  return row;
}

Result<double> scan_weight(const TextChunk& chunk, const char*& p, bool integer) {
  double weight = 0;
  const char* end = scan_number(p, chunk.end, weight);
  if (end == nullptr || !at_token_end(end)) return weight_error(chunk, p);
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  if (integer &&
      !(weight >= -kMost - 1 && weight <= kMost && weight == static_cast<double>(static_cast<std::int32_t>(weight)))) {
    return chunk.error(p, "an integer of 32 bits (for others the header must say real)");
  }
  p = end;
  return weight;
}

Status parse_entries(const TextChunk& chunk, const EntryRules& rules, ParsedEntries& out) {
  const Header& header = rules.header;
  out.edges.reserve(chunk.lines << unsigned{rules.mirrored}, header.weighted);
  for (const char* p = chunk.begin; p < chunk.end; ++p) {
    p = skip_blanks(p);
    if (*p == '%') {
      p = next_line(p, chunk.end) - 1;
      continue;
    }
    if (!at_line_end(p)) {
      RIZOMA_ASSIGN(const std::int64_t row, scan_row(chunk, p, header.rows, "a row number"));
      p = skip_blanks(p);
      RIZOMA_ASSIGN(const std::int64_t column, scan_row(chunk, p, header.rows, "a column number"));
      p = skip_blanks(p);
      const bool twice = rules.mirrored && row != column;
      out.edges.add(row - rules.first_row, column - rules.first_row);
      if (twice) out.edges.add(column - rules.first_row, row - rules.first_row);
      if (header.weighted) {
        const char* const value = p;
        RIZOMA_ASSIGN(const double weight, scan_weight(chunk, p, header.integer));
        if (header.symmetry == Symmetry::skew && row == column && weight != 0)
          return chunk.error(value, "0, as a skew-symmetric matrix has on its diagonal");
        out.edges.weights.push_back(weight);
        if (twice) out.edges.weights.push_back(header.symmetry == Symmetry::skew ? -weight : weight);
        p = skip_blanks(p);
      }
      if (!at_line_end(p)) return chunk.error(p, "the end of the line");
      ++out.entries;
    }
    if (*p == '\r') ++p;
  }
  return {};
}

Result<FileSummary> inspect_matrix_market(const ReadRequest& request) {
  FileSummary summary;
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  summary.directed = request.options.directed.value_or(header.symmetry != Symmetry::symmetric);
  if (header.weighted) summary.weights = header.integer ? WeightType::int32 : WeightType::float64;
  RIZOMA_TRY(expect_weights(request, header.weighted, header.entries > 0));
  RIZOMA_ASSIGN(summary.ids, row_ids(request));
  summary.num_vertices = static_cast<std::uint64_t>(header.rows);
  return summary;
}

Status read_matrix_market(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding, request.chunk_bytes));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  const EntryRules rules{.header = header,
                         .first_row = first_row(summary.ids),
                         .mirrored = summary.directed && header.symmetry != Symmetry::general};
  std::uint64_t entries = 0;
  RIZOMA_TRY(parse_chunks<ParsedEntries>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, ParsedEntries& parsed) { return parse_entries(chunk, rules, parsed); },
      [&](ParsedEntries&& parsed) {
        entries += parsed.entries;
        return deliver_edges(sink, std::move(parsed.edges).take());
      }));
  if (entries != static_cast<std::uint64_t>(header.entries)) {
    return Error{ErrorCode::parse, stream.name() + ":" + std::to_string(header.size_line) + ":1: found " +
                                       std::to_string(entries) + " entries in the file, expected " +
                                       std::to_string(header.entries) + " as this line says"};
  }
  RIZOMA_TRY(check_declared(stream.name(), header.size_line, summary.num_vertices, entries));
  return deliver_rows(1 - first_row(summary.ids), summary.num_vertices, sink);
}

Status write_matrix_market(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  const GraphView& view = request.view;
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(request));
  const WeightType type = view.weight_type();
  std::string header = "%%MatrixMarket matrix coordinate ";
  header += type == WeightType::none ? "pattern" : type == WeightType::int32 ? "integer" : "real";
  header += view.directed() ? " general\n" : " symmetric\n";
  const std::string size = std::to_string(rows.size());
  header += size + " " + size + " " + std::to_string(view.num_edges()) + "\n";
  RIZOMA_TRY(out.write(header));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, EntryRow& row, std::string& text) -> Status {
    rows.read(view.parts().out, r, row);
    for (const RowEntry& entry : row) {
      // Of a symmetric matrix the lower triangle is stored.
      if (!view.directed() && entry.target > r) continue;
      append_number(text, r + 1);
      text += ' ';
      append_number(text, entry.target + 1);
      if (type != WeightType::none) {
        text += ' ';
        append_weight(text, type, entry.weight);
      }
      text += '\n';
    }
    return {};
  });
}

constexpr std::array<std::string_view, 2> kEndings = {".mtx", ".mm"};

}  // namespace

namespace formats {

extern const Format matrix_market;
constinit const Format matrix_market{
    .name = "matrix_market",
    .endings = kEndings,
    .inspect = inspect_matrix_market,
    .read = read_matrix_market,
    .write = write_matrix_market,
};

}  // namespace formats
}  // namespace rizoma
