// LDBC Graphalytics (Iosup et al., PVLDB 9(13), 2016): NAME.v has a vertex id a line, NAME.e an edge
// "source target [weight]" a line, NAME.properties may say `graph.NAME.directed = true` and whether edges
// have a weight.  Any of the three names the graph; each may be compressed on its own.
//
// Without .properties the options say whether the graph is directed, and edges are weighted if the first
// one has three columns.
#include "base/letters.h"
#include "ingest/edge_lines.h"
#include "ingest/file_sample.h"
#include "ingest/text_scan.h"

#include <array>
#include <algorithm>

namespace rizoma {
namespace {

struct Files {
  std::filesystem::path vertices;
  std::filesystem::path edges;
  std::filesystem::path properties;  ///< empty if there is none
};

/// `stem` + `extension`, plain or compressed; empty if there is no such file.
std::filesystem::path find_file(const std::filesystem::path& stem, const char* extension) {
  for (const char* compression : {"", ".gz", ".zst"}) {
    std::filesystem::path file = stem;
    file += extension;
    file += compression;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return {};
}

Result<Files> find_files(const std::filesystem::path& named) {
  std::filesystem::path stem = without_compression(named);
  const std::string extension = stem.extension().string();
  if (extension == ".v" || extension == ".e" || extension == ".properties") stem.replace_extension();
  Files files{find_file(stem, ".v"), find_file(stem, ".e"), find_file(stem, ".properties")};
  for (const auto& [file, ending] : {std::pair{&files.vertices, ".v"}, std::pair{&files.edges, ".e"}}) {
    if (file->empty()) {
      return Error{ErrorCode::not_found,
                   stem.string() + ending + ": no such file; a Graphalytics graph needs both .v and .e"};
    }
  }
  return files;
}

struct Properties {
  std::optional<bool> directed;
  std::optional<bool> weighted;
};

std::string compact_lower(std::string_view text) {
  std::string result = in_small_letters(std::string(text));
  std::erase_if(result, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
  return result;
}

Result<Properties> read_properties(const std::filesystem::path& file) {
  Properties properties;
  if (file.empty()) return properties;
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(file));
  TextChunk line;
  for (;;) {
    RIZOMA_ASSIGN(const bool more, stream.next_line(line));
    if (!more) break;
    const std::string text = compact_lower({line.begin, line.end});
    const std::size_t equals = text.find('=');
    if (text.starts_with('#') || equals == text.npos) continue;
    const std::string_view key(text.data(), equals);
    const std::string_view value = std::string_view(text).substr(equals + 1);
    if (key.ends_with(".directed")) {
      if (value != "true" && value != "false") return line.error(line.begin, "directed = true or directed = false");
      properties.directed = value == "true";
    } else if (key.ends_with(".edge-properties.names")) {
      properties.weighted = !value.empty();
    }
  }
  // A properties file that names no edge properties says that there are none.
  if (!properties.weighted) properties.weighted = false;
  return properties;
}

/// How many columns the first edge has; 0: there is none.
std::size_t columns_of_first_edge(const TextChunk& chunk) {
  const char* p = chunk.begin;
  while (p < chunk.end && (*p == '#' || at_line_end(skip_blanks(p)))) p = next_line(p, chunk.end);
  std::size_t columns = 0;
  if (p >= chunk.end) return columns;
  for (p = skip_blanks(p); !at_line_end(p); p = skip_blanks(token_end(p))) ++columns;
  return columns;
}

/// Ids of the vertex file.
class VertexLines {
 public:
  explicit VertexLines(IdKind ids) : ids_(ids) {}

  /// The first column of each line; further columns are properties, which are not read.
  Status parse(const TextChunk& chunk, IdColumn& column) const {
    if (ids_ == IdKind::string) column = StringColumn{};
    for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
      p = skip_blanks(p);
      if (*p == '#' || at_line_end(p)) continue;
      if (ids_ == IdKind::string) {
        const std::string_view name(p, token_end(p));
        if (!is_name(name)) return id_error(chunk, p, ids_, "a vertex id");
        std::get<StringColumn>(column).push_back(name);
        continue;
      }
      std::int64_t id = 0;
      if (scan_id(p, ids_, id) == nullptr) return id_error(chunk, p, ids_, "a vertex id");
      std::get<std::vector<std::int64_t>>(column).push_back(id);
    }
    return {};
  }

 private:
  IdKind ids_;
};

void sample_vertices(const TextChunk& chunk, IdSample& sample) {
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
    p = skip_blanks(p);
    if (*p == '#' || at_line_end(p)) continue;
    const std::string_view id(p, token_end(p));
    sample.add(id, id);
  }
}

/// Reads the first megabyte of the vertex file: exact if that is all of it.
Result<IdKind> vertex_id_kind(const std::filesystem::path& file, const std::string& encoding) {
  RIZOMA_ASSIGN(const std::uint64_t bytes, file_bytes(file));
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(file, encoding, skips_edge_line));
  IdSample sample;
  if (found.any) sample_vertices(found.chunk, sample);
  // Beyond the sample only the sequence 0, 1, 2, ... is believed: 4 times "edges" of a quarter each.
  return sample.kind(found.whole(), static_cast<double>(sample.edges()) * found.scale(bytes) / 4 * 1.25);
}

Result<FileSummary> inspect_graphalytics(const ReadRequest& request) {
  RIZOMA_ASSIGN(const Files files, find_files(request.file));
  RIZOMA_ASSIGN(const Properties properties, read_properties(files.properties));
  FileSummary summary;
  for (const auto* file : {&files.vertices, &files.edges}) {
    RIZOMA_ASSIGN(const std::uint64_t bytes, file_bytes(*file));
    summary.bytes += bytes;
  }
  summary.directed = request.options.directed.value_or(properties.directed.value_or(false));
  summary.both_ways = summary.directed && properties.directed == false;
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(files.edges, request.options.encoding, skips_edge_line));
  if (found.any) summary.line_columns = columns_of_first_edge(found.chunk);
  const bool weighted = request.options.weighted || properties.weighted.value_or(summary.line_columns > 2);
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  if (request.options.ids) {
    summary.ids = *request.options.ids;
  } else {
    RIZOMA_ASSIGN(summary.ids, vertex_id_kind(files.vertices, request.options.encoding));
  }
  return summary;
}

Status read_graphalytics(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(const Files files, find_files(request.file));
  RIZOMA_ASSIGN(const std::uint64_t vertex_bytes, file_bytes(files.vertices));
  RIZOMA_ASSIGN(TextStream vertices, TextStream::open(files.vertices, request.options.encoding, request.chunk_bytes));
  const VertexLines lines(id_form(summary.ids));
  RIZOMA_TRY(parse_chunks<IdColumn>(
      vertices, static_cast<double>(summary.bytes), executor,
      [&](const TextChunk& chunk, IdColumn& ids) { return lines.parse(chunk, ids); },
      [&](IdColumn&& ids) { return size(ids) == 0 ? Status{} : sink.vertices(std::move(ids)); }));
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(files.edges, request.options.encoding, request.chunk_bytes));
  const EdgeLineRules rules{.ids = id_form(summary.ids),
                            .weighted = summary.weights != WeightType::none,
                            .columns = summary.line_columns,
                            .both_ways = summary.both_ways};
  return run_ordered<TextChunk, ParsedLines>(
      executor, "read", [&] { return static_cast<double>(vertex_bytes + stream.consumed()); },
      static_cast<double>(summary.bytes), [&](TextChunk& chunk) { return stream.next_chunk(chunk); },
      [&](const TextChunk& chunk, ParsedLines& parsed) { return parse_edge_lines(chunk, rules, parsed); },
      [&](ParsedLines&& parsed) { return deliver_edges(sink, std::move(parsed.edges)); });
}

constexpr std::array<std::string_view, 3> kEndings = {".v", ".e", ".properties"};

}  // namespace

namespace formats {

extern const Format graphalytics;
constinit const Format graphalytics{
    .name = "graphalytics",
    .endings = kEndings,
    .inspect = inspect_graphalytics,
    .read = read_graphalytics,
};

}  // namespace formats
}  // namespace rizoma
