// interpret: which columns of a source are the ends and the weight of edges, and whether it is directed.
// Module: ingest.
//
// What: one pure function for every source: files of all formats, tables, arrays, graphs of other libraries.  A source
// describes its columns and what it claims of itself; `ReadOptions` hold what the caller asks for.
// Rule: columns are chosen by option or by name, never by place where there are three or more; what can be read in two
// ways is refused with both readings; the plan says what was taken, guessed and left out.
#pragma once

#include <rizoma/ingest.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// What the values of a column are, by their type or by a sample.
enum class ColumnContent : std::uint8_t {
  nothing,   ///< no row has a value
  integers,  ///< whole numbers, which may be written as 2.0
  numbers,   ///< numbers with fractions
  text,
  moments,  ///< dates and times
  other,    ///< lists, bytes, truth values
};

struct SourceColumn {
  std::string name;  ///< its name, or a description such as "column 2"
  ColumnContent content = ColumnContent::nothing;
  bool gaps = false;         ///< some rows have no value
  bool counts_rows = false;  ///< the values are 0, 1, 2 ... or 1, 2, 3 ...
};

/// What a source declares about itself, and where: a comment, a column, a key.
struct Claim {
  bool directed = false;
  std::string evidence;  ///< for messages: `the comment "Directed graph"`
};

/// A source of edges whose columns are to be interpreted.
struct Source {
  std::vector<SourceColumn> columns;
  bool named = true;        ///< the source names its columns; else they have numbers
  bool ends_first = false;  ///< the format has source and target in the first two columns, and the weight in the third
  bool square = false;      ///< as many rows as columns, as in an adjacency matrix
  std::vector<Claim> claims;
  std::optional<std::size_t> direction{};  ///< the column in which each row says it
};

/// What a source is read as.
struct ReadPlan {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
  bool directed = false;
  bool both_ways = false;            ///< an undirected source for a directed graph: each edge counts in both directions
  std::vector<std::string> notes;    ///< what each column was read as, and what was not read
  std::vector<std::string> guesses;  ///< choices that may be wrong, with the alternative
};

/// Uses the options directed, source_column, target_column, weight_column, weighted, takes_weights and the names
/// of edge_columns.  Errors: not_found (no such column), invalid_argument (several readings).  Cost: O(columns).
[[nodiscard]] Result<ReadPlan> interpret(const Source& source, const ReadOptions& options);

/// What to say of a source whose edges have a direction that was not asked for.
inline constexpr const char* kReadWithoutDirection = "the edges have a direction there, and are read without one";

/// What ids that are text may stand for, if not for vertices: for no value ("NULL", "nan"), or for numbers that a
/// spreadsheet has shortened ("4.9E+11"); with what to do, for people.  `column`: its name, for the message.  Empty:
/// nothing says so.
[[nodiscard]] std::string ids_guess(const std::string& column, const std::vector<std::string>& ids);

/// Whether a field says "Directed" or "Undirected", as Gephi's tables of edges have it, or in a column that asks "is it
/// directed?" true or false; nothing: neither.
[[nodiscard]] std::optional<bool> direction_said(std::string_view text, bool asks);

/// True for "directed", "is_directed", "Directed?".
[[nodiscard]] bool asks_direction(std::string_view name);

/// What to say of a column that some rows say a direction in, the others nothing, or that is called `directed` and says
/// something else, for people.  Empty: it says a direction in each row, or is of something else.
[[nodiscard]] std::string direction_guess(const std::string& column, const std::vector<std::string>& values);

/// What to say of a column of this type (float32, float64, a list of float32) that rounds whole numbers, for people.
[[nodiscard]] std::string rounding_guess(const std::string& column, ColumnType type);

/// Texts that programs write for no value: "NULL", "nan" and such.
[[nodiscard]] std::span<const std::string_view> no_value_texts() noexcept;

/// Characters around an id that one does not see: blanks of all kinds.
[[nodiscard]] std::span<const std::string_view> outer_blanks() noexcept;

/// Whether a sample of cells, row by row, is that of an adjacency matrix and not of a list of edges: square, and
/// symmetric, of 0 and 1 alone, or with an empty diagonal.
[[nodiscard]] bool looks_like_matrix(const std::vector<std::vector<double>>& rows);

}  // namespace rizoma
