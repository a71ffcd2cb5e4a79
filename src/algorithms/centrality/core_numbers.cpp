#include <rizoma/algorithms/core_numbers.h>

#include "algorithms/shared/search_arguments.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kLookedAt = 1 << 14;   // vertices that a thread looks at in one go
constexpr std::uint64_t kTakenOff = 1 << 9;    // vertices that a thread begins to take off in one go
constexpr std::uint64_t kFollowing = 1 << 12;  // the most with those that follow; the rest is shared anew

/// Takes off all vertices of the least degree left, level by level.  A vertex that has no more than the level then is
/// taken off by the thread that has lowered it last, without a round of all threads.
/// `Degree` has a sign, because each thread may lower one once too often before it sees that and raises it again.
/// With ranks, each takes off its own vertices, and the ranks go through the levels together.  A vertex of another rank
/// has a degree that is above every level, so that it is lowered as others are; its owner receives the difference.
template <class Degree, class Lists>
class Peeling {
 public:
  using Vertex = typename Lists::target_type;

  /// All vertices of a degree up to `level` have been taken off.
  Peeling(Engine& engine, Lists& out, Lists* in, VertexMap<Degree>& degrees, Degree level)
      : engine_(engine),
        ranks_(engine.ranks()),
        out_(out),
        in_(in),
        degrees_(degrees),
        threads_(engine.threads()),
        level_(level) {
    leave_others_abroad();
    for (VertexId v = 0; v < degrees_.size(); ++v) {
      if (degrees_[v] > level_ && degrees_[v] != kAbroad) there_.push_back(static_cast<Vertex>(v));
    }
    left_ = there_.size();
  }

  /// Leaves each vertex (of this rank) with its core number for a degree.
  Status run(Checkpoints* checkpoints) {
    RIZOMA_ASSIGN(std::uint64_t left, over_ranks(engine_, left_, std::plus<>()));
    const auto all = static_cast<double>(left);
    while (left > 0) {
      RIZOMA_TRY(engine_.report("core_numbers", all - static_cast<double>(left), all));
      RIZOMA_TRY(find_next());
      for (bool ended = false; !ended;) {
        while (!off_.empty()) RIZOMA_TRY(take_off());
        RIZOMA_TRY(notify_owners());
        RIZOMA_ASSIGN(const Left of_all, over_ranks(engine_, Left{left_, off_.size()}, Left::add));
        left = of_all.vertices;
        ended = of_all.off == 0;
      }
      if (checkpoints != nullptr && left > 0) RIZOMA_TRY(offer(*checkpoints));
    }
    return {};
  }

  [[nodiscard]] Degree level() const noexcept { return level_; }

 private:
  static constexpr Degree kAbroad = std::numeric_limits<Degree>::max();

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

  void leave_others_abroad() {
    for (VertexId v = 0; ranks_ != nullptr && v < degrees_.size(); ++v) {
      if (!ranks_->owns(v)) degrees_[v] = kAbroad;
    }
  }

  Status offer(Checkpoints& checkpoints) {
    RIZOMA_ASSIGN(const bool due, checkpoints.due());
    if (!due) return {};
    std::array<double, 1> level{static_cast<double>(level_)};
    RIZOMA_TRY(checkpoints.keep({level, {column_of(degrees_)}}));
    leave_others_abroad();  // the first rank has got them
    return {};
  }

  /// Goes on to the least degree left, and finds all vertices that have it.
  Status find_next() {
    if (left_ < there_.size() - there_.size() / 4)
      std::erase_if(there_, [&](Vertex v) { return degrees_[v] <= level_; });
    for (++level_;;) {
      RIZOMA_TRY(look_through());
      RIZOMA_ASSIGN(const Next next, over_ranks(engine_, Next{off_.size(), least_}, Next::add));
      if (next.off > 0) return {};
      level_ = next.least;
    }
  }

  /// Finds who has the degree of the level, and the least degree above it.
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
    gather_result();
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
    gather_result();
    return {};
  }

  /// Tells other ranks by how much their vertices are lowered, and lowers those of this rank.
  Status notify_owners() {
    if (ranks_ == nullptr) return {};
    Outbox<Degree> outbox(*ranks_);
    for (OfThread& mine : threads_) {
      for (const Vertex w : mine.abroad) outbox.add(w, kAbroad - std::exchange(degrees_[w], kAbroad));
      mine.abroad.clear();
    }
    return outbox.exchange([&](VertexId v, Degree by) {
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

  /// Lowers the degrees of neighbours that are above the level.  Which are is unpredictable: no branch depends on it
  /// where one thread works alone.  With ranks, a vertex of another one waits with them when it is first lowered.
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
      waiting += (before == level + 1) | (kRanks && before == kAbroad) ? 1 : 0;
    }
    mine.waiting = waiting;
  }

  /// Lowers a degree by one if it is above the level; returns what it was.
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

  void gather_result() {
    off_.clear();
    for (OfThread& mine : threads_) {
      const auto begin = mine.off.begin();
      off_.insert(off_.end(), begin, begin + static_cast<std::ptrdiff_t>(std::exchange(mine.waiting, 0)));
    }
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: this process is alone
  Lists& out_;
  Lists* in_;
  VertexMap<Degree>& degrees_;
  std::vector<OfThread> threads_;
  std::vector<Vertex> there_;  ///< all that are left, and some that are not
  std::vector<Vertex> off_;    ///< to be taken off at this level
  std::uint64_t left_ = 0;
  Degree level_;
  Degree least_ = 0;
};

/// The level that a checkpoint was kept after, with the degrees that were left; 0: there is none.
template <class Degree>
Result<Degree> resume(Checkpoints* checkpoints, const GraphView& graph, VertexMap<Degree>& degrees) {
  if (checkpoints == nullptr) return Degree{0};
  std::array<double, 1> level{};
  const auto sound = [&] {
    const auto most = static_cast<double>(graph.num_entries()) * 2;
    const auto possible = [&](Degree degree) { return degree >= 0 && static_cast<double>(degree) <= most; };
    return level[0] >= 1 && whole_below(level[0], most + 1) && std::ranges::all_of(degrees.span(), possible);
  };
  RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({level, {column_of(degrees)}, sound}));
  return resumed ? static_cast<Degree>(level[0]) : Degree{0};
}

/// Entries to and from other vertices, by vertex.
template <class Degree>
Status count_degrees(Engine& engine, const GraphView& graph, VertexMap<Degree>& degrees) {
  for (const Direction direction : {Direction::out, Direction::in}) {
    if (direction == Direction::in && !graph.directed()) break;
    RIZOMA_TRY(gather(engine, graph, {direction}, [&](VertexId v, const auto& entries, unsigned) {
      Degree others = 0;
      for (const auto w : entries.sources()) others += w != v ? 1 : 0;
      degrees[v] += others;
    }));
  }
  return {};
}

template <class Degree>
Result<CoreNumbersResult> peel(Engine& engine, const GraphView& graph, Checkpoints* checkpoints) {
  if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
  VertexMap<Degree> degrees = engine.make_map<Degree>(graph.num_vertices(), 0);
  RIZOMA_ASSIGN(const Degree level, resume(checkpoints, graph, degrees));
  if (level == 0) RIZOMA_TRY(count_degrees(engine, graph, degrees));
  CoreNumbersResult result{.resumed_after = static_cast<std::uint64_t>(level)};
  const Status peeled = read_both_lists(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Status {
    Peeling<Degree, Lists> peeling(engine, out, in, degrees, level);
    RIZOMA_TRY(peeling.run(checkpoints));
    result.greatest = static_cast<std::uint64_t>(peeling.level());
    return {};
  });
  RIZOMA_TRY(peeled);
  result.cores = engine.make_unset_map<std::uint64_t>(graph.num_vertices());
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) result.cores[v] = static_cast<std::uint64_t>(degrees[v]);
  }));
  return result;
}

}  // namespace

Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph, Checkpoints* checkpoints) {
  RIZOMA_TRY(check_direction(graph, Direction::in, "core_numbers"));
  RIZOMA_TRY(engine.report("core_numbers", 0, static_cast<double>(graph.num_vertices())));
  constexpr EdgeCount kFew = std::numeric_limits<std::int32_t>::max() / 2;  // both directions count
  if (graph.num_entries() <= kFew) return peel<std::int32_t>(engine, graph, checkpoints);
  return peel<std::int64_t>(engine, graph, checkpoints);
}

}  // namespace rizoma
