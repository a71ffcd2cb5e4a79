#include "store/sections/order.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <utility>

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
  const auto chosen = [](const Sample& sample) {
    return choose_order(measure_order(sample.degrees, sample.distances), 0);
  };
  EXPECT_EQ(chosen(grid), VertexOrder::given);
  EXPECT_FALSE(near_may_pay(measure_order(grid.degrees, grid.distances)));

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
  EXPECT_EQ(chosen(hubs), VertexOrder::degree);
  EXPECT_EQ(chosen(local_hubs), VertexOrder::given);
  EXPECT_EQ(chosen(uniform), VertexOrder::given);
  EXPECT_TRUE(near_may_pay(measure_order(uniform.degrees, uniform.distances)));
}

/// Of a sparse graph whose edges arrive in random order a quarter joins new vertices, which get numbers side by side.
TEST(Order, ALittleLocalityIsNoReasonNotToSearch) {
  EXPECT_TRUE(near_may_pay({1 << 20, 0.1, 0.3}));
  EXPECT_FALSE(near_may_pay({1 << 20, 0.1, 0.6}));
  EXPECT_EQ(choose_order({1 << 20, 0.1, 0.3}, 0.95), VertexOrder::locality);
  EXPECT_EQ(choose_order({1 << 20, 0.1, 0.3}, 0.4), VertexOrder::given) << "not much nearer";
}

TEST(Order, LoopsAreNoSignOfLocality) {
  Random random(3);
  Sample hubs{std::vector<std::uint32_t>(kVertices), {}};
  for (int i = 0; i < 100000; ++i) {
    const VertexId u = random.below(kVertices);
    hubs.add(u, u);
    hubs.add(u, random.below(300) * 54);
  }
  const OrderMeasures measures = measure_order(hubs.degrees, hubs.distances);
  EXPECT_LT(measures.near, 0.1);
  EXPECT_EQ(choose_order(measures, 0), VertexOrder::degree);
}

TEST(Order, TheReasonIsInPercentPlusOne) {
  const OrderReason reason = reason_of({100, 0.504, 0.0});
  EXPECT_EQ(reason.hubs, 51);
  EXPECT_EQ(reason.near, 1);
}

/// A graph as neighbours, both ways.
struct Made {
  explicit Made(VertexId vertices) : of(vertices) {}
  void add(VertexId u, VertexId v) {
    of[u].push_back(static_cast<std::uint32_t>(v));
    of[v].push_back(static_cast<std::uint32_t>(u));
  }
  /// With gaps between the lists, as a load has them for loops.
  [[nodiscard]] NeighborLists<std::uint32_t> lists() {
    begins.clear(), sizes.clear(), targets.clear();
    for (const auto& list : of) {
      begins.push_back(targets.size());
      sizes.push_back(static_cast<std::uint32_t>(list.size()));
      targets.insert(targets.end(), list.begin(), list.end());
      targets.push_back(0);
    }
    return {begins, sizes, targets};
  }
  [[nodiscard]] Sample sample(std::span<const std::uint32_t> rank) const {
    Sample sample{std::vector<std::uint32_t>(of.size()), {}};
    for (std::size_t u = 0; u < of.size(); ++u) {
      for (const std::uint32_t v : of[u]) {
        if (u <= v) sample.add(rank[u], rank[v]);
      }
    }
    return sample;
  }

  std::vector<std::vector<std::uint32_t>> of;
  std::vector<std::uint64_t> begins;
  std::vector<std::uint32_t> sizes, targets;
};

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
  return rank;
}

std::vector<std::uint32_t> shuffled(VertexId count, Random& random) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (VertexId i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
  return numbers;
}

/// What Cuthill and McKee ask for: a vertex comes after the first of its neighbours, in the order of those, and of
/// several by increasing degree.  Vertices before all of their neighbours begin a component.
void expect_breadth_first(const Made& made, const std::vector<std::uint32_t>& order) {
  const std::vector<std::uint32_t> rank = inverse(order);
  std::size_t last_first = 0;
  std::uint32_t last = 0;
  bool alone = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& neighbors = made.of[order[i]];
    EXPECT_TRUE(!alone || neighbors.empty()) << "those without neighbours come last";
    alone = alone || neighbors.empty();
    std::size_t first = i;
    for (const std::uint32_t u : neighbors) first = std::min<std::size_t>(first, rank[u]);
    if (first < i) {
      ASSERT_GE(first, last_first) << i;
      if (first == last_first && i > 0 && last != order[first]) {
        EXPECT_LE(made.of[last].size(), neighbors.size()) << i;
      }
      last_first = first;
    } else {
      last_first = i;
    }
    last = order[i];
  }
}

TEST(NeighborsNear, IsBreadthFirstWhateverTheOrderOfTheLists) {
  Random random(4);
  for (const VertexId vertices : {VertexId{1}, VertexId{50}, VertexId{3000}}) {
    Made made(vertices);
    for (VertexId i = 0; i < vertices; ++i) {
      const VertexId u = random.below(vertices), v = random.below(u + 1);
      if (u != v) made.add(u, v);
    }
    const std::vector<std::uint32_t> order = neighbors_near<std::uint32_t>(made.lists(), kAnyNumberMayWait);
    ASSERT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), vertices);
    ASSERT_EQ(order.size(), vertices);
    expect_breadth_first(made, order);
    for (auto& list : made.of) std::reverse(list.begin(), list.end());
    EXPECT_EQ(neighbors_near<std::uint32_t>(made.lists(), kAnyNumberMayWait), order);
  }
  EXPECT_TRUE(neighbors_near<std::uint64_t>({}, kAnyNumberMayWait).empty());
}

TEST(NeighborsNear, IsChosenForAScatteredGridAndNotWhereAllIsAFewStepsAway) {
  Random random(5);
  const std::vector<std::uint32_t> number = shuffled(kVertices, random);
  Made grid(kVertices), uniform(kVertices);
  for (VertexId v = 0; v + 128 < kVertices; ++v) {
    if (v % 128 != 127) grid.add(number[v], number[v + 1]);
    grid.add(number[v], number[v + 128]);
    for (int i = 0; i < 4; ++i) uniform.add(random.below(kVertices), random.below(kVertices));
  }
  std::vector<std::uint32_t> as_given(kVertices);
  std::iota(as_given.begin(), as_given.end(), 0);
  const Sample scattered = grid.sample(as_given);
  const OrderMeasures measures = measure_order(scattered.degrees, scattered.distances);
  ASSERT_TRUE(near_may_pay(measures));
  EXPECT_EQ(choose_order(measures, 0), VertexOrder::given);
  const std::vector<std::uint32_t> order = neighbors_near<std::uint32_t>(grid.lists(), kVertices / 4);
  ASSERT_EQ(order.size(), kVertices);
  const double near = share_of_near(distances_in<std::uint32_t>(grid.lists(), order), kVertices);
  const double counted = share_of_near(grid.sample(inverse(order)).distances, kVertices);
  EXPECT_GT(near, 0.9);
  EXPECT_NEAR(near, counted, 0.05);
  EXPECT_EQ(choose_order(measures, near), VertexOrder::locality);
  EXPECT_TRUE(neighbors_near<std::uint32_t>(uniform.lists(), kVertices / 4).empty());
}

TEST(DealtOut, RunsAreTheClassesOfEachPowerOfTwo) {
  for (const VertexId count : {0, 1, 63, 64, 65, 4096, 10000}) {
    const std::vector<std::uint32_t> order = striped_order<std::uint32_t>(count);
    std::vector<bool> seen(count);
    for (const std::uint32_t v : order) seen.at(v) = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(order.size(), count);
  }
  const std::vector<std::uint64_t> order = striped_order<std::uint64_t>(1 << 12);
  for (const std::size_t runs : {2u, 4u, 8u, 64u}) {
    const std::size_t length = order.size() / runs;
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(order[i] % runs, order[i / length * length] % runs) << i;
    }
  }
}

}  // namespace
}  // namespace rizoma
