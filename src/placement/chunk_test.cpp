#include "placement/chunk.h"

#include "base/random.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace rizoma {
namespace {

using ::testing::ElementsAre;

std::vector<Load> vertices_of_degrees(const std::vector<double>& degrees) {
  std::vector<Load> items;
  for (const double degree : degrees) items.push_back({1, degree});
  return items;
}

/// The graph of RGraph's figure 2(a), as far as the text of section 3 tells its degrees: vertices 0-1 have
/// 5 edges, 2-3 have 1, 4 none, 5 two, 6-7 six, of which 6 has one.
const std::vector<Load> kPaper = vertices_of_degrees({3, 2, 1, 0, 0, 2, 1, 5});
constexpr double kPaperAlpha = 1.1;

TEST(ChunkBorders, FollowThePapersExample) {
  // The paper rounds on the way: it prints 10.25, and 8.78, 6.18, 6.45 for the three places tried.
  EXPECT_NEAR(chunk_objective(kPaper, {0, 2, 4, 8}, kPaperAlpha), 10.25, 0.1);
  EXPECT_NEAR(chunk_objective(kPaper, {0, 2, 5, 8}, kPaperAlpha), 8.78, 0.1);
  EXPECT_NEAR(chunk_objective(kPaper, {0, 2, 6, 8}, kPaperAlpha), 6.18, 0.1);
  EXPECT_NEAR(chunk_objective(kPaper, {0, 2, 7, 8}, kPaperAlpha), 6.45, 0.1);
  EXPECT_THAT(improve_borders(kPaper, {0, 2, 4, 8}, {.alpha = kPaperAlpha}), ElementsAre(0, 2, 6, 8));
}

/// Every way to cut `items` into three runs.
double least_most_edges_of_three(const std::vector<Load>& items) {
  double least = 1e300;
  for (std::size_t first = 0; first <= items.size(); ++first) {
    for (std::size_t second = first; second <= items.size(); ++second) {
      least = std::min(least, most_edges(items, {0, first, second, items.size()}));
    }
  }
  return least;
}

TEST(ChunkBorders, OfEvenEdgesAreTheBestThereAre) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Load> items(random.below(14));
    for (Load& item : items) item = {1, static_cast<double>(random.below(round % 2 == 0 ? 5 : 1000))};
    const Borders borders = borders_of_even_edges(items, 3);
    ASSERT_EQ(borders.size(), 4U);
    EXPECT_EQ(borders.front(), 0U);
    EXPECT_EQ(borders.back(), items.size());
    EXPECT_TRUE(std::is_sorted(borders.begin(), borders.end()));
    EXPECT_EQ(most_edges(items, borders), least_most_edges_of_three(items));
  }
}

TEST(ChunkBorders, AreEvenWhereTheGraphIs) {
  const std::vector<Load> path(12, Load{1, 2});
  EXPECT_THAT(chunk_borders(path, 4), ElementsAre(0, 3, 6, 9, 12));
  EXPECT_THAT(chunk_borders(path, 1), ElementsAre(0, 12));
  EXPECT_THAT(chunk_borders({}, 2), ElementsAre(0, 0, 0));
  EXPECT_THAT(chunk_borders(vertices_of_degrees({0, 0}), 2), ElementsAre(0, 1, 2));
}

class RandomLoads : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    Random random(static_cast<std::uint64_t>(GetParam()));
    homes_ = 2 + static_cast<unsigned>(random.below(4));
    for (std::size_t i = 5 + random.below(60); i-- > 0;) {
      const double degree = static_cast<double>(random.below(20));
      items_.push_back({1, random.below(8) == 0 ? 20 * degree : degree});
    }
  }
  std::vector<Load> items_;
  unsigned homes_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomLoads, ::testing::Range(0, 40));

TEST_P(RandomLoads, NoSingleBorderCanBeMovedToAdvantage) {
  const double alpha = 3;
  const Borders borders = chunk_borders(items_, homes_, {.alpha = alpha});
  ASSERT_TRUE(std::is_sorted(borders.begin(), borders.end()));
  const double objective = chunk_objective(items_, borders, alpha);
  EXPECT_LE(objective, chunk_objective(items_, first_borders(items_, homes_, alpha), alpha) * (1 + 1e-9));
  for (std::size_t border = 1; border < homes_; ++border) {
    Borders moved = borders;
    for (moved[border] = borders[border - 1]; moved[border] <= borders[border + 1]; ++moved[border]) {
      EXPECT_GE(chunk_objective(items_, moved, alpha), objective * (1 - 1e-9));
    }
  }
}

TEST_P(RandomLoads, StayInTheBandOfEvenEdgesOrAsNearAsCanBe) {
  const Borders borders = chunk_borders(items_, homes_, {.edge_slack = 0.1});
  double all = 0;
  for (const Load& item : items_) all += item.edges;
  for (std::size_t border = 1; border < homes_; ++border) {
    const double even = all * static_cast<double>(border) / homes_;
    const auto off = [&](std::size_t at) {
      double before = 0;
      for (std::size_t i = 0; i < at; ++i) before += items_[i].edges;
      return std::abs(before - even);
    };
    double nearest = all;
    for (std::size_t at = borders[border - 1]; at <= borders[border + 1]; ++at) nearest = std::min(nearest, off(at));
    EXPECT_LE(off(borders[border]), std::max(nearest, 0.05 * all / homes_) + 1e-9);
  }
}

}  // namespace
}  // namespace rizoma
