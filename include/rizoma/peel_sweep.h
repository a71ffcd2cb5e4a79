// PeelSweep: takes off the vertices of the smallest degree, level by level; each lowers its neighbors.  Module: engine.
//
//   read_both_lists(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Status {
//     PeelSweep<std::int32_t, Lists> sweep(loop, out, in, degrees);   // a VertexState: entries to and from others
//     RIZOMA_TRY(sweep.start(0));
//     while (sweep.left() > 0) RIZOMA_TRY(sweep.step());              // one level
//   });                                                               // degrees are core numbers now
//
// How: a step finds the vertices of minimum degree and removes them.  A vertex that is left with no more than the
// level is taken off by the thread that has lowered it last, without a barrier.  On ranks, each takes off its own
// vertices, and the ranks go through the levels together; a vertex of another rank has a degree that is above every
// level, so that it is lowered as others are, and its owner receives the difference.
// Cost: O(n + m) for all levels, and O(vertices left) for each.
// Source: Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW'17.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma {

/// `Degree` is signed: a thread may lower one once too often, and then raises it again.  Errors: cancelled.
template <class Degree, class Lists>
class PeelSweep {
 public:
  using Vertex = typename Lists::target_type;

  /// `in`: null for an undirected graph.
  PeelSweep(Iteration& loop, Lists& out, Lists* in, VertexState<Degree>& degrees)
      : engine_(loop.engine()),
        ranks_(engine_.ranks()),
        loop_(loop),
        out_(out),
        in_(in),
        state_(degrees),
        degrees_(degrees.values()),
        threads_(engine_.threads()) {}

  /// Call it once all vertices of a degree up to `level` have been removed.  Collective, as `step` is.
  Status start(Degree level) {
    level_ = level;
    state_.set_elsewhere(kAbroad);
    for (VertexId v = 0; v < degrees_.size(); ++v) {
      if (degrees_[v] > level_ && degrees_[v] != kAbroad) there_.push_back(static_cast<Vertex>(v));
    }
    left_ = there_.size();
    RIZOMA_ASSIGN(left_of_all_, loop_.total(left_));
    return {};
  }
  /// Vertices left.
  [[nodiscard]] std::uint64_t left() const noexcept { return left_of_all_; }

  /// Removes all vertices of the smallest degree left, and those that this leaves with no more.
  Status step() {
    RIZOMA_TRY(find_next());
    for (bool ended = false; !ended;) {
      while (!off_.empty()) RIZOMA_TRY(take_off());
      RIZOMA_TRY(notify_owners());
      RIZOMA_ASSIGN(const Left of_all, loop_.total(Left{left_, off_.size()}, Left::add));
      left_of_all_ = of_all.vertices;
      ended = of_all.off == 0;
    }
    return {};
  }

  /// The degree of the vertices removed last.
  [[nodiscard]] Degree level() const noexcept { return level_; }

 private:
  static constexpr Degree kAbroad = std::numeric_limits<Degree>::max();
  static constexpr std::uint64_t kLookedAt = 1 << 14;   // vertices that a thread looks at in one go
  static constexpr std::uint64_t kTakenOff = 1 << 9;    // vertices that a thread begins to take off at once
  static constexpr std::uint64_t kFollowing = 1 << 12;  // the most with those that follow; the rest is shared again

  struct Left {
    std::uint64_t vertices;
    std::uint64_t off;  ///< of those, to be taken off at this level
    static Left add(const Left& a, const Left& b) { return {a.vertices + b.vertices, a.off + b.off}; }
  };
  struct Next {
    std::uint64_t off;
    Degree least;  ///< above the level
    static Next add(const Next& a, const Next& b) { return {a.off + b.off, std::min(a.least, b.least)}; }
  };

  struct alignas(64) OfThread {
    std::vector<Vertex> off;     ///< to be taken off: the first `waiting`
    std::vector<Vertex> abroad;  ///< vertices of other ranks that were lowered
    std::size_t waiting = 0;
    std::uint64_t taken_off = 0;  ///< since the last round of all threads
    Degree least = 0;             ///< above the level

    void make_room(std::size_t more) {
      if (off.size() - waiting < more) off.resize(std::max(waiting + more, 2 * off.size()));
    }
  };

  /// Goes on to the smallest degree left, and finds all vertices that have it.
  Status find_next() {
    if (left_ < there_.size() - there_.size() / 4)
      std::erase_if(there_, [&](Vertex v) { return degrees_[v] <= level_; });
    for (++level_;;) {
      RIZOMA_TRY(look_through());
      RIZOMA_ASSIGN(const Next next, loop_.total(Next{off_.size(), least_}, Next::add));
      if (next.off > 0) return {};
      level_ = next.least;
    }
  }

  /// Finds who has the degree of the level, and the smallest degree above it.
  Status look_through() {
    constexpr Degree kNone = std::numeric_limits<Degree>::max();
    for (OfThread& mine : threads_) mine.least = kNone;
    RIZOMA_TRY(engine_.for_blocks(there_.size(), kLookedAt, [&](VertexRange block, unsigned thread) {
      OfThread& mine = threads_[thread];
      const Degree level = level_;
      Degree least = mine.least;
      mine.make_room(block.size());
      for (VertexId i = block.begin; i < block.end; ++i) {
        const Vertex v = there_[i];
        const Degree degree = degrees_[v];
        if (degree == level) mine.off[mine.waiting++] = v;
        least = std::min(least, degree > level ? degree : kNone);
      }
      mine.least = least;
    }));
    least_ = kNone;
    for (const OfThread& mine : threads_) least_ = std::min(least_, mine.least);
    collect();
    return {};
  }

  Status take_off() {
    const bool alone = off_.size() <= kTakenOff || threads_.size() == 1;
    RIZOMA_TRY(engine_.for_blocks(off_.size(), kTakenOff, [&](VertexRange block, unsigned thread) {
      OfThread& mine = threads_[thread];
      mine.make_room(block.size());
      for (VertexId i = block.begin; i < block.end; ++i) mine.off[mine.waiting++] = off_[i];
      if (ranks_ != nullptr) alone ? follow<false, true>(mine, thread) : follow<true, true>(mine, thread);
      else alone ? follow<false, false>(mine, thread) : follow<true, false>(mine, thread);
    }));
    for (OfThread& mine : threads_) left_ -= std::exchange(mine.taken_off, 0);
    collect();
    return {};
  }

  /// Tells other ranks by how much their vertices decrease, and decreases those of this rank.
  Status notify_owners() {
    if (ranks_ == nullptr) return {};
    std::vector<Vertex> abroad;
    for (OfThread& mine : threads_) {
      abroad.insert(abroad.end(), mine.abroad.begin(), mine.abroad.end());
      mine.abroad.clear();
    }
    const auto lowered_by = [&](Vertex w) {
      return static_cast<Degree>(kAbroad - std::exchange(degrees_[w], kAbroad));
    };
    return loop_.send<Degree>(abroad, lowered_by, [&](VertexId v, Degree by) {
      if (degrees_[v] <= level_) return;
      degrees_[v] = std::max(level_, static_cast<Degree>(degrees_[v] - by));
      if (degrees_[v] == level_) off_.push_back(static_cast<Vertex>(v));
    });
  }

  template <bool kShared, bool kRanks>
  void follow(OfThread& mine, unsigned thread) {
    for (std::uint64_t i = 0; i < kFollowing && mine.waiting > 0; ++i) {
      const Vertex v = mine.off[--mine.waiting];
      if (kRanks && degrees_.atomic(v).load(std::memory_order_relaxed) > level_) {
        mine.abroad.push_back(v);
        continue;
      }
      ++mine.taken_off;
      lower_all<kShared, kRanks>(out_.read(v, thread), mine);
      if (in_ != nullptr) lower_all<kShared, kRanks>(in_->read(v, thread), mine);
    }
  }

  /// Decreases the degrees of neighbours above the level.  Which ones is unpredictable, so a thread that works alone
  /// uses no branch.  On ranks, a remote vertex is queued when it is first decreased.
  template <bool kShared, bool kRanks>
  void lower_all(const auto& list, OfThread& mine) {
    const Degree level = level_;
    Degree* const degrees = degrees_.data();
    mine.make_room(list.size());
    Vertex* const off = mine.off.data();
    std::size_t waiting = mine.waiting;
    for (const Vertex w : list.sources()) {
      const Degree before = lower<kShared>(degrees[w], level);
      off[waiting] = w;
      waiting += ((before == level + 1) | (kRanks && before == kAbroad)) ? 1 : 0;
    }
    mine.waiting = waiting;
  }

  /// Decreases a degree by one if it is above the level; returns the degree before.
  template <bool kShared>
  static Degree lower(Degree& degree, Degree level) {
    if constexpr (kShared) {
      std::atomic_ref<Degree> shared(degree);
      if (const Degree seen = shared.load(std::memory_order_relaxed); seen <= level) return seen;
      const Degree before = shared.fetch_sub(1, std::memory_order_relaxed);
      if (before <= level) shared.fetch_add(1, std::memory_order_relaxed);
      return before;
    } else {
      const Degree before = degree;
      degree = before - (before > level ? 1 : 0);
      return before;
    }
  }

  void collect() {
    off_.clear();
    for (OfThread& mine : threads_) {
      const auto begin = mine.off.begin();
      off_.insert(off_.end(), begin, begin + static_cast<std::ptrdiff_t>(std::exchange(mine.waiting, 0)));
    }
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: this process is alone
  Iteration& loop_;
  Lists& out_;
  Lists* in_;
  VertexState<Degree>& state_;
  VertexMap<Degree>& degrees_;
  std::vector<OfThread> threads_;
  std::vector<Vertex> there_;      ///< all vertices left, and some that are not
  std::vector<Vertex> off_;        ///< to be taken off at this level
  std::uint64_t left_ = 0;         ///< of this rank
  std::uint64_t left_of_all_ = 0;  ///< of all ranks
  Degree level_ = 0;
  Degree least_ = 0;
};

}  // namespace rizoma
