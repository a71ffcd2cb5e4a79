// SNAP text: a line "source target [weight ...]" for each edge, blanks or tabs, # or % comments.
// Directed if a comment of the file's beginning says "Directed graph", as SNAP's files do, or "asym", as KONECT's do,
// or the options say so.  KONECT's "bip": the vertices on the right are counted on from those on the left, as the file
// numbers both from 1.  A name ending in .wel has weights, and so has a file that begins with the comment
// "# source target weight", as exported ones with weights do.  The first line is a header if the options say so, or if
// its first two words are names that columns of vertices have and no id further on.  Each line has as many columns as
// most of the first ones have.
#include "base/text.h"
#include "ingest/csv_names.h"
#include "ingest/edge_lines.h"
#include "ingest/file_sample.h"
#include "ingest/text_scan.h"
#include "ingest/text_writer.h"

#include <rizoma/detail/interpret.h>

#include <algorithm>
#include <array>
#include <map>

namespace rizoma {
namespace {

constexpr std::size_t kLines = 1000;  // that the first is compared with

using Words = std::vector<std::string>;

/// The words of the line at p, up to a comment.
Words words_at(const char* p, char comment) {
  Words words;
  for (p = skip_blanks(p); !at_line_end(p) && (words.size() < 2 || !begins_comment(p, comment)); p = skip_blanks(p)) {
    words.emplace_back(p, token_end(p));
    p = token_end(p);
  }
  return words;
}

/// The meaning of the columns by the first lines.
struct Head {
  std::uint64_t header_line = 0;  ///< 0: there is no header
  Words names;                    ///< the header's words; at least two, or none
  bool weighted = false;          ///< the header calls the third column a weight
  bool elsewhere = false;         ///< the header names other columns than the first two as source and target
  std::vector<Words> lines;       ///< the first ones of edges
  std::size_t columns = 0;        ///< of most of them
  bool square = false;            ///< they look like the rows of a matrix
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

/// The number of words that most lines have, the first of equally many.
std::size_t columns_of(const std::vector<Words>& lines) {
  std::map<std::size_t, std::size_t> counts;
  for (const Words& line : lines) ++counts[line.size()];
  std::size_t most = 0, columns = 0;
  for (const Words& line : lines) {
    if (counts[line.size()] > most) most = counts[columns = line.size()];
  }
  return columns;
}

/// What the first lines have in a column.
ColumnContent content_of(const std::vector<Words>& lines, std::size_t column) {
  bool some = false, whole = true;
  for (const Words& line : lines) {
    if (column >= line.size()) continue;
    const std::string& word = line[column];
    std::int64_t integer = 0;
    double number = 0;
    if (scan_number(word.data(), word.data() + word.size(), number) != word.data() + word.size())
      return ColumnContent::text;
    whole = whole && is_whole_number(word, integer);
    some = true;
  }
  if (!some) return ColumnContent::nothing;
  return whole ? ColumnContent::integers : ColumnContent::numbers;
}

/// True if these are all lines, and the rows of a matrix.
bool is_matrix(const std::vector<Words>& lines, bool weighted) {
  constexpr std::size_t kWide = 64;  // this many numbers in a line are a row, which may have more
  const std::size_t n = lines.front().size();
  if (n < 3 || (n == 3 && weighted) || (n != lines.size() && n < kWide)) return false;
  std::vector<std::vector<double>> rows;
  for (const Words& line : lines) {
    rows.emplace_back();
    for (const std::string& word : line) {
      double value = 0;
      if (line.size() != n || scan_number(word.data(), word.data() + word.size(), value) != word.data() + word.size())
        return false;
      rows.back().push_back(value);
    }
  }
  return n >= kWide || looks_like_matrix(rows);
}

Head head_of(const FileSample& sample, const ReadOptions& options) {
  const TextChunk& chunk = sample.chunk;
  const char comment = options.comment.value_or('#');
  const char* line = edge_line_from(chunk, chunk.begin, comment);
  if (line == chunk.end) return {};
  Words first = words_at(line, comment);
  std::vector<Words> others;
  for (const char* p = edge_line_from(chunk, next_line(line, chunk.end), comment);
       p < chunk.end && others.size() < kLines; p = edge_line_from(chunk, next_line(p, chunk.end), comment))
    others.push_back(words_at(p, comment));
  if (first.size() < 2 || !options.header.value_or(names_columns(first, others))) {
    others.insert(others.begin(), std::move(first));
    const bool square = sample.whole() && is_matrix(others, options.weighted);
    const std::size_t columns = columns_of(others);
    return {.lines = std::move(others), .columns = columns, .square = square};
  }
  Head head{.names = first, .columns = columns_of(others)};
  head.lines = std::move(others);
  head.header_line = chunk.first_line + static_cast<std::uint64_t>(std::count(chunk.begin, line, '\n'));
  const auto ends = ends_by_name(first);
  const std::pair<std::size_t, std::size_t> as_they_stand(0, 1), turned(1, 0);
  head.elsewhere = !ends.empty() && (ends.front() != as_they_stand || std::ranges::find(ends, turned) != ends.end());
  const Words third = first.size() < 3 ? Words() : words_of_name(first[2]);
  head.weighted = third.size() == 1 && (third[0] == "weight" || third[0] == "w");
  return head;
}

/// Reports how the first line was read, and which columns are not read.
void note_columns(const Head& head, bool weighted, std::vector<std::string>& notes) {
  if (head.header_line != 0)
    notes.push_back("the first line is a header: '" + head.names[0] + "' and '" + head.names[1] +
                    "' are names of columns");
  const std::size_t read = weighted ? 3 : 2;
  if (head.columns <= read) return;
  const std::string first = std::to_string(read), last = std::to_string(head.columns - 1);
  const std::string which = first == last ? "column " + first : "columns " + first + " to " + last;
  notes.push_back("not read: " + which + ", counted from 0" + (weighted ? "" : " (as weights: weights=\"float64\")"));
}

/// The header of an export with a third column: "# source target weight".
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

/// Fails if the first lines are no edges as an edge list has them.
Status check_head(const ReadRequest& request, const Head& head) {
  if (head.elsewhere) {
    return Error{ErrorCode::parse,
                 request.file.string() + ":" + std::to_string(head.header_line) +
                     ":1: the header names other columns than the first two as source and target, but an edge list has "
                     "these first; read it with format=\"csv\" and its delimiter"};
  }
  const std::string& weight = request.options.weight_column;
  const bool third =
      weight.empty() || weight == "2" || weight == "weight" || (head.names.size() > 2 && weight == head.names[2]);
  if (third) return {};
  return Error{ErrorCode::invalid_argument, request.file.string() +
                                                ": an edge list has its weight in column 2 (counted from 0), not in '" +
                                                weight + "'; for another column read it with format=\"csv\""};
}

bool is_weighted(const ReadRequest& request, const Head& head, const FileSample& found) {
  return request.options.weighted || !request.options.weight_column.empty() || head.weighted ||
         ending_of(request.file) == ".wel" || (found.any && says_weighted(found.top()));
}

/// KONECT's first comment: "% bip weighted", and the next: "% edges left right".
struct Konect {
  std::vector<Claim> claims;
  bool bipartite = false;
  std::string weights;    ///< what the comment says of the third column: "weighted", "signed"; empty: no weights
  std::int64_t left = 0;  ///< vertices on the left; 0: unknown
};

Konect konect_of(const TextChunk& chunk) {
  Konect found;
  if (chunk.begin == chunk.end || *chunk.begin != '%') return found;
  const Words first = words_at(chunk.begin + 1, 0);
  if (first.empty()) return found;
  if (first[0] == "asym" || first[0] == "sym") {
    found.claims.push_back({first[0] == "asym", "the comment " + in_quotes(first[0])});
  }
  found.bipartite = first[0] == "bip";
  const bool of_konect = found.bipartite || !found.claims.empty();
  if (of_konect && first.size() > 1 && first[1] != "unweighted" && first[1] != "dynamic") found.weights = first[1];
  const char* const second = next_line(chunk.begin, chunk.end);
  if (!found.bipartite || second == chunk.end || *second != '%') return found;
  const Words sizes = words_at(second + 1, 0);
  if (sizes.size() < 3 || !is_integer(sizes[1], found.left)) found.left = 0;
  return found;
}

/// What the file says of its first two columns and of its direction, and whether that suits the options.
Result<ReadPlan> plan_of(const FileSample& found, const Head& head, const Konect& konect, const ReadOptions& options) {
  Source source{
      .columns = {}, .named = !head.names.empty(), .ends_first = true, .square = head.square, .claims = konect.claims};
  for (const std::size_t i : {0, 1}) {
    source.columns.push_back(
        {.name = source.named ? head.names[i] : "column " + std::to_string(i), .content = content_of(head.lines, i)});
  }
  if (found.any && says_directed(found.top())) source.claims.push_back({true, "the comment \"Directed graph\""});
  if (found.any && says(found.top(), kSaysUndirected))
    source.claims.push_back({false, "the comment \"Undirected graph\""});
  ReadOptions asked;
  asked.directed = options.directed;
  asked.source_column = options.source_column;
  asked.target_column = options.target_column;
  RIZOMA_ASSIGN(ReadPlan plan, interpret(source, asked));
  if (plan.source == 0 && plan.target == 1) return plan;
  return Error{ErrorCode::invalid_argument,
               "an edge list has the source in its first column and the target in its second; for others read it with "
               "format=\"csv\" and its delimiter"};
}

/// What ids of the first lines may stand for, if not for vertices.
void note_ids(const Head& head, FileSummary& summary) {
  for (const std::size_t i : {0, 1}) {
    Words ids;
    for (const Words& line : head.lines) {
      if (i < line.size()) ids.push_back(line[i]);
    }
    const std::string name = head.names.empty() ? "column " + std::to_string(i) : "'" + head.names[i] + "'";
    if (std::string guess = ids_guess(name, ids); !guess.empty()) summary.guesses.push_back(std::move(guess));
  }
}

EdgeLineRules rules_of(const ReadOptions& options) {
  return {.leading_zeros = options.leading_zeros,
          .skip_bad = options.skip_errors > 0,
          .comment = options.comment.value_or('#')};
}

/// Numbers the vertices on the right after those on the left.
Status find_left(const ReadRequest& request, const Konect& konect, FileSummary& summary, EdgeLineRules& rules) {
  if (!konect.bipartite) return {};
  const std::string name = request.file.string();
  if (request.options.format != kAnyFormat) {
    summary.notes.push_back(
        "the comment \"bip\" says that left and right vertices are numbered separately; as the format was given, equal "
        "numbers are the same vertex");
    return {};
  }
  if (konect.left <= 0 || request.options.ids == IdKind::string) {
    return Error{ErrorCode::parse,
                 name + ": the comment \"bip\" says that left and right vertices are numbered separately, and " +
                     (konect.left <= 0 ? "no second comment says how many there are (% edges left right)"
                                       : "as text these would be the same vertices") +
                     "; give them different ids, or format=\"edge_list\" if equal numbers are the same vertex"};
  }
  rules.left = konect.left;
  summary.notes.push_back("the graph is bipartite: the vertices on the right are renumbered, from " +
                          std::to_string(konect.left + 1) + " on");
  return {};
}

Result<FileSummary> inspect_edge_list(const ReadRequest& request) {
  FileSummary summary;
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  RIZOMA_ASSIGN(const bool compressed, is_compressed(request.file));
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, request.options.encoding, skips_edge_line));
  summary.in_ranges = !compressed && found.in_ranges();
  const Head head = found.any ? head_of(found, request.options) : Head{};
  RIZOMA_TRY(check_head(request, head));
  const Konect konect = found.any ? konect_of(found.top()) : Konect{};
  const bool says_weights = !konect.weights.empty() && head.columns > 2;
  const bool weighted = says_weights || is_weighted(request, head, found);
  const Result<ReadPlan> plan = plan_of(found, head, konect, request.options);
  if (!plan) return Error{ErrorCode::parse, request.file.string() + ": " + plan.error().message};
  summary.weights = weighted ? WeightType::float64 : WeightType::none;
  summary.directed = plan->directed;
  summary.both_ways = plan->both_ways;
  summary.header = head.header_line != 0;
  summary.line_columns = head.columns;
  if (says_weights)
    summary.notes.push_back("the comment " + in_quotes(konect.weights) + " says that the third column is the weight");
  note_columns(head, weighted, summary.notes);
  EdgeLineRules rules = rules_of(request.options);
  rules.header_line = head.header_line;
  RIZOMA_TRY(find_left(request, konect, summary, rules));
  if (request.options.ids) {
    summary.ids = *request.options.ids;
    if (summary.ids == IdKind::string) note_ids(head, summary);
    return summary;
  }
  IdSample sample;
  if (found.any) sample_edge_lines(found.chunk, rules, sample);
  summary.ids = found.any && says(found.top(), kSaysStrings)
                    ? IdKind::string
                    : sample.kind(found.whole(), static_cast<double>(sample.edges()) * found.scale(summary.bytes));
  const std::string why = sample.why_strings();
  if (summary.ids == IdKind::string) note_ids(head, summary);
  if (summary.ids == IdKind::string && !why.empty()) summary.notes.push_back("ids are strings: " + why);
  return summary;
}

Status read_edge_list(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  const ByteRange& bytes = request.options.bytes;
  EdgeLineRules rules = rules_of(request.options);
  RIZOMA_ASSIGN(const FileSample found, FileSample::read(request.file, request.options.encoding, skips_edge_line));
  if (summary.header) {
    const Head head = head_of(found, request.options);
    if (bytes.begin == 0) rules.header_line = head.header_line;
    rules.header_source = head.names[0];
    rules.header_target = head.names[1];
  }
  rules.columns = summary.line_columns;
  const Konect konect = found.any ? konect_of(found.top()) : Konect{};
  FileSummary again;
  RIZOMA_TRY(find_left(request, konect, again, rules));
  RIZOMA_ASSIGN(TextStream stream,
                TextStream::open(request.file, request.options.encoding, bytes, request.chunk_bytes));
  rules.ids = id_form(summary.ids);
  rules.weighted = summary.weights != WeightType::none;
  rules.both_ways = summary.both_ways;
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
