// PrioritySteps: the steps of a priority sweep: buckets, threads, homes and what ranks exchange.  Module: engine.
//
// Why: none of this looks at a list.  It knows a program as blocks of vertices to relax (PriorityBlocks), and is
// compiled once for the usual types of values (src/engine/sweep/priority_steps.cpp).
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/rank_buckets.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/thread_buckets.h>
#include <rizoma/engine.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// What a step asks of a program: to relax the lists of some vertices.
template <class Target, class Value>
class PriorityBlocks : public BucketOrder<Value> {
 public:
  using OfThread = ThreadBucket<Target, Value>;
  /// Of entries that are not stale.  Vertices whose values fall wait in buckets of `mine`.
  virtual void relax(std::span<const Waiting<Target, Value>> entries, OfThread& mine) = 0;
  virtual void relax_all(std::span<const Target> vertices, OfThread& mine) = 0;
  /// Reports the lists read as one sweep.
  virtual void end_sweep() = 0;

 protected:
  ~PriorityBlocks() = default;
};

template <class Target, class Value>
class PrioritySteps {
 public:
  PrioritySteps(Engine& engine, const GraphView& graph, PriorityBlocks<Target, Value>& blocks, Value unreached)
      : engine_(engine),
        ranks_(engine.ranks()),
        graph_(graph),
        blocks_(blocks),
        unreached_(unreached),
        few_(std::clamp<std::size_t>(kShare * graph.num_vertices() / std::max<EdgeCount>(graph.num_entries(), 1), 16,
                                     1024)),
        grain_(std::clamp<std::uint64_t>(few_ / 8, 4, 64)),
        threads_(engine.threads(), graph.num_vertices() / kMany, blocks, values_),
        apart_(engine, threads_, values_) {}

  /// Begins at one vertex, or at several of one value.  On ranks collective, as `start_again` and `step` are.
  Status start(VertexId v, Value value) { return start(std::span(&v, 1), value); }
  Status start(std::span<const VertexId> vertices, Value value) {
    RIZOMA_TRY(place());
    bucket_ = blocks_.bucket_of(value);
    threads_.move_windows(bucket_);
    for (const VertexId v : vertices) {
      const bool begins_here = ranks_ == nullptr || ranks_->owns(v);
      if (begins_here || together_ == nullptr) values_[v] = value;
      if (begins_here) threads_[0].buckets.push(bucket_, {static_cast<Target>(v), value});
    }
    return together_ != nullptr ? agree() : Status();
  }
  /// Resumes another sweep before a bucket, with its values value_of(v).  Returns how many vertices of this rank it had
  /// reached.
  Result<VertexId> start_again(std::uint64_t bucket, FunctionRef<Value(VertexId)> value_of) {
    RIZOMA_TRY(place());
    bucket_ = bucket;
    threads_.move_windows(bucket_);
    notes_ = false;
    VertexId reached = 0;
    for (VertexId v = 0; v < values_.size(); ++v) {
      if (ranks_ != nullptr && !ranks_->owns(v)) continue;
      const Value value = value_of(v);
      if (value == unreached_) continue;
      values_[v] = value;
      const std::uint64_t its_bucket = blocks_.bucket_of(value);
      if (its_bucket >= bucket)
        threads_[reached % threads_.size()].buckets.push(its_bucket, {static_cast<Target>(v), value});
      ++reached;
    }
    if (together_ != nullptr) RIZOMA_TRY(agree());
    return reached;
  }

  /// Whether any bucket of any rank is non-empty.
  [[nodiscard]] bool waiting() const noexcept { return bucket_ != kNone; }
  /// The next bucket.
  [[nodiscard]] std::uint64_t bucket() const noexcept { return bucket_; }
  /// Relaxes the next bucket.
  Status step() {
    RIZOMA_TRY(together_ != nullptr ? empty_together() : empty());
    if (error_) return *error_;
    return agree();
  }
  /// Whether a value failed to pass, on any rank: the result is invalid then.
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

  /// On ranks without shared memory: of this rank's own vertices only.
  [[nodiscard]] const VertexMap<Value>& values() const noexcept { return values_; }

  /// Sends pending values of remote vertices to their owners, between two steps.  Collective.
  Status notify_owners() { return together_ != nullptr ? Status() : apart_.notify_owners(); }

  /// Whether few vertices were reached, all since `start`, by one process or ranks that share memory.
  [[nodiscard]] bool reached_few() const noexcept {
    const std::uint64_t waited = together_ != nullptr ? together_->reached() : threads_.noted();
    return (ranks_ == nullptr || together_ != nullptr) && notes_ && !threads_.is_many(waited);
  }
  /// f(v) for these, some more than once; on each rank for those of all.  Collective.
  Status for_reached(FunctionRef<void(VertexId)> f) const {
    std::vector<std::byte> mine;
    for (const auto& of_thread : threads_) {
      const auto bytes = std::as_bytes(std::span(of_thread.waited));
      mine.insert(mine.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::vector<std::byte>> lists;
    if (together_ != nullptr) {
      RIZOMA_ASSIGN(lists, ranks_->collective(CollectiveKind::gather, {ranks_->size(), mine}));
      lists[ranks_->rank()] = std::move(mine);
    } else {
      lists.push_back(std::move(mine));
    }
    for (const std::vector<std::byte>& list : lists) {
      for (std::size_t at = 0; at + sizeof(Target) <= list.size(); at += sizeof(Target)) {
        Target v;
        std::memcpy(&v, list.data() + at, sizeof(v));
        f(VertexId{v});
      }
    }
    return {};
  }

 protected:
  using Entry = Waiting<Target, Value>;
  using OfThread = ThreadBucket<Target, Value>;

  ~PrioritySteps() = default;

  /// Ends the step: its result is invalid.  The first error, if there is any, is that of the sweep.  From any thread.
  void abort(std::optional<Error> error) {
    if (!error) {
      gives_up_ = true;
    } else if (!refused_.exchange(true)) {
      error_ = std::move(error);
    }
  }

 private:
  static constexpr std::uint64_t kNone = ThreadBuckets<Target, Value>::kNone;
  static constexpr EdgeCount kShare = 16384;  // entries: fewer than this are relaxed again at once
  static constexpr std::size_t kSmall = 4;  // a bucket of less than a kSmall-th of that is one thread's: for a greater
                                            // one the others would wait so long that they fall asleep
  static constexpr VertexId kMany = 8;      // more than n / kMany vertices are many
  static constexpr unsigned kAlone = 64;    // buckets: the first rank empties no more before it meets the others

  Status place() {
    RIZOMA_ASSIGN(const Placement placement, engine_.placement(graph_));
    several_homes_ = placement.homes > 1;
    if (ranks_ == nullptr) {
      values_ = engine_.make_map<Value>(graph_.num_vertices(), unreached_);
      return {};
    }
    RIZOMA_TRY(ranks_->divide(graph_));
    RIZOMA_ASSIGN(together_, Together::make(engine_, threads_, graph_.num_vertices(), values_));
    if (together_ == nullptr) {
      threads_.separate_abroad();
      values_ = engine_.make_unset_map<Value>(graph_.num_vertices());
      // No message names any other vertex, and the sources are set by hand.
      const auto set = [&](VertexId v) { values_[v] = unreached_; };
      RIZOMA_TRY(ranks_->for_mirrors(engine_, graph_, Direction::out, set));
    }
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      std::fill(values_.data() + block.begin, values_.data() + block.end, unreached_);
    });
  }

  Status empty() {
    const std::uint64_t total = threads_.take_lots(bucket_);
    if (several_homes_ && total > few_) return empty_by_home();
    const auto work = [&](unsigned thread) {
      relax_lots(threads_[thread]);
      fuse(bucket_, threads_[thread]);
    };
    if (total <= few_ / kSmall) {
      work(0);
    } else {
      engine_.parallel(work);
      blocks_.end_sweep();  // what the caller empties alone counts with the next
    }
    return {};
  }

  /// The same for the shared lists, each vertex by a thread of its home if one is free.
  Status empty_by_home() {
    std::vector<Target> vertices;
    for (const auto& mine : threads_) {
      for (const Entry& entry : mine.lot) {
        if (values_[entry.vertex] == entry.value) vertices.push_back(entry.vertex);
      }
    }
    RIZOMA_TRY(engine_.for_list(
        graph_, std::span<const Target>(vertices), grain_,
        [&](std::span<const Target> some, unsigned thread) { blocks_.relax_all(some, threads_[thread]); }));
    engine_.parallel([&](unsigned thread) { fuse(bucket_, threads_[thread]); });
    blocks_.end_sweep();
    return {};
  }

  /// The bucket of this thread, then those of others.
  void relax_lots(OfThread& mine) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      OfThread& owner = threads_[(mine.number + i) % threads_.size()];
      const std::span<const Entry> lot = owner.lot;
      for (std::uint64_t begin = 0; (begin = owner.taken.fetch_add(grain_, std::memory_order_relaxed)) < lot.size();)
        blocks_.relax(lot.subspan(begin, std::min<std::uint64_t>(grain_, lot.size() - begin)), mine);
    }
  }

  void fuse(std::uint64_t bucket, OfThread& mine) {
    std::vector<Entry> waiting;
    while (!mine.buckets[bucket].empty() && mine.buckets[bucket].size() < few_ && !over()) {
      waiting.clear();
      waiting.swap(mine.buckets[bucket]);
      threads_.note(waiting, mine);
      blocks_.relax(waiting, mine);
    }
  }
  [[nodiscard]] bool over() const noexcept { return gives_up_.load(std::memory_order_relaxed) || engine_.stopping(); }

  /// Relaxes the published entries of all ranks.  If these are few, the other ranks have nothing to do.
  Status empty_together() {
    const std::uint64_t total = together_->take_lots(bucket_);
    if (total > few_) {
      engine_.parallel([&](unsigned thread) {
        for (std::uint64_t begin = 0; (begin = together_->take(grain_)) < total;)
          relax_shared(begin, std::min(begin + grain_, total), threads_[thread]);
        fuse(bucket_, threads_[thread]);
      });
      blocks_.end_sweep();
    } else if (ranks_->rank() == 0) {
      relax_shared(0, total, threads_[0]);
      go_on_alone();
    }
    return {};
  }
  void relax_shared(std::uint64_t begin, std::uint64_t end, OfThread& mine) {
    together_->for_lots(begin, end, [&](std::span<const Entry> entries) { blocks_.relax(entries, mine); });
  }

  /// The first thread of the first rank goes on alone until another rank has entries, or it has many.
  void go_on_alone() {
    OfThread& mine = threads_[0];
    const std::uint64_t end = together_->first_of_others(bucket_);
    std::uint64_t bucket = bucket_;
    for (unsigned turn = 0; turn < kAlone && bucket < end && !over(); ++turn) {
      fuse(bucket, mine);
      if (!mine.buckets[bucket].empty()) return;
      bucket = mine.buckets.first_from(bucket);
    }
  }

  /// Agrees on the next bucket, which is the first that is not empty on any rank.
  Status agree() {
    RIZOMA_ASSIGN(const AgreedBucket next,
                  together_ != nullptr ? together_->agree(bucket_, gives_up_) : apart_.agree(bucket_, gives_up_));
    bucket_ = next.bucket;
    gave_up_ = gave_up_ || next.gave_up != 0;
    if (waiting() && threads_.is_far(bucket_)) threads_.move_windows(bucket_);
    return {};
  }

  using Together = BucketsTogether<Target, Value>;
  Engine& engine_;
  Ranks* ranks_;  ///< null: one process
  const GraphView& graph_;
  PriorityBlocks<Target, Value>& blocks_;
  const Value unreached_;
  const std::size_t few_;      ///< vertices that go through at once where they fall back
  const std::uint64_t grain_;  ///< vertices of a bucket handed out at once

 protected:
  VertexMap<Value> values_;

 private:
  ThreadBuckets<Target, Value> threads_;
  BucketsApart<Target, Value> apart_;
  std::unique_ptr<Together> together_;  ///< with ranks that share memory
  std::uint64_t bucket_ = kNone;
  bool several_homes_ = false;
  bool notes_ = true;  ///< who was reached
  bool gave_up_ = false;
  std::atomic<bool> gives_up_ = false;  ///< this rank, in this step
  std::atomic<bool> refused_ = false;
  std::optional<Error> error_;
};

extern template class PrioritySteps<std::uint32_t, std::uint32_t>;
extern template class PrioritySteps<std::uint32_t, double>;
extern template class PrioritySteps<std::uint64_t, std::uint32_t>;
extern template class PrioritySteps<std::uint64_t, double>;

}  // namespace rizoma::engine_detail
