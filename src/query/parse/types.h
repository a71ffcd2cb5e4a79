// What kinds of values a condition puts together: numbers with numbers, texts with texts.  Module: query.
#pragma once

#include <rizoma/columns.h>

#include "query/parse/condition.h"

#include <optional>
#include <string>

namespace rizoma::query {

[[nodiscard]] Kind kind_of(ColumnType type);
/// Of the values that a condition, or a part of one, may have; `any` of ids and of null.
[[nodiscard]] Kind kind_of(const Condition& condition);

/// "a number", ..
[[nodiscard]] std::string name_of(Kind kind);

/// Makes moments of texts that stand beside dates and timestamps.  A message: the operands do not go together.
[[nodiscard]] std::optional<std::string> fit_operands(Condition& condition);

}  // namespace rizoma::query
