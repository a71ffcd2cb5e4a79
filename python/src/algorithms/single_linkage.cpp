// The binding of rizoma/algorithms/single_linkage.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/single_linkage.h>

namespace rizoma::python {

namespace {

Answer run_single_linkage(PyEngine& engine, const GraphView& view, bool nearest) {
  SingleLinkage found = engine.run([&](Engine& e) { return single_linkage(e, view, nearest); });
  Answer out;
  out["first"] = to_numpy(std::move(found.first));
  out["second"] = to_numpy(std::move(found.second));
  out["weight"] = to_numpy(std::move(found.weights));
  out["size"] = to_numpy(std::move(found.sizes));
  return out;
}

auto run_linkage_components(const Input<VertexId>& first, const Input<VertexId>& second, VertexId n, VertexId merges) {
  SingleLinkage given;
  given.first.assign(span_of(first).begin(), span_of(first).end());
  given.second.assign(span_of(second).begin(), span_of(second).end());
  return to_numpy(unwrap(linkage_components(given, n, merges)));
}

}  // namespace

void bind_single_linkage(nb::module_& module) {
  using namespace nb::literals;
  module.def("single_linkage", &run_single_linkage, "engine"_a, "view"_a, "nearest"_a = false,
             "Merges of clusters; merge i makes the cluster num_vertices + i.");
  module.def("linkage_components", &run_linkage_components, "first"_a, "second"_a, "n"_a, "merges"_a,
             "The first vertex of each vertex's component after some merges.");
}

}  // namespace rizoma::python
