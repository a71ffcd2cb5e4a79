#include "api/cached_copy.h"

#include <utility>

namespace rizoma {
namespace {

/// Whether sections loaded for `a` lie where `b` wants them.  An adaptive placement that has moved on gives
/// other threads the work; the bytes stay where they were loaded.
bool lies_right(const Placement& a, const Placement& b) {
  return a.policy == b.policy && a.node_of_home == b.node_of_home &&
         a.tiers[Structure::sections] == b.tiers[Structure::sections] &&
         (a.policy == PlacementPolicy::adaptive || a.home_of_section == b.home_of_section);
}

}  // namespace

// Nothing is locked while sections are read: a progress function may itself ask for a view.
Result<GraphView> CachedCopy::get(Engine& engine, FunctionRef<Result<GraphView>()> view) {
  RIZOMA_TRY(engine.tiers_status());
  if (engine.tiers()[Structure::sections].tier == MemoryTier::in_place) {
    put(std::nullopt);
    return view();
  }
  if (const std::optional<Kept> kept = peek()) {
    RIZOMA_ASSIGN(const Placement wanted, engine.placement(kept->copy));
    if (lies_right(kept->placement, wanted)) return kept->copy;
  }
  put(std::nullopt);  // before the next is loaded: there may not be room for both
  RIZOMA_ASSIGN(const GraphView graph, view());
  RIZOMA_ASSIGN(Placement placement, engine.placement(graph));
  RIZOMA_ASSIGN(GraphView copy, engine.working_copy(graph));
  put(Kept{std::move(placement), copy});
  return copy;
}

Result<GraphView> CachedCopy::own_sections(FunctionRef<Result<GraphView>()> view) {
  {
    const MutexLock lock(mutex_);
    if (own_sections_) return *own_sections_;
  }
  RIZOMA_ASSIGN(const GraphView made, view());
  const MutexLock lock(mutex_);
  if (!own_sections_) own_sections_ = made;
  return *own_sections_;
}

std::optional<CachedCopy::Kept> CachedCopy::peek() {
  const MutexLock lock(mutex_);
  return kept_;
}

void CachedCopy::put(std::optional<Kept> kept) {
  const MutexLock lock(mutex_);
  kept_.swap(kept);  // the former content is removed after the lock
}

}  // namespace rizoma
