// Adjacency: the neighbour lists of a whole graph in one direction, cut into sections.  Module: graph.
//
// Shape: vertex v lies in section `v >> section_bits`, at place `v & (2^section_bits - 1)`.  A section
// is a compact CSR: its vertices' lists one behind the other, each sorted by target, in vertex order.
// Where edges have changed since it was written, the lists of their vertices lie in a place of their own
// (ChangedLists), and those in the CSR no longer count.
// Cost: neighbors(v) is two array reads; a loop over a section's vertices is a plain CSR loop, with one test
// a list (predicted, as hardly any has changed).
#pragma once

#include <rizoma/ids.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Which lists: the out-edges of vertices, or the transpose.
enum class Direction : std::uint8_t { out = 0, in = 1 };

/// The lists that count instead of a section's own, for the vertices whose edges have changed since.  The i-th of
/// these vertices has targets[offsets[i], offsets[i+1]).
struct ChangedLists {
  const std::uint64_t* places = nullptr;   ///< a bit for each vertex of the section: set if its list has changed
  const std::uint32_t* before = nullptr;   ///< for each word of `places`: the bits set in the words before it
  const std::uint32_t* offsets = nullptr;  ///< one for each changed list, and one more
  const void* targets = nullptr;           ///< of the section's type
  const void* weights = nullptr;           ///< parallel to targets; null if unweighted
  std::int64_t growth = 0;                 ///< entries that the section has more than its own arrays

  [[nodiscard]] bool has(VertexId place) const noexcept { return (places[place >> 6] >> (place & 63) & 1) != 0; }
  /// Which of the changed lists is that of a place that has one.
  [[nodiscard]] std::uint32_t index(VertexId place) const noexcept {
    const std::uint64_t lower = places[place >> 6] & ((std::uint64_t{1} << (place & 63)) - 1);
    return before[place >> 6] + static_cast<std::uint32_t>(std::popcount(lower));
  }
  [[nodiscard]] EdgeCount size(VertexId place) const noexcept {
    const std::uint32_t i = index(place);
    return offsets[i + 1] - offsets[i];
  }
};

/// The neighbour lists of one section.  `offsets` has one entry for each vertex of the section and
/// one more; list i is targets[offsets[i], offsets[i+1]), unless it is one of the changed ones.  So only `list` and
/// `size` tell what a vertex has.  Pointers stay valid while the owner lives.
template <class Target>
struct SectionEdges {
  const std::uint32_t* offsets = nullptr;
  const Target* targets = nullptr;
  const void* weights = nullptr;          ///< parallel to targets; null if unweighted
  const ChangedLists* changed = nullptr;  ///< null if none has changed

  /// Where a list lies: entries [begin, end) of the arrays.
  struct List {
    const Target* targets;
    const void* weights;
    std::uint32_t begin;
    std::uint32_t end;
  };
  [[nodiscard]] List list(VertexId place) const noexcept {
    if (changed != nullptr && changed->has(place)) [[unlikely]] {
      const std::uint32_t* const at = changed->offsets + changed->index(place);
      return {static_cast<const Target*>(changed->targets), changed->weights, at[0], at[1]};
    }
    return {targets, weights, offsets[place], offsets[place + 1]};
  }
  /// Length of the list.
  [[nodiscard]] EdgeCount size(VertexId place) const noexcept {
    if (changed != nullptr && changed->has(place)) [[unlikely]]
      return changed->size(place);
    return offsets[place + 1] - offsets[place];
  }
};

template <class Target>
class Adjacency {
 public:
  using target_type = Target;

  Adjacency() = default;
  /// `sections` has ceil(num_vertices / 2^section_bits) elements.
  Adjacency(unsigned section_bits, VertexId num_vertices, std::vector<SectionEdges<Target>> sections)
      : sections_(std::move(sections)),
        num_vertices_(num_vertices),
        mask_((VertexId{1} << section_bits) - 1),
        section_bits_(section_bits) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return num_vertices_; }
  [[nodiscard]] unsigned section_bits() const noexcept { return section_bits_; }
  [[nodiscard]] SectionId num_sections() const noexcept { return sections_.size(); }
  [[nodiscard]] SectionId section_of(VertexId v) const noexcept { return v >> section_bits_; }
  [[nodiscard]] const SectionEdges<Target>& section(SectionId s) const noexcept { return sections_[s]; }

  /// Vertices of section s.
  [[nodiscard]] VertexRange range_of(SectionId s) const noexcept {
    const VertexId begin = s << section_bits_;
    const VertexId end = begin + mask_ + 1;
    return {begin, end < num_vertices_ ? end : num_vertices_};
  }

  /// Edge entries of section s.
  [[nodiscard]] EdgeCount section_size(SectionId s) const noexcept {
    const SectionEdges<Target>& section = sections_[s];
    const EdgeCount own = section.offsets[range_of(s).size()];
    return section.changed == nullptr ? own : own + static_cast<EdgeCount>(section.changed->growth);
  }

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return sections_[v >> section_bits_].size(v & mask_); }

  [[nodiscard]] std::span<const Target> neighbors(VertexId v) const noexcept {
    const auto list = sections_[v >> section_bits_].list(v & mask_);
    return {list.targets + list.begin, list.targets + list.end};
  }

  /// Weights of the edges of v, parallel to neighbors(v).  W must be the graph's weight type.
  template <class W>
  [[nodiscard]] std::span<const W> weights(VertexId v) const noexcept {
    const auto list = sections_[v >> section_bits_].list(v & mask_);
    const W* column = static_cast<const W*>(list.weights);
    return {column + list.begin, column + list.end};
  }

 private:
  std::vector<SectionEdges<Target>> sections_;
  VertexId num_vertices_ = 0;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
