// The options that say how text is written, in Python: all that rizoma/detail/text_options.h has a line for.
#pragma once

#include "bindings.h"

#include <rizoma/ingest.h>

namespace rizoma::python {

/// A property of the class for each, which refuses what the option cannot be, and `text_options`, which lists them.
void bind_text_options(nb::module_& module, nb::class_<ReadOptions>& options);

}  // namespace rizoma::python
