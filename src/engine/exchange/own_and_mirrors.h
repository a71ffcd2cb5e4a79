// OwnAndMirrors: numbers, without gaps, for the vertices that a rank's lists name.
//
// A table over these has as many entries as a rank has vertices and reads of others, however large the graph is.  Its
// own vertices come first, in their order, then its mirrors in theirs.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/vertex_set.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace rizoma {

class OwnAndMirrors {
 public:
  /// Of the out-lists, and of the in-lists if there are such.  Collective.  Cost: O(n / 64 + mirrors), and that of
  /// Ranks::for_mirrors.
  static Result<OwnAndMirrors> find(Engine& engine, Ranks& ranks, const GraphView& graph);

  /// How many there are, and how many of them are own ones.
  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] VertexId own() const noexcept { return own_; }

  /// The number of a vertex that is one of them.
  [[nodiscard]] VertexId place(VertexId v) const noexcept {
    if (const VertexId first = first_of_section_[v >> bits_]; first != kNoVertex) return first + (v & mask_);
    const std::uint64_t before = mirrors_.word(v / 64) & ((std::uint64_t{1} << (v % 64)) - 1);
    return first_of_word_[v / 64] + static_cast<VertexId>(std::popcount(before));
  }
  /// The own vertex of a number below own().
  [[nodiscard]] VertexId own_vertex(VertexId place) const noexcept {
    return (sections_[place >> bits_] << bits_) + (place & mask_);
  }
  /// f(place, v) for the mirrors of a range that begins at a multiple of 64.
  template <class F>
  void for_mirrors(VertexRange range, F&& f) const {
    if (range.empty()) return;
    VertexId place = first_of_word_[range.begin / 64];
    mirrors_.for_each(range, [&](VertexId v) { f(place++, v); });
  }

 private:
  unsigned bits_ = 0;  ///< of the vertices of a section
  VertexId mask_ = 0;
  VertexId own_ = 0;
  VertexId size_ = 0;
  std::vector<VertexId> first_of_section_;  ///< the number of its first vertex; none: of another rank
  std::vector<SectionId> sections_;         ///< of this rank; all but the last of the graph have all their vertices
  VertexSet mirrors_;
  std::vector<VertexId> first_of_word_;  ///< of mirrors: the number of the first of 64
};

}  // namespace rizoma
