// How the ranks of a priority sweep agree on the next bucket, and what of it each has.  Module: engine.
#pragma once

#include <rizoma/detail/outbox.h>
#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/shared_bucket.h>
#include <rizoma/detail/thread_buckets.h>
#include <rizoma/engine.h>
#include <rizoma/result.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// The state of all ranks after a step, in a form that they exchange.
struct AgreedBucket {
  std::uint64_t bucket;   ///< the next one
  std::uint64_t gave_up;  ///< 1: a rank gave up
};
static_assert(std::has_unique_object_representations_v<AgreedBucket>);  // ranks exchange its bytes

/// Ranks that share no memory: each empties the bucket of its own vertices, and sends the decreased values of others'.
/// Also one process alone.
template <class Target, class Value>
class BucketsApart {
  using Threads = ThreadBuckets<Target, Value>;
  using Entry = typename Threads::Entry;
  static constexpr std::uint64_t kNone = Threads::kNone;
  static constexpr std::size_t kFew = 8192;  // entries whose memory a bucket keeps

 public:
  BucketsApart(Engine& engine, Threads& threads, const VertexMap<Value>& values)
      : engine_(engine), threads_(threads), values_(values) {}

  /// The first bucket from `bucket` on that is not empty on any rank.  Collective.
  Result<AgreedBucket> agree(std::uint64_t bucket, bool gives_up) {
    AgreedBucket next{threads_.first_waiting(bucket), gives_up ? 1U : 0U};
    if (engine_.ranks() == nullptr) return next;
    const std::uint64_t owed = threads_.first_abroad(bucket);
    Outbox<Value> outbox(engine_);
    if (owed <= next.bucket) RIZOMA_TRY(put(owed, outbox));
    next.bucket = std::min(next.bucket, owed);
    RIZOMA_ASSIGN(const auto all, outbox.exchange_with(next, receivers()));
    for (const AgreedBucket& of_rank : all) {
      next = {std::min(next.bucket, of_rank.bucket), next.gave_up | of_rank.gave_up};
    }
    return next;
  }

  /// Sends all pending values of remote vertices to their owners.  Collective.
  Status notify_owners() {
    if (engine_.ranks() == nullptr) return {};
    Outbox<Value> outbox(engine_);
    const auto abroad = threads_.abroad();
    RIZOMA_TRY(engine_.for_blocks(abroad.size(), 1, [&](VertexRange some, unsigned thread) {
      for (VertexId i = some.begin; i < some.end; ++i)
        abroad[i].take_all([&](const Entry& entry) { add_if_fresh(entry, outbox, thread); });
    }));
    return outbox.exchange_by_all(receivers());
  }

 private:
  void add_if_fresh(const Entry& entry, Outbox<Value>& outbox, unsigned thread) const {
    if (values_[entry.vertex] == entry.value) outbox.add(entry.vertex, entry.value, thread);
  }
  /// Each thread takes what it reads into its own buckets.
  auto receivers() {
    return [this](unsigned thread) {
      return [this, &mine = threads_[thread]](VertexId v, Value value) { threads_.reach(v, value, mine); };
    };
  }
  /// Sends the decreased values of remote vertices in one bucket to their owners, just before its turn: most values
  /// decrease several times until then.  Meanwhile this rank keeps the smallest value that it has found for them.
  Status put(std::uint64_t bucket, Outbox<Value>& outbox) {
    if (bucket == kNone || threads_.is_far(bucket)) return {};  // far values wait until the window has moved
    const auto abroad = threads_.abroad();
    std::size_t all = 0;
    for (auto& buckets : abroad) all += buckets[bucket].size();
    return engine_.for_blocks(
        abroad.size(), all < kFew / 8 ? abroad.size() : 1, [&](VertexRange some, unsigned thread) {
          for (VertexId i = some.begin; i < some.end; ++i) {
            std::vector<Entry>& owed = abroad[i][bucket];
            std::sort(owed.begin(), owed.end(), [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
            for (const Entry& entry : owed) add_if_fresh(entry, outbox, thread);
            if (owed.size() > kFew) owed = std::vector<Entry>();  // what comes from others needs the memory
            else owed.clear();
          }
        });
  }

  Engine& engine_;
  Threads& threads_;
  const VertexMap<Value>& values_;
};

/// Ranks that share memory: values and the first bucket are there, and any rank takes from that.
template <class Target, class Value>
class BucketsTogether {
  using Threads = ThreadBuckets<Target, Value>;
  using Entry = typename Threads::Entry;
  static constexpr std::uint64_t kNone = Threads::kNone;

 public:
  BucketsTogether(Engine& engine, Threads& threads, RankMemory memory, std::size_t of_values, std::size_t room)
      : engine_(engine),
        ranks_(*engine.ranks()),
        threads_(threads),
        memory_(std::move(memory)),
        shared_(ranks_, memory_.data() + of_values, room) {}

  /// Moves values to shared memory, with room for buckets; null if ranks share none, or do not see each other's lists.
  /// Collective.
  static Result<std::unique_ptr<BucketsTogether>> make(Engine& engine, Threads& threads, VertexId n,
                                                       VertexMap<Value>& values) {
    Ranks& ranks = *engine.ranks();
    if (!ranks.settings().owners.empty()) return std::unique_ptr<BucketsTogether>();
    constexpr std::size_t kLine = 64;
    const std::size_t of_values = (n * sizeof(Value) + kLine - 1) / kLine * kLine;
    const std::size_t room = n / ranks.size() + kLine;
    const std::size_t of_buckets = SharedBucket<Entry>::bytes_for(ranks.size(), room);
    RIZOMA_ASSIGN(RankMemory memory, RankMemory::take(ranks, of_values + of_buckets));
    if (!memory) return std::unique_ptr<BucketsTogether>();
    values = VertexMap<Value>({memory.data(), of_values}, n);
    return std::make_unique<BucketsTogether>(engine, threads, std::move(memory), of_values, room);
  }

  /// The first bucket from `bucket` on that is not empty on any rank; publishes this rank's entries of it.  Collective.
  Result<AgreedBucket> agree(std::uint64_t bucket, bool gives_up) {
    for (;;) {
      const std::uint64_t first = threads_.first_waiting(bucket);
      RIZOMA_ASSIGN(const std::size_t count, publish(first));
      const bool all = threads_.waiting_in(first) == count;
      const std::uint64_t next = !all ? first : first == kNone ? kNone : threads_.first_from(first + 1);
      RIZOMA_TRY(shared_.publish({first, next, threads_.noted(), gives_up ? 1U : 0U}, count));
      AgreedBucket agreed{kNone, 0};
      reached_ = 0;
      for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
        const auto& front = shared_.front(rank);
        agreed = {std::min(agreed.bucket, front.bucket), agreed.gave_up | front.gave_up};
        reached_ += front.reached;
      }
      if (agreed.bucket == first) let_go(first, count);
      if (agreed.bucket == kNone || !threads_.is_far(agreed.bucket)) return agreed;
      threads_.move_windows(bucket = agreed.bucket);
    }
  }
  /// Vertices that all ranks have noted.
  [[nodiscard]] std::uint64_t reached() const noexcept { return reached_; }

  /// Finds the entries of a bucket that ranks have published; returns how many there are.
  std::uint64_t take_lots(std::uint64_t bucket) {
    lots_.clear();
    std::uint64_t total = 0;
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
      if (shared_.front(rank).bucket != bucket) continue;
      lots_.push_back(shared_.entries(rank));
      total += lots_.back().size();
    }
    return total;
  }
  /// Assigns numbers of these from 0 on, `count` at a time, each to one thread of one rank.
  [[nodiscard]] std::uint64_t take(std::uint64_t count) noexcept { return shared_.take(count); }
  /// f(entries) for entries [begin, end) of them.
  template <class F>
  void for_lots(std::uint64_t begin, std::uint64_t end, F&& f) const {
    for (const std::span<const Entry> list : lots_) {
      const std::uint64_t last = std::min<std::uint64_t>(end, list.size());
      if (begin < last) f(list.subspan(begin, last - begin));
      begin -= std::min<std::uint64_t>(begin, list.size());
      end -= std::min<std::uint64_t>(end, list.size());
    }
  }
  /// The first bucket from `bucket` on in which anyone but the first thread of the first rank has entries.
  [[nodiscard]] std::uint64_t first_of_others(std::uint64_t bucket) {
    std::uint64_t first = kNone;
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) {
      const auto& front = shared_.front(rank);
      first = std::min(first, front.bucket == bucket ? front.next : front.bucket);
    }
    for (std::size_t thread = 1; thread < threads_.size(); ++thread)
      first = std::min(first, threads_[thread].buckets.first_from(bucket));
    return first;
  }

 private:
  /// Publishes the entries of a bucket, the last first, as far as there is room; returns their number.
  Result<std::size_t> publish(std::uint64_t bucket) {
    if (threads_.is_far(bucket)) return std::size_t{0};
    const std::span<Entry> room = shared_.mine();
    std::vector<std::size_t> begins{0};
    for (auto& mine : threads_)
      begins.push_back(begins.back() + std::min(mine.buckets[bucket].size(), room.size() - begins.back()));
    const std::uint64_t grain = begins.back() < kFew ? threads_.size() : 1;
    RIZOMA_TRY(engine_.for_blocks(threads_.size(), grain, [&](VertexRange some, unsigned) {
      for (VertexId thread = some.begin; thread < some.end; ++thread) {
        const auto count = static_cast<std::ptrdiff_t>(begins[thread + 1] - begins[thread]);
        const std::vector<Entry>& list = threads_[thread].buckets[bucket];
        std::copy(list.end() - count, list.end(), room.begin() + static_cast<std::ptrdiff_t>(begins[thread]));
      }
    }));
    ranks_.count_packed(begins.back() * sizeof(Entry), false);
    return begins.back();
  }
  /// These are no longer this rank's own.
  void let_go(std::uint64_t bucket, std::size_t count) {
    for (auto& mine : threads_) {
      if (count == 0) return;
      std::vector<Entry>& list = mine.buckets[bucket];
      const std::size_t some = std::min(list.size(), count);
      threads_.note(std::span<const Entry>(list).last(some), mine);
      list.resize(list.size() - some);
      count -= some;
    }
  }

  static constexpr std::size_t kFew = 4096;  // entries, not worth waking a thread

  Engine& engine_;
  Ranks& ranks_;
  Threads& threads_;
  RankMemory memory_;
  SharedBucket<Entry> shared_;
  std::vector<std::span<const Entry>> lots_;  ///< of the step, by rank
  std::uint64_t reached_ = 0;
};

}  // namespace rizoma::engine_detail
