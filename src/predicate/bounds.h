// What a predicate demands of single columns: the conjuncts that compare one with constants.  Module: predicate.
#pragma once

#include <rizoma/predicate.h>

#include "predicate/program.h"

#include <vector>

namespace rizoma::predicate {

/// The bounds of a program whose slots are the columns; other conjuncts are left out.
[[nodiscard]] std::vector<ColumnBound> bounds_of(const Program& program);

}  // namespace rizoma::predicate
