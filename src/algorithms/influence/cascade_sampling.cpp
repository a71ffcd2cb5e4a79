#include "algorithms/influence/cascade_sampling.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <atomic>
#include <string>

namespace rizoma::cascades {

Status check(Engine& engine, const GraphView& graph, const CascadeOptions& options, std::string_view who) {
  const std::string name(who);
  RIZOMA_TRY(check_direction(graph, Direction::in, who));
  if (options.chance == EdgeChance::constant && !(options.probability >= 0 && options.probability <= 1))
    return bad_option(who, "probability", options.probability, "from 0 to 1");
  if (options.chance != EdgeChance::weights) return {};
  if (graph.weight_type() == WeightType::none)
    return Error{ErrorCode::unsupported, name + ": the graph has no weights; give a probability"};
  std::atomic<VertexId> wrong = kNoVertex;
  RIZOMA_TRY(gather<true>(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto weight = static_cast<double>(entries.weight(i));
      if (weight >= 0 && weight <= 1) continue;
      VertexId seen = wrong.load();
      while (v < seen && !wrong.compare_exchange_weak(seen, v)) {
      }
    }
  }));
  if (wrong == kNoVertex) return {};
  return Error{ErrorCode::invalid_argument,
               name + ": an edge of vertex " + std::to_string(wrong) +
                   " (internal id) has a weight that is not a probability; weights must be from 0 to 1"};
}

}  // namespace rizoma::cascades
