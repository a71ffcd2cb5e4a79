// LoadPlan: how the entries of one direction are cut into work, from the degrees of the vertices.
//
// piece: vertices whose entries fit a cache: whole sections, or a part of one; whole granules of 2^g.
// round: consecutive pieces, whole sections, whose entries are in memory at the same time.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::bulk {

struct LoadPiece {
  VertexRange vertices;
  EdgeCount entries = 0;  ///< before parallel edges are merged
};

struct Round {
  std::size_t first_piece = 0;
  std::size_t end_piece = 0;
  VertexRange vertices;
  EdgeCount entries = 0;
};

struct LoadPlan {
  std::vector<LoadPiece> pieces;
  std::vector<Round> rounds;
  std::vector<std::uint32_t> piece_of_granule;
  unsigned granule_bits = 0;

  [[nodiscard]] std::uint32_t piece_of(VertexId v) const noexcept { return piece_of_granule[v >> granule_bits]; }
};

/// `piece_entries` and `round_entries` are exceeded only where one granule or one section does.
[[nodiscard]] LoadPlan plan_load(std::span<const std::uint32_t> degrees, unsigned section_bits, EdgeCount piece_entries,
                                 EdgeCount round_entries);

/// Section bits for these degrees (in the final order) if the user asks for none: sections of about
/// 2^17 entries and 2^10..2^16 vertices, at most 2^16 sections; smaller ones, down to 2^10 vertices,
/// while the largest has more than 1/16 of all entries, and down to 2^4 while it has more than `hard_limit`.
[[nodiscard]] unsigned section_bits_for(std::span<const std::uint32_t> degrees, EdgeCount hard_limit);

/// Entries of the largest section.
[[nodiscard]] EdgeCount largest_section(std::span<const std::uint32_t> degrees, unsigned section_bits);

}  // namespace rizoma::bulk
