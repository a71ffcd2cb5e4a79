// StealRequests: ranked lists of several processes, handed out so that a process that has nothing left to do takes over
// blocks of one that has, where processes cannot read each other's memory.
//
// How: a process takes its own blocks (64 lists) one by one, and between them looks for messages.  One that has nothing
// left asks the one that has most left as far as it knows, and gets up to 8 blocks in one message: their lists, and all
// that they lead to and it lacks, within a bound of bytes.  Before it works on these it asks for the next.  The owner
// remembers what each asker has: what was fetched before and the lists of the core stay there, of the others as many as
// another bound allows (lru_cache.h), and what was let go the next question says.  Lists that do not fit into an
// answer stay with their owner.  A process that has 16 blocks left or fewer tells all others, who ask it no more.
// Cost: of what moves, one to two bytes an entry; n / 8 bytes for each process that has asked.
// Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA", 2022 (migration of
// tasks with a cache).
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "engine/balance/cached_core.h"
#include "engine/balance/lru_cache.h"
#include "engine/exchange/wire.h"
#include "engine/intersection/oriented_lists.h"
#include "engine/intersection/oriented_triangles.h"
#include "platform/mutex.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rizoma {

class StealRequests {
 public:
  using DegreeRank = OrientedLists::DegreeRank;
  static constexpr std::uint64_t kBlock = 64;      // lists
  static constexpr std::uint64_t kAtOnce = 8;      // blocks in an answer
  static constexpr std::uint64_t kThreshold = 16;  // blocks that a process keeps for itself
  static constexpr std::uint64_t kMostSent = std::uint64_t{4} << 20;

  /// Lists of another process's blocks, and those that they lead to.
  class Fetched {
   public:
    [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return core_->has(v); }
    [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const {
      const auto found = others_.find(v);
      return found == others_.end() ? (*lists_)[v] : std::span<const DegreeRank>(*found->second);
    }

   private:
    friend class StealRequests;
    [[nodiscard]] std::span<const DegreeRank> list(std::size_t i) const {
      return std::span(entries_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
    }
    const OrientedLists* lists_ = nullptr;
    const CachedCore* core_ = nullptr;
    unsigned process_ = 0;
    std::uint64_t blocks_ = 0;
    std::vector<DegreeRank> work_;  ///< the numbers of the lists that moved
    std::vector<std::size_t> begins_{0};
    std::vector<DegreeRank> entries_;
    std::unordered_map<DegreeRank, LruCache::List> others_;  ///< that some of these lead to
  };

  /// Collective.  Lists and core must outlive this.  `most_sent`: bytes of an answer.  Errors: io (a process is lost).
  static Result<std::unique_ptr<StealRequests>> make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                     std::uint64_t most_sent = kMostSent);

  /// own(r, thread) for lists of this process, other(r, list, brought, thread) for those of others; each list that has
  /// two members or more once, on one of all processes.  If it ends early on one, by an Error or an exception, it soon
  /// ends on the others too, as if all were done: a round must follow, in which they learn of that.
  /// Errors: cancelled, io.
  Status for_each(
      FunctionRef<void(DegreeRank r, unsigned thread)> own,
      FunctionRef<void(DegreeRank r, std::span<const DegreeRank> list, const Fetched& fetched, unsigned thread)> other);

 private:
  enum class Kind : std::uint8_t { question, answer, done, ended };
  using Other = FunctionRef<void(DegreeRank, std::span<const DegreeRank>, const Fetched&, unsigned)>;
  /// The answer that is composed for an asker.
  struct Answer {
    WireWriter work;
    WireWriter others;
    std::uint64_t num_work = 0;
    std::uint64_t num_others = 0;
    DegreeRank last_work = 0;
    DegreeRank last_other = 0;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return work.size() + others.size(); }
  };

  StealRequests(Engine& engine, OrientedLists& lists, CoreRows& core, std::uint64_t most_sent);
  [[nodiscard]] std::uint64_t blocks() const noexcept { return (work_.size() + kBlock - 1) / kBlock; }
  [[nodiscard]] std::uint64_t blocks_left() const noexcept;
  [[nodiscard]] std::span<const DegreeRank> block(std::uint64_t number) const;
  Status do_own(FunctionRef<void(DegreeRank, unsigned)> own);
  Status do_kept(FunctionRef<void(DegreeRank, unsigned)> own);
  Status look_now_and_then();
  Status say_done();
  void end_for_all();
  Status do_all_others(Other other);
  Status do_others(Other other, unsigned thread);
  Result<std::unique_ptr<Fetched>> next_of_others();
  Status tell_all(Kind kind) RIZOMA_REQUIRES(guard_);
  Status read(const RankMessage& message) RIZOMA_REQUIRES(guard_);
  Status ask_fullest() RIZOMA_REQUIRES(guard_);
  [[nodiscard]] std::vector<DegreeRank> at_hand() const;
  void hear_what_it_has(unsigned process, WireReader& question) RIZOMA_REQUIRES(guard_);
  Status answer(unsigned process, WireReader& question) RIZOMA_REQUIRES(guard_);
  bool add(DegreeRank r, VertexSet& has, Answer& answer) const;
  void take(unsigned process, WireReader& answer) RIZOMA_REQUIRES(guard_);
  void take_others(WireReader& answer, std::uint64_t count, Fetched& fetched) RIZOMA_REQUIRES(guard_);

  Engine& engine_;
  OrientedLists* lists_;
  Ranks& processes_;
  const std::uint64_t most_sent_;
  std::vector<DegreeRank> work_;        ///< this process's lists with two members or more
  std::atomic<std::uint64_t> next_{0};  ///< of its blocks
  std::atomic<bool> said_done_{false};
  std::atomic<bool> ended_{false};  ///< on some process
  std::atomic<std::chrono::steady_clock::rep> looked_{0};
  CachedCore core_;
  Mutex guard_;                                                   ///< of messages
  std::vector<DegreeRank> kept_back_ RIZOMA_GUARDED_BY(guard_);   ///< lists of blocks of which others have the rest
  std::vector<VertexSet> asker_has_ RIZOMA_GUARDED_BY(guard_);    ///< by process; empty: it has not asked
  std::vector<std::uint64_t> left_of_ RIZOMA_GUARDED_BY(guard_);  ///< blocks, as last known
  std::vector<std::uint8_t> was_asked_ RIZOMA_GUARDED_BY(guard_);
  std::vector<std::vector<DegreeRank>> gone_ RIZOMA_GUARDED_BY(guard_);  ///< since it was asked last
  std::optional<unsigned> asked_ RIZOMA_GUARDED_BY(guard_);              ///< processes that have not answered yet
  std::unique_ptr<Fetched> fetched_ RIZOMA_GUARDED_BY(guard_);           ///< for the next idle thread
  LruCache kept_;
};

}  // namespace rizoma
