// The binding of rizoma/algorithms/four_cycles.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/four_cycles.h>

namespace rizoma::python {

void bind_four_cycles(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "four_cycles",
      [](PyEngine& engine, const GraphView& view) {
        return engine.run([&](Engine& e) { return four_cycles(e, view); });
      },
      "engine"_a, "view"_a, "Cycles of four vertices of an undirected graph, each once.");
}

}  // namespace rizoma::python
