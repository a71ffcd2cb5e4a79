// The binding of rizoma/algorithms/diameter.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/diameter.h>

namespace rizoma::python {

void bind_diameter(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "diameter",
      [](PyEngine& engine, const GraphView& view) {
        const DiameterResult found = engine.run([&](Engine& e) { return diameter(e, view); });
        return std::make_tuple(found.diameter, found.components);
      },
      "engine"_a, "view"_a,
      "The largest distance within a component of an undirected graph, in edges, and how many components there are.");
}

}  // namespace rizoma::python
