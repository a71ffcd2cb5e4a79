// gather_search: completes the two columns of a search result on ranks.  Module: engine.
//
// How: where ranks share memory, each writes the vertices that it reached and their values once into it, in as few
// bytes as the numbers need; each receiver copies those of the others.  Elsewhere ranks send whole columns if the
// search reached much, or one record for each vertex reached.  Unreached vertices cost nothing but their bits.
// Cost: O(n / 64 + vertices reached), or O(n) where these are many; at most three collectives.
#pragma once

#include <rizoma/detail/gather_columns.h>
#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

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

/// f(members, base, end) for each word of `words`, the bits of the vertices of a range.
template <class F>
void for_words_of(VertexRange range, const std::uint64_t* words, F&& f) {
  for (VertexId base = range.begin; base < range.end; base += 64)
    f(words[base / 64], base, std::min(base + 64, range.end));
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

  /// Writes this rank's values; returns the number of vertices that it reached.
  Result<VertexId> put(Engine& engine) {
    VertexSet& reached = *reached_;
    const A* const a = a_.values().data();
    const B* const b = b_.values().data();
    std::atomic<VertexId> count = 0;
    RIZOMA_TRY(for_vertices_of(engine, Whose::own, [&](VertexRange range, unsigned) {
      VertexId here = 0;
      for_words_of(range, reached.words(), [&](std::uint64_t members, VertexId base, VertexId end) {
        words_[base / 64] = members;
        here += static_cast<VertexId>(std::popcount(members));
        for_members(members, base, end, [&](VertexId v) {
          narrow_a_[v] = static_cast<NarrowA>(a[v]);
          narrow_b_[v] = static_cast<NarrowB>(b[v]);
        });
      });
      count.fetch_add(here, std::memory_order_relaxed);
    }));
    return count.load();
  }

  /// Copies other ranks' values.
  Status take(Engine& engine) {
    A* const a = a_.values().data();
    B* const b = b_.values().data();
    return for_vertices_of(engine, Whose::others, [&](VertexRange range, unsigned) {
      for_words_of(range, words_, [&](std::uint64_t members, VertexId base, VertexId end) {
        reached_->words()[base / 64] = members;
        for_members(members, base, end, [&](VertexId v) {
          a[v] = narrow_a_[v];
          b[v] = narrow_b_[v];
        });
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
Result<bool> gather_reached_as(Engine& engine, ReachedMap<A>& a, ReachedMap<B>& b, int to) {
  Ranks& ranks = *engine.ranks();
  using Columns = ReachedInPlace<A, B, NarrowA, NarrowB>;
  RIZOMA_ASSIGN(const RankMemory memory, RankMemory::take(ranks, Columns::bytes_of(a.size())));
  if (!memory) return false;
  Columns columns(a, b, memory.data());
  RIZOMA_ASSIGN(const VertexId mine, columns.put(engine));
  ranks.count_packed(mine * (sizeof(NarrowA) + sizeof(NarrowB)), false);
  RIZOMA_TRY(ranks.gather_in_place(sizeof(NarrowA) + sizeof(NarrowB), to, mine));
  if (to != Ranks::kEveryRank && static_cast<unsigned>(to) != ranks.rank()) return true;
  RIZOMA_TRY(columns.take(engine));
  columns.end();
  return true;
}

/// What all ranks know of a search.
struct SearchSize {
  VertexId reached = 0;        ///< vertices, of all ranks
  std::uint64_t greatest = 0;  ///< value of the second column
  int to = Ranks::kEveryRank;  ///< the rank that needs the result
  [[nodiscard]] bool is_for(unsigned rank) const noexcept {
    return to == Ranks::kEveryRank || static_cast<unsigned>(to) == rank;
  }
};

/// A reached vertex and its values, as ranks send them.
template <class A, class B>
struct ReachedVertex {
  VertexId vertex;
  A a;
  B b;
};

/// The records of the vertices that this rank has reached.
template <class A, class B>
std::vector<std::byte> reached_here(const Ranks& ranks, const ReachedMap<A>& a, const ReachedMap<B>& b) {
  std::vector<std::byte> records;
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
    a.reached()->for_each(range, [&](VertexId v) {
      if (b[v] < 0) return;
      ReachedVertex<A, B> one;
      std::memset(static_cast<void*>(&one), 0, sizeof(one));  // the padding is sent, too
      one.vertex = v, one.a = a[v], one.b = b[v];
      const auto* const bytes = reinterpret_cast<const std::byte*>(&one);
      records.insert(records.end(), bytes, bytes + sizeof(one));
    });
  }
  return records;
}

template <class A, class B>
Status send_reached(Ranks& ranks, ReachedMap<A>& a, ReachedMap<B>& b, const SearchSize& search) {
  std::vector<std::vector<std::byte>> payloads(ranks.size());
  const std::vector<std::byte> mine = reached_here(ranks, a, b);
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank() && search.is_for(rank)) payloads[rank] = mine;
  }
  RIZOMA_ASSIGN(const auto received, ranks.collective(CollectiveKind::gather, std::move(payloads)));
  const auto reached = std::make_shared<VertexSet>(*a.reached());
  for (const std::vector<std::byte>& theirs : received) {
    ReachedVertex<A, B> one;
    for (std::size_t at = 0; at + sizeof(one) <= theirs.size(); at += sizeof(one)) {
      std::memcpy(static_cast<void*>(&one), theirs.data() + at, sizeof(one));
      if (one.vertex >= a.size()) return Error{ErrorCode::io, "another rank sent a vertex that is not in the graph"};
      a.values()[one.vertex] = one.a;
      b.values()[one.vertex] = one.b;
      reached->add(one.vertex);
    }
  }
  a.reach(reached);
  b.reach(reached);
  return {};
}

/// Sends whole columns; where they are not wanted, what stands for the vertices of others is left unwritten.
template <class T>
Status send_column(Engine& engine, ReachedMap<T>& column, std::uint64_t greatest, const SearchSize& search) {
  const std::shared_ptr<const VertexSet> reached = column.reached();
  T* const values = column.values().data();
  RIZOMA_TRY(for_vertices_of(engine, Whose::own, [&](VertexRange range, unsigned) {
    for (VertexId v = range.begin; reached != nullptr && v < range.end; ++v) {
      if (!reached->contains(v)) values[v] = T{-1};
    }
  }));
  if (search.is_for(engine.ranks()->rank())) column.reach(nullptr);
  return gather_columns(engine, column.values().span(), search.to, greatest);
}

/// False, on all ranks: they share no memory, and nothing has changed.
template <class A, class B>
Result<bool> gather_in_memory(Engine& engine, ReachedMap<A>& a, ReachedMap<B>& b, std::uint64_t greatest, int to) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (a.size() > kMost) return gather_reached_as<std::int64_t, std::int32_t>(engine, a, b, to);
  if (greatest > std::numeric_limits<std::int16_t>::max())
    return gather_reached_as<std::int32_t, std::int32_t>(engine, a, b, to);
  if (greatest > std::numeric_limits<std::int8_t>::max())
    return gather_reached_as<std::int32_t, std::int16_t>(engine, a, b, to);
  return gather_reached_as<std::int32_t, std::int8_t>(engine, a, b, to);
}

}  // namespace engine_detail

/// Completes columns `a` (vertex ids) and `b` (values up to the largest of the search), both from -1 on.  Each rank
/// has those of its own vertices; afterwards all ranks, or the one that needs them, have all.  Collective.
template <class A, class B>
Status gather_search(Engine& engine, ReachedMap<A>& a, ReachedMap<B>& b, const engine_detail::SearchSize& search) {
  constexpr VertexId kMany = 4;  // more than n / kMany vertices: whole columns, of 5 bytes or so for each
  if (b.reached() != nullptr) {
    RIZOMA_ASSIGN(const bool done, engine_detail::gather_in_memory(engine, a, b, search.greatest, search.to));
    if (done) return {};
  }
  if (search.reached <= b.size() / kMany && b.reached() != nullptr)
    return engine_detail::send_reached(*engine.ranks(), a, b, search);
  RIZOMA_TRY(engine_detail::send_column(engine, b, search.greatest, search));
  return engine_detail::send_column(engine, a, a.size(), search);
}

}  // namespace rizoma
