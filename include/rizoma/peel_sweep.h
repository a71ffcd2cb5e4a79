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

#include <rizoma/detail/peel_steps.h>
#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rizoma {

/// `Degree`, std::int32_t or std::int64_t, is signed: a thread may lower one once too often, and then raises it again.
/// Errors: cancelled.
template <class Degree, class Lists>
class PeelSweep final : private engine_detail::PeelBlocks<Degree, typename Lists::target_type>,
                        public engine_detail::PeelSteps<Degree, typename Lists::target_type> {
  using Steps = engine_detail::PeelSteps<Degree, typename Lists::target_type>;
  using OfThread = engine_detail::PeelThread<Degree, typename Lists::target_type>;

 public:
  using Vertex = typename Lists::target_type;

  /// `in`: null for an undirected graph.
  PeelSweep(Iteration& loop, Lists& out, Lists* in, VertexState<Degree>& degrees)
      : Steps(loop, *this, degrees), alone_(loop.is_alone()), out_(out), in_(in), degrees_(degrees.data()) {}

 private:
  void take_off(std::uint64_t most, Degree level, OfThread& mine, unsigned thread, bool shared) override {
    if (alone_)
      shared ? follow<true, false>(most, level, mine, thread) : follow<false, false>(most, level, mine, thread);
    else shared ? follow<true, true>(most, level, mine, thread) : follow<false, true>(most, level, mine, thread);
  }

  template <bool kShared, bool kRanks>
  void follow(std::uint64_t most, Degree level, OfThread& mine, unsigned thread) {
    for (std::uint64_t i = 0; i < most && mine.waiting > 0; ++i) {
      const Vertex v = mine.off[--mine.waiting];
      if (kRanks && std::atomic_ref(degrees_[v]).load(std::memory_order_relaxed) > level) {
        mine.abroad.push_back(v);
        continue;
      }
      ++mine.taken_off;
      lower_all<kShared, kRanks>(out_.read(v, thread), level, mine);
      if (in_ != nullptr) lower_all<kShared, kRanks>(in_->read(v, thread), level, mine);
    }
  }

  /// Decreases the degrees of neighbours above the level.  Which ones is unpredictable, so a thread that works alone
  /// uses no branch.  On ranks, a remote vertex is queued when it is first decreased.
  template <bool kShared, bool kRanks>
  void lower_all(const auto& list, Degree level, OfThread& mine) {
    Degree* const degrees = degrees_;
    mine.make_room(list.size());
    Vertex* const off = mine.off.data();
    std::size_t waiting = mine.waiting;
    for (const Vertex w : list.sources()) {
      const Degree before = lower<kShared>(degrees[w], level);
      off[waiting] = w;
      waiting += ((before == level + 1) | (kRanks && before == Steps::kAbroad)) ? 1 : 0;
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

  const bool alone_;
  Lists& out_;
  Lists* in_;
  Degree* degrees_;
};

}  // namespace rizoma
