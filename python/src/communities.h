// What the bindings of louvain and leiden share.
#pragma once

#include "checkpoints.h"
#include "kernels.h"

#include <rizoma/communities.h>

namespace rizoma::python {

using Finder = Result<Communities> (*)(Engine&, const GraphView&, const CommunityOptions&);

inline Answer find_communities(Finder find, PyEngine& engine, const GraphView& view, double resolution,
                               double threshold, int max_levels, std::uint64_t seed, bool use_weights,
                               const std::optional<Input<std::uint64_t>>& start,
                               const std::optional<Input<VertexId>>& changed, int iterations,
                               const std::optional<CheckpointOptions>& keep) {
  CommunityOptions options{.resolution = resolution,
                           .threshold = threshold,
                           .max_levels = max_levels,
                           .seed = seed,
                           .use_weights = use_weights,
                           .start = span_of(start),
                           .iterations = iterations};
  if (changed) options.changed = span_of(changed);
  Communities found = engine.run([&](Engine& e) {
    return with_checkpoints(e, view, keep, [&](Checkpoints* checkpoints) {
      options.checkpoints = checkpoints;
      return find(e, view, options);
    });
  });
  Answer out;
  out["community"] = to_numpy(std::move(found.labels));
  out["count"] = found.count;
  out["modularity"] = found.modularity;
  out["resumed_after"] = found.resumed_after;
  out["copies_bytes"] = found.copies_bytes;
  out["copies_read_bytes"] = found.copies_read_bytes;
  nb::list levels;
  for (auto& level : found.levels) levels.append(to_numpy(std::move(level)));
  out["levels"] = levels;
  return out;
}

}  // namespace rizoma::python
