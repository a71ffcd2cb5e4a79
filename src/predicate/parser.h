// Reads a predicate, such as `age >= 18 and lower(name) like 'a%'`.  Module: predicate.
//
//   predicate   = conjunction { "or" conjunction }
//   conjunction = negation { "and" negation }
//   negation    = { "not" } comparison
//   comparison  = sum { ( "=" | "==" | "<>" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
//               | sum [ "not" ] "in" ( "[" [ sums ] "]" | "(" [ sums ] ")" | "{" [ sums ] "}" )
//               | sum [ "not" ] "between" sum "and" sum
//               | sum [ "not" ] "like" sum [ "escape" text ]
//               | sum "is" [ "not" ] ( "null" | "none" )
//   sums        = sum { "," sum }
//   sum         = product { ( "+" | "-" ) product }
//   product     = factor { ( "*" | "/" | "%" ) factor }
//   factor      = [ "-" | "+" ] factor | literal | ( "date" | "timestamp" ) text | name [ "." name ]
//               | function "(" sums ")" | "(" predicate ")"
//   literal     = number | 'text' | "text" | "true" | "false" | "null" | "none"
//
// Words are read in any case.  `a < b < c` is `a < b and b < c`.  docs/guide/predicates.md says what each means.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "predicate/program.h"

#include <optional>
#include <string>
#include <string_view>

namespace rizoma::predicate {

/// A name as written: `age`, or `a.age`.
struct Name {
  std::string first;
  std::optional<std::string> second;
};

/// The column that a name stands for, or an Error's message and code.
using Resolve = FunctionRef<Result<Slot>(const Name&)>;

/// Errors: parse, and what `resolve` says, each with the place and a caret under it.
[[nodiscard]] Result<Program> parse(std::string_view text, Resolve resolve);

}  // namespace rizoma::predicate
