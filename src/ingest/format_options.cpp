// check_options: which options of reading belong to which formats.  One table for the core, Python and the command.
#include <rizoma/ingest.h>

#include "base/text.h"
#include "ingest/number_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {
namespace {

using Formats = std::span<const std::string_view>;

constexpr std::string_view kCsv = "csv";

/// Formats of the core whose files are lines of text that are not documents.
constexpr std::array<std::string_view, 6> kTextFormats = {kCsv,           "dimacs",        "edge_list",
                                                          "graphalytics", "matrix_market", "metis"};
constexpr std::array<std::string_view, 1> kFieldFormats = {kCsv};
constexpr std::array<std::string_view, 2> kLineFormats = {kCsv, "edge_list"};
constexpr std::array<std::string_view, 3> kSkippableFormats = {kCsv, "edge_list", "ndjson"};

/// What has columns with names; all but CSV are read by the Python package.
constexpr std::array<std::string_view, 8> kTables = {kCsv,      "ndjson", "parquet", "partitioned parquet",
                                                     "dataset", "delta",  "iceberg", "a table"};
constexpr std::array<std::string_view, 9> kWithEnds = {
    kCsv, "edge_list", "ndjson", "parquet", "partitioned parquet", "dataset", "delta", "iceberg", "a table"};
constexpr std::array<std::string_view, 13> kWithValues = {
    kCsv,   "ndjson", "parquet", "partitioned parquet", "dataset", "delta", "iceberg", "a table", "gml", "graphml",
    "json", "gexf",   "net"};
constexpr std::array<std::string_view, 5> kInDirectoriesAndMemory = {"partitioned parquet", "dataset", "delta",
                                                                     "iceberg", "a table"};
constexpr std::array<std::string_view, 5> kDocuments = {"gml", "graphml", "json", "gexf", "net"};

/// An option by its name, whether it was asked for, and the formats that have it.
struct Rule {
  std::string_view name;
  bool (*asked)(const ReadOptions&);
  Formats formats;
};

using Options = const ReadOptions&;

template <auto kField>
bool given(Options options) {
  return options.*kField != ReadOptions{}.*kField;
}

/// `leading_zeros` is not here: it says how integers are read, wherever they are.
constexpr Rule kRules[] = {
    {"vertex", [](Options o) { return o.vertex_table || !o.vertex_column.empty(); }, kFieldFormats},
    {"source", [](Options o) { return !o.source_column.empty(); }, kWithEnds},
    {"target", [](Options o) { return !o.target_column.empty(); }, kWithEnds},
    // All formats that have weights call them so.
    {"weight", [](Options o) { return !o.weight_column.empty() && o.weight_column != "weight"; }, kWithEnds},
    {"edges", [](Options o) { return !o.edge_columns.empty(); }, kWithValues},
    {"vertices", [](Options o) { return !o.vertex_columns.empty() && !o.vertex_table; }, kDocuments},
#define RIZOMA_RULE(type, field, initial, name, formats, help) {name, given<&ReadOptions::field>, formats},
    RIZOMA_TEXT_OPTIONS(RIZOMA_RULE)
#undef RIZOMA_RULE
};

bool has(Formats formats, std::string_view format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// The formats of an option for people: one word for all tables in memory and in directories.
std::string listed(Formats formats) {
  std::string text;
  for (const std::string_view format : formats) {
    if (!has(kInDirectoriesAndMemory, format)) text += (text.empty() ? "" : ", ") + std::string(format);
  }
  return has(formats, "a table") ? text + " and tables" : text;
}

Error refused(std::string_view source, std::string_view format, const Rule& rule) {
  const std::string message = std::string(source) + ": " + std::string(rule.name) + "= is for " + listed(rule.formats) +
                              ", but this is " + std::string(format) + "; leave it out";
  const bool may_be_csv = has(rule.formats, kCsv) && has(kTextFormats, format);
  return {ErrorCode::invalid_argument, message + (may_be_csv ? ", or give format=\"csv\" if the file is CSV" : "")};
}

Status check_character(std::string_view name, char c) {
  if (c != '\n' && c != '\r' && static_cast<unsigned char>(c) < 0x80) return {};
  return Error{ErrorCode::invalid_argument, std::string(name) + " is " + in_quotes(std::string(1, c)) +
                                                "; it must be one ASCII character that does not end a line"};
}

/// What no format can do.
Status check_characters(Options options) {
  RIZOMA_TRY(check_character("delimiter", options.delimiter));
  RIZOMA_TRY(check_character("quote", options.quote));
  RIZOMA_TRY(check_character("comment", options.comment.value_or('\0')));
  RIZOMA_TRY(check_number_format({options.decimal, {}}));
  if (options.delimiter == 0 || options.delimiter != options.quote) return {};
  return Error{ErrorCode::invalid_argument, "delimiter and quote are both " + in_quotes(std::string(1, options.quote)) +
                                                "; give another one of them (quote=None for none)"};
}

}  // namespace

Status check_options(std::string_view source, std::string_view format, const ReadOptions& options) {
  RIZOMA_TRY(check_characters(options));
  for (const Rule& rule : kRules) {
    if (rule.asked(options) && !has(rule.formats, format)) return refused(source, format, rule);
  }
  return {};
}

}  // namespace rizoma
