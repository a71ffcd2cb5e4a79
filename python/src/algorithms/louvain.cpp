// The binding of rizoma/algorithms/louvain.h.
#include "../kernels.h"

#include <rizoma/algorithms/louvain.h>

namespace rizoma::python {

namespace {

Answer run_louvain(PyEngine& engine, const GraphView& view, double resolution, double threshold, int max_level,
                   std::uint64_t seed, bool use_weights) {
  LouvainResult result =
      engine.run([&](Engine& e) { return louvain(e, view, {resolution, threshold, max_level, seed, use_weights}); });
  Answer out;
  out["community"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["modularity"] = result.modularity;
  out["levels"] = result.levels;
  return out;
}

double run_modularity(PyEngine& engine, const GraphView& view, const Input<std::uint64_t>& labels, double resolution,
                      bool use_weights) {
  return engine.run([&](Engine& e) { return modularity(e, view, span_of(labels), resolution, use_weights); });
}

}  // namespace

void bind_louvain(nb::module_& module) {
  using namespace nb::literals;
  module.def("louvain", &run_louvain, "engine"_a, "view"_a, "resolution"_a = 1.0, "threshold"_a = 1e-7,
             "max_level"_a = -1, "seed"_a = 1, "use_weights"_a = true);
  module.def("modularity", &run_modularity, "engine"_a, "view"_a, "labels"_a, "resolution"_a = 1.0,
             "use_weights"_a = true);
}

}  // namespace rizoma::python
