// The binding of rizoma/algorithms/influence_maximization.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/influence_maximization.h>

namespace rizoma::python {

namespace {

Answer run_influence_maximization(PyEngine& engine, const GraphView& view, VertexId k, CascadeModel model,
                                  EdgeChance chance, double probability, double epsilon, double delta,
                                  InfluenceMethod method, const Input<VertexId>& seeds, std::uint64_t seed,
                                  std::uint64_t max_bytes, const std::optional<Input<double>>& weights,
                                  RrSetStaging staging) {
  const InfluenceMaximizationOptions options{{model, chance, probability},
                                             k,
                                             epsilon,
                                             delta,
                                             method,
                                             span_of(seeds),
                                             seed,
                                             max_bytes,
                                             {},
                                             span_of(weights),
                                             staging};
  SeedsFound found = engine.run([&](Engine& e) { return influence_maximization(e, view, options); });
  Answer out;
  out["seeds"] = to_numpy(std::move(found.seeds));
  out["gains"] = to_numpy(std::move(found.gains));
  out["spread"] = found.spread;
  out["lower_bound"] = found.lower_bound;
  out["upper_bound"] = found.upper_bound;
  out["guarantee"] = found.guarantee;
  out["rr_sets"] = found.rr_sets;
  out["rr_set_entries"] = found.entries;
  out["rr_set_bytes"] = found.bytes;
  out["spilled_bytes"] = found.spilled_bytes;
  out["rr_set_read_bytes"] = found.read_bytes;
  return out;
}

}  // namespace

void bind_influence_maximization(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<CascadeModel>(module, "CascadeModel")
      .value("ic", CascadeModel::independent_cascade)
      .value("lt", CascadeModel::linear_threshold);
  nb::enum_<EdgeChance>(module, "EdgeChance")
      .value("constant", EdgeChance::constant)
      .value("by_degree", EdgeChance::by_degree)
      .value("weights", EdgeChance::weights);
  nb::enum_<InfluenceMethod>(module, "InfluenceMethod")
      .value("opim", InfluenceMethod::opim)
      .value("imm", InfluenceMethod::imm);
  nb::enum_<RrSetStaging>(module, "RrSetStaging")
      .value("direct", RrSetStaging::direct)
      .value("in_place", RrSetStaging::in_place)
      .value("staged", RrSetStaging::staged);
  module.def("influence_maximization", &run_influence_maximization, "engine"_a, "view"_a, "k"_a, "model"_a, "chance"_a,
             "probability"_a, "epsilon"_a, "delta"_a, "method"_a, "seeds"_a, "seed"_a, "max_bytes"_a,
             "weights"_a = nb::none(), "staging"_a = RrSetStaging::direct);
}

}  // namespace rizoma::python
