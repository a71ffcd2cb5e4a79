// Checkpoints of the kernels that Python calls.
#pragma once

#include <nanobind/nanobind.h>

namespace rizoma::python {

/// Checkpoints and Saving; after Engine and View.
void bind_checkpoints(nanobind::module_& module);

}  // namespace rizoma::python
