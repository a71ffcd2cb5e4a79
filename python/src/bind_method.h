// Methods that say, where one is read as if it were a value, that it is to be called.
#pragma once

#include "bindings.h"

namespace rizoma::python {

void bind_method(nb::module_& module);

}  // namespace rizoma::python
