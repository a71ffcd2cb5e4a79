// Matches a part of a plan in batches of the vertices that it begins with: for each, the lists that any of its matches
// may read are brought first, then all is matched as if the rank had the whole graph.  Module: query.
//
// How: step by step, the vertices that may be candidates are those in the lists of any candidate above, and in all such
// sets if the step intersects several.  A batch is as great as half of what the cache may hold allows, and all ranks
// have batches of equally many blocks, so that they end at about the same time.
#pragma once

#include "query/brought_lists.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma::query {

template <class Target>
class Batches {
 public:
  Batches(Engine& engine, BroughtLists<Target>& lists, SharedGraph& shared, const Query& query, Tree tree,
          std::vector<RootBlock> blocks)
      : engine_(engine),
        lists_(lists),
        shared_(shared),
        query_(query),
        tree_(tree),
        reads_(reads_of(shared.own, query, tree)),
        sets_(query.vertices),
        blocks_(std::move(blocks)) {}

  /// Brings the next batch; false if no rank has any left.  Collective.
  Result<bool> next() {
    RIZOMA_TRY(engine_.report("match", share_done(), 1));
    RIZOMA_ASSIGN(const std::vector<Wish> wishes, shared_.ranks.all(Wish{blocks_.size() - end_, wanted_}));
    std::optional<std::uint64_t> size;
    for (const Wish& wish : wishes) {
      if (wish.left != 0) size = std::min(size.value_or(wish.wanted), wish.wanted);
    }
    if (!size) return false;
    begin_ = end_;
    end_ = std::min<std::uint64_t>(begin_ + *size, blocks_.size());
    shared_.done.blocks += end_ - begin_;
    view_ = shared_.own;
    lists_.begin_batch();
    RIZOMA_TRY(bring());
    view_ = lists_.view();
    const std::uint64_t most = shared_.cache.most();
    if (lists_.bytes() > most / 2) wanted_ = std::max<std::uint64_t>(1, *size / 2);
    else if (lists_.bytes() <= most / 8) wanted_ = *size * 4;
    else if (lists_.bytes() <= most / 4) wanted_ = *size * 2;
    else wanted_ = *size;
    return true;
  }

  /// The graph, with all lists that matches of this batch read.
  [[nodiscard]] const GraphView& view() const noexcept { return view_; }
  /// What this rank begins with; may be none, while others have some.
  [[nodiscard]] std::span<const RootBlock> blocks() const noexcept {
    return std::span(blocks_).subspan(begin_, end_ - begin_);
  }
  /// How much of this rank's work has been handed out.
  [[nodiscard]] double share_done() const noexcept {
    return blocks_.empty() ? 1 : static_cast<double>(end_) / static_cast<double>(blocks_.size());
  }

 private:
  struct Wish {
    std::uint64_t left;
    std::uint64_t wanted;
  };
  static constexpr std::uint64_t kFirst = 32;  // blocks

  [[nodiscard]] VertexId size() const noexcept { return shared_.own.num_vertices(); }

  Status bring() {
    if (shared_.holders.has_all()) return bring_nothing();
    VertexSet roots(size());
    for (const RootBlock& block : blocks()) {
      for (VertexId v = block.vertices.begin; v < block.vertices.end; ++v) {
        if (shared_.own.is_live(v)) roots.add(v);
      }
    }
    sets_[tree_.item] = std::move(roots);
    RIZOMA_TRY(lists_.bring(sets_[tree_.item], reads_[tree_.item]));
    Status status;
    for_each_below(tree_, [&](const Step& step) {
      if (!status || step.is_edge || !reads_[step.item].any()) return;
      sets_[step.item] = candidates(step);
      status = lists_.bring(sets_[step.item], reads_[step.item]);
    });
    return status;
  }

  /// Fetches no list, but serves those of others.
  Status bring_nothing() {
    const VertexSet none(size());
    RIZOMA_TRY(lists_.bring(none, reads_[tree_.item]));
    Status status;
    for_each_below(tree_, [&](const Step& step) {
      if (status && !step.is_edge) status = lists_.bring(none, reads_[step.item]);
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
    if (const VertexSet* const members = query_.members_of(step.item)) keep_common(found, *members);
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

  /// The vertices in the i-th list of the step, whatever is matched above.
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
  BroughtLists<Target>& lists_;
  SharedGraph& shared_;
  const Query& query_;
  Tree tree_;
  std::vector<Reads> reads_;
  std::vector<VertexSet> sets_;  ///< of each vertex of the query: what it may be in this batch
  std::vector<RootBlock> blocks_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t wanted_ = kFirst;  ///< blocks of the next batch
  GraphView view_;
};

}  // namespace rizoma::query
