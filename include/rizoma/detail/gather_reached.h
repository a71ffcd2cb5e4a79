// gather_reached: makes two columns of a search's result whole where ranks share memory.  Module: engine.
//
// How: each rank writes who it has reached, and what it has of them, once into memory that all see, in as few bytes as
// the numbers need, and each that wants the result copies from there what others have reached.  Nothing is written for
// vertices that nobody has reached, so a search that reaches little costs little.
// Cost: O(n / 64 + vertices reached), and one round.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace rizoma {
namespace engine_detail {

/// f(v) for the members among the vertices from `base` up to `end`, 64 at most; where these are many for all, in a loop
/// without branches.
template <class F>
void for_members(std::uint64_t members, VertexId base, VertexId end, F&& f) {
  constexpr int kMany = 16;
  if (std::popcount(members) < kMany) {
    for (; members != 0; members &= members - 1) f(base + static_cast<VertexId>(std::countr_zero(members)));
  } else {
    for (VertexId v = base; v < end; ++v) f(v);
  }
}

/// f(members, base, end) for each 64 vertices of a rank, of whose bits `words` has one each.
template <class F>
void for_words_of(const Ranks& ranks, unsigned rank, const std::uint64_t* words, F&& f) {
  for (const VertexRange range : ranks.ranges_of(rank)) {
    for (VertexId base = range.begin; base < range.end; base += 64)
      f(words[base / 64], base, std::min(base + 64, range.end));
  }
}

/// Two columns, as a search has them and as they lie in memory that ranks share.
template <class A, class B, class NarrowA, class NarrowB>
class ReachedInPlace {
 public:
  static constexpr std::size_t bytes_of(VertexId n) noexcept {
    return VertexSet::words_of(n) * sizeof(std::uint64_t) + n * (sizeof(NarrowA) + sizeof(NarrowB));
  }

  ReachedInPlace(ReachedMap<A>& a, ReachedMap<B>& b, std::byte* memory)
      : a_(a),
        b_(b),
        words_(reinterpret_cast<std::uint64_t*>(memory)),
        narrow_a_(reinterpret_cast<NarrowA*>(memory + VertexSet::words_of(a.size()) * sizeof(std::uint64_t))),
        narrow_b_(reinterpret_cast<NarrowB*>(narrow_a_ + a.size())) {
    static_assert(sizeof(NarrowA) >= sizeof(NarrowB));  // so that both are aligned
  }

  /// Puts there what a rank has; how many vertices it has reached.
  VertexId put(const Ranks& ranks) {
    VertexSet& reached = *reached_;
    const A* const a = a_.values().data();
    const B* const b = b_.values().data();
    VertexId count = 0;
    for_words_of(ranks, ranks.rank(), reached.words(), [&](std::uint64_t members, VertexId base, VertexId end) {
      words_[base / 64] = members;
      count += static_cast<VertexId>(std::popcount(members));
      for_members(members, base, end, [&](VertexId v) {
        narrow_a_[v] = static_cast<NarrowA>(a[v]);
        narrow_b_[v] = static_cast<NarrowB>(b[v]);
      });
    });
    return count;
  }

  /// Copies from there what another has.
  void take(const Ranks& ranks, unsigned rank) {
    A* const a = a_.values().data();
    B* const b = b_.values().data();
    for_words_of(ranks, rank, words_, [&](std::uint64_t members, VertexId base, VertexId end) {
      reached_->words()[base / 64] = members;
      for_members(members, base, end, [&](VertexId v) {
        a[v] = narrow_a_[v];
        b[v] = narrow_b_[v];
      });
    });
  }

  void end() {
    a_.reach(reached_);
    b_.reach(reached_);
  }

 private:
  ReachedMap<A>& a_;
  ReachedMap<B>& b_;
  std::shared_ptr<VertexSet> reached_ = std::make_shared<VertexSet>(*a_.reached());
  std::uint64_t* words_;
  NarrowA* narrow_a_;
  NarrowB* narrow_b_;
};

template <class NarrowA, class NarrowB, class A, class B>
Result<bool> gather_reached_as(Ranks& ranks, ReachedMap<A>& a, ReachedMap<B>& b, int to) {
  using Columns = ReachedInPlace<A, B, NarrowA, NarrowB>;
  RIZOMA_ASSIGN(const RankMemory memory, RankMemory::take(ranks, Columns::bytes_of(a.size())));
  if (!memory) return false;
  Columns columns(a, b, memory.data());
  const VertexId mine = columns.put(ranks);
  RIZOMA_TRY(ranks.gather_in_place(sizeof(NarrowA) + sizeof(NarrowB), to, mine));
  if (to != Ranks::kEveryRank && static_cast<unsigned>(to) != ranks.rank()) return true;
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank()) columns.take(ranks, rank);
  }
  columns.end();
  return true;
}

}  // namespace engine_detail

/// Columns `a` and `b` of the same vertices reached (not null), whose values are -1 or more; of `b` all ranks know that
/// none is above `greatest`, of `a` that all are numbers of vertices.  Each rank has what it has reached of its own
/// vertices; afterwards every rank, or rank `to` alone, has all.  False, on all ranks: they share no memory, and
/// nothing has changed.  Collective.
template <class A, class B>
Result<bool> gather_reached(Ranks& ranks, ReachedMap<A>& a, ReachedMap<B>& b, std::uint64_t greatest, int to) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (a.size() > kMost) return engine_detail::gather_reached_as<std::int64_t, std::int32_t>(ranks, a, b, to);
  if (greatest > std::numeric_limits<std::int16_t>::max())
    return engine_detail::gather_reached_as<std::int32_t, std::int32_t>(ranks, a, b, to);
  if (greatest > std::numeric_limits<std::int8_t>::max())
    return engine_detail::gather_reached_as<std::int32_t, std::int16_t>(ranks, a, b, to);
  return engine_detail::gather_reached_as<std::int32_t, std::int8_t>(ranks, a, b, to);
}

}  // namespace rizoma
