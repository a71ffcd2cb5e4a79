#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/sssp.h>
#include <rizoma/gather.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

namespace rizoma {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// An edge is on a shortest path if it is as long as its ends lie apart.  Longer edges give parents in one pass; edges
/// of length 0 could lead in a circle, so they hand parents on round by round, from vertices that have one.
template <bool kWeighted>
class Parents {
 public:
  Parents(Engine& engine, const GraphView& graph, std::span<const double> distances)
      : engine_(engine),
        graph_(graph),
        distances_(distances),
        parents_(engine.make_map<std::int64_t>(graph.num_vertices(), kNone)) {}

  Result<VertexMap<std::int64_t>> find(std::span<const VertexId> sources) {
    std::atomic<bool> flat = false;
    RIZOMA_TRY(for_tight([&](VertexId u, VertexId v) {
      if (distances_[u] == distances_[v]) flat.store(true, std::memory_order_relaxed);
      else parents_.lower(v, static_cast<std::int64_t>(u));
    }));
    for (const VertexId source : sources) parents_[source] = static_cast<std::int64_t>(source);
    if (flat) RIZOMA_TRY(cross_flat());
    for (VertexId v = 0; v < parents_.size(); ++v) parents_[v] = parents_[v] == kNone ? -1 : parents_[v];
    return std::move(parents_);
  }

 private:
  /// f(u, v) for each edge that ends a shortest path.
  template <class F>
  Status for_tight(F&& f) {
    const GatherOptions options{.direction = Direction::out, .in_pieces = true};
    return gather<kWeighted>(engine_, graph_, options, [&](VertexId u, const auto& entries, unsigned) {
      if (!std::isfinite(distances_[u])) return;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const VertexId v = entries.source(i);
        if (distances_[u] + static_cast<double>(entries.weight(i)) == distances_[v]) f(u, v);
      }
    });
  }

  /// One round after the other, until a round gives no vertex its parent.
  Status cross_flat() {
    auto next = engine_.make_map<std::int64_t>(parents_.size(), kNone);
    for (bool more = true; more;) {
      std::atomic<bool> found = false;
      RIZOMA_TRY(for_tight([&](VertexId u, VertexId v) {
        if (parents_[u] == kNone || parents_[v] != kNone || distances_[u] != distances_[v]) return;
        next.lower(v, static_cast<std::int64_t>(u));
        found.store(true, std::memory_order_relaxed);
      }));
      more = found;
      for (VertexId v = 0; v < next.size(); ++v) {
        if (parents_[v] == kNone) parents_[v] = next[v];
      }
    }
    return {};
  }

  Engine& engine_;
  const GraphView& graph_;
  std::span<const double> distances_;
  VertexMap<std::int64_t> parents_;
};

}  // namespace

Result<VertexMap<std::int64_t>> path_parents(Engine& engine, const GraphView& graph, std::span<const double> distances,
                                             std::span<const VertexId> sources, bool weighted) {
  RIZOMA_TRY(single_process_only(engine, "path_parents"));
  RIZOMA_TRY(check_sources(graph, sources, "path_parents"));
  if (distances.size() != graph.num_vertices()) {
    return Error{ErrorCode::invalid_argument, "path_parents: " + std::to_string(distances.size()) + " distances of " +
                                                  std::to_string(graph.num_vertices()) + " vertices; give one each"};
  }
  RIZOMA_TRY(engine.report("path_parents", 0, 0));
  if (weighted) return Parents<true>(engine, graph, distances).find(sources);
  return Parents<false>(engine, graph, distances).find(sources);
}

}  // namespace rizoma
