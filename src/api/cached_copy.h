// CachedCopy: the working copy of one state of a graph, or its view by sections, kept from one run to the next.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>

#include "platform/mutex.h"
#include "query/plan/match_memory.h"

#include <memory>
#include <optional>

namespace rizoma {

/// At most one copy, that of the tiers and homes last asked for.  Any thread; two that ask at the same time may
/// both load.
class CachedCopy {
 public:
  /// The graph, which `view` gives, with its sections where the engine's tiers say.  In place: the graph
  /// itself, and no copy is kept any longer.
  Result<GraphView> get(Engine& engine, FunctionRef<Result<GraphView>()> view);
  /// The view of which each rank reads its own sections, which `view` makes once.
  Result<GraphView> own_sections(FunctionRef<Result<GraphView>()> view);
  /// What matches of this state keep for one another.
  [[nodiscard]] const std::shared_ptr<query::MatchMemory>& match_memory() const noexcept { return match_memory_; }

 private:
  struct Kept {
    Placement placement;  ///< that the copy was made for
    GraphView copy;
  };
  [[nodiscard]] std::optional<Kept> peek();
  void put(std::optional<Kept> kept);

  const std::shared_ptr<query::MatchMemory> match_memory_ = std::make_shared<query::MatchMemory>();
  Mutex mutex_;
  std::optional<Kept> kept_ RIZOMA_GUARDED_BY(mutex_);
  std::optional<GraphView> own_sections_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
