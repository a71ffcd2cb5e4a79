// The binding of rizoma/algorithms/betweenness_centrality.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/betweenness_centrality.h>

namespace rizoma::python {

namespace {

Answer run_betweenness(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                       bool normalized) {
  BetweennessResult result =
      engine.run([&](Engine& e) { return betweenness_centrality(e, view, {span_of(sources), normalized}); });
  Answer out;
  out["score"] = to_numpy(std::move(result.scores));
  out["sources"] = result.sources;
  out["resumed_after"] = result.resumed_after;
  return out;
}

}  // namespace

void bind_betweenness_centrality(nb::module_& module) {
  using namespace nb::literals;
  module.def("betweenness_centrality", &run_betweenness, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "normalized"_a = true);
}

}  // namespace rizoma::python
