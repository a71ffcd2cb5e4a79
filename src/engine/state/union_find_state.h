// UnionFindState: disjoint sets that an iteration lives on.
#pragma once

#include "engine/exchange/union_broadcast.h"
#include "engine/state/concurrent_union_find.h"

#include <rizoma/iteration.h>

#include <utility>

namespace rizoma {

/// Sets that all threads of all processes link, in memory that they share where there is such.  Saved as trees, which
/// are the same everywhere then.
template <class Label>
class UnionFindState final : public engine_detail::StateArray {
 public:
  explicit UnionFindState(Iteration& loop) : StateArray(loop), loop_(loop), links_(loop.engine(), sets_) {
    loop.update_by([this] { return links_.broadcast_last(); });
  }

  /// Makes each vertex a set of its own.  Collective.
  Status make() {
    using Sets = ConcurrentUnionFind<Label>;
    const VertexId n = loop_.graph().num_vertices();
    RIZOMA_ASSIGN(sets_,
                  loop_.survives() ? Sets::make(loop_.engine(), n) : Sets::make_for_all(loop_.engine(), loop_.graph()));
    return {};
  }
  [[nodiscard]] ConcurrentUnionFind<Label>& sets() noexcept { return sets_; }

  /// Returns once no process links a vertex without asking for its parent any more.  Collective.
  Status end_unasked() {
    Ranks* const ranks = loop_.engine().ranks();
    return ranks != nullptr && sets_.is_shared() ? ranks->barrier() : Status();
  }
  /// Makes the sets, and the most frequent root, the same everywhere.  Collective.
  Status agree_on(FrequentRoot& most) { return links_.agree_on(most); }
  /// The same for the sets, for the last time.
  Status finish() { return links_.broadcast_last(); }

  StateColumn column() override { return sets_.column(); }

 private:
  Iteration& loop_;
  ConcurrentUnionFind<Label> sets_;
  UnionBroadcast<Label> links_;
};

}  // namespace rizoma
