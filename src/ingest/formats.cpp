// Which format a file has, and the public functions that hand it to that format.
#include "ingest/format.h"
#include "ingest/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>
#include <string_view>

namespace rizoma {
namespace {

struct FormatEntry {
  FileFormat format;
  Result<FileSummary> (*inspect)(const ReadRequest&);
  Status (*read)(const ReadRequest&, const FileSummary&, Executor&, BatchSink&);
};

constexpr std::array<FormatEntry, 7> kFormats = {{
    {FileFormat::edge_list, inspect_edge_list, read_edge_list},
    {FileFormat::csv, inspect_csv, read_csv},
    {FileFormat::matrix_market, inspect_matrix_market, read_matrix_market},
    {FileFormat::metis, inspect_metis, read_metis},
    {FileFormat::graphalytics, inspect_graphalytics, read_graphalytics},
    {FileFormat::gapbs, inspect_gapbs, read_gapbs},
    {FileFormat::dimacs, inspect_dimacs, read_dimacs},
}};

struct Extension {
  std::string_view name;
  FileFormat format;
};

constexpr std::array<Extension, 17> kExtensions = {{
    {".el", FileFormat::edge_list},
    {".wel", FileFormat::edge_list},
    {".edges", FileFormat::edge_list},
    {".csv", FileFormat::csv},
    {".tsv", FileFormat::csv},
    {".mtx", FileFormat::matrix_market},
    {".mm", FileFormat::matrix_market},
    {".graph", FileFormat::metis},
    {".metis", FileFormat::metis},
    {".v", FileFormat::graphalytics},
    {".e", FileFormat::graphalytics},
    {".properties", FileFormat::graphalytics},
    {".sg", FileFormat::gapbs},
    {".wsg", FileFormat::gapbs},
    {".gr", FileFormat::dimacs},
    {".edgelist", FileFormat::edge_list},
    {".ncol", FileFormat::edge_list},
}};

/// By the first bytes: a MatrixMarket banner; a comma or semicolon in the first line of data; else SNAP text.
Result<FileFormat> format_by_content(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(file, std::size_t{1} << 16));
  TextChunk chunk;
  RIZOMA_ASSIGN(const bool any, stream.next_chunk(chunk));
  if (!any) return FileFormat::edge_list;
  if (std::string_view(chunk.begin, chunk.end).starts_with("%%MatrixMarket")) return FileFormat::matrix_market;
  const char* p = chunk.begin;
  while (p < chunk.end && (*p == '#' || *p == '%' || at_line_end(p))) p = next_line(p, chunk.end);
  const std::string_view line(p, next_line(p, chunk.end));
  return line.find_first_of(",;") == line.npos ? FileFormat::edge_list : FileFormat::csv;
}

Result<const FormatEntry*> find_format(const ReadRequest& request) {
  FileFormat format = request.options.format;
  if (format == FileFormat::automatic) {
    RIZOMA_ASSIGN(format, format_by_name(request.file));
  }
  if (format == FileFormat::automatic) {
    RIZOMA_ASSIGN(format, format_by_content(request.file));
  }
  const auto* entry =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatEntry& e) { return e.format == format; });
  RIZOMA_CHECK(entry != kFormats.end());
  return entry;
}

}  // namespace

std::filesystem::path without_compression(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  if (extension != ".gz" && extension != ".zst") return file;
  std::filesystem::path bare = file;
  return bare.replace_extension();
}

std::string ending_of(const std::filesystem::path& file) {
  std::string ending = without_compression(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

Result<FileFormat> format_by_name(const std::filesystem::path& file) {
  const std::string extension = ending_of(file);
  if (extension == ".parquet") {
    return Error{ErrorCode::unsupported,
                 file.string() + ": Parquet is read through Arrow: use the Python package or the rizoma command"};
  }
  const auto* found =
      std::find_if(kExtensions.begin(), kExtensions.end(), [&](const Extension& e) { return e.name == extension; });
  return found == kExtensions.end() ? FileFormat::automatic : found->format;
}

Result<IdKind> row_ids(const ReadRequest& request) {
  const IdKind ids = request.options.ids.value_or(IdKind::dense);
  if (ids == IdKind::string) {
    return Error{ErrorCode::unsupported, request.file.string() +
                                             ": this format numbers its vertices; read it with ids=\"dense\" (from 0) "
                                             "or ids=\"integer\" (as in the file)"};
  }
  return ids;
}

Status deliver_rows(std::int64_t first, std::uint64_t num_vertices, IdKind ids, BatchSink& sink) {
  if (num_vertices == 0) return {};
  const std::int64_t end = first + static_cast<std::int64_t>(num_vertices);
  if (ids == IdKind::dense) return sink.vertices(std::vector<std::int64_t>{end - 1});
  constexpr std::int64_t kBatch = 1 << 17;
  for (std::int64_t begin = first; begin < end; begin += kBatch) {
    std::vector<std::int64_t> batch(static_cast<std::size_t>(std::min(kBatch, end - begin)));
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = begin + static_cast<std::int64_t>(i);
    RIZOMA_TRY(sink.vertices(std::move(batch)));
  }
  return {};
}

Status check_declared(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t edges) {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMostPerEdge = 128;
  if (vertices <= kFree || vertices / kMostPerEdge <= edges) return {};
  return Error{ErrorCode::parse,
               std::string(file) + ":" + std::to_string(line) + ":1: found " + std::to_string(vertices) +
                   " vertices, expected at most " + std::to_string(std::max(kFree, kMostPerEdge * edges)) + " for " +
                   std::to_string(edges) + " edges: vertices without edges are better added to the graph afterwards"};
}

Status read_request(const ReadRequest& request, Executor& executor, BatchSink& sink) {
  try {
    RIZOMA_ASSIGN(const FormatEntry* format, find_format(request));
    RIZOMA_ASSIGN(const FileSummary summary, format->inspect(request));
    return format->read(request, summary, executor, sink);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, request.file.string() + ": not enough memory to read it"};
  }
}

Result<FileSummary> inspect(const std::filesystem::path& file, const ReadOptions& options) {
  try {
    const ReadRequest request{.file = file, .options = options};
    RIZOMA_ASSIGN(const FormatEntry* format, find_format(request));
    return format->inspect(request);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, file.string() + ": not enough memory to look at it"};
  }
}

Status read_file(const std::filesystem::path& file, const ReadOptions& options, Executor& executor, BatchSink& sink) {
  return read_request({.file = file, .options = options}, executor, sink);
}

}  // namespace rizoma
