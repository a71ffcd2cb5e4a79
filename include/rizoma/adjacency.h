// Adjacency: the neighbour lists of a whole graph in one direction, cut into sections.  Module: graph.
//
// Shape: vertex v lies in section `v >> section_bits`, at place `v & (2^section_bits - 1)`.  A section
// is a compact CSR: its vertices' lists one behind the other, each sorted by target, in vertex order.
// Cost: neighbors(v) is two array reads; a loop over a section's vertices is a plain CSR loop.
#pragma once

#include <rizoma/ids.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Which lists: the out-edges of vertices, or the transpose.
enum class Direction : std::uint8_t { out = 0, in = 1 };

/// The neighbour lists of one section.  `offsets` has one entry for each vertex of the section and
/// one more; list i is targets[offsets[i], offsets[i+1]).  Pointers stay valid while the owner lives.
template <class Target>
struct SectionEdges {
  const std::uint32_t* offsets = nullptr;
  const Target* targets = nullptr;
  const void* weights = nullptr;  ///< parallel to targets; null if unweighted
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
  [[nodiscard]] EdgeCount section_size(SectionId s) const noexcept { return sections_[s].offsets[range_of(s).size()]; }

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept {
    const std::uint32_t* place = sections_[v >> section_bits_].offsets + (v & mask_);
    return place[1] - place[0];
  }

  [[nodiscard]] std::span<const Target> neighbors(VertexId v) const noexcept {
    const SectionEdges<Target>& section = sections_[v >> section_bits_];
    const std::uint32_t* place = section.offsets + (v & mask_);
    return {section.targets + place[0], section.targets + place[1]};
  }

  /// Weights of the edges of v, parallel to neighbors(v).  W must be the graph's weight type.
  template <class W>
  [[nodiscard]] std::span<const W> weights(VertexId v) const noexcept {
    const SectionEdges<Target>& section = sections_[v >> section_bits_];
    const std::uint32_t* place = section.offsets + (v & mask_);
    const W* column = static_cast<const W*>(section.weights);
    return {column + place[0], column + place[1]};
  }

 private:
  std::vector<SectionEdges<Target>> sections_;
  VertexId num_vertices_ = 0;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
