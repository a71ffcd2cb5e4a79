// Order: which inner number each vertex of a new graph gets.
//
// degree: by falling degree, ties by given number.  The hubs, where most edges end, then share few
//   pages, and a sweep's random reads of vertex state mostly hit a cache: PageRank on R-MAT graphs ran
//   1.7-2.1x faster so.  Where the given numbers already put neighbours next to one another (roads,
//   crawled web pages) or no vertex stands out, it would only destroy locality.
// cyclic: for as many equal runs of inner numbers as there are NUMA nodes to be v mod N, as Spagnol
//   (UNESP, 2025, section 4.3) places vertices.  One order serves every N that is a power of two up to 64:
//   the classes v mod 64 lie one behind the other in bit-reversed order, so the first half are the even
//   numbers, the first quarter the multiples of four.
// automatic: degree if both hold, else as given:
//   skew      the 1/16 of the vertices with the highest degrees have at least 1/4 of all edge ends
//             (equal degrees: 1/16; roads about 1/8; R-MAT about 3/4), and
//   locality  fewer than 1/4 of the edges join numbers closer than 1/64 of the range (random: 1/32).
// Cost: a radix sort of the degrees, O(n) for each 11 bits of the greatest.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/schema.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rizoma {

/// How far apart the ends of edges are: counts[b] edges whose distance |u - v| has b bits.
struct DistanceHistogram {
  std::array<EdgeCount, 65> counts{};
};

/// `wanted`, or for automatic what the rule above says.
[[nodiscard]] VertexOrder choose_order(VertexOrder wanted, std::span<const std::uint32_t> degrees,
                                       const DistanceHistogram& distances);

/// The given numbers dealt out as said above.
template <class Number>
[[nodiscard]] std::vector<Number> dealt_out(VertexId count);

/// The given numbers by falling degree, ties by number.  Number: 32 or 64 bits.
template <class Number>
[[nodiscard]] std::vector<Number> by_falling_degree(std::span<const std::uint32_t> degrees);

}  // namespace rizoma
