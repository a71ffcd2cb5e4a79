// gather_reached: completes two columns of a search result on ranks that share memory.  Module: engine.
//
// How: each rank writes the vertices it reached and their values once into shared memory, in as few bytes as the
// numbers need; each receiver copies those of the others.  Unreached vertices cost nothing but their bits.
// Cost: O(n / 64 + vertices reached), and one collective.
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

/// f(v) for the members of [base, end), at most 64; for all of them, branch-free, if most are members.
template <class F>
void for_members(std::uint64_t members, VertexId base, VertexId end, F&& f) {
  constexpr int kMany = 16;
  if (std::popcount(members) < kMany) {
    for (; members != 0; members &= members - 1) f(base + static_cast<VertexId>(std::countr_zero(members)));
  } else {
    for (VertexId v = base; v < end; ++v) f(v);
  }
}

/// f(members, base, end) for each word of `words`, the bits of a rank's vertices.
template <class F>
void for_words_of(const Ranks& ranks, unsigned rank, const std::uint64_t* words, F&& f) {
  for (const VertexRange range : ranks.ranges_of(rank)) {
    for (VertexId base = range.begin; base < range.end; base += 64)
      f(words[base / 64], base, std::min(base + 64, range.end));
  }
}

/// Two columns, private and in shared memory.
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

  /// Writes a rank's values; returns the number of vertices that it reached.
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

  /// Copies another rank's values.
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

/// Completes columns `a` and `b` of the reached vertices (not null): `a` holds vertex ids, `b` values up to `greatest`,
/// both from -1 on.  Each rank brings those of its own vertices; afterwards all ranks, or rank `to`, have all.  False,
/// on all
/// ranks: they share no memory, and nothing has changed.  Collective.
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
