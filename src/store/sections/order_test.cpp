#include "store/sections/order.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace rizoma {
namespace {

struct Sample {
  std::vector<std::uint32_t> degrees;
  DistanceHistogram distances;
  void add(VertexId u, VertexId v) {
    ++degrees[u];
    ++degrees[v];
    ++distances.counts[static_cast<unsigned>(std::bit_width(u > v ? u - v : v - u))];
  }
};

constexpr VertexId kVertices = 1 << 14;

TEST(Order, FallingDegreeTiesByNumber) {
  Random random(1);
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{5000}, std::uint64_t{1} << 32}) {
    std::vector<std::uint32_t> degrees(5000);
    for (std::uint32_t& degree : degrees) degree = static_cast<std::uint32_t>(random.below(bound));
    std::vector<std::uint64_t> expected(degrees.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return degrees[a] > degrees[b]; });
    EXPECT_EQ(by_falling_degree<std::uint64_t>(degrees), expected);
    const std::vector<std::uint32_t> narrow = by_falling_degree<std::uint32_t>(degrees);
    EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), expected.begin(), expected.end()));
  }
  EXPECT_TRUE(by_falling_degree<std::uint32_t>({}).empty());
}

TEST(Order, AutomaticKeepsGridsAndOrdersScatteredHubs) {
  Sample grid{std::vector<std::uint32_t>(kVertices), {}};
  for (VertexId v = 0; v + 128 < kVertices; ++v) {
    grid.add(v, v + 1);
    grid.add(v, v + 128);
  }
  EXPECT_EQ(choose_order(VertexOrder::automatic, grid.degrees, grid.distances), VertexOrder::given);

  Random random(2);
  Sample hubs{std::vector<std::uint32_t>(kVertices), {}};
  Sample local_hubs = hubs;
  Sample uniform = hubs;
  for (int i = 0; i < 200000; ++i) {
    const VertexId u = random.below(kVertices);
    const VertexId hub = random.below(300) * 54;
    hubs.add(u, hub);
    local_hubs.add(u, u / 128 * 128);
    uniform.add(u, random.below(kVertices));
  }
  EXPECT_EQ(choose_order(VertexOrder::automatic, hubs.degrees, hubs.distances), VertexOrder::degree);
  EXPECT_EQ(choose_order(VertexOrder::automatic, local_hubs.degrees, local_hubs.distances), VertexOrder::given);
  EXPECT_EQ(choose_order(VertexOrder::automatic, uniform.degrees, uniform.distances), VertexOrder::given);
  EXPECT_EQ(choose_order(VertexOrder::given, hubs.degrees, hubs.distances), VertexOrder::given);
  EXPECT_EQ(choose_order(VertexOrder::degree, grid.degrees, grid.distances), VertexOrder::degree);
}

TEST(DealtOut, RunsAreTheClassesOfEachPowerOfTwo) {
  for (const VertexId count : {0, 1, 63, 64, 65, 4096, 10000}) {
    const std::vector<std::uint32_t> order = dealt_out<std::uint32_t>(count);
    std::vector<bool> seen(count);
    for (const std::uint32_t v : order) seen.at(v) = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(order.size(), count);
  }
  const std::vector<std::uint64_t> order = dealt_out<std::uint64_t>(1 << 12);
  for (const std::size_t runs : {2u, 4u, 8u, 64u}) {
    const std::size_t length = order.size() / runs;
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(order[i] % runs, order[i / length * length] % runs) << i;
    }
  }
}

}  // namespace
}  // namespace rizoma
