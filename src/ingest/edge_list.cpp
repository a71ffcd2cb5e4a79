// SNAP text: a line "source target [weight ...]" for each edge, blanks or tabs, # or % comments.
// Directed if a comment of the file's beginning says "Directed graph", as SNAP's files do, or the
// options say so.  A name ending in .wel has weights, and so has a file that begins with the comment
// "# source target weight", as exported ones with weights do.
#include "ingest/edge_lines.h"
#include "ingest/text_scan.h"

namespace rizoma {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

/// What an export says of a third column: "# source target weight".
bool says_weighted(const TextChunk& chunk) {
  if (chunk.begin == chunk.end || *chunk.begin != '#') return false;
  const char* p = chunk.begin + 1;
  for (const std::string_view word : {"source", "target", "weight"}) {
    p = skip_blanks(p);
    const char* end = token_end(p);
    if (std::string_view(p, end) != word) return false;
    p = end;
  }
  return at_line_end(p);
}

}  // namespace

Result<FileSummary> inspect_edge_list(const ReadRequest& request) {
  FileSummary summary{.format = FileFormat::edge_list};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, kSampleBytes));
  TextChunk chunk;
  RIZOMA_ASSIGN(const bool any, stream.next_chunk(chunk));
  const bool weighted = request.options.weighted || !request.options.weight_column.empty() ||
                        without_compression(request.file).extension() == ".wel" || (any && says_weighted(chunk));
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  summary.directed = request.options.directed.value_or(any && says_directed(chunk));
  if (request.options.ids) {
    summary.ids = *request.options.ids;
    return summary;
  }
  IdSample sample;
  if (any) sample_edge_lines(chunk, sample);
  const double scale =
      static_cast<double>(summary.bytes) / static_cast<double>(std::max<std::uint64_t>(1, stream.consumed()));
  summary.ids = any && says(chunk, kSaysStrings)
                    ? IdKind::string
                    : sample.kind(stream.at_end(), static_cast<double>(sample.edges()) * scale);
  const std::string why = sample.why_strings();
  if (summary.ids == IdKind::string && !why.empty()) summary.notes.push_back("ids are strings: " + why);
  return summary;
}

Status read_edge_list(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  if (!request.options.weight_column.empty() && request.options.weight_column != "2") {
    return Error{ErrorCode::invalid_argument, "an edge list has its weight in column 2 (counted from 0), not in \"" +
                                                  request.options.weight_column + "\"; for others use format csv"};
  }
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, request.chunk_bytes));
  const EdgeLineRules rules{.ids = summary.ids,
                            .leading_zeros = request.options.leading_zeros,
                            .weighted = summary.weights != WeightType::none};
  return parse_chunks<EdgeBatch>(
      stream, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, EdgeBatch& edges) { return parse_edge_lines(chunk, rules, edges); },
      [&](EdgeBatch&& edges) { return deliver_edges(sink, std::move(edges)); });
}

}  // namespace rizoma
