// The binding of rizoma/algorithms/sampled_betweenness.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/sampled_betweenness.h>

namespace rizoma::python {

namespace {

Answer run_sampled(PyEngine& engine, const GraphView& view, double epsilon, double delta, bool normalized,
                   std::uint64_t seed) {
  SampledBetweennessResult result =
      engine.run([&](Engine& e) { return sampled_betweenness(e, view, {epsilon, delta, normalized, seed}); });
  Answer out;
  out["score"] = to_numpy(std::move(result.scores));
  out["error"] = result.error;
  out["samples"] = result.samples;
  return out;
}

}  // namespace

void bind_sampled_betweenness(nb::module_& module) {
  using namespace nb::literals;
  module.def("sampled_betweenness", &run_sampled, "engine"_a, "view"_a, "epsilon"_a, "delta"_a, "normalized"_a,
             "seed"_a, "`score`; with probability 1 - delta none is farther off than `error`; paths drawn: `samples`.");
}

}  // namespace rizoma::python
