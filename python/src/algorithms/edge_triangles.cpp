// The binding of rizoma/algorithms/edge_triangles.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/edge_triangles.h>

namespace rizoma::python {

namespace {

Array<std::uint64_t> run_edge_triangles(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return edge_triangles(e, view); }));
}

Array<std::uint8_t> run_k_truss(PyEngine& engine, const GraphView& view, std::uint64_t k) {
  return to_numpy(engine.run([&](Engine& e) { return k_truss(e, view, k); }));
}

}  // namespace

void bind_edge_triangles(nb::module_& module) {
  using namespace nb::literals;
  module.def("edge_triangles", &run_edge_triangles, "engine"_a, "view"_a, "Triangles of each entry of the out-lists.");
  module.def("k_truss", &run_k_truss, "engine"_a, "view"_a, "k"_a, "1 for each entry of the out-lists that stays.");
}

}  // namespace rizoma::python
