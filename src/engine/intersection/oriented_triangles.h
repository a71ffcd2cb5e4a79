// The triangles of ranked lists, corner by corner: what the triangle kernel and counts of cliques share.
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

  /// `edges`: of the lists, whose memory that of the rows is held against.
  static Result<CoreRows> make(Engine& engine, const OrientedLists& lists, EdgeCount edges);
  static Result<CoreRows> make(Engine& engine, const OrientedLists& lists) {
    return make(engine, lists, lists.num_edges());
  }
  /// Fills a row whose list was missing.
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

/// Closes wedges.  For one thread.
class OrientedTriangles {
 public:
  using DegreeRank = OrientedLists::DegreeRank;
  using Word = std::uint64_t;

  /// Stands for a function of the third corner where it is not asked for.
  struct NoThird {};

  OrientedTriangles(const OrientedLists& lists, const CoreRows& core, ListCounter::OfThread& lists_read)
      : lists_(&lists), core_(&core), lists_read_(&lists_read), marks_(lists.size() / 64 + 1) {}

  /// Of the triangles whose highest rank is u: second(v, how many have v in the middle), and third(w) for each.
  template <class Second, class Third>
  void of(VertexId u, Second&& second, Third&& third) {
    struct Here {
      const OrientedLists& lists;
      VertexId core;
      [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return v < core; }
      [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const noexcept { return lists[v]; }
    };
    of(u, (*lists_)[u], Here{*lists_, core_->size()}, second, third);
  }

  /// The same with a list that need not be here, and others: those of the core (others.in_core(v)) are there, others[v]
  /// has the rest.
  template <class Others, class Second, class Third>
  void of(VertexId u, std::span<const DegreeRank> list, const Others& others, Second&& second, Third&& third) {
    if (list.size() < 2) return;
    lists_read_->add(lists_->vertex_of(u), list.size());
    for (const DegreeRank w : list) marks_[w >> 6] |= Word{1} << (w & 63);
    for (std::size_t i = 1; i < list.size(); ++i) {
      const DegreeRank v = list[i];
      second(v, others.in_core(v) ? close_in_core(v, list.first(i), third) : close(v, others[v], third));
    }
    for (const DegreeRank w : list) marks_[w >> 6] = 0;
  }

 private:
  /// Common neighbours below v of u (marked; `below`: its neighbours below v) and v of the core, by the
  /// cheaper way: word by word, or one test for each of `below`.
  template <class Third>
  std::uint64_t close_in_core(DegreeRank v, std::span<const DegreeRank> below, Third& third) {
    const std::span<const Word> row = (*core_)[v];
    std::uint64_t found = 0;
    if (row.size() > 2 * below.size()) {
      for (const DegreeRank w : below) found += hit(CoreRows::has(row.data(), w), w, third);
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
  std::uint64_t close(DegreeRank v, std::span<const DegreeRank> list, Third& third) {
    std::uint64_t found = 0;
    lists_read_->add(lists_->vertex_of(v), list.size());
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

  const OrientedLists* lists_;
  const CoreRows* core_;
  ListCounter::OfThread* lists_read_;
  std::vector<Word> marks_;
};

}  // namespace rizoma
