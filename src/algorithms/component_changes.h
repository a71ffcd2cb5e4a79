// Connected components of a graph that has changed, from those it had before.
#pragma once

#include "algorithms/linked_sets.h"
#include "base/random.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/list_reader.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// The name of more vertices than any other, if draws tell that it is that of a great part; kNoVertex if not.
inline std::uint64_t great_name(std::span<const std::uint64_t> names) {
  constexpr std::size_t kDraws = 64;
  std::vector<std::uint64_t> drawn;
  Random random(names.size());
  for (std::size_t i = 0; i < kDraws; ++i) drawn.push_back(names[random.below(names.size())]);
  std::ranges::sort(drawn);
  for (std::size_t i = 0; i + kDraws / 4 < kDraws; ++i) {
    if (drawn[i] == drawn[i + kDraws / 4]) return drawn[i];
  }
  return kNoVertex;
}

/// Which vertices may have lost an edge: those of the changed ones that have an entry fewer than before.
inline std::vector<VertexId> who_lost(Engine& engine, const GraphView& graph, const FormerComponents& former) {
  if (former.before == nullptr) return {former.changed.begin(), former.changed.end()};
  std::vector<VertexId> losers;
  read_lists(engine, graph, Direction::out, [&](auto& now) {
    read_lists(engine, *former.before, Direction::out, [&](auto& before) {
      for (const VertexId v : former.changed) {
        if (v < before.num_vertices() && !std::ranges::includes(now.read(v).sources(), before.again(v).sources()))
          losers.push_back(v);
      }
    });
  });
  return losers;
}

/// By name, the components that may have come apart; empty: none has.  Nothing if a great part of the graph may have.
inline std::optional<std::vector<bool>> torn_names(Engine& engine, const GraphView& graph,
                                                   std::span<const std::uint64_t> names,
                                                   const FormerComponents& former) {
  const std::uint64_t great = great_name(names);
  std::vector<bool> torn;
  const auto tear = [&](VertexId v) {
    if (names[v] == kNoVertex) return true;
    if (torn.empty()) torn.resize(names.size());
    torn[names[v]] = true;
    return names[v] != great;
  };
  for (VertexId v = 0; v < names.size() && graph.num_live() < names.size(); ++v) {
    if (!graph.is_live(v) && !tear(v)) return std::nullopt;
  }
  if (!std::ranges::all_of(who_lost(engine, graph, former), tear)) return std::nullopt;
  return torn;
}

/// Trees of the components that hold, with what has changed linked.
template <class Label>
Result<LinkedSets<Label>> link_changes(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> names,
                                       const std::vector<bool>& torn, std::span<const VertexId> changed) {
  std::vector<PerThread<std::vector<VertexId>>> loose(engine.threads());
  RIZOMA_ASSIGN(LinkedSets<Label> sets, LinkedSets<Label>::make(engine, names.size(), [&](VertexId v, unsigned thread) {
                  const std::uint64_t name = names[v];
                  if (name != kNoVertex && (torn.empty() || !torn[name])) return static_cast<Label>(name);
                  loose[thread].value.push_back(v);
                  return static_cast<Label>(v);
                }));
  constexpr std::uint64_t kGrain = 256;
  const Status linked = read_lists(engine, graph, Direction::out, [&](auto& lists) -> Status {
    const auto link = [&](std::span<const VertexId> vertices) {
      return engine.for_blocks(vertices.size(), kGrain, [&](VertexRange block, unsigned thread) {
        for (const VertexId v : vertices.subspan(block.begin, block.end - block.begin)) {
          sets.link_all(v, lists.read(v, thread).sources());
        }
      });
    };
    for (const auto& of_thread : loose) RIZOMA_TRY(link(of_thread.value));
    return link(changed);
  });
  RIZOMA_TRY(linked);
  return sets;
}

/// The names given, or, if these are not the smallest vertices of components, names that are.
inline Result<std::span<const std::uint64_t>> least_names(Engine& engine, std::span<const std::uint64_t> given,
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
                 "connected_components: a former component has a name that is no number below that of vertices"};
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

/// What a former state makes quicker; nothing if that is nothing.
template <class Label>
Result<std::optional<LinkedSets<Label>>> from_former(Engine& engine, const GraphView& graph,
                                                     const FormerComponents& former) {
  const auto refuse = [](std::string what) {
    return Error{ErrorCode::invalid_argument, "connected_components: " + std::move(what)};
  };
  const VertexId n = graph.num_vertices();
  if (former.names.size() != n) return refuse("the former components have not one name for each vertex");
  for (const VertexId v : former.changed) {
    if (v >= n) return refuse("vertex " + std::to_string(v) + " that has changed is not in the graph");
  }
  std::vector<std::uint64_t> room;
  RIZOMA_ASSIGN(const auto names, least_names(engine, former.names, room));
  const std::optional<std::vector<bool>> torn = torn_names(engine, graph, names, former);
  if (!torn) return std::optional<LinkedSets<Label>>();
  RIZOMA_ASSIGN(LinkedSets<Label> sets, link_changes<Label>(engine, graph, names, *torn, former.changed));
  return std::optional(std::move(sets));
}

}  // namespace rizoma
