// METIS .graph (Karypis, Kumar, METIS manual, section 4.1.1): a header "n m [fmt [ncon]]", then line i
// lists the neighbours of vertex i.  fmt is up to three digits: vertex sizes, vertex weights, edge
// weights; sizes and vertex weights are read and dropped.  '%' begins a comment line.
//
// Vertices count from 1 and become ids 0..n-1.  Each edge is in both its ends' lines and is
// delivered once, from its smaller end.  Counts must match: 2m entries (self-loops may stand once or
// twice), as many to greater vertices as to smaller, n lines.  Read with directed = true, every entry is
// an edge, and there may also be just m of them.
#include "base/checksum.h"
#include "ingest/edge_lines.h"
#include "ingest/export_rows.h"
#include "ingest/text_scan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace rizoma {
namespace {

struct Header {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  bool weighted = false;
  std::int64_t skipped_columns = 0;  ///< vertex size and weights in front of the neighbours
  std::uint64_t line = 0;
  std::uint64_t comments_before = 0;  ///< comment lines in front of the first vertex's line, the header's own included
};

Status parse_format_digits(const TextChunk& line, const char* at, std::int64_t digits, Header& header,
                           bool& vertex_weights) {
  const bool binary = digits % 10 <= 1 && digits / 10 % 10 <= 1 && digits / 100 <= 1;
  if (!binary) return line.error(at, "a format of up to three digits 0 or 1");
  header.weighted = digits % 10 == 1;
  vertex_weights = digits / 10 % 10 == 1;
  header.skipped_columns = digits / 100;
  return {};
}

Status parse_numbers(const TextChunk& line, Header& header) {
  const char* p = skip_blanks(line.begin);
  std::int64_t format = 0;
  std::int64_t constraints = 1;
  bool vertex_weights = false;
  std::int64_t* const values[] = {&header.vertices, &header.edges, &format, &constraints};
  for (int i = 0; i < 4; ++i) {
    if (i >= 2 && at_line_end(p)) break;
    const char* end = scan_id(p, IdKind::dense, *values[i]);
    if (end == nullptr) return line.error(p, "the header: vertices, edges and perhaps format and constraints");
    if (i == 2) RIZOMA_TRY(parse_format_digits(line, p, format, header, vertex_weights));
    p = skip_blanks(end);
  }
  if (!at_line_end(p)) return line.error(p, "the end of the header");
  if (constraints > 1 << 20) return line.error(line.begin, "at most 2^20 weights a vertex");
  if (vertex_weights) header.skipped_columns += constraints;
  return {};
}

Result<Header> parse_header(TextStream& stream) {
  Header header;
  TextChunk line;
  stream.count_comments();
  for (;;) {
    header.line = stream.line();
    RIZOMA_TRY(stream.expect_line(line, "the header: vertices and edges"));
    if (*line.begin == '%') continue;
    RIZOMA_TRY(parse_numbers(line, header));
    header.comments_before = line.comments_before;
    return header;
  }
}

struct ParsedLists {
  IntegerEdges edges;
  std::uint64_t lists = 0;
  std::uint64_t upward = 0;  ///< entries to a greater vertex
  std::uint64_t downward = 0;
  std::uint64_t loops = 0;
  std::uint64_t upward_sum = 0;  ///< of the entries' hashes, which both entries of an edge share
  std::uint64_t downward_sum = 0;
};

/// A hash of an edge and its weight, whichever of its ends lists it.
std::uint64_t hash_of_entry(std::int64_t vertex, std::int64_t neighbor, double weight) {
  const std::array<std::int64_t, 3> entry = {std::min(vertex, neighbor), std::max(vertex, neighbor),
                                             static_cast<std::int64_t>(weight)};
  return checksum(std::as_bytes(std::span(entry)));
}

class ListParser {
 public:
  ListParser(const Header& header, const FileSummary& summary)
      : header_(header), directed_(summary.directed), first_row_(first_row(summary.ids)) {}

  Status parse(const TextChunk& chunk, ParsedLists& out) const {
    // The header and the comments do not count as lists.
    auto vertex =
        static_cast<std::int64_t>(chunk.first_line - header_.line - (chunk.comments_before - header_.comments_before));
    for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
      if (*p == '%') continue;
      if (vertex > header_.vertices) {
        // Empty lines at the end are harmless.
        if (at_line_end(skip_blanks(p))) continue;
        return chunk.error(skip_blanks(p),
                           "the end of the file after " + std::to_string(header_.vertices) + " vertices");
      }
      RIZOMA_TRY(parse_list(chunk, p, vertex, out));
      ++vertex;
      ++out.lists;
    }
    return {};
  }

 private:
  Status parse_list(const TextChunk& chunk, const char*& p, std::int64_t vertex, ParsedLists& out) const {
    std::int64_t number = 0;
    p = skip_blanks(p);
    for (std::int64_t i = 0; i < header_.skipped_columns; ++i) {
      const char* end = scan_id(p, IdKind::dense, number);
      if (end == nullptr) return chunk.error(p, "a vertex weight or size: an integer of 0 or more");
      p = skip_blanks(end);
    }
    while (!at_line_end(p)) {
      const char* end = scan_id(p, IdKind::dense, number);
      if (end == nullptr || number < 1 || number > header_.vertices) {
        return chunk.error(p, "a neighbour from 1 to " + std::to_string(header_.vertices));
      }
      p = skip_blanks(end);
      std::int64_t weight = 0;
      if (header_.weighted) {
        end = scan_id(p, IdKind::dense, weight);
        if (end == nullptr || weight > std::numeric_limits<std::int32_t>::max()) {
          return chunk.error(p, "the weight of the edge: an integer from 0 to 2^31-1");
        }
        p = skip_blanks(end);
      }
      add(vertex, number, static_cast<double>(weight), out);
    }
    return {};
  }

  void add(std::int64_t vertex, std::int64_t neighbor, double weight, ParsedLists& out) const {
    ++(neighbor > vertex ? out.upward : neighbor < vertex ? out.downward : out.loops);
    if (!directed_ && neighbor != vertex) {
      (neighbor > vertex ? out.upward_sum : out.downward_sum) += hash_of_entry(vertex, neighbor, weight);
    }
    if (!directed_ && neighbor < vertex) return;
    out.edges.add(vertex - first_row_, neighbor - first_row_);
    if (header_.weighted) out.edges.weights.push_back(weight);
  }

  Header header_;
  bool directed_;
  std::int64_t first_row_;
};

Status check_counts(const std::string& file, const Header& header, bool directed, const ParsedLists& total) {
  const auto where = file + ":" + std::to_string(header.line) + ":1: found ";
  if (total.lists != static_cast<std::uint64_t>(header.vertices)) {
    return Error{ErrorCode::parse, where + "lines of " + std::to_string(total.lists) + " vertices, expected " +
                                       std::to_string(header.vertices) + " as this line says"};
  }
  const std::uint64_t entries = total.upward + total.downward + total.loops;
  const auto edges = static_cast<std::uint64_t>(header.edges);
  if (directed && entries == edges) return {};
  if (total.upward != total.downward && !directed) {
    return Error{
        ErrorCode::parse,
        where + std::to_string(total.upward) + " entries to greater vertices and " + std::to_string(total.downward) +
            " to smaller, expected each edge in the lines of both of its ends (for one-way lists give directed=True)"};
  }
  if (total.upward_sum != total.downward_sum) {
    return Error{ErrorCode::parse, where +
                                       "edges that the lines of their two ends do not list alike, expected the same "
                                       "neighbours and weights in both (for one-way lists give directed=True)"};
  }
  if (entries != 2 * edges && entries + total.loops != 2 * edges) {
    return Error{ErrorCode::parse, where + std::to_string(entries) + " entries in the lists, expected " +
                                       std::to_string(2 * edges) + ", two for each edge that this line says"};
  }
  return {};
}

Result<FileSummary> inspect_metis(const ReadRequest& request) {
  FileSummary summary{.directed = request.options.directed.value_or(false)};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  summary.weights = header.weighted ? WeightType::int32 : WeightType::none;
  RIZOMA_TRY(expect_weights(request, header.weighted, header.edges > 0));
  RIZOMA_ASSIGN(summary.ids, row_ids(request));
  summary.num_vertices = static_cast<std::uint64_t>(header.vertices);
  if (header.skipped_columns > 0) summary.notes.emplace_back("not read: the sizes and weights of vertices");
  return summary;
}

Status read_metis(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding, request.chunk_bytes));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  const ListParser parser(header, summary);
  ParsedLists total;
  RIZOMA_TRY(parse_chunks<ParsedLists>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, ParsedLists& parsed) { return parser.parse(chunk, parsed); },
      [&](ParsedLists&& parsed) {
        total.lists += parsed.lists;
        total.upward += parsed.upward;
        total.downward += parsed.downward;
        total.loops += parsed.loops;
        total.upward_sum += parsed.upward_sum;
        total.downward_sum += parsed.downward_sum;
        return deliver_edges(sink, std::move(parsed.edges).take());
      }));
  RIZOMA_TRY(check_counts(stream.name(), header, summary.directed, total));
  return deliver_rows(1 - first_row(summary.ids), summary.num_vertices, sink);
}

Status write_metis(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  const GraphView& view = request.view;
  if (view.directed())
    return cannot_carry(request.file,
                        "METIS files hold undirected graphs, but this one is directed; write .mtx instead");
  const bool weighted = view.weight_type() != WeightType::none;
  if (weighted && view.weight_type() != WeightType::int32) {
    return cannot_carry(request.file,
                        "METIS files hold integer weights, but this graph has others; write .mtx instead");
  }
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(request));
  RIZOMA_TRY(
      out.write(std::to_string(rows.size()) + " " + std::to_string(view.num_edges()) + (weighted ? " 1\n" : "\n")));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, EntryRow& row, std::string& text) -> Status {
    rows.read(view.parts().out, r, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ' ';
      append_number(text, row[i].target + 1);
      if (!weighted) continue;
      if (row[i].weight < 0)
        return cannot_carry(request.file, "METIS files hold no negative weights; write .mtx instead");
      text += ' ';
      append_weight(text, WeightType::int32, row[i].weight);
    }
    text += '\n';
    return {};
  });
}

constexpr std::array<std::string_view, 2> kEndings = {".graph", ".metis"};

}  // namespace

namespace formats {

extern const Format metis;
constinit const Format metis{
    .name = "metis",
    .endings = kEndings,
    .inspect = inspect_metis,
    .read = read_metis,
    .write = write_metis,
};

}  // namespace formats
}  // namespace rizoma
