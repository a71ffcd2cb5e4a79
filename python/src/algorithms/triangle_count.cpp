// The binding of rizoma/algorithms/triangle_count.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/triangle_count.h>

namespace rizoma::python {

namespace {

Answer run_triangle_count(PyEngine& engine, const GraphView& view) {
  TriangleCountResult result = engine.run([&](Engine& e) { return triangle_count(e, view); });
  Answer out;
  out["triangles"] = to_numpy(std::move(result.counts));
  out["total"] = result.total;
  out["copied_bytes"] = result.copied_bytes;
  return out;
}

std::uint64_t run_triangle_total(PyEngine& engine, const GraphView& view) {
  return engine.run([&](Engine& e) { return triangle_count(e, view, {.per_vertex = false}); }).total;
}

}  // namespace

void bind_triangle_count(nb::module_& module) {
  using namespace nb::literals;
  module.def("triangle_count", &run_triangle_count, "engine"_a, "view"_a);
  module.def("triangle_total", &run_triangle_total, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
