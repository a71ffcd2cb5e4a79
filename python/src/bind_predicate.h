// Predicates over columns.
#pragma once

#include "bindings.h"

namespace rizoma::python {

void bind_predicate(nb::module_& module);

}  // namespace rizoma::python
