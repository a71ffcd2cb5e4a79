#include "ingest/edge_lines.h"

#include "base/letters.h"
#include "base/utf8.h"
#include "ingest/text_scan.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

/// A column of integer ids with room for every line of a chunk, cut to size at the end.
class IntegerIds {
 public:
  IntegerIds(std::size_t lines, const EdgeLineRules& rules, std::int64_t counted_from)
      : column_(rules.both_ways ? 2 * lines : lines),
        counted_from_(counted_from),
        kind_(rules.ids),
        zeros_(rules.leading_zeros) {}
  [[nodiscard]] const char* scan(const char* p) noexcept {
    const char* digits = p + (*p == '-' ? 1 : 0);
    if (*digits == '0' && digits[1] >= '0' && digits[1] <= '9' && !zeros_) [[unlikely]]
      return nullptr;
    const char* const end = scan_id(p, kind_, value_);
    if (end != nullptr && end - p > 4 && end[-4] == '.' && !zeros_ && may_have_thousands({p, end})) return nullptr;
    return end;
  }
  [[nodiscard]] std::int64_t value() const noexcept { return value_ + counted_from_; }
  void keep() noexcept { keep(value()); }
  void keep(std::int64_t id) noexcept { column_[size_++] = id; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] IdColumn take() {
    column_.resize(size_);
    return std::move(column_);
  }

 private:
  std::vector<std::int64_t> column_;
  std::size_t size_ = 0;
  std::int64_t value_ = 0;
  std::int64_t counted_from_;
  IdKind kind_;
  bool zeros_;
};

/// A column of names: any characters between blanks.
class StringIds {
 public:
  StringIds(std::size_t, const EdgeLineRules&, std::int64_t) {}
  [[nodiscard]] const char* scan(const char* p) noexcept {
    const char* end = token_end(p);
    value_ = {p, static_cast<std::size_t>(end - p)};
    return is_name(value_) ? end : nullptr;
  }
  [[nodiscard]] std::string_view value() const noexcept { return value_; }
  void keep() { keep(value_); }
  void keep(std::string_view id) { column_.push_back(id); }
  [[nodiscard]] std::size_t size() const noexcept { return column_.size(); }
  [[nodiscard]] IdColumn take() { return std::move(column_); }

 private:
  StringColumn column_;
  std::string_view value_;
};

/// Where the edges of a chunk begin: after the line that names the columns, if that is in the chunk.
const char* first_edge(const TextChunk& chunk, const EdgeLineRules& rules) noexcept {
  if (rules.header_line < chunk.first_line || rules.header_line >= chunk.first_line + chunk.lines) return chunk.begin;
  const char* p = chunk.begin;
  for (std::uint64_t line = chunk.first_line; line <= rules.header_line; ++line) p = next_line(p, chunk.end);
  return p;
}

Error columns_error(const TextChunk& chunk, const char* p, std::size_t columns, std::size_t expected) {
  return chunk.error_saying(
      p, "found " + std::to_string(columns) + " columns, expected " + std::to_string(expected) +
             ", as in other lines; take such lines out, or leave them out with skip_bad_lines=. If "
             "a line is a vertex and all its neighbours, read an adjacency list with networkx.read_adjlist, and give "
             "the graph to rizoma.read");
}

/// Checks what is after the `columns` that are read; returns the next line, or an Error.
Result<const char*> skip_more_columns(const TextChunk& chunk, const char* p, const EdgeLineRules& rules,
                                      std::size_t columns) {
  for (;; ++columns) {
    p = skip_blanks(p);
    const bool ends = at_line_end(p);
    if (ends || begins_comment(p, rules.comment)) {
      if (rules.columns != 0 && columns != rules.columns) return columns_error(chunk, p, columns, rules.columns);
      if (ends) return p + (*p == '\r' ? 2 : 1);
      return next_line(p, chunk.end);
    }
    double ignored = 0;
    const char* end = scan_number(p, chunk.end, ignored);
    if (end == nullptr || !at_token_end(end)) {
      return chunk.error(p, *p == '{' ? "the end of the line or a number (attributes in braces are not read; write the "
                                        "list in NetworkX with data=False, or with data=[\"weight\"])"
                                      : "the end of the line or a number (for comma-separated text use format csv)");
    }
    p = end;
  }
}

/// Reads the edges of the lines of a chunk into columns.
template <class Ids>
class EdgeLineParser {
 public:
  EdgeLineParser(const TextChunk& chunk, const EdgeLineRules& rules, ParsedLines& parsed)
      : chunk_(chunk),
        rules_(rules),
        parsed_(parsed),
        sources_(chunk.lines, rules, 0),
        targets_(chunk.lines, rules, rules.left),
        read_columns_(rules.weighted ? 3 : 2),
        no_more_columns_(rules.columns == 0 || rules.columns == read_columns_) {}

  Status run() {
    std::vector<double>& weights = parsed_.edges.weights;
    if (rules_.weighted) weights.reserve(chunk_.lines);
    for (const char* p = first_edge(chunk_, rules_); p < chunk_.end;) {
      p = skip_blanks(p);
      if (at_line_end(p) || begins_comment(p, rules_.comment)) {
        parsed_.left_out.comment_lines += at_line_end(p) ? 0 : 1;
        p = next_line(p, chunk_.end);
        continue;
      }
      const Result<const char*> next = parse_line(p);
      if (next) [[likely]] {
        p = *next;
        sources_.keep();
        targets_.keep();
        if (rules_.both_ways) keep_reverse();
        continue;
      }
      if (!rules_.skip_bad) return next.error();
      parsed_.add_bad(next.error());
      if (rules_.weighted) weights.resize(sources_.size());
      p = next_line(p, chunk_.end);
    }
    parsed_.edges.sources = sources_.take();
    parsed_.edges.targets = targets_.take();
    return {};
  }

 private:
  /// The edge of the last line in the other direction, unless it is a loop.
  void keep_reverse() {
    if (sources_.value() == targets_.value()) return;
    sources_.keep(targets_.value());
    targets_.keep(sources_.value());
    if (rules_.weighted) parsed_.edges.weights.push_back(parsed_.edges.weights.back());
  }

  /// Whether a source is beyond those on the left of a bipartite graph.
  [[nodiscard]] bool is_beyond_left() const {
    if constexpr (std::is_same_v<Ids, IntegerIds>) {
      return rules_.left > 0 && sources_.value() > rules_.left;
    } else {
      return false;
    }
  }

  /// Whether the ends of the line are the names of the columns.
  [[nodiscard]] bool repeats_header() const {
    if constexpr (std::is_same_v<Ids, StringIds>) {
      return !rules_.header_source.empty() && is_name_again(sources_.value(), rules_.header_source) &&
             is_name_again(targets_.value(), rules_.header_target);
    } else {
      return false;
    }
  }

  /// Reads the line at p; returns the next.
  Result<const char*> parse_line(const char* p) {
    const char* const line = p;
    const char* end = sources_.scan(p);
    if (end == nullptr) return id_error(chunk_, p, rules_.ids, "a source id");
    if (is_beyond_left())
      return chunk_.error(p, "a vertex on the left; the file says that their number is " + std::to_string(rules_.left));
    p = skip_blanks(end);
    end = targets_.scan(p);
    if (end == nullptr) return id_error(chunk_, p, rules_.ids, "a target id");
    if (repeats_header()) return chunk_.error_saying(line, kRepeatsHeader);
    p = end;
    if (rules_.weighted) {
      p = skip_blanks(p);
      double weight = 0;
      end = scan_number(p, chunk_.end, weight);
      if (end == nullptr || !at_token_end(end)) return weight_error(chunk_, p);
      parsed_.edges.weights.push_back(weight);
      p = end;
    }
    if (*p == '\n' && no_more_columns_) [[likely]]
      return p + 1;
    return skip_more_columns(chunk_, p, rules_, read_columns_);
  }

  const TextChunk& chunk_;
  const EdgeLineRules& rules_;
  ParsedLines& parsed_;
  Ids sources_;
  Ids targets_;
  std::size_t read_columns_;
  bool no_more_columns_;
};

}  // namespace

const char* scan_id(const char* p, IdKind ids, std::int64_t& id) noexcept {
  const char* end = *p == '-' && ids == IdKind::integer ? scan_signed(p, id) : scan_unsigned(p, id);
  if (end == nullptr || end == p) return nullptr;
  if (*end == '.' && end[1] == '0') {  // an integer that was held as floating point: 2.0
    for (++end; *end == '0';) ++end;
  }
  return at_token_end(end) ? end : nullptr;
}

bool is_name_again(std::string_view text, std::string_view name) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.size() == name.size() + kMark.size() && text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text.size() == name.size() && std::ranges::equal(text, name, {}, lower, lower);
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && text.find('\0') == text.npos && text.find('\r') == text.npos && is_utf8(text);
}

Error id_error(const TextChunk& chunk, const char* p, IdKind ids, std::string_view what) {
  const std::string wanted(what);
  if (ids == IdKind::string && !is_utf8({p, token_end(p)})) {
    return chunk.error_saying(p, "found bytes that are not UTF-8, expected " + wanted + "; " + kSayEncoding);
  }
  if (ids == IdKind::string || at_line_end(p)) return chunk.error(p, wanted);
  std::int64_t value = 0;
  if (may_have_thousands({p, token_end(p)})) return chunk.error(p, kExpectsNoThousands);
  if (has_leading_zero({p, token_end(p)}) && scan_id(p, IdKind::integer, value) != nullptr) {
    return chunk.error(p,
                       wanted + " without leading zeros (with ids=\"string\" they stay, with ids=\"integer\" they go)");
  }
  const char* end = scan_signed(p, value);
  if (end == nullptr) return chunk.error(p, wanted + " of 64 bits (for longer numbers read with ids=\"string\")");
  return chunk.error(p, wanted + " that is an integer (for names read with ids=\"string\")");
}

Error weight_error(const TextChunk& chunk, const char* p) {
  return chunk.error(p, "a weight: a finite number (weights were asked for)");
}

Status parse_edge_lines(const TextChunk& chunk, const EdgeLineRules& rules, ParsedLines& parsed) {
  if (rules.ids == IdKind::string) return EdgeLineParser<StringIds>(chunk, rules, parsed).run();
  return EdgeLineParser<IntegerIds>(chunk, rules, parsed).run();
}

bool says(const TextChunk& chunk, std::string_view words) {
  for (const char* p = chunk.begin; p < chunk.end; p = next_line(p, chunk.end)) {
    if (*p != '#') return false;
    if (std::string_view(skip_blanks(p + 1), next_line(p, chunk.end)).starts_with(words)) return true;
  }
  return false;
}

bool says_directed(const TextChunk& chunk) { return says(chunk, kSaysDirected); }

bool skips_edge_line(const char* line) noexcept {
  const char* const p = skip_blanks(line);
  return at_line_end(p) || begins_comment(p, '#');
}

const char* edge_line_from(const TextChunk& chunk, const char* p, char comment) noexcept {
  for (; p < chunk.end; p = next_line(p, chunk.end)) {
    const char* const begin = skip_blanks(p);
    if (!at_line_end(begin) && !begins_comment(begin, comment)) return begin;
  }
  return chunk.end;
}

void sample_edge_lines(const TextChunk& chunk, const EdgeLineRules& rules, IdSample& sample) {
  for (const char* p = edge_line_from(chunk, first_edge(chunk, rules), rules.comment); p < chunk.end;
       p = edge_line_from(chunk, next_line(p, chunk.end), rules.comment)) {
    const char* source_end = token_end(p);
    const char* target = skip_blanks(source_end);
    const char* target_end = token_end(target);
    // A malformed line is reported when the file is read.
    std::int64_t number = 0;
    if (rules.left > 0 && is_integer({target, target_end}, number)) {
      sample.add({p, source_end}, std::to_string(number + rules.left));
    } else if (target < target_end || !rules.skip_bad) {
      sample.add({p, source_end}, {target, target_end});
    }
    p = target_end;
  }
}

}  // namespace rizoma
