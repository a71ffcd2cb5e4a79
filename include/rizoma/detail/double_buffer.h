// DoubleBuffer: what each vertex shows, as this sweep reads it and as the next one will.  Module: engine.
//
// Where ranks share memory both may lie there: each rank writes what its own vertices show, and all read it in place.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
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
  /// Of n vertices, in memory of this process.
  DoubleBuffer(Engine& engine, VertexId n) : n_(n), own_(engine.make_map<Value>(n, {})), now_(own_.data()) {}

  /// Of all vertices, as this sweep reads them.
  [[nodiscard]] Value* now() noexcept { return now_; }
  /// What vertices have shown anew has been written to `now`: with ranks, others must see it before they read.
  void set_anew() noexcept { is_seen_ = false; }
  /// Where what they show in the next sweep goes, while others are read in this one.
  [[nodiscard]] Value* next(Engine& engine) {
    if (next_ == nullptr) {
      own_next_ = engine.make_map<Value>(n_, {});
      next_ = own_next_.data();
    }
    return next_;
  }
  /// The sweep is over: what was next is now.
  void swap() noexcept { std::swap(now_, next_); }

  /// Moves them to memory that all ranks read and write, for good, and returns once what each has written of its own
  /// vertices can be read there.  Between a call and the next, and a `turn` and the next, all must have had a round.
  /// False, on all ranks: they share no memory.  Collective.
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
      // Vertices that are left out are not shown again, and this memory holds what others left.
      std::copy(now_ + range.begin, now_ + range.end, there + n_ + range.begin);
    }
    now_ = there;
    next_ = there + n_;
    own_ = {};
    own_next_ = {};
    is_seen_ = false;
  }

  VertexId n_ = 0;
  VertexMap<Value> own_;
  VertexMap<Value> own_next_;
  Value* now_ = nullptr;
  Value* next_ = nullptr;
  std::optional<RankMemory> memory_;  ///< once it was asked for
  bool is_seen_ = false;              ///< by all ranks
};

}  // namespace rizoma::engine_detail
