// What a format gives to read_file, and what the formats share.  One .cpp file a format implements
// the two functions of its name; formats.cpp chooses between them.
#pragma once

#include <rizoma/ingest.h>

#include "base/check.h"
#include "ingest/ordered_pipeline.h"
#include "ingest/text_stream.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace rizoma {

/// One file to read and how.
struct ReadRequest {
  std::filesystem::path file;
  ReadOptions options;
  std::size_t chunk_bytes = TextStream::kChunkBytes;  ///< tests make it small
};

Result<FileSummary> inspect_edge_list(const ReadRequest& request);
Status read_edge_list(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_csv(const ReadRequest& request);
Status read_csv(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_matrix_market(const ReadRequest& request);
Status read_matrix_market(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_metis(const ReadRequest& request);
Status read_metis(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_graphalytics(const ReadRequest& request);
Status read_graphalytics(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_gapbs(const ReadRequest& request);
Status read_gapbs(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

Result<FileSummary> inspect_dimacs(const ReadRequest& request);
Status read_dimacs(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

/// read_file with a chunk size of one's own.
Status read_request(const ReadRequest& request, Executor& executor, BatchSink& sink);

/// The file's name without .gz or .zst.
[[nodiscard]] std::filesystem::path without_compression(const std::filesystem::path& file);

/// The file's ending before .gz or .zst, in small letters: ".csv".
[[nodiscard]] std::string ending_of(const std::filesystem::path& file);

/// The format by name; `automatic` if the name does not tell.  Errors: unsupported (Parquet).
Result<FileFormat> format_by_name(const std::filesystem::path& file);

/// What to subtract from the vertices 1..n of a file: dense ids become 0..n-1, integer ids stay.
[[nodiscard]] inline std::int64_t first_row(IdKind ids) noexcept { return ids == IdKind::dense ? 1 : 0; }

/// The id kind of a format that numbers its vertices: dense unless integer was asked for.
/// Errors: unsupported (strings).
Result<IdKind> row_ids(const ReadRequest& request);

/// Tells the sink of the vertices first, first + 1, ... of such a file, so that those without edges are
/// there too.  Of dense ids the last is enough.
Status deliver_rows(std::int64_t first, std::uint64_t num_vertices, IdKind ids, BatchSink& sink);

/// Fails if a header says far more vertices than the file's edges can name: no memory is sized by a number alone.
/// `line` is the header's.  Errors: parse.
Status check_declared(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t edges);

/// Appends the columns of a batch of integer ids.
struct IntegerEdges {
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  std::vector<double> weights;

  void reserve(std::size_t edges, bool weighted) {
    sources.reserve(edges);
    targets.reserve(edges);
    if (weighted) weights.reserve(edges);
  }
  void add(std::int64_t source, std::int64_t target) {
    sources.push_back(source);
    targets.push_back(target);
  }
  [[nodiscard]] EdgeBatch take() && { return EdgeBatch{std::move(sources), std::move(targets), std::move(weights)}; }
};

/// Delivers a batch unless it is empty.
inline Status deliver_edges(BatchSink& sink, EdgeBatch&& batch) {
  RIZOMA_CHECK(size(batch.sources) == size(batch.targets) &&
               (batch.weights.empty() || batch.weights.size() == batch.size()));
  if (batch.size() == 0) return {};
  return sink.edges(std::move(batch));
}

/// Parses the rest of `stream` in parallel: parse(chunk, output), then deliver(output) in file order.
template <class Output, class Parse, class Deliver>
Status parse_chunks(TextStream& stream, double file_bytes, Executor& executor, Parse parse, Deliver deliver) {
  return run_ordered<TextChunk, Output>(
      executor, "read", [&] { return static_cast<double>(stream.consumed()); }, file_bytes,
      [&](TextChunk& chunk) { return stream.next_chunk(chunk); }, parse, deliver);
}

}  // namespace rizoma
