// What can be reached from a vertex, found by all threads.
#pragma once

#include "base/random.h"

#include <rizoma/gather.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma {

/// Moves all vertices that can be reached from one by members of a set out of that set into another.  Which these are
/// is the same for every number of threads; when each is found is not.
///
/// A few lists are followed first.  Then each vertex looks for one that is reached among those that lead to it, and if
/// it finds one, it counts at once for those that look after it: one round of looks, without levels, reaches most of
/// many graphs.  Then those left look again; who finds one now follows its own list, and so on.  Whoever can be reached
/// has either a reached one before it that was there before the second round, or one that follows.
/// Each thread follows by a stack of its own, as neighbours often are together; what is left on long stacks is shared.
/// Cost: O(n + m); of lists with neighbours that are reached early, their beginnings.
template <class Lists>
class Reach {
 public:
  using Vertex = typename Lists::target_type;

  /// `lists`: those of direction `along`; `back`: the others.
  Reach(Engine& engine, const GraphView& graph, Direction along, Lists& lists, Lists& back)
      : engine_(engine),
        graph_(graph),
        back_direction_(along == Direction::out ? Direction::in : Direction::out),
        lists_(lists),
        back_(back),
        threads_(engine.threads()) {}

  /// Moves `source`, which is in `open`, and some that can be reached from it, at little cost.
  void begin(VertexId source, VertexSet& open, VertexSet& reached) {
    open_ = open.words();
    reached_ = reached.words();
    claim<false>(source);
    std::vector<VertexId> found{source};
    EdgeCount entries = 0;
    for (std::size_t i = 0; i < found.size() && found.size() <= graph_.num_vertices() / kFirst; ++i) {
      const auto list = lists_.read(found[i]);
      for (const Vertex w : list.sources()) {
        if (claim<false>(w)) found.push_back(w);
      }
      entries += list.size();
      if (entries > graph_.num_entries() / kFirst) break;
    }
  }

  /// Whether looks will find much, as some vertices drawn by chance tell.
  [[nodiscard]] bool spreads() {
    const VertexId n = graph_.num_vertices();
    Random random(n);
    std::size_t asked = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      const VertexId v = random.below(n);
      if (!has(open_, v)) continue;
      ++asked;
      if (sees_reached(back_.read(v))) ++found;
    }
    return found * kSeeing >= asked;
  }

  /// Moves all the others.  Errors: cancelled.
  Status finish() {
    const bool alone = threads_.size() == 1;
    RIZOMA_TRY(look());
    RIZOMA_TRY(alone ? look_and_follow<false>() : look_and_follow<true>());
    for (merge_threads(); !waiting_.empty(); merge_threads()) RIZOMA_TRY(share());
    return {};
  }

 private:
  static constexpr std::uint64_t kFirst = 64;         // 1 in this many vertices, or entries: where to begin
  static constexpr std::size_t kDraws = 1024;         // vertices that are asked whether they see one reached
  static constexpr std::size_t kSeeing = 8;           // 1 in this many: looks pay
  static constexpr std::uint64_t kPortions = 8;       // for each thread, so that all have something to do
  static constexpr std::uint64_t kMost = 64;          // vertices in a portion
  static constexpr std::uint64_t kEntries = 1 << 14;  // that a thread goes through for a portion

  struct alignas(64) OfThread {
    std::vector<Vertex> stack;
    std::size_t size = 0;

    void make_room(std::size_t more) {
      if (stack.size() - size < more) stack.resize(std::max(size + more, 2 * stack.size()));
    }
    void add(Vertex v) {
      make_room(1);
      stack[size++] = v;
    }
  };

  [[nodiscard]] static bool has(std::uint64_t* words, VertexId v) noexcept {
    return ((std::atomic_ref(words[v / 64]).load(std::memory_order_relaxed) >> (v % 64)) & 1) != 0;
  }

  [[nodiscard]] bool sees_reached(const auto& entries) const noexcept {
    return std::ranges::any_of(entries.sources(), [&](VertexId u) { return has(reached_, u); });
  }

  /// Whether v was open; it is reached then.  kShared: others claim at the same time.
  template <bool kShared>
  bool claim(VertexId v) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (v % 64);
    std::atomic_ref open(open_[v / 64]);
    std::atomic_ref reached(reached_[v / 64]);
    const std::uint64_t before = open.load(std::memory_order_relaxed);
    if ((before & bit) == 0) return false;
    if constexpr (kShared) {
      if ((open.fetch_and(~bit, std::memory_order_relaxed) & bit) == 0) return false;
      reached.fetch_or(bit, std::memory_order_relaxed);
    } else {
      open.store(before & ~bit, std::memory_order_relaxed);
      reached.store(reached.load(std::memory_order_relaxed) | bit, std::memory_order_relaxed);
    }
    return true;
  }

  /// All that are open look for one that is reached.  A block of vertices owns its words of the sets, so that no claim
  /// is shared.
  Status look() {
    return engine_.for_words(graph_, back_direction_, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (has(open_, v) && sees_reached(back_.read(v, thread))) claim<false>(v);
      }
    });
  }

  /// They look again, and who finds one follows its own list.
  template <bool kShared>
  Status look_and_follow() {
    return gather(engine_, graph_, {back_direction_}, [&](VertexId v, const auto& entries, unsigned thread) {
      if (!has(open_, v) || !sees_reached(entries) || !claim<kShared>(v)) return;
      threads_[thread].add(static_cast<Vertex>(v));
      follow<kShared>(threads_[thread], thread);
    });
  }

  /// All threads take from what is left on the stacks.
  Status share() {
    const std::uint64_t grain = std::clamp<std::uint64_t>(waiting_.size() / (kPortions * threads_.size()), 1, kMost);
    const bool alone = threads_.size() == 1 || waiting_.size() <= grain;
    return engine_.for_blocks(waiting_.size(), grain, [&](VertexRange block, unsigned thread) {
      OfThread& mine = threads_[thread];
      for (VertexId i = block.begin; i < block.end; ++i) mine.add(waiting_[i]);
      if (alone) follow<false>(mine, thread);
      else follow<true>(mine, thread);
    });
  }

  template <bool kShared>
  void follow(OfThread& mine, unsigned thread) {
    for (std::uint64_t entries = 0; entries < kEntries && mine.size > 0;) {
      const auto list = lists_.read(mine.stack[--mine.size], thread);
      mine.make_room(list.size());
      Vertex* const stack = mine.stack.data();
      std::size_t size = mine.size;
      for (const Vertex w : list.sources()) {
        if (claim<kShared>(w)) stack[size++] = w;
      }
      mine.size = size;
      entries += list.size();
    }
  }

  void merge_threads() {
    waiting_.clear();
    for (OfThread& mine : threads_) {
      const auto end = mine.stack.begin() + static_cast<std::ptrdiff_t>(mine.size);
      waiting_.insert(waiting_.end(), mine.stack.begin(), end);
      mine.size = 0;
    }
  }

  Engine& engine_;
  const GraphView& graph_;
  Direction back_direction_;
  Lists& lists_;
  Lists& back_;
  std::uint64_t* open_ = nullptr;
  std::uint64_t* reached_ = nullptr;
  std::vector<OfThread> threads_;
  std::vector<Vertex> waiting_;
};

}  // namespace rizoma
