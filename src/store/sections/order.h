// Order: which internal id each vertex of a new graph gets.
//
// degree: by decreasing degree, ties by given number.  The hubs, where most edges end, then share few
//   pages, and a sweep's random reads of vertex state mostly hit a cache: PageRank on R-MAT graphs ran
//   1.7-2.1x faster so.  Where the given numbers already put neighbours next to one another (roads,
//   crawled web pages) or no vertex stands out, it would only destroy locality.
// locality: neighbours get close ids: breadth first from the smallest vertex of each component, the neighbours of a
//   vertex by increasing degree (Cuthill, McKee, "Reducing the bandwidth of sparse ...", ACM'69).  Planar
//   graphs and graphs of many levels become bands; graphs of small diameter do not.
// striped: for as many equal runs of internal ids as there are NUMA nodes to be v mod N, as Spagnol
//   (UNESP, 2025, section 4.3) places vertices.  One order serves every N that is a power of two up to 64:
//   the classes v mod 64 lie one after another in bit-reversed order, so the first half are the even
//   numbers, the first quarter the multiples of four.
// automatic: by what is measured (docs/decisions/0009), of the given numbers and of what `locality` would make:
//   hubs  share of all edge ends that the 1/16 of the vertices with the highest degrees have (equal degrees: 1/16;
//         roads about 1/8; R-MAT about 3/4),
//   near  share of the edges, loops apart, that join numbers closer than 1/64 of the range (by chance: 1/32).
//   near, if there is time to make it, where it leaves much fewer edges far apart, else degree if hubs stand out and
//   edges lead anywhere, else given.
// Cost: degree: a radix sort of the degrees, O(n) for each 11 bits of the largest.  near: O(m), the sorting of
//   neighbours apart.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/schema.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace rizoma {

/// How far apart the ends of edges are: counts[b] edges whose distance |u - v| has b bits.
struct DistanceHistogram {
  std::array<EdgeCount, 65> counts{};
};

/// The measures of the given numbers, described above.
struct OrderMeasures {
  VertexId vertices = 0;
  double hubs = 0;
  double near = 0;
};
[[nodiscard]] OrderMeasures measure_order(std::span<const std::uint32_t> degrees, const DistanceHistogram& distances);

/// Share of the edges, loops apart, whose ends are closer than range / 64.
[[nodiscard]] double share_of_near(const DistanceHistogram& distances, VertexId range);

/// True if the order `locality` may be the best: only then is it worth making.
[[nodiscard]] bool near_may_pay(const OrderMeasures& given) noexcept;

/// What automatic stands for; `locality`: share of near edges in the order of that name, 0 if it has not been made.
[[nodiscard]] VertexOrder choose_order(const OrderMeasures& given, double near) noexcept;

/// The measures in stored form.
[[nodiscard]] OrderReason reason_of(const OrderMeasures& given) noexcept;

/// The given numbers in the order `striped` (above).
template <class Number>
[[nodiscard]] std::vector<Number> striped_order(VertexId count);

/// The given numbers by decreasing degree, ties by number.  Number: 32 or 64 bits.
template <class Number>
[[nodiscard]] std::vector<Number> by_falling_degree(std::span<const std::uint32_t> degrees);

/// The neighbours of each vertex, along edges of both directions, in any order: those of v begin at begins[v] of
/// `targets` and are sizes[v] many.
template <class Number>
struct NeighborLists {
  std::span<const std::uint64_t> begins;
  std::span<const std::uint32_t> sizes;
  std::span<const Number> targets;

  [[nodiscard]] std::span<const Number> operator[](VertexId v) const { return targets.subspan(begins[v], sizes[v]); }
};

/// How many vertices may wait at once while an order is made.
inline constexpr VertexId kAnyNumberMayWait = std::numeric_limits<VertexId>::max();

/// The given numbers such that neighbours are near one another; those without neighbours come last.  Empty as soon as
/// more than `most_waiting` vertices have a number but not yet their neighbours: then the order will not be near; or as
/// `stop`, which is asked now and then, says so.
template <class Number>
[[nodiscard]] std::vector<Number> neighbors_near(
    const NeighborLists<Number>& lists, VertexId most_waiting,
    const std::function<bool()>& stop = [] { return false; });

/// How far apart neighbours are in an order: those of every 16th vertex.
template <class Number>
[[nodiscard]] DistanceHistogram distances_in(const NeighborLists<Number>& lists, std::span<const Number> order);

}  // namespace rizoma
