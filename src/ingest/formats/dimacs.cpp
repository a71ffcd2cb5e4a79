// DIMACS shortest-path graphs (9th Implementation Challenge, 2006): "c" comment lines, one line
// "p sp n m", then a line "a u v weight" for each arc.  Vertices count from 1 and become ids 0..n-1.
// Directed unless the options say otherwise; the number of arcs must be the one of the "p" line.
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
};

Result<Header> parse_header(TextStream& stream) {
  Header header;
  TextChunk line;
  for (;;) {
    header.line = stream.line();
    RIZOMA_TRY(stream.expect_line(line, "the line \"p sp vertices arcs\""));
    const char* p = line.begin;
    if (*p == 'c' || at_line_end(skip_blanks(p))) continue;
    if (!std::string_view(p, line.end).starts_with("p sp ")) return line.error(p, "the line \"p sp vertices arcs\"");
    p += std::string_view("p sp ").size();
    for (std::int64_t* value : {&header.vertices, &header.arcs}) {
      p = skip_blanks(p);
      const char* end = scan_id(p, IdKind::dense, *value);
      if (end == nullptr) return line.error(p, "the number of vertices and of arcs");
      p = end;
    }
    return header;
  }
}

Status parse_arcs(const TextChunk& chunk, const Header& header, std::int64_t first, IntegerEdges& out) {
  out.reserve(chunk.lines, true);
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
    if (*p == 'c' || at_line_end(skip_blanks(p))) continue;
    if (*p != 'a' || p[1] != ' ') return chunk.error(p, "an arc: a source target weight");
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
    std::int64_t weight = 0;
    const char* end = scan_id(p, IdKind::integer, weight);
    if (end == nullptr || weight != static_cast<std::int32_t>(weight))
      return chunk.error(p, "a weight: an integer of 32 bits");
    p = skip_blanks(end);
    if (!at_line_end(p)) return chunk.error(p, "the end of the line");
    out.add(ends[0] - first, ends[1] - first);
    out.weights.push_back(static_cast<double>(weight));
  }
  return {};
}

Result<FileSummary> inspect_dimacs(const ReadRequest& request) {
  FileSummary summary{.directed = request.options.directed.value_or(true), .weights = WeightType::int32};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  RIZOMA_ASSIGN(summary.ids, row_ids(request));
  summary.num_vertices = static_cast<std::uint64_t>(header.vertices);
  return summary;
}

Status read_dimacs(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.chunk_bytes));
  RIZOMA_ASSIGN(const Header header, parse_header(stream));
  std::uint64_t arcs = 0;
  RIZOMA_TRY(parse_chunks<IntegerEdges>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, IntegerEdges& edges) {
        return parse_arcs(chunk, header, first_row(summary.ids), edges);
      },
      [&](IntegerEdges&& edges) {
        arcs += edges.sources.size();
        return deliver_edges(sink, std::move(edges).take());
      }));
  if (arcs != static_cast<std::uint64_t>(header.arcs)) {
    return Error{ErrorCode::parse, stream.name() + ":" + std::to_string(header.line) + ":1: found " +
                                       std::to_string(arcs) + " arcs in the file, expected " +
                                       std::to_string(header.arcs) + " as this line says"};
  }
  RIZOMA_TRY(check_declared(stream.name(), header.line, summary.num_vertices, arcs));
  return deliver_rows(1 - first_row(summary.ids), summary.num_vertices, summary.ids, sink);
}

constexpr std::array<std::string_view, 1> kEndings = {".gr"};

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
