// The binding of rizoma/algorithms/influence.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/influence.h>

namespace rizoma::python {

namespace {

Answer run_influence(PyEngine& engine, const GraphView& view, const Input<VertexId>& seeds, CascadeModel model,
                     EdgeChance chance, double probability, std::uint64_t runs, std::uint64_t seed,
                     const std::optional<Input<double>>& weights) {
  const InfluenceEstimate found = engine.run([&](Engine& e) {
    return influence(e, view, span_of(seeds), CascadeOptions{model, chance, probability}, runs, seed, span_of(weights));
  });
  Answer out;
  out["mean"] = found.mean;
  out["low"] = found.low;
  out["high"] = found.high;
  return out;
}

}  // namespace

void bind_influence(nb::module_& module) {
  using namespace nb::literals;
  module.def("influence", &run_influence, "engine"_a, "view"_a, "seeds"_a, "model"_a, "chance"_a, "probability"_a,
             "runs"_a, "seed"_a, "weights"_a = nb::none());
}

}  // namespace rizoma::python
