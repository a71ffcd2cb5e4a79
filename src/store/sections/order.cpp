#include "store/sections/order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rizoma {
namespace {

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

/// Share of the edges whose ends are closer than range / 64.
double share_of_near(const DistanceHistogram& distances, VertexId range) {
  const unsigned far_bits = static_cast<unsigned>(std::bit_width(range / 64));
  EdgeCount near = 0, all = 0;
  for (unsigned bits = 0; bits < distances.counts.size(); ++bits) {
    all += distances.counts[bits];
    if (bits < far_bits) near += distances.counts[bits];
  }
  return all > 0 ? static_cast<double>(near) / static_cast<double>(all) : 0;
}

}  // namespace

VertexOrder choose_order(VertexOrder wanted, std::span<const std::uint32_t> degrees,
                         const DistanceHistogram& distances) {
  if (wanted != VertexOrder::automatic) return wanted;
  const bool skewed = share_of_hubs(degrees) >= 0.25;
  return skewed && share_of_near(distances, degrees.size()) < 0.25 ? VertexOrder::degree : VertexOrder::given;
}

template <class Number>
std::vector<Number> dealt_out(VertexId count) {
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

template std::vector<std::uint32_t> dealt_out(VertexId count);
template std::vector<std::uint64_t> dealt_out(VertexId count);

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

}  // namespace rizoma
