#include "store/sections/order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace rizoma {
namespace {

constexpr double kHubs = 0.25;             // from here on hubs stand out
constexpr double kMostHubs = 0.6;          // from here on everything is a few steps away, by the hubs
constexpr double kLocal = 0.25;            // from here on the given numbers have some locality
constexpr double kLocalEnough = 0.5;       // from here on no other order is searched for
constexpr double kWorthNear = 1.0 / 3;     // of an order with near neighbours
constexpr double kFarLeft = 0.7;           // of the edges that were far apart, in an order with near neighbours
constexpr VertexId kLeastVertices = 4096;  // fewer fit any cache
constexpr std::size_t kAsked = 1 << 14;    // vertices between two questions whether to stop
constexpr std::size_t kEvery = 16;         // sample of vertices whose neighbours show how far apart neighbours are

/// Share of all edge ends that the 1/16 of the vertices with the highest degrees have.
double share_of_hubs(std::span<const std::uint32_t> degrees) {
  // A histogram by rounded degree (8 steps a power of two) is exact enough and needs no sort.
  constexpr unsigned kSteps = 8;
  std::array<std::uint64_t, 33 * kSteps> vertices{};
  std::array<double, 33 * kSteps> ends{};
  double all = 0;
  for (const std::uint32_t degree : degrees) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(degree));
    const unsigned step = bits > 3 ? (degree >> (bits - 4)) & (kSteps - 1) : degree & (kSteps - 1);
    ++vertices[bits * kSteps + step];
    ends[bits * kSteps + step] += degree;
    all += degree;
  }
  double left = static_cast<double>(degrees.size()) / 16;
  double hubs = 0;
  for (std::size_t i = vertices.size(); i-- > 0 && left > 0;) {
    if (vertices[i] == 0) continue;
    const double taken = std::min(left, static_cast<double>(vertices[i]));
    hubs += ends[i] * taken / static_cast<double>(vertices[i]);
    left -= taken;
  }
  return all > 0 ? hubs / all : 0;
}

}  // namespace

double share_of_near(const DistanceHistogram& distances, VertexId range) {
  const unsigned far_bits = static_cast<unsigned>(std::bit_width(range / 64));
  EdgeCount near = 0, all = 0;
  for (unsigned bits = 1; bits < distances.counts.size(); ++bits) {
    all += distances.counts[bits];
    if (bits < far_bits) near += distances.counts[bits];
  }
  return all > 0 ? static_cast<double>(near) / static_cast<double>(all) : 0;
}

OrderMeasures measure_order(std::span<const std::uint32_t> degrees, const DistanceHistogram& distances) {
  return {degrees.size(), share_of_hubs(degrees), share_of_near(distances, degrees.size())};
}

bool near_may_pay(const OrderMeasures& given) noexcept {
  return given.vertices >= kLeastVertices && given.near < kLocalEnough && given.hubs < kMostHubs;
}

VertexOrder choose_order(const OrderMeasures& given, double near) noexcept {
  if (near >= kWorthNear && 1 - near <= kFarLeft * (1 - given.near)) return VertexOrder::locality;
  return given.hubs >= kHubs && given.near < kLocal ? VertexOrder::degree : VertexOrder::given;
}

OrderReason reason_of(const OrderMeasures& given) noexcept {
  const auto percent = [](double share) { return static_cast<std::uint8_t>(1 + std::lround(100 * share)); };
  return {percent(given.hubs), percent(given.near)};
}

template <class Number>
std::vector<Number> striped_order(VertexId count) {
  constexpr unsigned kBits = 6;
  std::vector<Number> order;
  order.reserve(count);
  for (unsigned place = 0; place < (1u << kBits); ++place) {
    unsigned rest = 0;
    for (unsigned bit = 0; bit < kBits; ++bit) rest |= ((place >> bit) & 1) << (kBits - 1 - bit);
    for (VertexId v = rest; v < count; v += 1u << kBits) order.push_back(static_cast<Number>(v));
  }
  return order;
}

template std::vector<std::uint32_t> striped_order(VertexId count);
template std::vector<std::uint64_t> striped_order(VertexId count);

template <class Number>
std::vector<Number> by_falling_degree(std::span<const std::uint32_t> degrees) {
  constexpr unsigned kDigit = 11;
  std::vector<Number> order(degrees.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = static_cast<Number>(v);
  const std::uint32_t greatest = degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
  std::vector<Number> sorted(order.size());
  for (unsigned shift = 0; shift < 32 && (greatest >> shift) != 0; shift += kDigit) {
    // Stable counting sort by one digit, high digits first; ties keep the order of the numbers.
    std::array<std::uint64_t, (1u << kDigit) + 1> begins{};
    const auto digit = [&](Number v) { return (1u << kDigit) - 1 - ((degrees[v] >> shift) & ((1u << kDigit) - 1)); };
    for (const Number v : order) ++begins[digit(v) + 1];
    for (std::size_t d = 0; d < (1u << kDigit); ++d) begins[d + 1] += begins[d];
    for (const Number v : order) sorted[begins[digit(v)]++] = v;
    std::swap(order, sorted);
  }
  return order;
}

template std::vector<std::uint32_t> by_falling_degree(std::span<const std::uint32_t> degrees);
template std::vector<std::uint64_t> by_falling_degree(std::span<const std::uint32_t> degrees);

template <class Number>
std::vector<Number> neighbors_near(const NeighborLists<Number>& lists, VertexId most_waiting,
                                   const std::function<bool()>& stop) {
  const std::vector<Number> starts = by_falling_degree<Number>(lists.sizes);
  const auto rises = [&](Number a, Number b) { return std::pair(lists.sizes[a], a) < std::pair(lists.sizes[b], b); };
  std::vector<bool> numbered(starts.size());
  std::vector<Number> order;
  order.reserve(starts.size());
  const auto take = [&](Number v) {
    if (numbered[v]) return;
    numbered[v] = true;
    order.push_back(v);
  };
  std::size_t done = 0;  // the neighbours of those before it are in the order
  for (std::size_t start = starts.size(); start-- > 0;) {
    if (lists.sizes[starts[start]] > 0) take(starts[start]);
    for (; done < order.size(); ++done) {
      const std::size_t first = order.size();
      for (const Number neighbor : lists[order[done]]) take(neighbor);
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), rises);
      if (order.size() - done > most_waiting || (done % kAsked == 0 && stop())) return {};
    }
  }
  for (std::size_t v = 0; v < starts.size(); ++v) take(static_cast<Number>(v));
  return order;
}

template std::vector<std::uint32_t> neighbors_near(const NeighborLists<std::uint32_t>& lists, VertexId most_waiting,
                                                   const std::function<bool()>& stop);
template std::vector<std::uint64_t> neighbors_near(const NeighborLists<std::uint64_t>& lists, VertexId most_waiting,
                                                   const std::function<bool()>& stop);

template <class Number>
DistanceHistogram distances_in(const NeighborLists<Number>& lists, std::span<const Number> order) {
  std::vector<Number> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<Number>(i);
  DistanceHistogram distances;
  for (std::size_t i = 0; i < order.size(); i += kEvery) {
    const Number v = order[i];
    for (const Number u : lists[v]) {
      const Number apart = rank[u] > rank[v] ? rank[u] - rank[v] : rank[v] - rank[u];
      ++distances.counts[static_cast<unsigned>(std::bit_width(apart))];
    }
  }
  return distances;
}

template DistanceHistogram distances_in(const NeighborLists<std::uint32_t>& lists, std::span<const std::uint32_t>);
template DistanceHistogram distances_in(const NeighborLists<std::uint64_t>& lists, std::span<const std::uint64_t>);

}  // namespace rizoma
