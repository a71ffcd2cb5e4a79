// Sweeps in order: PrioritySweep, by falling values, and PeelSweep, by degree.  Module: engine.
//
// PrioritySweep: a bucketed, label-correcting sweep: propagates decreasing values in priority order.
//
// What: unlike Sweep, a message may be newer than the step, so a value travels several edges within one.  For shortest
// paths, bottleneck paths, and other minima over paths.
//
//   struct Relax {
//     using Value = double;
//     static constexpr Value unreached = std::numeric_limits<Value>::infinity();  // the initial value of each vertex
//     std::uint64_t bucket_of(Value) const;  // at most 2^62; never decreases; the values of one bucket are unordered
//     Value along(Value value, auto weight) const;        // the value at the other end of an edge: not below `value`
//     bool passes(Value value, auto weight) const;        // called before `along` if edges have weights; false: fails
//     std::optional<Error> why_not(VertexId u, VertexId v, auto weight) const;  // the error; none: gave_up() is set
//   };
//   read_lists<true>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
//     PrioritySweep<Relax, Lists> sweep(engine, graph, out, Relax{});
//     RIZOMA_TRY(sweep.start(source, 0));
//     while (sweep.waiting()) {
//       RIZOMA_TRY(engine.report("relax", 0, 0));  // progress and cancellation
//       RIZOMA_TRY(sweep.step());
//     }
//
// How: each thread has its own buckets (buckets.h).  In a step it relaxes its first bucket, then steals from the
// buckets of others, so that vertices near each other stay in one cache.  Vertices that fall back into the current
// bucket are relaxed again: at once by the thread while they are few (bucket fusion), else in the next step.  With
// several homes each vertex belongs to a thread of its own home.
// Ranks that share memory do the same: values and the first bucket are there (shared_bucket.h).  While little is
// pending the first rank goes on alone; a step is one collective.  Other ranks relax their own vertices; after a step
// they exchange the decreased values of each other's vertices in the next bucket, and agree on that bucket.
// Cost of a step: O(entries of the vertices in the bucket), and of skipping empty buckets.
// Source: Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49, 2003; Zhang and
// others, "Optimizing ordered graph algorithms with GraphIt", CGO'20 (bucket fusion).
//
// PeelSweep: takes off the vertices of the smallest degree, level by level; each lowers its neighbors.
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
#include <rizoma/detail/priority_steps.h>
#include <rizoma/engine.h>
#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma {

template <class P, class Lists>
class PrioritySweep final : private engine_detail::PriorityBlocks<typename Lists::target_type, typename P::Value>,
                            public engine_detail::PrioritySteps<typename Lists::target_type, typename P::Value> {
  using Target = typename Lists::target_type;
  using Weight = typename Lists::weight_type;

 public:
  using Value = typename P::Value;

  /// `lists`: the lists along which values propagate.
  PrioritySweep(Engine& engine, const GraphView& graph, Lists& lists, const P& program)
      : engine_detail::PrioritySteps<Target, Value>(engine, graph, *this, P::unreached),
        ranks_(engine.ranks()),
        lists_(lists),
        program_(program) {}

  [[nodiscard]] const P& program() const noexcept { return program_; }

 private:
  using Entry = Waiting<Target, Value>;
  using OfThread = engine_detail::ThreadBucket<Target, Value>;

  [[nodiscard]] std::uint64_t bucket_of(Value value) const override { return program_.bucket_of(value); }
  void end_sweep() override { lists_.end_sweep(); }

  void relax(std::span<const Entry> entries, OfThread& mine) override {
    with_weights([&]<class W>(std::type_identity<W>) { relax_as<W>(entries, mine); });
  }
  void relax_all(std::span<const Target> vertices, OfThread& mine) override {
    with_weights([&]<class W>(std::type_identity<W>) {
      for (const Target u : vertices) {
        const Value value = this->values_.atomic(u).load(std::memory_order_relaxed);
        walk(u, lists_.template again_as<W>(u), value, mine);
      }
    });
  }
  /// f(std::type_identity<W>) with the type of the weights; integer values pass along integers only.
  template <class F>
  void with_weights(F&& f) {
    lists_.as_stored([&]<class W>(std::type_identity<W> type) {
      if constexpr (!std::is_integral_v<Value> || !std::is_floating_point_v<W>) f(type);
    });
  }
  template <class W>
  void relax_as(std::span<const Entry> entries, OfThread& mine) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      lists_.template ask_ahead_as<W>(entries, i, &Entry::vertex);
      const VertexId u = entries[i].vertex;
      const Value value = entries[i].value;
      if (this->values_.atomic(u).load(std::memory_order_relaxed) != value) continue;  // stale
      walk(u, lists_.template read_as<W>(u, mine.number), value, mine);
    }
  }
  void walk(VertexId u, const auto& list, Value value, OfThread& mine) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if constexpr (!std::is_void_v<Weight>) {
        if (!program_.passes(value, list.weight(i))) return refuse(u, list.source(i), list.weight(i));
      }
      reach(list.source(i), program_.along(value, list.weight(i)), mine);
    }
  }
  void reach(VertexId v, Value value, OfThread& mine) {
    if (!this->values_.lower(v, value)) return;
    auto& buckets = mine.abroad == nullptr || ranks_->owns(v) ? mine.buckets : *mine.abroad;
    buckets.push(program_.bucket_of(value), {static_cast<Target>(v), value});
  }
  void refuse(VertexId u, VertexId v, auto weight) { this->abort(program_.why_not(u, v, weight)); }

  Ranks* ranks_;  ///< null: one process
  Lists& lists_;
  const P program_;
};

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
