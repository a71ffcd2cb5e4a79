#include <rizoma/algorithms/connected_components.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/components/component_labels.h"
#include "algorithms/components/find_components.h"
#include "algorithms/components/incremental_components.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/graph_view.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>

#include <atomic>
#include <cstdint>
#include <string_view>

namespace rizoma {
namespace {

/// The names given, or, if these are not the smallest vertices of components, names that are.
Result<std::span<const std::uint64_t>> least_names(Engine& engine, std::span<const std::uint64_t> given,
                                                   std::vector<std::uint64_t>& room) {
  const VertexId n = given.size();
  std::atomic<bool> valid = true;
  std::atomic<bool> least = true;
  constexpr std::uint64_t kGrain = 1 << 14;
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    bool all_valid = true;
    bool all_least = true;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const std::uint64_t name = given[v];
      if (name == kNoVertex) continue;
      all_valid = all_valid && name < n;
      all_least = all_least && name <= v && given[name] == name;
    }
    if (!all_valid) valid = false;
    if (!all_least) least = false;
  }));
  if (!valid) {
    return Error{ErrorCode::invalid_argument,
                 "connected_components: a former component has a name that is not below the number of vertices"};
  }
  if (least) return given;
  room.assign(n, kNoVertex);
  std::vector<std::uint64_t> first(n, kNoVertex);
  for (VertexId v = 0; v < n; ++v) {
    if (given[v] == kNoVertex) continue;
    if (first[given[v]] == kNoVertex) first[given[v]] = v;
    room[v] = first[given[v]];
  }
  return std::span<const std::uint64_t>(room);
}

Status check_former(const GraphView& graph, const WarmStartComponents& former) {
  constexpr std::string_view kWho = "connected_components";
  RIZOMA_TRY(check_one_each(graph, former.names.size(), "the list of former components", kWho));
  RIZOMA_TRY(check_changed(graph, former.changed, kWho));
  if (former.edges == nullptr) return {};
  RIZOMA_TRY(check_changed(graph, former.edges->added, kWho));
  return check_changed(graph, former.edges->removed, kWho);
}

/// Whether lists are compared in a small part of the time that it takes to find all from scratch.
bool are_short(const GraphView& graph, std::span<const VertexId> vertices) {
  constexpr EdgeCount kAlways = 1 << 13;  // entries
  const EdgeCount most = graph.num_vertices() / 2 + kAlways;
  const Degrees degrees(graph);
  EdgeCount entries = 0;
  for (const VertexId v : vertices) entries += degrees[v];
  return entries <= most;
}

/// Nothing if the changes are too large to be followed, or not known.
Result<std::optional<ConnectedComponentsResult>> from_former(Engine& engine, const GraphView& graph,
                                                             const WarmStartComponents& former) {
  RIZOMA_TRY(check_former(graph, former));
  std::vector<std::uint64_t> room;
  RIZOMA_ASSIGN(const auto names, least_names(engine, former.names, room));
  const bool known = former.edges != nullptr || (former.before != nullptr && former.before->has_in_edges());
  if (!known || !graph.has_in_edges()) return std::optional<ConnectedComponentsResult>();
  ChangedEdges compared;
  if (former.edges == nullptr) {
    if (!are_short(graph, former.changed)) return std::optional<ConnectedComponentsResult>();
    RIZOMA_ASSIGN(compared, compare_lists(engine, *former.before, graph, former.changed));
  }
  const ChangedEdges& edges = former.edges != nullptr ? *former.edges : compared;
  RIZOMA_ASSIGN(const auto changes, follow_components(engine, graph, names, edges));
  if (!changes) return std::optional<ConnectedComponentsResult>();
  RIZOMA_ASSIGN(ConnectedComponentsResult result, relabel(engine, graph, names, *changes));
  return std::optional(std::move(result));
}

}  // namespace

Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph,
                                                       const WarmStartComponents& former) {
  RIZOMA_TRY(expect_same_call(engine, "connected_components", {{"former", former.names.size()}}));
  Iteration loop(engine, graph, "connected_components");
  if (!former.names.empty() && loop.is_alone()) {
    RIZOMA_TRY(loop.report(1, 3));
    RIZOMA_ASSIGN(std::optional<ConnectedComponentsResult> followed, from_former(engine, graph, former));
    if (followed) return std::move(*followed);
  }
  return find_components(loop);
}

}  // namespace rizoma
