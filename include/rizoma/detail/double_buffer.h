// DoubleBuffer: the messages of all vertices, of this step and of the next.  Module: engine.
//
// Where ranks share memory, both buffers may be there: each rank writes those of its own vertices, and all read in
// place.  Elsewhere `now` holds the messages of mirrors, too, and stays where it is.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace rizoma::engine_detail {

template <class Value>
class DoubleBuffer {
 public:
  /// None.
  DoubleBuffer() = default;
  /// Of n vertices, in private memory.
  DoubleBuffer(Engine& engine, VertexId n)
      : n_(n), mirrors_(engine.ranks() != nullptr), own_(engine.make_map<Value>(n, {})), now_(own_.data()) {}

  /// The buffer that this step reads.
  [[nodiscard]] Value* now() noexcept { return now_; }
  /// Notes writes to `now`: on ranks, others must see them before they read.
  void set_anew() noexcept { is_seen_ = false; }
  /// The buffer that this step writes.
  [[nodiscard]] Value* next(Engine& engine) {
    if (next_ == nullptr) {
      own_next_ = engine.make_map<Value>(n_, {});
      next_ = own_next_.data();
    }
    return next_;
  }
  /// Ends a step.  Errors: cancelled.
  Status swap(Engine& engine, const GraphView& graph) {
    if (!mirrors_ || (memory_ && *memory_)) {
      std::swap(now_, next_);
      return {};
    }
    return engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      std::swap_ranges(now_ + block.begin, now_ + block.end, next_ + block.begin);
    });
  }

  /// The values of own vertices in `now`, or with `last` in the step before; frees the memory of all others.  Errors:
  /// cancelled.
  Result<const Value*> keep_own(Engine& engine, const GraphView& graph, bool last) {
    if (!mirrors_ || (memory_ && *memory_) || next_ == nullptr) return last ? next(engine) : now_;
    if (!last) {
      RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
        std::copy(now_ + block.begin, now_ + block.end, next_ + block.begin);
      }));
    }
    own_ = {};
    return now_ = next_;
  }

  /// Moves both buffers to memory that all ranks share for good, and returns once the writes of all ranks are visible.
  /// Calls of this and of swap() need a collective between them.  False, on all ranks: they share no memory.
  /// Collective.
  Result<bool> share(Ranks& ranks) {
    if (!memory_) {
      RIZOMA_ASSIGN(memory_, RankMemory::take(ranks, 2 * n_ * sizeof(Value)));
      if (*memory_) move_there(ranks);
    }
    if (!*memory_) return false;
    if (!std::exchange(is_seen_, true)) RIZOMA_TRY(ranks.barrier());
    return true;
  }

 private:
  void move_there(Ranks& ranks) {
    auto* const there = reinterpret_cast<Value*>(memory_->data());
    for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
      std::copy(now_ + range.begin, now_ + range.end, there + range.begin);
      // Excluded vertices are not written again, and this memory is uninitialised.
      std::copy(now_ + range.begin, now_ + range.end, there + n_ + range.begin);
    }
    now_ = there;
    next_ = there + n_;
    own_ = {};
    own_next_ = {};
    is_seen_ = false;
  }

  VertexId n_ = 0;
  bool mirrors_ = false;  ///< has messages of other ranks' vertices
  VertexMap<Value> own_;
  VertexMap<Value> own_next_;
  Value* now_ = nullptr;
  Value* next_ = nullptr;
  std::optional<RankMemory> memory_;  ///< after the first call of share
  bool is_seen_ = false;              ///< all ranks see `now`
};

}  // namespace rizoma::engine_detail
