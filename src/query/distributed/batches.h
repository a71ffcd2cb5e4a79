// Matches a part of a plan in batches of the vertices that it begins with: for each, the lists that any of its matches
// may read are brought first, then all is matched as if the rank had the whole graph.  Module: query.
//
// How: step by step, the vertices that may be candidates are those in the lists of any candidate above, and in all such
// sets if the step intersects several.  A batch is as great as half of what the cache may hold allows, and all ranks
// have batches of about equally many blocks, so that they end at about the same time.  A rank that has all lists needs
// no batches: where matches are counted, it matches whenever it waits for others.
#pragma once

#include "base/check.h"
#include "query/distributed/block_queues.h"
#include "query/distributed/fetched_lists.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rizoma::query {

template <class Target>
class Batches {
 public:
  /// `steadily`: a rank that has all lists matches the blocks of `take` while it waits.
  Batches(Engine& engine, FetchedLists<Target>& lists, SharedGraph& shared, const Query& query, Tree tree,
          BlockQueues queues, bool steadily)
      : engine_(engine),
        lists_(lists),
        shared_(shared),
        query_(query),
        tree_(tree),
        reads_(access_of(shared.own, query, tree)),
        sets_(query.vertices),
        queues_(std::move(queues)),
        steadily_(steadily) {}

  /// True on a rank whose batches are empty, as it matches steadily.
  [[nodiscard]] bool is_steady() const noexcept { return steadily_ && shared_.holders.has_all(); }

  /// Fetches the next batch, once the last one is matched; false if no rank has any left.  `meanwhile` is as in
  /// Ranks::collective, and called on a steady rank only.  Collective.
  Result<bool> next(FunctionRef<bool()> meanwhile) {
    RIZOMA_TRY(engine_.report("match", share_done(), 1));
    if (steadily_) RIZOMA_TRY(wait_together(meanwhile));
    // From here to the reassignment no rank matches.
    const Wish mine{queues_.taken(rank()), queues_.left(rank()), is_steady() ? kNoWish : wanted_};
    RIZOMA_ASSIGN(const std::vector<Wish> wishes, shared_.ranks.all(mine));
    std::uint64_t size = kNoWish;
    std::uint64_t left = 0;
    std::vector<std::uint64_t> taken;
    for (const Wish& wish : wishes) {
      if (wish.left != 0) size = std::min(size, wish.wanted);
      left += wish.left;
      taken.push_back(wish.taken);
    }
    if (left == 0) return false;
    queues_.reassign(taken);
    batch_.clear();
    if (!is_steady()) take_batch(size);
    view_ = shared_.own;
    lists_.begin_batch();
    RIZOMA_TRY(fetch(meanwhile));
    if (!shared_.holders.has_all()) view_ = lists_.view();
    if (!batch_.empty()) wish_by(lists_.bytes());
    return true;
  }

  /// On a steady rank up to this many of its blocks, matched at once.
  [[nodiscard]] std::span<const RootBlock> take(std::uint64_t most) {
    batch_.clear();
    put(std::min(most, queues_.left(rank())));
    return batch_;
  }

  /// The graph, with all lists that matches of this batch read.
  [[nodiscard]] const GraphView& view() const noexcept { return view_; }
  /// What this rank begins with; may be none, while others have some.
  [[nodiscard]] std::span<const RootBlock> blocks() const noexcept { return batch_; }
  /// How much of this rank's work has been handed out.
  [[nodiscard]] double share_done() const noexcept {
    const auto taken = static_cast<double>(queues_.taken(rank()));
    const auto left = static_cast<double>(queues_.left(rank()));
    return left == 0 ? 1 : taken / (taken + left);
  }

 private:
  struct Wish {
    std::uint64_t taken;
    std::uint64_t left;
    std::uint64_t wanted;
  };
  static constexpr std::uint64_t kFirst = 32;  // blocks
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kNoWish = ~std::uint64_t{0};

  [[nodiscard]] VertexId size() const noexcept { return shared_.own.num_vertices(); }
  [[nodiscard]] unsigned rank() const noexcept { return shared_.ranks.rank(); }

  /// All ranks reach this point; a steady one matches until they have.
  Status wait_together(FunctionRef<bool()> meanwhile) {
    RIZOMA_ASSIGN(
        const auto none,
        shared_.ranks.collective(CollectiveKind::sum, {shared_.ranks.size(), std::vector<std::byte>()}, meanwhile));
    RIZOMA_CHECK(none.size() == shared_.ranks.size());
    return {};
  }

  /// An upper bound on blocks: no more than its cache lets this rank request (unknown to others while it had
  /// none), and few enough that some can be reassigned before it has ended.
  void take_batch(std::uint64_t size) {
    const std::uint64_t left = queues_.left(rank());
    put(std::min({size, wanted_, left, std::max(kFirst, left - left / 4)}));
    wanted_ = std::min(wanted_, size);
  }

  void put(std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) batch_.push_back(queues_.take(rank()));
    shared_.done.blocks += size;
  }

  /// The size of the next batch, after one that fetched `bytes` bytes.
  void wish_by(std::uint64_t bytes) {
    const std::uint64_t most = shared_.cache.most();
    if (bytes > most / 2) wanted_ = std::max<std::uint64_t>(1, wanted_ / 2);
    else if (bytes <= most / 8) wanted_ = std::min(kMost, wanted_ * 4);
    else if (bytes <= most / 4) wanted_ = std::min(kMost, wanted_ * 2);
  }

  Status fetch(FunctionRef<bool()> meanwhile) {
    if (shared_.holders.has_all()) return fetch_nothing(meanwhile);
    VertexSet roots(size());
    for (const RootBlock& block : blocks()) {
      for (VertexId v = block.vertices.begin; v < block.vertices.end; ++v) {
        if (shared_.own.is_live(v)) roots.add(v);
      }
    }
    sets_[tree_.item] = std::move(roots);
    RIZOMA_TRY(lists_.fetch(sets_[tree_.item], reads_[tree_.item], meanwhile));
    Status status;
    for_each_below(tree_, [&](const Step& step) {
      if (!status || step.is_edge || !reads_[step.item].any()) return;
      sets_[step.item] = candidates(step);
      status = lists_.fetch(sets_[step.item], reads_[step.item], meanwhile);
    });
    return status;
  }

  /// Fetches no list, but serves the requests of others.
  Status fetch_nothing(FunctionRef<bool()> meanwhile) {
    const VertexSet none(size());
    RIZOMA_TRY(lists_.fetch(none, reads_[tree_.item], meanwhile));
    Status status;
    for_each_below(tree_, [&](const Step& step) {
      if (status && !step.is_edge) status = lists_.fetch(none, reads_[step.item], meanwhile);
    });
    return status;
  }

  /// The vertices that any match may have there, and perhaps some more.
  [[nodiscard]] VertexSet candidates(const Step& step) const {
    VertexSet found(size());
    if (step.lists.empty()) {
      for (VertexId v = 0; v < size(); ++v) {
        if (shared_.own.is_live(v)) found.add(v);
      }
    }
    for (std::size_t i = 0; i < step.lists.size(); ++i) {
      VertexSet some = reached(step, i);
      if (i == 0) found = std::move(some);
      else keep_common(found, some);
    }
    if (const VertexSet* const members = query_.filter_of(step.item)) keep_common(found, *members);
    if (step.anchored) {
      VertexSet anchors(size());
      for (const VertexId v : *query_.anchors[step.item]) anchors.add(v);
      keep_common(found, anchors);
    }
    return found;
  }

  static void keep_common(VertexSet& set, const VertexSet& other) {
    for (std::size_t i = 0; i < VertexSet::words_of(set.universe()); ++i) set.words()[i] &= other.word(i);
    set.recount();
  }

  /// The vertices in the i-th list of the step, for any matches above.
  [[nodiscard]] VertexSet reached(const Step& step, std::size_t i) const {
    VertexSet found(size());
    const ListUse& use = step.lists[i];
    const auto has = [&](const std::vector<unsigned>& items) {
      return std::find(items.begin(), items.end(), use.other) != items.end();
    };
    const bool above = has(step.above);
    const bool below = has(step.below);
    const auto add = [&](VertexId u, std::span<const Target> list) {
      auto at = above ? std::upper_bound(list.begin(), list.end(), static_cast<Target>(u)) : list.begin();
      const auto end = below ? std::lower_bound(at, list.end(), static_cast<Target>(u)) : list.end();
      for (; at != end; ++at) found.add(*at);
    };
    const bool directed = shared_.own.directed();
    const auto add_all = [&](VertexId u) {
      if (use.side != Side::in || !directed) add(u, lists_.list(Direction::out, u));
      if (use.side != Side::out && directed) add(u, lists_.list(Direction::in, u));
    };
    const bool first = use.other == tree_.item && i == 0 && tree_.root != nullptr && &step == tree_.branches.data();
    if (!first) {
      sets_[use.other].for_each(add_all);
      return found;
    }
    for (const RootBlock& block : blocks()) {
      if (block.piece) {
        const Direction direction = use.side == Side::in && directed ? Direction::in : Direction::out;
        const auto list = lists_.list(direction, block.piece->vertex);
        add(block.piece->vertex, list.subspan(block.piece->begin, block.piece->end - block.piece->begin));
        continue;
      }
      for (VertexId v = block.vertices.begin; v < block.vertices.end; ++v) {
        if (shared_.own.is_live(v)) add_all(v);
      }
    }
    return found;
  }

  Engine& engine_;
  FetchedLists<Target>& lists_;
  SharedGraph& shared_;
  const Query& query_;
  Tree tree_;
  std::vector<AccessSet> reads_;
  std::vector<VertexSet> sets_;  ///< for each vertex of the query, its candidates in this batch
  BlockQueues queues_;
  bool steadily_;
  std::vector<RootBlock> batch_;
  std::uint64_t wanted_ = kFirst;  ///< blocks of the next batch
  GraphView view_;
};

}  // namespace rizoma::query
