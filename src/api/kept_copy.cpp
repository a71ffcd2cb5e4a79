#include "api/kept_copy.h"

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

Result<GraphView> KeptCopy::get(Engine& engine, FunctionRef<Result<GraphView>()> view) {
  RIZOMA_TRY(engine.tiers_status());
  const std::lock_guard lock(mutex_);
  if (engine.tiers()[Structure::sections].tier == MemoryTier::in_place) {
    placement_.reset();
    copy_ = {};
    return view();
  }
  if (placement_) {
    RIZOMA_ASSIGN(const Placement wanted, engine.placement(copy_));
    if (lies_right(*placement_, wanted)) return copy_;
    placement_.reset();
    copy_ = {};  // before the next is loaded: there may not be room for both
  }
  RIZOMA_ASSIGN(const GraphView graph, view());
  RIZOMA_ASSIGN(Placement placement, engine.placement(graph));
  RIZOMA_ASSIGN(copy_, engine.working_copy(graph));
  placement_ = std::move(placement);
  return copy_;
}

}  // namespace rizoma
