// ThreadBuckets: the buckets of a process's threads, and which vertices have been in them.  Module: engine.
//
// Why: the next bucket, windows and the vertices reached do not look at lists; they are the same for all programs
// with values of one type.
#pragma once

#include <rizoma/detail/buckets.h>
#include <rizoma/ids.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::engine_detail {

/// Maps values to buckets.
template <class Value>
class BucketOrder {
 public:
  BucketOrder() = default;
  BucketOrder(const BucketOrder&) = delete;
  BucketOrder& operator=(const BucketOrder&) = delete;
  /// Never decreases.
  [[nodiscard]] virtual std::uint64_t bucket_of(Value value) const = 0;

 protected:
  ~BucketOrder() = default;
};

/// What waits for one thread.
template <class Target, class Value>
struct alignas(64) ThreadBucket {
  using Entry = Waiting<Target, Value>;

  Buckets<Target, Value> buckets;
  std::vector<Entry> lot;                    ///< the entries of this step's bucket,
  std::atomic<std::uint64_t> taken = 0;      ///< and how many of them threads have taken
  unsigned number = 0;                       ///< of the thread
  Buckets<Target, Value>* abroad = nullptr;  ///< decreased values of remote vertices, without shared memory
  std::vector<Target> waited;                ///< vertices reached so far, until they are many
};

template <class Target, class Value>
class ThreadBuckets {
 public:
  using Entry = Waiting<Target, Value>;
  using OfThread = ThreadBucket<Target, Value>;
  static constexpr std::uint64_t kNone = Buckets<Target, Value>::kNone;

  /// `many`: no more vertices are noted.  Order and values must outlive this.
  ThreadBuckets(unsigned threads, VertexId many, const BucketOrder<Value>& order, VertexMap<Value>& values)
      : order_(order), values_(values), many_(many), of_threads_(threads) {
    for (unsigned thread = 0; thread < threads; ++thread) of_threads_[thread].number = thread;
  }

  [[nodiscard]] std::size_t size() const noexcept { return of_threads_.size(); }
  [[nodiscard]] OfThread& operator[](std::size_t thread) noexcept { return of_threads_[thread]; }
  [[nodiscard]] auto begin() noexcept { return of_threads_.begin(); }
  [[nodiscard]] auto end() noexcept { return of_threads_.end(); }
  [[nodiscard]] auto begin() const noexcept { return of_threads_.begin(); }
  [[nodiscard]] auto end() const noexcept { return of_threads_.end(); }

  /// Gives remote vertices buckets of their own; notes no vertices, as those that others reach are not known here.
  void separate_abroad() {
    many_ = 0;
    abroad_.resize(of_threads_.size());
    for (OfThread& mine : of_threads_) mine.abroad = &abroad_[mine.number];
  }
  /// Those; none unless they were separated.
  [[nodiscard]] std::span<Buckets<Target, Value>> abroad() noexcept { return abroad_; }

  /// Lowers the value of a vertex of this rank; it waits with thread `mine` if it was greater.
  void reach(VertexId v, Value value, OfThread& mine) {
    if (values_.lower(v, value)) mine.buckets.push(order_.bucket_of(value), {static_cast<Target>(v), value});
  }

  /// The first bucket from `bucket` on that is not empty here.
  [[nodiscard]] std::uint64_t first_waiting(std::uint64_t bucket) const {
    std::uint64_t first = first_from(bucket);
    if (first != kNone) return first;
    for (const OfThread& mine : of_threads_) first = std::min(first, mine.buckets.first_far(order_));
    return first;
  }
  /// The same of remote vertices.
  [[nodiscard]] std::uint64_t first_abroad(std::uint64_t bucket) const {
    std::uint64_t first = kNone;
    for (const auto& buckets : abroad_) first = std::min(first, buckets.first_from(bucket));
    if (first != kNone) return first;
    for (const auto& buckets : abroad_) first = std::min(first, buckets.first_far(order_));
    return first;
  }
  /// The first one from `bucket` on in the windows, which are the same for all.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t bucket) const {
    std::uint64_t first = kNone;
    for (const OfThread& mine : of_threads_) first = std::min(first, mine.buckets.first_from(bucket));
    return first;
  }
  [[nodiscard]] bool is_far(std::uint64_t bucket) const noexcept { return of_threads_[0].buckets.is_far(bucket); }
  /// The entries of a bucket, unless it is far.
  [[nodiscard]] std::size_t waiting_in(std::uint64_t bucket) {
    std::size_t all = 0;
    for (OfThread& mine : of_threads_) all += is_far(bucket) ? 0 : mine.buckets[bucket].size();
    return all;
  }
  /// Moves the windows, whose buckets must be empty, to `bucket`.
  void move_windows(std::uint64_t bucket) {
    for (OfThread& mine : of_threads_) mine.buckets.move_window(bucket, order_);
    for (auto& buckets : abroad_) buckets.move_window(bucket, order_);
  }

  /// Makes a bucket the lots of the step; returns the entries in them.
  std::uint64_t take_lots(std::uint64_t bucket) {
    std::uint64_t total = 0;
    for (OfThread& mine : of_threads_) {
      mine.lot.clear();
      mine.lot.swap(mine.buckets[bucket]);
      mine.taken.store(0, std::memory_order_relaxed);
      note(mine.lot, mine);
      total += mine.lot.size();
    }
    return total;
  }

  /// Notes the vertices of entries that are not stale.
  void note(std::span<const Entry> waiting, OfThread& mine) {
    if (mine.waited.size() > many_) return;
    for (const Entry& entry : waiting) {
      if (values_.atomic(entry.vertex).load(std::memory_order_relaxed) == entry.value)
        mine.waited.push_back(entry.vertex);
    }
  }
  /// Noted so far.
  [[nodiscard]] std::uint64_t noted() const noexcept {
    std::uint64_t all = 0;
    for (const OfThread& mine : of_threads_) all += mine.waited.size();
    return all;
  }
  /// Whether some vertices may not have been noted, where this number was.
  [[nodiscard]] bool is_many(std::uint64_t noted) const noexcept { return noted > many_; }

 private:
  const BucketOrder<Value>& order_;
  VertexMap<Value>& values_;
  VertexId many_;
  std::vector<OfThread> of_threads_;
  std::vector<Buckets<Target, Value>> abroad_;  ///< with ranks that share no memory, by thread
};

}  // namespace rizoma::engine_detail
