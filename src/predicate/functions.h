// The functions that a predicate may call.  Module: predicate.
#pragma once

#include "predicate/program.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace rizoma::predicate {

struct Function {
  std::string_view name;
  Operation operation;
  Type operands;  ///< all of them; null: any of one type
  Type result;    ///< null: that of the operands
  std::size_t least = 1;
  std::size_t most = 1;
};

/// Null: there is none of this name.
[[nodiscard]] const Function* find_function(std::string_view name) noexcept;
/// "abs, coalesce, .."
[[nodiscard]] std::string function_names();

}  // namespace rizoma::predicate
