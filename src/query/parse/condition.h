// Conditions on the vertices and edges of a match, such as `a.age > b.age and e.amount > 100`.  Module: query.
//
//   condition  = conjunction { "or" conjunction }
//   conjunction = negation { "and" negation }
//   negation   = { "not" } comparison
//   comparison = sum { ( "=" | "==" | "<>" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
//              | sum [ "not" ] "in" ( "[" [ literals ] "]" | "(" [ literals ] ")" )
//              | sum "is" [ "not" ] ( "null" | "none" )
//   literals   = literal { "," literal }
//   sum        = product { ( "+" | "-" ) product }
//   product    = factor { ( "*" | "/" | "%" ) factor }
//   factor     = [ "-" ] factor | literal | name [ "." column ] | "(" condition ")"
//              | ( "abs" | "length" | "startswith" ) "(" sum { "," sum } ")"
//
// A vertex's name alone is its id.  `a < b < c` is `a < b and b < c`.  Logic has three values, as in SQL: null if a
// value is missing.  A text beside a date or timestamp is one.
#pragma once

#include <rizoma/match.h>

#include "query/parse/syntax.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma::query {

enum class Operation : std::uint8_t {
  constant,
  vertex_id,      ///< of vertex `item`
  vertex_column,  ///< `column` of vertex `item`
  edge_column,    ///< `column` of edge `item`
  either,         ///< or
  both,           ///< and
  negate,         ///< not
  equal,
  unequal,
  less,
  at_most,
  greater,
  at_least,
  one_of,  ///< the first operand equals one of the others
  is_null,
  add,
  subtract,
  multiply,
  divide,
  modulo,  ///< with the sign of the dividend
  absolute,
  text_length,  ///< in characters
  starts_with,
};

/// What a value is; only values of one kind are compared.
enum class Kind : std::uint8_t { any, truth, number, text, time, list };

struct Condition {
  Operation operation = Operation::constant;
  Literal constant = {};
  unsigned item = 0;
  std::size_t column = 0;
  Kind kind = Kind::any;  ///< of a column's values
  std::size_t place = 0;
  std::vector<Condition> operands;
};

/// What the items of a condition stand for in a match.
struct Bindings {
  std::span<const VertexId> vertices;
  std::span<const EdgeEntry> edges;
  const MatchColumns& columns;
};

/// True, false or null, or a value.
[[nodiscard]] MatchValue evaluate(const Condition& condition, const Bindings& bindings);
/// True only if it is true.
[[nodiscard]] bool holds(const Condition& condition, const Bindings& bindings);

/// Makes a reference out of a name and a column (empty: none), or an Error's message.
using Resolve = std::function<Result<Condition>(const std::string& name, const std::string& column)>;

/// Errors: parse, and what `resolve` says, with the place.
[[nodiscard]] Result<Condition> parse_condition(std::string_view text, const Resolve& resolve);

/// Calls f(condition) for this one and all below.
void for_each_part(const Condition& condition, const std::function<void(const Condition&)>& f);
/// The parts that must hold together.
[[nodiscard]] std::vector<Condition> conjuncts_of(Condition condition);

[[nodiscard]] MatchValue value_of(const Literal& literal);

}  // namespace rizoma::query
