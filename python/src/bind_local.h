// What Python asks of single vertices and edges, by external id: a whole question is one call into C++, which takes
// and gives Python's own objects and, if nothing has to be read for the first time, takes a few hundred nanoseconds.
#pragma once

#include "bindings.h"

#include <rizoma/graph.h>

namespace rizoma::python {

void bind_local(nb::class_<Graph>& graph);
void bind_local(nb::class_<Snapshot>& snapshot);
/// The sequences that they give; before them.
void bind_sequences(nb::module_& module);

}  // namespace rizoma::python
