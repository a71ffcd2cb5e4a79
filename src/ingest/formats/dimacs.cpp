// DIMACS graphs: "c" comment lines, one line "p KIND n m", then a line for each edge.  Of shortest paths (9th
// Implementation Challenge, 2006) KIND is "sp" and lines are "a u v weight", arcs, directed unless the options say
// otherwise; of colouring and cliques (2nd Challenge, 1993) it is "edge" or "col" and lines are "e u v", undirected.
// Vertices count from 1 and become ids 0..n-1; the number of arcs must be the one of the "p" line, and that of edges,
// which many files have in both directions, is not looked at.
#include "ingest/edge_lines.h"
#include "ingest/text_scan.h"

#include <array>
#include <limits>

namespace rizoma {
namespace {

struct Header {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;
  std::uint64_t line = 0;
  bool has_arcs = true;  ///< else edges without a direction and a weight
};

constexpr std::string_view kExpected = "the line \"p sp vertices arcs\", or \"p edge vertices edges\"";

Result<Header> parse_header(TextStream& stream) {
  Header header;
  TextChunk line;
  for (;;) {
    header.line = stream.line();
    RIZOMA_TRY(stream.expect_line(line, kExpected));
    const char* p = line.begin;
    if (*p == 'c' || at_line_end(skip_blanks(p))) continue;
    const std::string_view text(p, line.end);
    header.has_arcs = text.starts_with("p sp ");
    if (!header.has_arcs && !text.starts_with("p edge ") && !text.starts_with("p col "))
      return line.error(p, kExpected);
    p = token_end(p + 2);
    for (std::int64_t* value : {&header.vertices, &header.arcs}) {
      p = skip_blanks(p);
      const char* end = scan_id(p, IdKind::dense, *value);
      if (end == nullptr) return line.error(p, "the number of vertices and of arcs");
      p = end;
    }
    return header;
  }
}

Status parse_arcs(const TextChunk& chunk, const Header& header, std::int64_t first, bool both_ways, IntegerEdges& out) {
  out.reserve(both_ways ? 2 * chunk.lines : chunk.lines, header.has_arcs);
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
    if (*p == 'c' || at_line_end(skip_blanks(p))) continue;
    if (*p != (header.has_arcs ? 'a' : 'e') || p[1] != ' ')
      return chunk.error(p, header.has_arcs ? "an arc: a source target weight" : "an edge: e vertex vertex");
    ++p;
    std::int64_t ends[2];
    for (std::int64_t& vertex : ends) {
      p = skip_blanks(p);
      const char* end = scan_id(p, IdKind::dense, vertex);
      if (end == nullptr || vertex < 1 || vertex > header.vertices) {
        return chunk.error(p, "a vertex from 1 to " + std::to_string(header.vertices));
      }
      p = end;
    }
    p = skip_blanks(p);
    if (header.has_arcs) {
      std::int64_t weight = 0;
      const char* end = scan_id(p, IdKind::integer, weight);
      if (end == nullptr || weight != static_cast<std::int32_t>(weight))
        return chunk.error(p, "a weight: an integer of 32 bits");
      p = skip_blanks(end);
      out.weights.push_back(static_cast<double>(weight));
    }
    if (!at_line_end(p)) return chunk.error(p, "the end of the line");
    out.add(ends[0] - first, ends[1] - first);
    if (both_ways && ends[0] != ends[1]) out.add(ends[1] - first, ends[0] - first);
  }
  return {};
}

Result<FileSummary> inspect_dimacs(const ReadRequest& request) {
  FileSummary summary;
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  summary.directed = request.options.directed.value_or(header.has_arcs);
  summary.both_ways = summary.directed && !header.has_arcs;
  summary.weights = header.has_arcs ? WeightType::int32 : WeightType::none;
  RIZOMA_TRY(expect_weights(request, header.has_arcs, true));
  RIZOMA_ASSIGN(summary.ids, row_ids(request));
  summary.num_vertices = static_cast<std::uint64_t>(header.vertices);
  return summary;
}

Status read_dimacs(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.options.encoding, request.chunk_bytes));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  std::uint64_t arcs = 0;
  RIZOMA_TRY(parse_chunks<IntegerEdges>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, IntegerEdges& edges) {
        return parse_arcs(chunk, header, first_row(summary.ids), summary.both_ways, edges);
      },
      [&](IntegerEdges&& edges) {
        arcs += edges.sources.size();
        return deliver_edges(sink, std::move(edges).take());
      }));
  if (header.has_arcs && arcs != static_cast<std::uint64_t>(header.arcs)) {
    return Error{ErrorCode::parse, stream.name() + ":" + std::to_string(header.line) + ":1: found " +
                                       std::to_string(arcs) + " arcs in the file, expected " +
                                       std::to_string(header.arcs) + " as this line says"};
  }
  RIZOMA_TRY(check_declared(stream.name(), header.line, summary.num_vertices, arcs));
  return deliver_rows(1 - first_row(summary.ids), summary.num_vertices, sink);
}

constexpr std::array<std::string_view, 2> kEndings = {".gr", ".col"};

}  // namespace

namespace formats {

extern const Format dimacs;
constinit const Format dimacs{
    .name = "dimacs",
    .endings = kEndings,
    .inspect = inspect_dimacs,
    .read = read_dimacs,
};

}  // namespace formats
}  // namespace rizoma
