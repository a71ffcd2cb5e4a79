// The binding of rizoma/algorithms/partition_quality.h.
#include "../bind_kernels.h"

#include <nanobind/stl/vector.h>
#include <rizoma/algorithms/partition_quality.h>

namespace rizoma::python {

namespace {

Answer run_partition_quality(PyEngine& engine, const GraphView& view, const Input<std::uint64_t>& labels,
                             double resolution, bool use_weights) {
  const PartitionQuality found =
      engine.run([&](Engine& e) { return partition_quality(e, view, span_of(labels), resolution, use_weights); });
  Answer out;
  out["modularity"] = found.modularity;
  out["coverage"] = found.coverage;
  out["conductance"] = nb::cast(found.conductance);
  return out;
}

}  // namespace

void bind_partition_quality(nb::module_& module) {
  using namespace nb::literals;
  module.def("partition_quality", &run_partition_quality, "engine"_a, "view"_a, "labels"_a, "resolution"_a = 1.0,
             "use_weights"_a = true);
}

}  // namespace rizoma::python
