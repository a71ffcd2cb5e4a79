// PrioritySweep: a bucketed, label-correcting sweep: propagates decreasing values in priority order.  Module: engine.
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
// bucket are relaxed
// again: at once by the thread while they are few (bucket fusion), else in the next step.  With several homes each
// vertex belongs to a thread of its own home.
// Ranks that share memory do the same: values and the first bucket are there (shared_bucket.h).  While little is
// pending the first rank goes on alone; a step is one collective.  Other ranks relax their own vertices; after a step
// they exchange the decreased values of each other's vertices in the next bucket, and agree on that bucket.
// Cost of a step: O(entries of the vertices in the bucket), and of skipping empty buckets.
// Source: Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49, 2003; Zhang and
// others, "Optimizing ordered graph algorithms with GraphIt", CGO'20 (bucket fusion).
#pragma once

#include <rizoma/detail/buckets.h>
#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/shared_bucket.h>
#include <rizoma/engine.h>
#include <rizoma/gather.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

namespace engine_detail {

/// f(std::type_identity<W>) with the type of the weights; integer values pass along integers only.
template <class Value, class Lists, class F>
void with_weights_for(const Lists& lists, F&& f) {
  lists.as_stored([&]<class W>(std::type_identity<W> type) {
    if constexpr (!std::is_integral_v<Value> || !std::is_floating_point_v<W>) f(type);
  });
}

}  // namespace engine_detail

template <class P, class Lists>
class PrioritySweep {
  using Target = typename Lists::target_type;
  using Weight = typename Lists::weight_type;

 public:
  using Value = typename P::Value;

  /// `lists`: the lists along which values propagate.
  PrioritySweep(Engine& engine, const GraphView& graph, Lists& lists, const P& program)
      : engine_(engine),
        ranks_(engine.ranks()),
        graph_(graph),
        lists_(lists),
        program_(program),
        few_(std::clamp<std::size_t>(kShare * graph.num_vertices() / std::max<EdgeCount>(graph.num_entries(), 1), 16,
                                     1024)),
        grain_(std::clamp<std::uint64_t>(few_ / 8, 4, 64)),
        many_(graph.num_vertices() / kMany),
        of_threads_(engine.threads()) {
    for (unsigned thread = 0; thread < of_threads_.size(); ++thread) of_threads_[thread].number = thread;
  }

  /// Begins at one vertex, or at several of one value.  On ranks collective, as `start_again` and `step` are.
  Status start(VertexId v, Value value) { return start(std::span(&v, 1), value); }
  Status start(std::span<const VertexId> vertices, Value value) {
    RIZOMA_TRY(place());
    bucket_ = program_.bucket_of(value);
    move_windows();
    for (const VertexId v : vertices) {
      const bool begins_here = ranks_ == nullptr || ranks_->owns(v);
      if (begins_here || !together_) values_[v] = value;
      if (begins_here) of_threads_[0].buckets.push(bucket_, {static_cast<Target>(v), value});
    }
    return together_ ? agree_together() : Status();
  }
  /// Resumes another sweep before a bucket, with its values value_of(v).  Returns how many vertices of this rank it had
  /// reached.
  template <class F>
  Result<VertexId> start_again(std::uint64_t bucket, F&& value_of) {
    RIZOMA_TRY(place());
    bucket_ = bucket;
    move_windows();
    notes_ = false;
    VertexId reached = 0;
    for (VertexId v = 0; v < values_.size(); ++v) {
      if ((ranks_ != nullptr && !ranks_->owns(v)) || value_of(v) == P::unreached) continue;
      values_[v] = value_of(v);
      const std::uint64_t its_bucket = program_.bucket_of(values_[v]);
      if (its_bucket >= bucket) {
        of_threads_[reached % of_threads_.size()].buckets.push(its_bucket, {static_cast<Target>(v), values_[v]});
      }
      ++reached;
    }
    if (together_) RIZOMA_TRY(agree_together());
    return reached;
  }

  /// Whether any bucket of any rank is non-empty.
  [[nodiscard]] bool waiting() const noexcept { return bucket_ != kNone; }
  /// The next bucket.
  [[nodiscard]] std::uint64_t bucket() const noexcept { return bucket_; }
  /// Relaxes the next bucket.
  Status step() {
    RIZOMA_TRY(together_ ? empty_together() : empty(bucket_));
    if (error_) return *error_;
    return together_ ? agree_together() : agree_on_next();
  }
  /// Whether a value failed to pass, on any rank: the result is invalid then.
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

  /// On ranks without shared memory: of this rank's own vertices only.
  [[nodiscard]] const VertexMap<Value>& values() const noexcept { return values_; }
  [[nodiscard]] const P& program() const noexcept { return program_; }

  /// Sends pending values of remote vertices to their owners, between two steps.  Collective.
  Status notify_owners() {
    if (ranks_ == nullptr || together_) return {};
    Outbox<Value> outbox(*ranks_);
    for (auto& buckets : abroad_) {
      buckets.take_all([&](const Entry& entry) {
        if (values_[entry.vertex] == entry.value) outbox.add(entry.vertex, entry.value);
      });
    }
    return outbox.exchange([&](VertexId v, Value value) { reach(v, value, of_threads_[0]); });
  }

  /// Whether few vertices were reached, all since `start`, by one process or ranks that share memory.
  [[nodiscard]] bool reached_few() const noexcept {
    const std::uint64_t waited = together_ ? reached_by_all_ : noted();
    return (ranks_ == nullptr || together_) && notes_ && waited <= many_;
  }
  /// f(v) for these, some more than once; on each rank for those of all.  Collective.
  template <class F>
  Status for_reached(F&& f) const {
    std::vector<std::byte> others;
    for (const OfThread& of_thread : of_threads_) {
      for (const Target v : of_thread.waited) f(VertexId{v});
      const auto bytes = std::as_bytes(std::span(of_thread.waited));
      if (together_) others.insert(others.end(), bytes.begin(), bytes.end());
    }
    if (!together_) return {};
    RIZOMA_ASSIGN(const auto lists, ranks_->collective(CollectiveKind::gather, {ranks_->size(), others}));
    for (unsigned rank = 0; rank < lists.size(); ++rank) {
      for (std::size_t at = 0; rank != ranks_->rank() && at + sizeof(Target) <= lists[rank].size();
           at += sizeof(Target)) {
        Target v;
        std::memcpy(&v, lists[rank].data() + at, sizeof(v));
        f(VertexId{v});
      }
    }
    return {};
  }

 private:
  using Entry = Waiting<Target, Value>;
  using Together = engine_detail::SharedBucket<Entry>;
  using BucketsOfThread = Buckets<Target, Value>;
  struct alignas(64) OfThread {
    BucketsOfThread buckets;
    std::vector<Entry> lot;                ///< the entries of this step's bucket,
    std::atomic<std::uint64_t> taken = 0;  ///< and how many of them threads have taken
    unsigned number = 0;
    BucketsOfThread* abroad = nullptr;  ///< decreased values of remote vertices, without shared memory
    std::vector<Target> waited;         ///< vertices reached so far, until they are many
  };
  /// The exchanged state of a rank after a step.
  struct Next {
    std::uint64_t bucket;
    std::uint64_t gave_up;  ///< 1: it gave up
  };
  static_assert(std::has_unique_object_representations_v<Next>);  // ranks exchange its bytes
  static constexpr std::uint64_t kNone = BucketsOfThread::kNone;
  static constexpr EdgeCount kShare = 16384;  // entries: fewer than this are relaxed again at once
  static constexpr std::size_t kSmall = 4;  // a bucket of less than a kSmall-th of that is one thread's: for a greater
                                            // one the others would wait so long that they fall asleep
  static constexpr VertexId kMany = 8;      // more than n / kMany vertices are many
  static constexpr unsigned kAlone = 64;    // buckets: the first rank empties no more before it meets the others

  Status place() {
    RIZOMA_ASSIGN(const Placement placement, engine_.placement(graph_));
    several_homes_ = placement.homes > 1;
    if (ranks_ != nullptr) {
      RIZOMA_TRY(ranks_->divide(graph_));
      RIZOMA_TRY(come_together());
      if (together_) return {};
      abroad_.resize(of_threads_.size());
      for (OfThread& of_thread : of_threads_) of_thread.abroad = &abroad_[of_thread.number];
    }
    values_ = engine_.make_map<Value>(graph_.num_vertices(), P::unreached);
    return {};
  }

  // --- A bucket ------------------------------------------------------------------------------------

  Status empty(std::uint64_t bucket) {
    std::uint64_t total = 0;
    for (OfThread& of_thread : of_threads_) {
      of_thread.lot.clear();
      of_thread.lot.swap(of_thread.buckets[bucket]);
      of_thread.taken.store(0, std::memory_order_relaxed);
      note(of_thread.lot, of_thread);
      total += of_thread.lot.size();
    }
    if (several_homes_ && total > few_) return empty_by_home(bucket);
    const auto work = [&](unsigned thread) {
      hand_on_lots(of_threads_[thread]);
      fuse(bucket, of_threads_[thread]);
    };
    if (total <= few_ / kSmall) {
      work(0);
    } else {
      engine_.parallel(work);
      lists_.end_sweep();  // what the caller empties alone counts with the next
    }
    return {};
  }

  /// The same for the shared lists, each vertex by a thread of its home if one is free.
  Status empty_by_home(std::uint64_t bucket) {
    std::vector<Target> vertices;
    for (const OfThread& of_thread : of_threads_) {
      for (const Entry& entry : of_thread.lot) {
        if (values_[entry.vertex] == entry.value) vertices.push_back(entry.vertex);
      }
    }
    RIZOMA_TRY(engine_.for_list(graph_, std::span<const Target>(vertices), grain_,
                                [&](std::span<const Target> some, unsigned thread) {
                                  engine_detail::with_weights_for<Value>(lists_, [&]<class W>(std::type_identity<W>) {
                                    for (const Target u : some) {
                                      const Value value = values_.atomic(u).load(std::memory_order_relaxed);
                                      walk(u, lists_.template again_as<W>(u), value, of_threads_[thread]);
                                    }
                                  });
                                }));
    engine_.parallel([&](unsigned thread) { fuse(bucket, of_threads_[thread]); });
    lists_.end_sweep();
    return {};
  }

  /// The bucket of this thread, then those of others.
  void hand_on_lots(OfThread& mine) {
    for (std::size_t i = 0; i < of_threads_.size(); ++i) {
      OfThread& owner = of_threads_[(mine.number + i) % of_threads_.size()];
      const std::span<const Entry> lot = owner.lot;
      for (std::uint64_t begin = 0; (begin = owner.taken.fetch_add(grain_, std::memory_order_relaxed)) < lot.size();)
        hand_on(lot.subspan(begin, std::min<std::uint64_t>(grain_, lot.size() - begin)), mine);
    }
  }

  /// Entries [begin, end) of the concatenated buckets of the ranks.
  void hand_on_shared(std::uint64_t begin, std::uint64_t end, OfThread& mine) {
    for (const std::span<const Entry> list : lots_) {
      const std::uint64_t last = std::min<std::uint64_t>(end, list.size());
      if (begin < last) hand_on(list.subspan(begin, last - begin), mine);
      begin -= std::min<std::uint64_t>(begin, list.size());
      end -= std::min<std::uint64_t>(end, list.size());
    }
  }

  /// Skips stale entries.  Separate from the loops over edges, which are a tenth slower with it inside.
  [[gnu::noinline]] void note(std::span<const Entry> waiting, OfThread& mine) {
    if (mine.waited.size() > many_) return;
    for (const Entry& entry : waiting) {
      if (values_.atomic(entry.vertex).load(std::memory_order_relaxed) == entry.value)
        mine.waited.push_back(entry.vertex);
    }
  }

  void fuse(std::uint64_t bucket, OfThread& mine) {
    std::vector<Entry> waiting;
    while (!mine.buckets[bucket].empty() && mine.buckets[bucket].size() < few_ && !over()) {
      waiting.clear();
      waiting.swap(mine.buckets[bucket]);
      note(waiting, mine);
      hand_on(waiting, mine);
    }
  }

  [[nodiscard]] bool over() const noexcept { return gives_up_.load(std::memory_order_relaxed) || engine_.stopping(); }

  void hand_on(std::span<const Entry> entries, OfThread& mine) {
    engine_detail::with_weights_for<Value>(lists_,
                                           [&]<class W>(std::type_identity<W>) { hand_on_as<W>(entries, mine); });
  }
  template <class W>
  void hand_on_as(std::span<const Entry> entries, OfThread& mine) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      lists_.template ask_ahead_as<W>(entries, i, &Entry::vertex);
      const VertexId u = entries[i].vertex;
      const Value value = entries[i].value;
      if (values_.atomic(u).load(std::memory_order_relaxed) != value) continue;  // stale
      walk(u, lists_.template read_as<W>(u, mine.number), value, mine);
    }
  }

  /// Relaxes the edges of u.
  void walk(VertexId u, const auto& list, Value value, OfThread& mine) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if constexpr (!std::is_void_v<Weight>) {
        if (!program_.passes(value, list.weight(i))) return refuse(u, list.source(i), list.weight(i));
      }
      reach(list.source(i), program_.along(value, list.weight(i)), mine);
    }
  }

  void reach(VertexId v, Value value, OfThread& mine) {
    if (!values_.lower(v, value)) return;
    BucketsOfThread& buckets = mine.abroad == nullptr || ranks_->owns(v) ? mine.buckets : *mine.abroad;
    buckets.push(program_.bucket_of(value), {static_cast<Target>(v), value});
  }

  void refuse(VertexId u, VertexId v, auto weight) {
    std::optional<Error> error = program_.why_not(u, v, weight);
    if (!error) {
      gives_up_ = true;
    } else if (!refused_.exchange(true)) {  // the first to see one reports it
      error_ = std::move(error);
    }
  }

  // --- Ranks that share memory ---------------------------------------------------------------------

  /// Moves values and buckets to shared memory, if ranks share any and see each other's lists.
  Status come_together() {
    if (!ranks_->settings().owners.empty()) return {};
    constexpr std::size_t kLine = 64;
    const VertexId n = graph_.num_vertices();
    const std::size_t of_values = (n * sizeof(Value) + kLine - 1) / kLine * kLine;
    const std::size_t room = n / ranks_->size() + kLine;
    RIZOMA_ASSIGN(memory_, RankMemory::take(*ranks_, of_values + Together::bytes_for(ranks_->size(), room)));
    if (!memory_) return {};
    values_ = VertexMap<Value>({memory_.data(), of_values}, n);
    together_.emplace(*ranks_, memory_.data() + of_values, room);
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      std::fill(values_.data() + block.begin, values_.data() + block.end, P::unreached);
    });
  }

  /// Relaxes the published entries of all ranks.  If these are few, the other ranks have nothing to do.
  Status empty_together() {
    lots_.clear();
    std::uint64_t total = 0;
    for (unsigned rank = 0; rank < ranks_->size(); ++rank) {
      if (together_->front(rank).bucket != bucket_) continue;
      lots_.push_back(together_->entries(rank));
      total += lots_.back().size();
    }
    if (total > few_) {
      engine_.parallel([&](unsigned thread) {
        for (std::uint64_t begin = 0; (begin = together_->take(grain_)) < total;)
          hand_on_shared(begin, std::min(begin + grain_, total), of_threads_[thread]);
        fuse(bucket_, of_threads_[thread]);
      });
      lists_.end_sweep();
    } else if (ranks_->rank() == 0) {
      hand_on_shared(0, total, of_threads_[0]);
      go_on_alone();
    }
    return {};
  }

  /// The first thread of the first rank goes on alone until another rank has entries, or it has many.
  void go_on_alone() {
    OfThread& mine = of_threads_[0];
    std::uint64_t end = kNone;  // the first bucket of others
    for (unsigned rank = 1; rank < ranks_->size(); ++rank) {
      const auto& front = together_->front(rank);
      end = std::min(end, front.bucket == bucket_ ? front.next : front.bucket);
    }
    for (unsigned thread = 1; thread < of_threads_.size(); ++thread)
      end = std::min(end, of_threads_[thread].buckets.first_from(bucket_));
    std::uint64_t bucket = bucket_;
    for (unsigned turn = 0; turn < kAlone && bucket < end && !over(); ++turn) {
      fuse(bucket, mine);
      if (!mine.buckets[bucket].empty()) return;
      bucket = mine.buckets.first_from(bucket);
    }
  }

  /// Agrees on the first bucket of all ranks and publishes its entries.
  Status agree_together() {
    for (;;) {
      const std::uint64_t first = first_waiting(of_threads_, bucket_, &OfThread::buckets);
      const std::size_t count = publish(first);
      const std::uint64_t next = in_ring(first) == count ? first_after(first) : first;
      RIZOMA_TRY(together_->publish({first, next, noted(), gives_up_.load() ? 1U : 0U}, count));
      bucket_ = kNone;
      reached_by_all_ = 0;
      for (unsigned rank = 0; rank < ranks_->size(); ++rank) {
        const auto& front = together_->front(rank);
        bucket_ = std::min(bucket_, front.bucket);
        gave_up_ = gave_up_ || front.gave_up != 0;
        reached_by_all_ += front.reached;
      }
      if (bucket_ == first) let_go(count);
      if (!waiting() || !of_threads_[0].buckets.is_far(bucket_)) return {};
      move_windows();
    }
  }

  /// Publishes the entries of a bucket, the last first, as far as there is room; returns their number.
  std::size_t publish(std::uint64_t bucket) {
    std::span<Entry> room = together_->mine();
    std::size_t count = 0;
    for (OfThread& of_thread : of_threads_) {
      if (of_thread.buckets.is_far(bucket)) break;
      const std::vector<Entry>& list = of_thread.buckets[bucket];
      const std::size_t some = std::min(list.size(), room.size());
      std::copy(list.end() - static_cast<std::ptrdiff_t>(some), list.end(), room.begin());
      room = room.subspan(some);
      count += some;
    }
    return count;
  }
  /// These are no longer this rank's own.
  void let_go(std::size_t count) {
    for (OfThread& of_thread : of_threads_) {
      if (count == 0) return;
      std::vector<Entry>& list = of_thread.buckets[bucket_];
      const std::size_t some = std::min(list.size(), count);
      note(std::span<const Entry>(list).last(some), of_thread);
      list.resize(list.size() - some);
      count -= some;
    }
  }
  [[nodiscard]] std::size_t in_ring(std::uint64_t bucket) {
    std::size_t all = 0;
    for (OfThread& of_thread : of_threads_)
      all += of_thread.buckets.is_far(bucket) ? 0 : of_thread.buckets[bucket].size();
    return all;
  }
  /// The next bucket in the windows, which are the same on all ranks.
  [[nodiscard]] std::uint64_t first_after(std::uint64_t bucket) const {
    std::uint64_t first = kNone;
    for (const OfThread& of_thread : of_threads_)
      if (bucket != kNone) first = std::min(first, of_thread.buckets.first_from(bucket + 1));
    return first;
  }
  [[nodiscard]] std::uint64_t noted() const noexcept {
    std::uint64_t all = 0;
    for (const OfThread& of_thread : of_threads_) all += of_thread.waited.size();
    return all;
  }

  // --- The next bucket -----------------------------------------------------------------------------

  /// It is the first that is not empty on any rank.
  Status agree_on_next() {
    Next next{first_waiting(of_threads_, bucket_, &OfThread::buckets), gives_up_.load() ? 1U : 0U};
    if (ranks_ != nullptr) {
      const std::uint64_t owed = first_waiting(abroad_, bucket_);
      Outbox<Value> outbox(*ranks_);
      if (owed <= next.bucket) put(owed, outbox);
      next.bucket = std::min(next.bucket, owed);
      std::size_t thread = 0;
      const auto all = outbox.exchange_with(next, [&](VertexId v, Value value) {
        reach(v, value, of_threads_[thread]);
        thread = (thread + 1) % of_threads_.size();
      });
      if (!all) return all.error();
      for (const Next& of_rank : *all) next = {std::min(next.bucket, of_rank.bucket), next.gave_up | of_rank.gave_up};
    }
    bucket_ = next.bucket;
    gave_up_ = next.gave_up != 0;
    if (waiting() && of_threads_[0].buckets.is_far(bucket_)) move_windows();
    return {};
  }

  /// Sends the decreased values of remote vertices in one bucket to their owners, just before its turn: most values
  /// decrease several times until then.  Meanwhile this rank keeps the smallest value that it has found for them.
  void put(std::uint64_t bucket, Outbox<Value>& outbox) {
    if (bucket == kNone || abroad_[0].is_far(bucket)) return;  // far values wait until the window has moved
    for (auto& buckets : abroad_) {
      std::vector<Entry>& owed = buckets[bucket];
      std::sort(owed.begin(), owed.end(), [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
      for (const Entry& entry : owed) {
        if (values_[entry.vertex] == entry.value) outbox.add(entry.vertex, entry.value);
      }
      owed.clear();
    }
  }

  /// The first bucket from `bucket` on that is not empty here.
  template <class All, class BucketsOf = std::identity>
  [[nodiscard]] std::uint64_t first_waiting(const All& all, std::uint64_t bucket, BucketsOf buckets_of = {}) const {
    std::uint64_t first = kNone;
    for (const auto& one : all) first = std::min(first, std::invoke(buckets_of, one).first_from(bucket));
    if (first != kNone) return first;
    for (const auto& one : all) first = std::min(first, std::invoke(buckets_of, one).first_far(program_));
    return first;
  }
  void move_windows() {
    for (OfThread& of_thread : of_threads_) of_thread.buckets.move_window(bucket_, program_);
    for (auto& buckets : abroad_) buckets.move_window(bucket_, program_);
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: one process
  const GraphView& graph_;
  Lists& lists_;
  const P program_;
  VertexMap<Value> values_;
  const std::size_t few_;      ///< vertices that go through at once where they fall back
  const std::uint64_t grain_;  ///< vertices of a bucket handed out at once
  const std::size_t many_;     ///< vertices that have waited: no more are noted
  std::vector<OfThread> of_threads_;
  std::vector<BucketsOfThread> abroad_;       ///< with ranks that share no memory, by thread
  std::vector<std::span<const Entry>> lots_;  ///< with ranks that share memory: what they share out
  RankMemory memory_;
  std::optional<Together> together_;  ///< with ranks that share memory
  std::uint64_t reached_by_all_ = 0;  ///< entries that were in buckets of these
  std::uint64_t bucket_ = kNone;
  bool several_homes_ = false;
  bool notes_ = true;  ///< who was reached
  bool gave_up_ = false;
  std::atomic<bool> gives_up_ = false;  ///< this rank, in this step
  std::atomic<bool> refused_ = false;
  std::optional<Error> error_;
};

}  // namespace rizoma
