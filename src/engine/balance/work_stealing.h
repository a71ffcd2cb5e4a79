// Work on ranked lists that moves between processes, in the way that their network allows (list_stealing.h): where they
// read each other's memory they help themselves (one_sided_stealing.h), elsewhere they ask (steal_requests.h).
#pragma once

#include "engine/balance/one_sided_stealing.h"
#include "engine/balance/steal_requests.h"

#include <rizoma/process_vertices.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace rizoma {

/// Whether work may move between the processes of an engine: it has several, and its settings permit it.
[[nodiscard]] inline bool lists_may_move(const Engine& engine) noexcept {
  const Ranks* const processes = engine.ranks();
  return processes != nullptr && processes->size() > 1 && processes->settings().migration;
}

/// How work moves between the processes of an engine: they are several.  Collective.
/// Errors: out_of_memory, io (a process is lost).
inline Result<std::unique_ptr<ListStealing>> make_stealing(Engine& engine, OrientedLists& lists, CoreRows& core) {
  std::unique_ptr<ListStealing> stealing;
  if (RankWindow::one_sided(*engine.ranks())) {
    RIZOMA_ASSIGN(stealing, OneSidedStealing::make(engine, lists, core));
  }
  if (stealing == nullptr) {
    RIZOMA_ASSIGN(stealing, StealRequests::make(engine, lists, core));
  }
  return stealing;
}

/// own(r, thread) for lists of this process, other(r, list, stolen, thread) for those of others; each list that has two
/// members or more once, on one of all processes.  Collective if work may move, and a round must follow.
/// Errors: out_of_memory, cancelled, io (a process is lost).
template <class Own, class Other>
Status for_all_lists(Engine& engine, OrientedLists& lists, CoreRows& core, Own&& own, Other&& other) {
  constexpr std::uint64_t kGrain = 64;  // vertices handed out at once
  if (lists_may_move(engine)) {
    RIZOMA_ASSIGN(const std::unique_ptr<ListStealing> stealing, make_stealing(engine, lists, core));
    return stealing->for_each(own, other);
  }
  return engine.for_blocks(lists.size(), kGrain, [&](VertexRange block, unsigned thread) {
    for (VertexId u = block.begin; u < block.end; ++u) {
      if (lists.is_mine(u)) own(static_cast<OrientedLists::DegreeRank>(u), thread);
    }
  });
}

/// The rows of the core: in as much memory as a process has edges on average, where remote lists arrive.
inline Result<CoreRows> core_of(Engine& engine, const OrientedLists& lists) {
  if (!lists_may_move(engine)) return CoreRows::make(engine, lists);
  RIZOMA_ASSIGN(const EdgeCount edges, over_ranks(engine, lists.num_edges(), std::plus<>()));
  return CoreRows::make(engine, lists, edges / engine.ranks()->size());
}

}  // namespace rizoma
