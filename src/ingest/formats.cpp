// Which format a file has, and the functions that hand it to that format.
#include "base/letters.h"
#include "base/text.h"
#include "ingest/byte_sink.h"
#include "ingest/content_kind.h"
#include "ingest/export_rows.h"
#include "ingest/import_format.h"
#include "ingest/text_scan.h"

#include <rizoma/detail/column_types.h>
#include <rizoma/detail/interpret.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace rizoma {
namespace {

/// What is neither known by its name nor recognised: SNAP text.
constexpr std::string_view kOtherwise = "edge_list";

/// The names of all formats, or their endings, in one line.
template <class Words>
std::string listed(Words words) {
  std::string text;
  for (const Format* format : all_formats()) words(*format, text);
  return text;
}

void append_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ", ";
  text += word;
}

/// The format of this name; nullptr: none has it.
const Format* format_called(std::string_view name) {
  const auto all = all_formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Format* format) { return format->name == name; });
  return found == all.end() ? nullptr : *found;
}

Result<const Format*> known_format(std::string_view name) {
  if (const Format* format = format_called(name)) return format;
  const std::string names = listed([](const Format& format, std::string& text) { append_word(text, format.name); });
  return Error{ErrorCode::invalid_argument, "format '" + std::string(name) + "' is not known; choose one of " +
                                                std::string(kAnyFormat) + ", " + names};
}

/// The format by a file's name; nullptr: unknown.  Errors: unsupported (Parquet).
Result<const Format*> format_by_name(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  if (ending == ".parquet") {
    return Error{
        ErrorCode::unsupported,
        file.string() + ": Parquet is read by the Python package and the rizoma command only; use one of these"};
  }
  const auto has_it = [&](const Format* format) {
    return std::find(format->endings.begin(), format->endings.end(), ending) != format->endings.end();
  };
  const auto all = all_formats();
  const auto found = std::find_if(all.begin(), all.end(), has_it);
  return found == all.end() ? nullptr : *found;
}

/// What the first bytes of a file are, as text.
Result<ContentKind> kind_of_file(const std::filesystem::path& file, const std::string& encoding) {
  RIZOMA_ASSIGN(const TextSource source, open_text_source(file, encoding));
  std::string beginning(kKindBytes, '\0');
  RIZOMA_ASSIGN(const std::size_t got, source.bytes->read(beginning));
  return content_kind(std::string_view(beginning).substr(0, got));
}

Status expect_known(const std::filesystem::path& file, const ContentKind& kind) {
  if (kind.foreign.empty() || !kind.format.empty()) return {};
  return Error{ErrorCode::parse, file.string() + ": " + std::string(kind.foreign)};
}

/// The format that a kind is read as.  Errors: unsupported (by Python alone).
Result<const Format*> format_of_kind(const std::filesystem::path& file, std::string_view name) {
  if (const Format* format = format_called(name)) return format;
  return Error{ErrorCode::unsupported,
               file.string() + ": this is " + std::string(name) +
                   ", which only the Python package and the rizoma command read; use one of these"};
}

/// The format by the first lines.
Result<const Format*> format_by_content(const std::filesystem::path& file, const std::string& encoding) {
  RIZOMA_ASSIGN(const ContentKind kind, kind_of_file(file, encoding));
  if (!kind.format.empty() && kind.foreign.empty()) return format_of_kind(file, kind.format);
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(file, encoding, std::size_t{1} << 16));
  TextChunk chunk;
  RIZOMA_ASSIGN(const bool any, stream.next_chunk(chunk));
  for (const Format* format : all_formats()) {
    if (any && format->recognizes != nullptr && format->recognizes(chunk)) return format;
  }
  return format_called(kOtherwise);
}

/// Fails if the content of a file that its name calls text in lines is of another format.
Status check_content(const std::filesystem::path& file, const std::string& encoding, const Format& named) {
  if (named.name != kOtherwise && named.name != "csv") return {};
  RIZOMA_ASSIGN(const ContentKind kind, kind_of_file(file, encoding));
  if (kind.format.empty() || !kind.foreign.empty() || kind.format == named.name) return {};
  const std::string by_content(kind.format), by_name(named.name);
  return Error{ErrorCode::parse, file.string() + ": by its name this is " + by_name + ", and by its content " +
                                     by_content + "; give the right one (format=\"" + by_content + "\" or \"" +
                                     by_name + "\")"};
}

Result<const Format*> format_to_read(const ReadRequest& request) {
  if (request.options.format != kAnyFormat) return known_format(request.options.format);
  RIZOMA_ASSIGN(const Format* named, format_by_name(request.file));
  if (named == nullptr) return format_by_content(request.file, request.options.encoding);
  RIZOMA_TRY(check_content(request.file, request.options.encoding, *named));
  return named;
}

/// The format that a name asks for; unlike a reader, a writer does not guess.
Result<const Format*> format_to_write(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const Format* named, format_by_name(file));
  if (named != nullptr) return named;
  if (ending_of(file) == ".txt") return format_called(kOtherwise);
  const std::string endings = listed([](const Format& format, std::string& text) {
    if (format.write == nullptr) return;
    for (const std::string_view ending : format.endings) append_word(text, ending);
  });
  return Error{
      ErrorCode::invalid_argument,
      "cannot tell the format of " + file.string() + "; use one of " + endings +
          ", .txt (the Python package and the rizoma command also write .parquet, .ndjson, .jsonl, .gexf and .net)"};
}

/// Fails if the options ask for a part of a file that is not read in parts.
Status check_ranges(const ReadRequest& request, const FileSummary& summary) {
  if (summary.in_ranges || request.options.bytes == ByteRange{}) return {};
  return Error{ErrorCode::invalid_argument,
               request.file.string() + ": bytes " + std::to_string(request.options.bytes.begin) + " to " +
                   std::to_string(request.options.bytes.end) +
                   " were asked for, but this file is read whole only (FileSummary::in_ranges); leave the range out"};
}

Result<FileSummary> inspect_as(const Format& format, const ReadRequest& request) {
  RIZOMA_TRY(check_options(request.file.string(), format.name, request.options));
  RIZOMA_ASSIGN(FileSummary summary, format.inspect(request));
  summary.format = format.name;
  return summary;
}

}  // namespace

std::filesystem::path without_compression(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  if (extension != ".gz" && extension != ".zst") return file;
  std::filesystem::path bare = file;
  return bare.replace_extension();
}

std::string ending_of(const std::filesystem::path& file) {
  return in_small_letters(without_compression(file).extension().string());
}

std::vector<std::string_view> file_formats() {
  std::vector<std::string_view> names;
  for (const Format* format : all_formats()) names.push_back(format->name);
  return names;
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

void mark_weights(EdgeBatch& batch, std::span<const std::uint8_t> given) {
  std::erase_if(batch.columns.columns, [](const ColumnValues& column) { return column.name == "weight"; });
  ColumnValues marks{"weight", ColumnType::boolean, {}, {}, {}};
  marks.values.assign(batch.size(), std::byte{0});
  marks.given.assign(given.begin(), given.end());
  if (given.empty()) marks.given.assign(batch.size(), 0);
  marks.valid = marks.given;
  batch.columns.columns.push_back(std::move(marks));
}

std::string rounding_guess(const std::string& column, ColumnType type) {
  const bool is_wide = type == ColumnType::float64;
  return "column " + in_quotes(column) + " has whole numbers beyond " + (is_wide ? "2^53" : "2^24") + " that " +
         std::string(column_type_name(type)) + " does not hold, and rounds; a column of type " +
         (is_wide ? "int64" : "float64, up to 2^53, or int64") + " holds them";
}

std::string great_weights_guess(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " weight is" : " weights are") +
         " 2^53 or more, where float64 does not hold each whole number: they may be rounded; numbers that must stay "
         "exact belong into a column of type int64 (edges=)";
}

Status expect_weights(const ReadRequest& request, bool has_weights, bool has_edges) {
  const bool asked = request.options.weighted || !request.options.weight_column.empty();
  if (!asked || has_weights || !has_edges) return {};
  return Error{ErrorCode::parse, request.file.string() +
                                     ": weights were asked for, but it has none; read it without weights "
                                     "(weights=False)"};
}

Status deliver_rows(std::int64_t first, std::uint64_t num_vertices, BatchSink& sink) {
  if (num_vertices == 0) return {};
  const std::int64_t end = first + static_cast<std::int64_t>(num_vertices);
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
                   std::to_string(edges) + " edges; add vertices without edges to the graph after the import"};
}

Status read_request(const ReadRequest& request, Executor& executor, BatchSink& sink) {
  try {
    ReadRequest told = request;
    told.executor = &executor;
    RIZOMA_ASSIGN(const Format* format, format_to_read(told));
    RIZOMA_ASSIGN(const FileSummary summary, inspect_as(*format, told));
    RIZOMA_TRY(check_ranges(told, summary));
    return format->read(told, summary, executor, sink);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, request.file.string() + ": not enough memory to read it"};
  }
}

namespace {

Result<FileSummary> inspect_request(const ReadRequest& request) {
  try {
    RIZOMA_ASSIGN(const Format* format, format_to_read(request));
    return inspect_as(*format, request);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, request.file.string() + ": not enough memory to look at it"};
  }
}

}  // namespace

Result<FileSummary> inspect(const std::filesystem::path& file, const ReadOptions& options) {
  return inspect_request({.file = file, .options = options});
}

Result<FileSummary> inspect(const std::filesystem::path& file, const ReadOptions& options, Executor& executor) {
  return inspect_request({.file = file, .options = options, .executor = &executor});
}

Result<const Format*> format_to_write(const std::filesystem::path& file, std::string_view format) {
  return format == kAnyFormat ? format_to_write(file) : known_format(format);
}

Status write_edges(const WriteRequest& request, const Format& format, Executor& executor) {
  if (format.write == nullptr) {
    return cannot_carry(request.file, "this format is only read; write .el, .csv, .mtx, .graph, .sg or .wsg");
  }
  RIZOMA_ASSIGN(ReplacingFile out, ReplacingFile::create(request.file));
  RIZOMA_TRY(format.write(request, out, executor));
  return out.commit();
}

Result<std::string_view> format_of_content(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const Format* named, format_by_name(file));
  if (named != nullptr) return std::string_view();
  RIZOMA_ASSIGN(const ContentKind kind, kind_of_file(file, {}));
  RIZOMA_TRY(expect_known(file, kind));
  return kind.format;
}

Status expect_known_content(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const ContentKind kind, kind_of_file(file, {}));
  return expect_known(file, kind);
}

bool is_document(const std::filesystem::path& file, std::string_view format) {
  const Format* const called = format_called(format);
  if (format != kAnyFormat) return called != nullptr && called->is_document;
  const Result<const Format*> named = format_by_name(file);
  return named && *named != nullptr && (*named)->is_document;
}

Status read_file(const std::filesystem::path& file, const ReadOptions& options, Executor& executor, BatchSink& sink) {
  return read_request({.file = file, .options = options}, executor, sink);
}

Status read_file(const std::filesystem::path& file, const FileSummary& summary, const ReadOptions& options,
                 Executor& executor, BatchSink& sink) {
  const ReadRequest request{.file = file, .options = options, .executor = &executor};
  try {
    RIZOMA_ASSIGN(const Format* format, known_format(summary.format));
    RIZOMA_TRY(check_options(file.string(), format->name, options));
    RIZOMA_TRY(check_ranges(request, summary));
    return format->read(request, summary, executor, sink);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, file.string() + ": not enough memory to read it"};
  }
}

}  // namespace rizoma
