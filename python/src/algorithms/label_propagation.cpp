// The binding of rizoma/algorithms/label_propagation.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/label_propagation.h>

namespace rizoma::python {

namespace {

Answer run_label_propagation(PyEngine& engine, const GraphView& view, bool synchronous, unsigned max_iter,
                             std::uint64_t seed, bool use_weights, const std::optional<Input<VertexId>>& start,
                             const std::optional<Input<VertexId>>& changed) {
  LabelPropagationOptions options{synchronous, max_iter, seed, use_weights, span_of(start)};
  if (changed) options.changed = span_of(changed);
  LabelPropagationResult result = engine.run([&](Engine& e) { return label_propagation(e, view, options); });
  Answer out;
  out["community"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["iterations"] = result.iterations;
  out["resumed_after"] = result.resumed_after;
  out["converged"] = result.converged;
  return out;
}

}  // namespace

void bind_label_propagation(nb::module_& module) {
  using namespace nb::literals;
  module.def("label_propagation", &run_label_propagation, "engine"_a, "view"_a, "synchronous"_a = false,
             "max_iter"_a = 100, "seed"_a = 1, "use_weights"_a = false, "start"_a = nb::none(),
             "changed"_a = nb::none());
}

}  // namespace rizoma::python
