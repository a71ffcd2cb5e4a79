#include "query/parse/pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace rizoma::query {
namespace {

using predicate::Token;
using predicate::TokenKind;
using predicate::TokenReader;
using predicate::tokens_of;

/// What a repeated, a negated or a shortest edge cannot have.
Status check_edge(const TokenReader& reader, const PatternEdge& read) {
  if (read.absent && (read.least != 1 || read.most != 1)) {
    return reader.error_at(read.place, "a negated edge takes no repetition");
  }
  if (!read.name.empty() && (read.least != 1 || read.most != 1)) {
    return reader.error_at(read.place, "a repeated edge cannot have a name");
  }
  if (!read.name.empty() && read.absent) {
    return reader.error_at(read.place, "a negated edge cannot have a name");
  }
  if (read.shortest == Shortest::no) return {};
  if (read.absent) return reader.error_at(read.place, "a negated edge cannot be a shortest path");
  if (!read.repeated)
    return reader.error_at(read.place, "a shortest path needs a repeated edge, as in shortest (a)-[*]->(b)");
  if (!read.name.empty() || !read.types.words.empty() || !read.properties.empty()) {
    return reader.error_at(read.place, "the edges of a shortest path take no name, type or property");
  }
  return {};
}

/// An edge must have a name of its own.
Status check_names(const TokenReader& reader, const Pattern& pattern) {
  for (std::size_t i = 0; i < pattern.edges.size(); ++i) {
    const std::string& name = pattern.edges[i].name;
    if (name.empty()) continue;
    const bool is_vertex = std::any_of(pattern.vertices.begin(), pattern.vertices.end(),
                                       [&](const PatternVertex& vertex) { return vertex.name == name; });
    const auto before = pattern.edges.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_edge =
        std::any_of(pattern.edges.begin(), before, [&](const PatternEdge& edge) { return edge.name == name; });
    if (is_vertex || is_edge) {
      return reader.error_at(pattern.edges[i].place, "the name '" + name + "' is given to two items of the pattern");
    }
  }
  return {};
}

/// What to say of a predicate, which has no place in a pattern.
std::string beside_pattern(const TokenReader& reader) {
  const bool compares = reader.is('>') || reader.is('<') || reader.is('=') || reader.is('!');
  if (reader.is_run("=>")) return "; write \"-->\"";
  for (const std::string_view clause : {"limit", "order", "return", "skip", "with"}) {
    if (reader.is_word(clause)) return "; the matches have limit(3), order_by(\"-a\") and select(\"a\")";
  }
  if (!compares && !reader.is_word("where") && !reader.is_word("and")) return "";
  return "; predicates stand beside the pattern: give where=\"a.age > 3\"";
}

class PatternParser {
 public:
  PatternParser(std::string_view text, std::vector<Token> tokens) : reader_(text, std::move(tokens)) {
    pattern_.text = text;
  }

  Result<Pattern> run() {
    if (reader_.at_end()) return reader_.error("the pattern is empty; write one such as (a)-->(b)");
    if (reader_.is_word("match") || reader_.is_word("return")) {
      return reader_.error("this is a query, not a pattern alone; query runs it");
    }
    for (;;) {
      RIZOMA_TRY(path());
      if (reader_.at_end()) break;
      if (!reader_.take_if(',') && !reader_.take_if(';')) {
        return reader_.error("expected an edge such as \"-->\", or \",\" and another path, not " + reader_.shown() +
                             beside_pattern(reader_));
      }
      if (reader_.at_end()) break;  // a last ";" may stand
    }
    RIZOMA_TRY(check_names(reader_, pattern_));
    return std::move(pattern_);
  }

 private:
  Status close(char symbol, std::string_view where) {
    if (reader_.take_if(symbol)) return {};
    return reader_.error(std::string("expected \"") + symbol + "\" " + std::string(where) + ", not " + reader_.shown() +
                         beside_pattern(reader_));
  }

  Status path() {
    const std::size_t place = reader_.now().begin;
    const bool absent = reader_.take_if('!');
    RIZOMA_ASSIGN(const Shortest shortest, shortest_if());
    RIZOMA_ASSIGN(std::size_t left, vertex());
    if (!absent) pattern_.vertices[left].stands = true;
    std::size_t edges = 0;
    while (reader_.is('-') || reader_.is('<')) {
      RIZOMA_TRY(edge(left, absent, shortest));
      left = pattern_.edges.back().right;
      if (!absent) pattern_.vertices[left].stands = true;
      ++edges;
    }
    if (absent && edges != 1) return reader_.error_at(place, "\"!\" must stand before one edge, as in !(a)-->(b)");
    if (shortest != Shortest::no && edges != 1) {
      return reader_.error_at(place, "\"shortest\" must stand before one repeated edge, as in shortest (a)-[*]->(b)");
    }
    return {};
  }

  Result<Shortest> shortest_if() {
    const bool all = reader_.take_word("all");
    const bool any = !all && reader_.take_word("any");
    if (reader_.take_word("shortest")) return all ? Shortest::all : Shortest::any;
    if (!all && !any) return Shortest::no;
    return reader_.error("expected \"shortest\" after \"" + std::string(all ? "all" : "any") + "\", not " +
                         reader_.shown());
  }

  Result<std::size_t> vertex() {
    PatternVertex read;
    read.place = reader_.now().begin;
    if (!reader_.take_if('(')) {
      return reader_.error("expected \"(\" to begin a vertex, not " + reader_.shown() +
                           "; vertices stand in brackets, as in (a)-->(b)");
    }
    if (const std::optional<std::string> name = name_if()) read.name = *name;
    while (reader_.take_if(':')) {
      RIZOMA_ASSIGN(Words labels, words("a label"));
      read.labels.push_back(std::move(labels));
    }
    RIZOMA_ASSIGN(read.properties, properties());
    if (reader_.is_literal()) {
      return reader_.error("a vertex has a name here, not " + reader_.shown() +
                           "; write (a), and give its id beside the pattern: a=1");
    }
    if (reader_.is('-') && reader_.later().kind == TokenKind::name) {
      return reader_.error("a name with \"-\" stands in backquotes, as in (`a-b`)");
    }
    RIZOMA_TRY(close(')', "to end the vertex"));
    return index_of_vertex(std::move(read));
  }

  /// The number of the vertex; mentions of one name are one.
  Result<std::size_t> index_of_vertex(PatternVertex read) {
    auto& all = pattern_.vertices;
    const auto known = std::find_if(all.begin(), all.end(), [&](const PatternVertex& vertex) {
      return !read.name.empty() && vertex.name == read.name;
    });
    if (known == all.end()) {
      if (all.size() == kMostPatternVertices)
        return reader_.error_at(read.place, "the pattern has more than 32 vertices");
      all.push_back(std::move(read));
      return all.size() - 1;
    }
    known->labels.insert(known->labels.end(), read.labels.begin(), read.labels.end());
    known->properties.insert(known->properties.end(), read.properties.begin(), read.properties.end());
    return static_cast<std::size_t>(known - all.begin());
  }

  Status edge(std::size_t left, bool absent, Shortest shortest) {
    PatternEdge read;
    read.left = left;
    read.absent = absent;
    read.shortest = shortest;
    read.place = reader_.now().begin;
    RIZOMA_TRY(arrow(read));
    if (reader_.take_if('{')) {
      RIZOMA_TRY(repetition(read));
      RIZOMA_TRY(reader_.expect('}', "to end the repetition"));
    }
    RIZOMA_TRY(check_edge(reader_, read));
    RIZOMA_ASSIGN(read.right, vertex());
    if (pattern_.edges.size() == kMostPatternEdges) {
      return reader_.error_at(read.place, "the pattern has more than 64 edges");
    }
    pattern_.edges.push_back(std::move(read));
    return {};
  }

  Status arrow(PatternEdge& read) {
    const bool backward = reader_.take_if('<');
    if (backward && !reader_.is('-')) return reader_.error("expected \"-\" after \"<\", not " + reader_.shown());
    const std::size_t place = reader_.now().begin;
    reader_.take();
    bool forward = false;
    if (reader_.take_if('[')) {
      RIZOMA_TRY(body(read));
      RIZOMA_TRY(close(']', "to end the edge"));
      RIZOMA_TRY(reader_.expect('-', "after \"]\""));
      forward = reader_.take_if('>');
    } else if (reader_.take_if('>')) {
      forward = true;
    } else if (reader_.take_if('-')) {
      forward = reader_.take_if('>');
    }
    if (forward && backward)
      return reader_.error_at(place, "an edge points one way; write \"--\" for either direction");
    read.arrow = forward ? Arrow::forward : backward ? Arrow::backward : Arrow::either;
    return {};
  }

  Status body(PatternEdge& read) {
    if (const std::optional<std::string> name = name_if()) read.name = *name;
    if (reader_.take_if(':')) {
      RIZOMA_ASSIGN(read.types, words("a type"));
    }
    if (reader_.take_if('*')) RIZOMA_TRY(repetition(read));
    RIZOMA_ASSIGN(read.properties, properties());
    return {};
  }

  /// `2`, `1..3`, `1,3`; bounds that are left out are not known, and refused.
  Status repetition(PatternEdge& read) {
    const std::size_t place = reader_.now().begin;
    if (read.repeated) return reader_.error("the edge already has a repetition");
    read.repeated = true;
    RIZOMA_ASSIGN(const std::optional<unsigned> first, number_if());
    const bool range = reader_.take_run("..") || reader_.take_if(',');
    std::optional<unsigned> second = first;
    if (range) {
      RIZOMA_ASSIGN(second, number_if());
    }
    if (read.shortest != Shortest::no) return shortest_length(read, first, second, place);
    if (!second) {
      return reader_.error_at(place, "a repetition needs a maximum, as in *1..3 or {1,3}: " +
                                         std::to_string(kMostRepetitions) + " at most");
    }
    read.least = first.value_or(1);
    read.most = *second;
    if (read.least < 1) return reader_.error_at(place, "a repetition must begin at 1 or more");
    if (read.least > read.most) return reader_.error_at(place, "the minimum length is above the maximum");
    if (read.most > kMostRepetitions) {
      return reader_.error_at(place, "at most " + std::to_string(kMostRepetitions) + " repetitions");
    }
    return {};
  }

  /// `*`, `*..5` or `*1..5`.
  Status shortest_length(PatternEdge& read, std::optional<unsigned> least, std::optional<unsigned> most,
                         std::size_t place) {
    if (least.value_or(1) != 1 || most == 0u) {
      return reader_.error_at(place, "a shortest path has 1 edge or more; write *, or *..5 for at most 5");
    }
    read.most = most.value_or(kAnyLength);
    return {};
  }

  Result<std::optional<unsigned>> number_if() {
    if (reader_.now().kind != TokenKind::integer) return std::optional<unsigned>();
    const std::size_t place = reader_.now().begin;
    RIZOMA_ASSIGN(const Literal number, reader_.literal());
    const auto* const value = std::get_if<std::int64_t>(&number);
    if (value == nullptr || *value > 1'000'000) return reader_.error_at(place, "this number is out of range");
    return std::optional<unsigned>(static_cast<unsigned>(*value));
  }

  [[nodiscard]] bool at_name() const {
    return reader_.now().kind == TokenKind::name || reader_.now().kind == TokenKind::quoted_name;
  }

  std::optional<std::string> name_if() {
    if (!at_name()) return std::nullopt;
    return reader_.take().text;
  }

  Result<Words> words(std::string_view what) {
    Words read;
    read.place = reader_.now().begin;
    do {
      if (!at_name()) return reader_.error("expected " + std::string(what) + " after \":\", not " + reader_.shown());
      read.words.push_back(reader_.take().text);
    } while (reader_.take_if('|'));
    return read;
  }

  Result<std::vector<PropertyTest>> properties() {
    std::vector<PropertyTest> read;
    if (!reader_.take_if('{')) return read;
    do {
      PropertyTest test;
      test.place = reader_.now().begin;
      if (!at_name()) return reader_.error("expected a column's name, not " + reader_.shown());
      test.column = reader_.take().text;
      RIZOMA_TRY(reader_.expect(':', "after the column's name"));
      RIZOMA_ASSIGN(test.value, reader_.literal());
      read.push_back(std::move(test));
    } while (reader_.take_if(','));
    RIZOMA_TRY(reader_.expect('}', "to end the properties"));
    return read;
  }

  TokenReader reader_;
  Pattern pattern_;
};

}  // namespace

Result<Pattern> parse_pattern(std::string_view text) {
  RIZOMA_ASSIGN(std::vector<Token> tokens, tokens_of(text));
  return PatternParser(text, std::move(tokens)).run();
}

}  // namespace rizoma::query
