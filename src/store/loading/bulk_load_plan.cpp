#include "store/loading/bulk_load_plan.h"

#include "store/disk_format.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rizoma::bulk {
namespace {

constexpr unsigned kGranuleBits = 4;
constexpr unsigned kMinBits = 10;  // the state of 2^10 vertices fills a page even at 4 bytes each
constexpr unsigned kMaxBits = 16;
constexpr unsigned kFewestBits = 4;  // under a memory limit
constexpr unsigned kEntriesBits = 17;
constexpr EdgeCount kLargestShare = 16;
constexpr VertexId kMostSections = VertexId{1} << 16;

EdgeCount sum(std::span<const std::uint32_t> degrees, VertexRange range) {
  return std::accumulate(degrees.begin() + static_cast<std::ptrdiff_t>(range.begin),
                         degrees.begin() + static_cast<std::ptrdiff_t>(range.end), EdgeCount{0});
}

/// Adds the pieces of one section that is too large for one.
void split_section(std::span<const std::uint32_t> degrees, VertexRange section, unsigned granule_bits, EdgeCount limit,
                   std::vector<LoadPiece>& pieces) {
  const VertexId granule = VertexId{1} << granule_bits;
  LoadPiece piece{{section.begin, section.begin}, 0};
  for (VertexId v = section.begin; v < section.end; v += granule) {
    const VertexRange next{v, std::min(v + granule, section.end)};
    const EdgeCount entries = sum(degrees, next);
    if (piece.entries + entries > limit && !piece.vertices.empty()) {
      pieces.push_back(piece);
      piece = {{v, v}, 0};
    }
    piece.vertices.end = next.end;
    piece.entries += entries;
  }
  pieces.push_back(piece);
}

std::vector<LoadPiece> cut_pieces(std::span<const std::uint32_t> degrees, unsigned section_bits, unsigned granule_bits,
                                  EdgeCount limit) {
  std::vector<LoadPiece> pieces;
  LoadPiece run{};  // whole sections that together are small enough
  const VertexId size = VertexId{1} << section_bits;
  for (VertexId v = 0; v < degrees.size(); v += size) {
    const VertexRange section{v, std::min<VertexId>(v + size, degrees.size())};
    const EdgeCount entries = sum(degrees, section);
    if (run.entries + entries > limit && !run.vertices.empty()) {
      pieces.push_back(run);
      run = {{v, v}, 0};
    }
    if (entries > limit) {
      split_section(degrees, section, granule_bits, limit, pieces);
      run = {{section.end, section.end}, 0};
    } else {
      run.vertices.end = section.end;
      run.entries += entries;
    }
  }
  if (!run.vertices.empty()) pieces.push_back(run);
  return pieces;
}

std::vector<Round> cut_rounds(std::span<const LoadPiece> pieces, unsigned section_bits, EdgeCount limit) {
  std::vector<Round> rounds;
  const VertexId mask = (VertexId{1} << section_bits) - 1;
  std::size_t first = 0;
  while (first < pieces.size()) {
    Round round{first, first, {pieces[first].vertices.begin, pieces[first].vertices.begin}, 0};
    while (round.end_piece < pieces.size()) {
      // The pieces up to the next one that starts a section.
      std::size_t end = round.end_piece + 1;
      EdgeCount entries = pieces[round.end_piece].entries;
      while (end < pieces.size() && (pieces[end].vertices.begin & mask) != 0) entries += pieces[end++].entries;
      if (round.end_piece > first && round.entries + entries > limit) break;
      round.end_piece = end;
      round.entries += entries;
    }
    round.vertices.end = pieces[round.end_piece - 1].vertices.end;
    first = round.end_piece;
    rounds.push_back(round);
  }
  return rounds;
}

}  // namespace

LoadPlan plan_load(std::span<const std::uint32_t> degrees, unsigned section_bits, EdgeCount piece_entries,
                   EdgeCount round_entries) {
  LoadPlan plan;
  plan.granule_bits = std::min(kGranuleBits, section_bits);
  plan.pieces = cut_pieces(degrees, section_bits, plan.granule_bits, std::max<EdgeCount>(piece_entries, 1));
  plan.rounds = cut_rounds(plan.pieces, section_bits, std::max<EdgeCount>(round_entries, 1));
  plan.piece_of_granule.resize((degrees.size() >> plan.granule_bits) + 1);
  for (std::size_t p = 0; p < plan.pieces.size(); ++p) {
    const VertexRange& vertices = plan.pieces[p].vertices;
    for (VertexId g = vertices.begin >> plan.granule_bits; (g << plan.granule_bits) < vertices.end; ++g) {
      plan.piece_of_granule[g] = static_cast<std::uint32_t>(p);
    }
  }
  return plan;
}

EdgeCount largest_section(std::span<const std::uint32_t> degrees, unsigned section_bits) {
  EdgeCount largest = 0;
  const VertexId size = VertexId{1} << section_bits;
  for (VertexId v = 0; v < degrees.size(); v += size) {
    largest = std::max(largest, sum(degrees, {v, std::min<VertexId>(v + size, degrees.size())}));
  }
  return largest;
}

unsigned section_bits_for(std::span<const std::uint32_t> degrees, EdgeCount hard_limit) {
  const EdgeCount entries = sum(degrees, {0, degrees.size()});
  const EdgeCount mean_degree = degrees.empty() ? 1 : std::max<EdgeCount>(entries / degrees.size(), 1);
  const unsigned degree_bits = static_cast<unsigned>(std::bit_width(mean_degree)) - 1;
  unsigned bits = degree_bits + kMinBits < kEntriesBits ? std::min(kEntriesBits - degree_bits, kMaxBits) : kMinBits;
  while (bits < format::kMaxSectionBits && (degrees.size() >> bits) > kMostSections) ++bits;
  const EdgeCount large = std::max(entries / kLargestShare, EdgeCount{1} << kEntriesBits);
  while (bits > kMinBits && largest_section(degrees, bits) > large) --bits;
  while (bits > kFewestBits && largest_section(degrees, bits) > hard_limit) --bits;
  return bits;
}

}  // namespace rizoma::bulk
