// A pattern as it is written: vertices, edges, and what is said of each.  Module: query.
//
//   pattern    = path { ("," | ";") path }
//   path       = [ "!" | [ "any" | "all" ] "shortest" ] vertex { edge vertex }
//   vertex     = "(" [ name ] [ ":" word { "|" word } ] [ properties ] ")"
//   edge       = ( "-->" | "<--" | "--" | "->" | "<-" | "-"
//                | "-[" body "]->" | "<-[" body "]-" | "-[" body "]-" ) [ "{" number [ "," number ] "}" ]
//   body       = [ name ] [ ":" word { "|" word } ] [ "*" [ number ] [ ".." number ] ] [ properties ]
//   properties = "{" word ":" literal { "," word ":" literal } "}"
//   name, word = A-Z, a-z, digits and "_", or anything in backquotes
//   literal    = number | 'text' | "text" | true | false | null
#pragma once

#include <rizoma/result.h>

#include "predicate/tokens.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::query {

using predicate::Literal;

/// `{column: value}`.
struct PropertyTest {
  std::string column;
  Literal value;
  std::size_t place = 0;
};

/// `:A|B`, of which one holds.
struct Words {
  std::vector<std::string> words;
  std::size_t place = 0;
};

/// All mentions of one name, or one vertex without a name.
struct PatternVertex {
  std::string name;           ///< empty: it has none
  std::vector<Words> labels;  ///< one of each holds
  std::vector<PropertyTest> properties;
  bool stands = false;  ///< mentioned other than as an end of an absent edge
  std::size_t place = 0;
};

/// Whether an edge stands for a shortest path: one for each two ends, or all.
enum class Shortest : std::uint8_t { no, any, all };

enum class Arrow : std::uint8_t { forward, backward, either };

struct PatternEdge {
  std::size_t left = 0;  ///< numbers of its vertices
  std::size_t right = 0;
  Arrow arrow = Arrow::forward;
  std::string name;
  Words types;  ///< without words: any
  std::vector<PropertyTest> properties;
  unsigned least = 1;  ///< repetitions
  unsigned most = 1;
  bool repeated = false;  ///< the repetitions are given
  bool absent = false;    ///< `!`: no such edge exists
  Shortest shortest = Shortest::no;
  std::size_t place = 0;
};

struct Pattern {
  std::string text;
  std::vector<PatternVertex> vertices;
  std::vector<PatternEdge> edges;
};

inline constexpr std::size_t kMostPatternVertices = 32;
inline constexpr std::size_t kMostPatternEdges = 64;
inline constexpr unsigned kMostRepetitions = 16;
inline constexpr unsigned kAnyLength = std::numeric_limits<unsigned>::max();  ///< repetitions of a shortest path

/// Errors: parse, with the place.
[[nodiscard]] Result<Pattern> parse_pattern(std::string_view text);

}  // namespace rizoma::query
