// KeptCopy: the working copy of one state of a graph, kept from one run to the next.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/function_ref.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <mutex>
#include <optional>

namespace rizoma {

/// At most one copy, that of the tiers and homes last asked for.  Any thread; who asks while another loads
/// waits for it.
class KeptCopy {
 public:
  /// The graph, which `view` gives, with its sections where the engine's tiers say.  In place: the graph
  /// itself, and no copy is kept any longer.
  Result<GraphView> get(Engine& engine, FunctionRef<Result<GraphView>()> view);

 private:
  std::mutex mutex_;
  std::optional<Placement> placement_;  ///< what copy_ was made for; none: there is none
  GraphView copy_;
};

}  // namespace rizoma
