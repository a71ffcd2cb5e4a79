// SNAP text: a line "source target [weight ...]" for each edge, blanks or tabs, # or % comments.
// Directed if a comment of the file's beginning says "Directed graph", as SNAP's files do, or the
// options say so.  A name ending in .wel has weights, and so has a file that begins with the comment
// "# source target weight", as exported ones with weights do.  The first line is a header if the options say so, or if
// its first two words are names that columns of vertices have and no id further on.
#include "ingest/csv_names.h"
#include "ingest/edge_lines.h"
#include "ingest/file_sample.h"
#include "ingest/text_scan.h"
#include "ingest/text_writer.h"

#include <array>
#include <algorithm>

namespace rizoma {
namespace {

constexpr std::size_t kLines = 1000;  // that the first is compared with

using Words = std::vector<std::string>;

/// The words of the line at p, up to a comment.
Words words_at(const char* p) {
  Words words;
  for (p = skip_blanks(p); !at_line_end(p) && (words.size() < 2 || (*p != '#' && *p != '%')); p = skip_blanks(p)) {
    words.emplace_back(p, token_end(p));
    p = token_end(p);
  }
  return words;
}

/// What the first lines say of the columns.
struct Head {
  std::uint64_t header_line = 0;  ///< 0: there is no header
  bool weighted = false;          ///< the header calls the third column a weight
  bool elsewhere = false;         ///< the header names other columns than the first two as source and target
  std::size_t columns = 0;        ///< of the first edge
  std::string source, target;     ///< the header's words
  bool neighbors = false;         ///< lines look like a vertex and all its neighbours
};

/// True if the line's words are names of columns and its first two no ids.
bool names_columns(const Words& first, const std::vector<Words>& others) {
  const auto has_id = [&](const Words& line) {
    const auto is = [&](const std::string& id) { return line[0] == id || (line.size() > 1 && line[1] == id); };
    return is(first[0]) || is(first[1]);
  };
  return !others.empty() && (!ends_by_name(first).empty() || (is_column_name(first[0]) && is_column_name(first[1]))) &&
         std::none_of(others.begin(), others.end(), has_id);
}

/// True if lines have words of different number and some at least four, none of which is a fraction.
bool lists_neighbors(const std::vector<Words>& lines) {
  const auto [fewest, most] = std::ranges::minmax_element(lines, {}, &Words::size);
  const auto is_fraction = [](const std::string& word) { return word.find('.') != std::string::npos; };
  return fewest->size() != most->size() && most->size() >= 4 &&
         std::none_of(lines.begin(), lines.end(),
                      [&](const Words& line) { return std::any_of(line.begin(), line.end(), is_fraction); });
}

Head head_of(const TextChunk& chunk, const ReadOptions& options) {
  const char* line = edge_line_from(chunk, chunk.begin);
  if (line == chunk.end) return {};
  const Words first = words_at(line);
  std::vector<Words> others;
  for (const char* p = edge_line_from(chunk, next_line(line, chunk.end)); p < chunk.end && others.size() < kLines;
       p = edge_line_from(chunk, next_line(p, chunk.end)))
    others.push_back(words_at(p));
  if (first.size() < 2 || !options.header.value_or(names_columns(first, others))) {
    others.push_back(first);
    return {.columns = first.size(), .neighbors = lists_neighbors(others)};
  }
  Head head{.columns = others.empty() ? 0 : others[0].size(), .source = first[0], .target = first[1]};
  head.header_line = chunk.first_line + static_cast<std::uint64_t>(std::count(chunk.begin, line, '\n'));
  const auto ends = ends_by_name(first);
  const std::pair<std::size_t, std::size_t> as_they_stand(0, 1), turned(1, 0);
  head.elsewhere = !ends.empty() && (ends.front() != as_they_stand || std::ranges::find(ends, turned) != ends.end());
  const Words third = first.size() < 3 ? Words() : words_of_name(first[2]);
  head.weighted = third.size() == 1 && (third[0] == "weight" || third[0] == "w");
  return head;
}

/// Says what the first line was taken for, and which columns are not read.
void note_columns(const Head& head, bool weighted, std::vector<std::string>& notes) {
  if (head.header_line != 0)
    notes.push_back("the first line is a header: \"" + head.source + "\" and \"" + head.target +
                    "\" are names of columns");
  const std::size_t read = weighted ? 3 : 2;
  if (head.columns <= read) return;
  const std::string first = std::to_string(read), last = std::to_string(head.columns - 1);
  const std::string which = first == last ? "column " + first : "columns " + first + " to " + last;
  notes.push_back("not read: " + which + ", counted from 0" +
                  (weighted ? "" : " (as weights: weights=\"float64\", --weights float64)"));
}

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

Result<FileSummary> inspect_edge_list(const ReadRequest& request) {
  FileSummary summary;
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(const bool compressed, is_compressed(request.file));
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, skips_edge_line));
  summary.in_ranges = !compressed && found.in_ranges();
  const Head head = found.any ? head_of(found.chunk, request.options) : Head{};
  if (head.elsewhere) {
    return Error{ErrorCode::parse, request.file.string() + ":" + std::to_string(head.header_line) +
                                       ":1: the header names other columns than the first two as source and target; an "
                                       "edge list has them first: read it with format=\"csv\" and its delimiter"};
  }
  const bool weighted = request.options.weighted || !request.options.weight_column.empty() || head.weighted ||
                        ending_of(request.file) == ".wel" || (found.any && says_weighted(found.top()));
  if (head.neighbors && !weighted && request.options.bad_lines == 0) {
    return Error{ErrorCode::parse, request.file.string() +
                                       ": the lines have different numbers of words, as in a list of neighbours (a "
                                       "vertex and all its neighbours), which is not read: read it with "
                                       "networkx.read_adjlist and give the graph to rizoma.read; an edge list has the "
                                       "same columns in each line"};
  }
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  summary.directed = request.options.directed.value_or(found.any && says_directed(found.top()));
  summary.header = head.header_line != 0;
  note_columns(head, weighted, summary.notes);
  if (request.options.ids) {
    summary.ids = *request.options.ids;
    return summary;
  }
  IdSample sample;
  if (found.any)
    sample_edge_lines(found.chunk, {.header_line = head.header_line, .skip_bad = request.options.bad_lines > 0},
                      sample);
  summary.ids = found.any && says(found.top(), kSaysStrings)
                    ? IdKind::string
                    : sample.kind(found.whole(), static_cast<double>(sample.edges()) * found.scale(summary.bytes));
  const std::string why = sample.why_strings();
  if (summary.ids == IdKind::string && !why.empty()) summary.notes.push_back("ids are strings: " + why);
  return summary;
}

Status read_edge_list(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  if (!request.options.weight_column.empty() && request.options.weight_column != "2") {
    return Error{ErrorCode::invalid_argument, "an edge list has its weight in column 2 (counted from 0), not in \"" +
                                                  request.options.weight_column + "\"; for others use format csv"};
  }
  const ByteRange& bytes = request.options.bytes;
  std::uint64_t header_line = 0;
  if (summary.header && bytes.begin == 0) {
    RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, skips_edge_line));
    header_line = head_of(found.chunk, request.options).header_line;
  }
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(request.file, bytes, request.chunk_bytes));
  const EdgeLineRules rules{.ids = summary.ids,
                            .leading_zeros = request.options.leading_zeros,
                            .weighted = summary.weights != WeightType::none,
                            .header_line = header_line,
                            .skip_bad = request.options.bad_lines > 0};
  SkipErrors deliver(request.options, sink);
  return parse_chunks<ParsedLines>(
      stream, static_cast<double>(bytes.within(summary.bytes)), executor,
      [&](const TextChunk& chunk, ParsedLines& parsed) { return parse_edge_lines(chunk, rules, parsed); },
      [&](ParsedLines&& parsed) { return deliver(std::move(parsed)); });
}

Status write_edge_list(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  return write_text(request, out, executor, false);
}

constexpr std::array<std::string_view, 5> kEndings = {".el", ".wel", ".edges", ".edgelist", ".ncol"};

}  // namespace

namespace formats {

extern const Format edge_list;
constinit const Format edge_list{
    .name = "edge_list",
    .endings = kEndings,
    .inspect = inspect_edge_list,
    .read = read_edge_list,
    .write = write_edge_list,
};

}  // namespace formats
}  // namespace rizoma
