// The binding of rizoma/algorithms/connected_components.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/connected_components.h>

namespace rizoma::python {

namespace {

std::vector<VertexId> copy_of(const std::optional<Input<VertexId>>& array) {
  const std::span<const VertexId> values = span_of(array);
  return {values.begin(), values.end()};
}

Answer run_connected_components(PyEngine& engine, const GraphView& view,
                                const std::optional<Input<std::uint64_t>>& names,
                                const std::optional<Input<VertexId>>& changed, const GraphView* before,
                                const std::optional<Input<VertexId>>& added,
                                const std::optional<Input<VertexId>>& removed) {
  const ChangedEdges edges{copy_of(added), copy_of(removed)};
  const WarmStartComponents former{span_of(names), span_of(changed), before, added && removed ? &edges : nullptr};
  ConnectedComponentsResult result = engine.run([&](Engine& e) { return connected_components(e, view, former); });
  Answer out;
  out["component"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["largest"] = result.largest;
  out["resumed_after"] = result.resumed_after;
  return out;
}

nb::list run_threshold_components(PyEngine& engine, const GraphView& view, const std::vector<double>& thresholds) {
  nb::list out;
  for (auto& labels : engine.run([&](Engine& e) { return threshold_components(e, view, thresholds); })) {
    out.append(to_numpy(std::move(labels)));
  }
  return out;
}

}  // namespace

void bind_connected_components(nb::module_& module) {
  using namespace nb::literals;
  module.def("connected_components", &run_connected_components, "engine"_a, "view"_a, "names"_a = nb::none(),
             "changed"_a = nb::none(), "before"_a = nb::none(), "added"_a = nb::none(), "removed"_a = nb::none());
  module.def("threshold_components", &run_threshold_components, "engine"_a, "view"_a, "thresholds"_a,
             nb::sig("def threshold_components(engine: Engine, view: View, thresholds: Sequence[float]) -> "
                     "list[NDArray[numpy.uint64]]"),
             "The component of each vertex for each threshold, which ascend.");
}

}  // namespace rizoma::python
