// Format: what tells a format's files, reads them and writes them; and what readers share.  A format is one file,
// src/ingest/formats/NAME.cpp, which defines formats::NAME: the build makes the list of all from these files, and
// formats.cpp chooses among them.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/ingest.h>

#include "base/check.h"
#include "ingest/ordered_pipeline.h"
#include "ingest/text_stream.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

class ReplacingFile;

/// One file to read and how.
struct ReadRequest {
  std::filesystem::path file;
  ReadOptions options;
  std::size_t chunk_bytes = TextStream::kChunkBytes;  ///< tests make it small
  Executor* executor = nullptr;                       ///< receives the progress of `inspect`; null: none
};

/// Values of a graph's columns, for the formats that carry some.  Several threads may ask at a time.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  [[nodiscard]] virtual std::span<const ColumnSchema> vertex_columns() const = 0;
  /// With them the weights of the view are numbers of rows; the weight, if there is one, is the column of this name.
  [[nodiscard]] virtual std::span<const ColumnSchema> edge_columns() const = 0;
  [[nodiscard]] virtual Result<ColumnTable> vertex_values(std::span<const VertexId> vertices) const = 0;
  [[nodiscard]] virtual Result<ColumnTable> edge_values(std::span<const double> rows) const = 0;
};

/// One graph to write and where to.
struct WriteRequest {
  const GraphView& view;
  const IdColumn& ids;  ///< external ids by internal id
  std::filesystem::path file;
  const ColumnReader* columns = nullptr;  ///< of formats that carry columns, if the graph has some
  bool parallel = false;                  ///< parallel edges are edges of their own
};

struct Format {
  std::string_view name;                                         ///< of the file that defines it, without ending
  std::span<const std::string_view> endings;                     ///< of its files, with the dot, in small letters
  bool (*recognizes)(const TextChunk&) = nullptr;                ///< by the first lines, where the name does not decide
  Result<FileSummary> (*inspect)(const ReadRequest&) = nullptr;  ///< all but the name of the format
  Status (*read)(const ReadRequest&, const FileSummary&, Executor&, BatchSink&) = nullptr;
  /// Null: such files are only read.
  Status (*write)(const WriteRequest&, ReplacingFile&, Executor&) = nullptr;
  bool is_document = false;  ///< vertices and edges are records with values; read as a whole (document.h)
};

/// All formats, by name.
[[nodiscard]] std::span<const Format* const> all_formats() noexcept;

/// The format of this name, or by the file's (`kAnyFormat`).  Errors: invalid_argument (no name tells a format).
Result<const Format*> format_to_write(const std::filesystem::path& file, std::string_view format);

/// Writes a graph; the file appears when it is complete.  Errors: unsupported (the format cannot carry the graph), io,
/// out_of_space, cancelled.
Status write_edges(const WriteRequest& request, const Format& format, Executor& executor);

/// read_file with a chunk size of one's own.
Status read_request(const ReadRequest& request, Executor& executor, BatchSink& sink);

/// The file's name without .gz or .zst.
[[nodiscard]] std::filesystem::path without_compression(const std::filesystem::path& file);

/// The file's ending before .gz or .zst, in small letters: ".csv".
[[nodiscard]] std::string ending_of(const std::filesystem::path& file);

/// What to subtract from the vertices 1..n of a file: dense ids become 0..n-1, integer ids stay.
[[nodiscard]] inline std::int64_t first_row(IdKind ids) noexcept { return ids == IdKind::dense ? 1 : 0; }

/// The id kind of a format that numbers its vertices: dense unless integer was asked for.
/// Errors: unsupported (strings).
Result<IdKind> row_ids(const ReadRequest& request);

/// What to say of weights that are whole numbers which float64 does not hold exactly.
[[nodiscard]] std::string great_weights_guess(std::uint64_t count);
/// Fails if weights are asked for, and the file has edges without any.  Errors: parse.
Status expect_weights(const ReadRequest& request, bool has_weights, bool has_edges);

/// Delivers the vertices first, first + 1, ... of such a file to the sink, so that those without edges exist
/// too.
Status deliver_rows(std::int64_t first, std::uint64_t num_vertices, BatchSink& sink);

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
