// What the bindings of louvain and leiden share.
#pragma once

#include "bind_kernels.h"

#include <rizoma/algorithms/louvain.h>

#include <nanobind/stl/string.h>

#include <string_view>

namespace rizoma::python {

/// As `rizoma.partitions.CommunityPhase.kind` has it.
inline const char* name_of(CommunityPhase::Kind kind) {
  using Kind = CommunityPhase::Kind;
  switch (kind) {
    case Kind::copy: return "copy";
    case Kind::move: return "move";
    case Kind::refine: return "refine";
    case Kind::aggregate: return "aggregate";
  }
  return "";
}

/// By the name that users give it.
inline CommunityObjective objective_named(std::string_view name) {
  if (name == "rb") return CommunityObjective::rb;
  if (name == "rber") return CommunityObjective::rber;
  return name == "cpm" ? CommunityObjective::cpm : CommunityObjective::modularity;
}

using Finder = Result<Communities> (*)(Engine&, const GraphView&, const CommunityOptions&);

inline Answer find_communities(Finder find, PyEngine& engine, const GraphView& view, double resolution,
                               double threshold, int max_levels, std::uint64_t seed, bool use_weights,
                               const std::optional<Input<std::uint64_t>>& start,
                               const std::optional<Input<VertexId>>& changed, int iterations,
                               const std::string& objective, const std::optional<Input<double>>& sizes,
                               const std::optional<Input<VertexId>>& fixed) {
  CommunityOptions options{.resolution = resolution,
                           .threshold = threshold,
                           .max_levels = max_levels,
                           .seed = seed,
                           .use_weights = use_weights,
                           .start = span_of(start),
                           .iterations = iterations,
                           .objective = objective_named(objective),
                           .sizes = span_of(sizes),
                           .fixed = span_of(fixed)};
  if (changed) options.changed = span_of(changed);
  Communities found = engine.run([&](Engine& e) { return find(e, view, options); });
  Answer out;
  out["community"] = to_numpy(std::move(found.labels));
  out["count"] = found.count;
  out["modularity"] = found.modularity;
  out["quality"] = found.quality;
  out["resumed_after"] = found.resumed_after;
  nb::list phases;
  for (const CommunityPhase& phase : found.phases) {
    phases.append(nb::make_tuple(name_of(phase.kind), phase.iteration, phase.level, phase.copies, phase.read_bytes,
                                 phase.written_bytes));
  }
  out["phases"] = phases;
  nb::list levels;
  for (auto& level : found.levels) levels.append(to_numpy(std::move(level)));
  out["levels"] = levels;
  return out;
}

}  // namespace rizoma::python
