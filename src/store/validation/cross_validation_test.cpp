#include "store/validation/cross_validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Lists of a graph of one section, as a view has them; the weight of an edge follows from its ends.
template <class Target>
struct Lists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<Target> targets;
  std::vector<std::int32_t> weights;

  explicit Lists(const std::vector<std::vector<std::uint32_t>>& of_vertices) {
    for (std::uint32_t u = 0; u < of_vertices.size(); ++u) {
      for (const std::uint32_t v : of_vertices[u]) {
        targets.push_back(v);
        weights.push_back(static_cast<std::int32_t>(std::min(u, v) * 3 + std::max(u, v)));
      }
      offsets.push_back(static_cast<std::uint32_t>(targets.size()));
    }
  }
  [[nodiscard]] std::uint64_t sum(bool weighted, bool directed, Direction direction) const {
    const SectionEdges<Target> edges{offsets.data(), targets.data(), weighted ? weights.data() : nullptr};
    return edge_sum(edges, {0, offsets.size() - 1}, weighted ? WeightType::int32 : WeightType::none, directed,
                    direction);
  }
};

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// So that some lists are long, some short, and some vertices are their own neighbours; one edge twice.
Pairs some_edges(std::uint32_t vertices) {
  std::mt19937 random(3);
  Pairs edges{{1, 1}, {5, 9}, {5, 9}};
  for (std::uint32_t hub = 0; hub < 3; ++hub) {
    for (std::uint32_t v = 0; v < vertices; v += hub + 1) edges.emplace_back(hub * 100, v);
  }
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const auto draw = [&] { return static_cast<std::uint32_t>(random() % vertices); };
    edges.emplace_back(draw(), draw());
  }
  return edges;
}

/// Sorted lists of what `edges` lead to from their first ends, and from their second ends if `both`.
std::vector<std::vector<std::uint32_t>> lists_of(const Pairs& edges, std::uint32_t vertices, bool first, bool second) {
  std::vector<std::vector<std::uint32_t>> lists(vertices);
  for (const auto& [u, v] : edges) {
    if (first) lists[u].push_back(v);
    if (second && (u != v || !first)) lists[v].push_back(u);
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

constexpr std::uint32_t kVertices = 1000;

template <class Target>
void expect_that_one_end_less_is_found(bool weighted) {
  const Pairs edges = some_edges(kVertices);
  auto both = lists_of(edges, kVertices, true, true);
  EXPECT_EQ(Lists<Target>(both).sum(weighted, false, Direction::out), 0U);
  for (const std::uint32_t u : {0U, 5U, 100U, 999U}) {
    auto damaged = both;
    damaged[u].pop_back();
    EXPECT_NE(Lists<Target>(damaged).sum(weighted, false, Direction::out), 0U) << u;
    damaged[u].push_back(both[u].back() == kVertices - 1 ? kVertices - 2 : kVertices - 1);
    EXPECT_NE(Lists<Target>(damaged).sum(weighted, false, Direction::out), 0U) << u;
  }
  const auto out = lists_of(edges, kVertices, true, false);
  auto in = lists_of(edges, kVertices, false, true);
  const std::uint64_t forward = Lists<Target>(out).sum(weighted, true, Direction::out);
  EXPECT_EQ(forward, Lists<Target>(in).sum(weighted, true, Direction::in));
  in[0].pop_back();
  EXPECT_NE(forward, Lists<Target>(in).sum(weighted, true, Direction::in));
}

TEST(CrossValidation, EdgesHaveTwoEnds) {
  expect_that_one_end_less_is_found<std::uint32_t>(false);
  expect_that_one_end_less_is_found<std::uint64_t>(false);
}

TEST(CrossValidation, EdgesWithWeightsToo) {
  expect_that_one_end_less_is_found<std::uint32_t>(true);
  expect_that_one_end_less_is_found<std::uint64_t>(true);
}

TEST(CrossValidation, WeightsAreTheSameFromBothEnds) {
  const auto both = lists_of(some_edges(kVertices), kVertices, true, true);
  int tried = 0;
  for (std::uint32_t u = 0; u < kVertices; u += 50) {
    Lists<std::uint32_t> lists(both);
    const auto other_end =
        std::find_if(both[u].begin(), both[u].end(), [u](std::uint32_t v) { return v != u; });  // a self-loop has none
    if (other_end == both[u].end()) continue;
    const std::size_t entry = lists.offsets[u] + static_cast<std::size_t>(other_end - both[u].begin());
    ++lists.weights[entry];
    EXPECT_NE(lists.sum(true, false, Direction::out), 0U) << u;
    ++tried;
  }
  EXPECT_GT(tried, 10);
}

TEST(CrossValidation, ListsAgreeInSum) {
  const auto both = lists_of(some_edges(kVertices), kVertices, true, true);
  const Lists<std::uint32_t> lists(both);
  const auto part = [&](VertexId begin, VertexId end) {
    const SectionEdges<std::uint32_t> edges{lists.offsets.data() + begin, lists.targets.data(), nullptr};
    return edge_sum(edges, {begin, end}, WeightType::none, false, Direction::out);
  };
  EXPECT_NE(part(0, 100), 0U);
  EXPECT_EQ(part(0, 100) + part(100, 256) + part(256, kVertices), 0U);
}

/// An image of these lists, sealed.
template <class Target>
std::vector<std::byte> image_of(const Lists<Target>& lists, WeightType weights, ImageSpec& spec) {
  spec.target_bytes = sizeof(Target);
  spec.weights = weights;
  spec.num_vertices = static_cast<std::uint32_t>(lists.offsets.size() - 1);
  spec.num_entries = lists.targets.size();
  spec.target_bound = kVertices;
  for (std::uint32_t u = 0; u < spec.num_vertices; ++u) {
    spec.num_self_loops += static_cast<EdgeCount>(
        std::count(lists.targets.begin() + lists.offsets[u], lists.targets.begin() + lists.offsets[u + 1], u));
  }
  const ImageLayout layout = image_layout(spec);
  std::vector<std::byte> image(layout.bytes);
  const auto put = [&](std::size_t at, const auto& values) {
    std::memcpy(image.data() + at, values.data(), values.size() * sizeof(values[0]));
  };
  put(layout.offsets, lists.offsets);
  put(layout.targets, lists.targets);
  if (weights != WeightType::none) put(layout.weights, lists.weights);
  seal_image(spec, image);
  return image;
}

template <class Target>
void expect_the_sum_of_its_lists(WeightType weights, bool directed, Direction direction) {
  const Lists<Target> lists(lists_of(some_edges(kVertices), kVertices, true, !directed));
  ImageSpec spec;
  const std::vector<std::byte> image = image_of(lists, weights, spec);
  ImageSum sum({0, kVertices}, weights, directed, direction);
  EXPECT_FALSE(sum.of(spec, image));
  ASSERT_TRUE(verify_image(image, 10, "image", ParallelEdges::keep, &sum));
  ASSERT_TRUE(sum.of(spec, image));
  EXPECT_EQ(*sum.of(spec, image), lists.sum(weights != WeightType::none, directed, direction));
  const std::vector<std::byte> another = image;
  EXPECT_FALSE(sum.of(spec, another));
}

TEST(CrossValidation, TheSumOfAnImageIsMadeWhileItIsVerified) {
  for (const WeightType weights : {WeightType::none, WeightType::int32}) {
    expect_the_sum_of_its_lists<std::uint32_t>(weights, false, Direction::out);
    expect_the_sum_of_its_lists<std::uint64_t>(weights, false, Direction::out);
    expect_the_sum_of_its_lists<std::uint32_t>(weights, true, Direction::out);
    expect_the_sum_of_its_lists<std::uint32_t>(weights, true, Direction::in);
  }
}

TEST(CrossValidation, AnImageWithoutTheWeightsOfTheGraphHasNoSumOfItsOwn) {
  const Lists<std::uint32_t> lists(lists_of(some_edges(kVertices), kVertices, true, true));
  ImageSpec spec;
  const std::vector<std::byte> image = image_of(lists, WeightType::none, spec);
  ImageSum sum({0, kVertices}, WeightType::int32, false, Direction::out);
  ASSERT_TRUE(verify_image(image, 10, "image", ParallelEdges::keep, &sum));
  EXPECT_FALSE(sum.of(spec, image));
}

/// The section's own lists are all that counts: what lies behind them in memory is of something else.
TEST(CrossValidation, SumsNoListBehindTheLastVertex) {
  auto lists = lists_of(some_edges(kVertices), kVertices, true, true);
  const Lists<std::uint32_t> all(lists);
  const SectionEdges<std::uint32_t> edges{all.offsets.data(), all.targets.data(), nullptr};
  for (const std::uint32_t end : {999U, 101U, 6U, 1U}) {
    ASSERT_FALSE(lists[end].empty());
    lists.resize(end);
    EXPECT_EQ(edge_sum(edges, {0, end}, WeightType::none, false, Direction::out),
              Lists<std::uint32_t>(lists).sum(false, false, Direction::out))
        << end;
  }
}

}  // namespace
}  // namespace rizoma
