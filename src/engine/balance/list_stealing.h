// ListStealing: ranked lists of several processes, handed out so that a process that has nothing left to do takes over
// blocks of one that has.
//
// How: a process takes its own blocks one by one; then, as long as another has more than a few left, some at once of
// the one that has most.  How these come here, with the lists that they lead to, depends on the network: processes read
// each other's memory (one_sided_stealing.h), or ask (steal_requests.h).
// Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA", 2022 (migration of
// tasks with a cache).
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>

#include "engine/balance/cached_core.h"
#include "engine/balance/lru_cache.h"
#include "engine/intersection/oriented_lists.h"
#include "engine/intersection/oriented_triangles.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// Lists of other processes' blocks, and those that they lead to, as far as they are here.  For one thread.
class StolenLists {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  StolenLists(const OrientedLists& lists, const CachedCore& core) : lists_(lists), core_(core) {}
  StolenLists(const StolenLists&) = delete;
  StolenLists& operator=(const StolenLists&) = delete;

  [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return core_.has(v); }
  [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const {
    const LruCache::List* const stolen = find(v);
    return stolen == nullptr ? lists_[v] : std::span<const DegreeRank>(**stolen);
  }

 protected:
  ~StolenLists() = default;

 private:
  /// The list of v; null if it did not come from another process.
  [[nodiscard]] virtual const LruCache::List* find(DegreeRank v) const = 0;

  const OrientedLists& lists_;
  const CachedCore& core_;
};

class ListStealing {
 public:
  using DegreeRank = OrientedLists::DegreeRank;
  using Own = FunctionRef<void(DegreeRank r, unsigned thread)>;
  using Other =
      FunctionRef<void(DegreeRank r, std::span<const DegreeRank> list, const StolenLists& stolen, unsigned thread)>;
  static constexpr std::uint64_t kBlock = 64;      // lists
  static constexpr std::uint64_t kAtOnce = 8;      // blocks that move together
  static constexpr std::uint64_t kThreshold = 16;  // blocks that a process keeps for itself

  virtual ~ListStealing() = default;
  ListStealing(const ListStealing&) = delete;
  ListStealing& operator=(const ListStealing&) = delete;

  /// own(r, thread) for lists of this process, other(r, list, stolen, thread) for those of others; each list that has
  /// two members or more once, on one of all processes.  If it ends early on one, by an Error or an exception, it soon
  /// ends on the others too, as if all were done: a round must follow, in which they learn of that.
  /// Errors: cancelled, io.
  Status for_each(Own own, Other other);

 protected:
  ListStealing(Engine& engine, OrientedLists& lists, CoreRows& core);

  [[nodiscard]] static std::uint64_t blocks_of(std::uint64_t lists) noexcept { return (lists + kBlock - 1) / kBlock; }
  /// The numbers of this process's lists with two members or more: its work.
  [[nodiscard]] static std::vector<DegreeRank> work_of(const OrientedLists& lists);

  /// This process's blocks, whether or not others take some.
  [[nodiscard]] virtual std::uint64_t own_blocks() const = 0;
  /// The numbers of the lists of its next block; none if all are taken.  From any thread.
  virtual Result<std::span<const DegreeRank>> take_own() = 0;
  /// Does what remains of its blocks, and leaves no more to others.
  virtual Status end_own(Own own);
  /// Does some blocks of the process that has most left; false if none has enough.  From any thread.
  virtual Result<bool> do_others(Other other, unsigned thread) = 0;
  /// Leaves nothing to do for any process.
  virtual void end_for_all() = 0;

  Engine& engine_;
  OrientedLists& lists_;
  Ranks& processes_;
  LruCache kept_;
  CachedCore core_;

 private:
  Status do_all_own(Own own);
  Status do_all_others(Other other);
};

}  // namespace rizoma
