// The triangles of ranked lists, corner by corner: what the triangle kernel, in memory and beyond it, and counts of
// cliques share.
//
// How: of each triangle the corner u of highest rank marks its list, and the list of each other corner is held against
// the marks.  Lists of the core, where most of the wedges of a graph with hubs lie, are rows of bits as well, which are
// held against the marks word by word.
// Cost: time by the wedges, of the core by a 64th of them; 4 bytes an edge at most for the core.
// Source: Schank, Wagner, "Finding, counting and listing all triangles in large graphs", WEA'05.
#pragma once

#include <rizoma/engine.h>

#include "engine/intersection/oriented_lists.h"

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma {

/// The lists of the first `size()` ranks (the core: few vertices, most of the wedges) as rows of bits: bit
/// w of row v tells whether v and w < v are adjacent.
class CoreRows {
 public:
  using DegreeRank = OrientedLists::DegreeRank;
  using Word = std::uint64_t;

  static constexpr VertexId kMost = VertexId{1} << 15;  // rows of 64 MiB together

  CoreRows() = default;
  /// Rows without bits.
  CoreRows(Engine& engine, VertexId size) : words_(engine.make_map<Word>(place(size), 0)), size_(size) {}
  /// `edges`: of the lists, whose memory that of the rows is held against.
  static Result<CoreRows> make(Engine& engine, const OrientedLists& lists, EdgeCount edges);
  static Result<CoreRows> make(Engine& engine, const OrientedLists& lists) {
    return make(engine, lists, lists.num_edges());
  }
  /// Fills a row.
  void add(VertexId v, std::span<const DegreeRank> list) noexcept {
    Word* const row = words_.data() + place(v);
    for (const DegreeRank w : list) row[w >> 6] |= Word{1} << (w & 63);
  }

  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] std::span<const Word> operator[](VertexId v) const noexcept {
    return {words_.data() + place(v), v / 64 + 1};
  }
  [[nodiscard]] static bool has(const Word* bits, VertexId i) noexcept { return ((bits[i >> 6] >> (i & 63)) & 1) != 0; }

  /// Words of the rows before row v, of which row i has i/64 + 1.
  [[nodiscard]] static constexpr std::uint64_t place(VertexId v) noexcept {
    const std::uint64_t full = v / 64;
    return 32 * full * (full + 1) + (v % 64) * (full + 1);
  }

 private:
  VertexMap<Word> words_;
  VertexId size_ = 0;
};

/// The lists that a corner leads to, from `lists`, counted as they are read.  For one thread.
template <class Lists>
class CountedLists {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  CountedLists(const OrientedLists& order, const Lists& lists, ListCounter::OfThread& read)
      : order_(order), lists_(lists), read_(read) {}
  [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return lists_.in_core(v); }
  [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const {
    const std::span<const DegreeRank> list = lists_[v];
    read_.add(order_.vertex_of(v), list.size());
    return list;
  }

 private:
  const OrientedLists& order_;
  const Lists& lists_;
  ListCounter::OfThread& read_;
};

/// The lists of one process that has them all.
struct OwnLists {
  using DegreeRank = OrientedLists::DegreeRank;
  const OrientedLists* lists;
  VertexId core;
  [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return v < core; }
  [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const noexcept { return (*lists)[v]; }
};

/// Closes wedges.  For one thread.
class OrientedTriangles {
 public:
  using DegreeRank = OrientedLists::DegreeRank;
  using Word = std::uint64_t;

  /// Stands for a function of the third corner where it is not asked for.
  struct NoThird {};

  /// `ranks`: how many there are.
  OrientedTriangles(VertexId ranks, const CoreRows& core) : core_(&core), marks_(ranks / 64 + 1) {}

  /// Of the triangles of the corner of highest rank, whose list that is: second(v, how many have v in the middle), and
  /// third(w) for each.  `others` has the rest: those of the core (others.in_core(v)) are rows, others[v] is any other.
  /// The list ascends, unless Others::AnyOrder is a type.
  template <class Others, class Second, class Third>
  void of(std::span<const DegreeRank> list, const Others& others, Second&& second, Third&& third) {
    constexpr bool kAscends = !requires { typename Others::AnyOrder; };
    if (list.size() < 2) return;
    for (const DegreeRank w : list) marks_[w >> 6] |= Word{1} << (w & 63);
    for (std::size_t i = kAscends ? 1 : 0; i < list.size(); ++i) {
      const DegreeRank v = list[i];
      const auto below = kAscends ? list.first(i) : list;
      second(v, others.in_core(v) ? close_in_core<kAscends>(v, below, third) : close(others[v], third));
    }
    for (const DegreeRank w : list) marks_[w >> 6] = 0;
  }

 private:
  /// Common neighbours below v of u (marked; `below`: its neighbours below v, and perhaps others) and v of the core, by
  /// the cheaper way: word by word, or one test for each of `below`.
  template <bool kAllBelow, class Third>
  std::uint64_t close_in_core(DegreeRank v, std::span<const DegreeRank> below, Third& third) {
    const std::span<const Word> row = (*core_)[v];
    std::uint64_t found = 0;
    if (row.size() > 2 * below.size()) {
      for (const DegreeRank w : below) found += hit((kAllBelow || w < v) && CoreRows::has(row.data(), w), w, third);
      return found;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Word common = row[i] & marks_[i];
      found += static_cast<std::uint64_t>(std::popcount(common));
      if constexpr (!std::is_same_v<std::remove_cvref_t<Third>, NoThird>) {
        for (Word bits = common; bits != 0; bits &= bits - 1)
          third(static_cast<DegreeRank>(i * 64) + static_cast<DegreeRank>(std::countr_zero(bits)));
      }
    }
    return found;
  }

  /// Common neighbours below v of u (marked) and any v, whose list that is.
  template <class Third>
  std::uint64_t close(std::span<const DegreeRank> list, Third& third) {
    std::uint64_t found = 0;
    for (const DegreeRank w : list) found += hit(CoreRows::has(marks_.data(), w), w, third);
    return found;
  }

  template <class Third>
  static std::uint64_t hit(bool common, DegreeRank w, Third& third) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<Third>, NoThird>) {
      if (common) third(w);
    }
    return common ? 1 : 0;
  }

  const CoreRows* core_;
  std::vector<Word> marks_;
};

}  // namespace rizoma
