#include "placement/adaptive.h"

#include "base/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace rizoma {
namespace {

using Homes = std::vector<unsigned>;

/// Work of sections as graphs have it: many alike, a few of many times that.
std::vector<double> skewed_work(Random& random, std::size_t sections) {
  std::vector<double> work(sections);
  for (double& w : work) w = 1 + 3 * random.unit() + (random.below(16) == 0 ? 20 * random.unit() : 0);
  return work;
}

Homes halves(std::size_t sections, unsigned homes) {
  Homes result(sections);
  for (std::size_t s = 0; s < sections; ++s) result[s] = static_cast<unsigned>(s * homes / sections);
  return result;
}

class SeededWork : public ::testing::TestWithParam<int> {
 protected:
  Random random_{static_cast<std::uint64_t>(GetParam())};
  unsigned homes_ = 2 + static_cast<unsigned>(random_.below(4));
  std::vector<double> work_ = skewed_work(random_, 100 + random_.below(400));
};
INSTANTIATE_TEST_SUITE_P(Seeds, SeededWork, ::testing::Range(0, 50));

TEST_P(SeededWork, SteadyWorkIsBalancedAtOnceAndThenLeftAlone) {
  Homes homes = halves(work_.size(), homes_);
  (void)rebalance(homes, work_, homes_);
  EXPECT_LE(imbalance(homes, work_, homes_), 1.01);
  const Homes settled = homes;
  for (int sweep = 0; sweep < 5; ++sweep) EXPECT_EQ(rebalance(homes, work_, homes_), 0U);
  EXPECT_EQ(homes, settled);
}

TEST_P(SeededWork, NoisyWorkConvergesAndNeverOscillates) {
  Homes homes = halves(work_.size(), homes_);
  WorkAverage average;
  std::set<Homes> seen{homes};
  std::size_t late_moves = 0;
  for (int sweep = 0; sweep < 60; ++sweep) {
    std::vector<double> measured = work_;
    for (double& w : measured) w *= 0.9 + 0.2 * random_.unit();
    average.add(measured);
    const std::size_t moved = rebalance(homes, average.mean(), homes_);
    const bool back = moved > 0 && !seen.insert(homes).second;
    EXPECT_FALSE(back) << "a placement came back";
    EXPECT_LE(imbalance(homes, work_, homes_), sweep < 3 ? 1.1 : 1.02);
    if (sweep >= 20) late_moves += moved;
  }
  EXPECT_LE(late_moves, work_.size() / 25);
}

TEST(WorkAverage, LeavesOutTheGreatestThatIsFarAboveTheOthers) {
  WorkAverage average;
  average.add(std::vector<double>{9, 100});
  EXPECT_THAT(average.mean(), ::testing::ElementsAre(9, 100));
  average.add(std::vector<double>{1, 2});
  EXPECT_THAT(average.mean(), ::testing::ElementsAre(1, 2));
  average.add(std::vector<double>{3, 400});
  EXPECT_THAT(average.mean(), ::testing::ElementsAre(2, 51));
}

TEST(WorkAverage, KeepsWhatIsSteadyAndWhatIsWorkInOneSweepOnly) {
  WorkAverage average;
  average.add(std::vector<double>{10, 0});
  average.add(std::vector<double>{12, 8});
  EXPECT_THAT(average.mean(), ::testing::ElementsAre(11, 4));
}

TEST(WorkAverage, ForgetsInTheEndWhatWasOnce) {
  WorkAverage average;
  for (int sweep = 0; sweep < 16; ++sweep) average.add(std::vector<double>{1});
  for (int sweep = 0; sweep < 100; ++sweep) average.add(std::vector<double>{2});
  EXPECT_THAT(average.mean(), ::testing::ElementsAre(::testing::DoubleNear(2, 0.01)));
}

TEST_P(SeededWork, EachCallNeverRaisesTheGreatestLoad) {
  Homes homes = halves(work_.size(), homes_);
  for (int sweep = 0; sweep < 20; ++sweep) {
    const std::vector<double> work = skewed_work(random_, work_.size());
    const double before = imbalance(homes, work, homes_);
    (void)rebalance(homes, work, homes_);
    EXPECT_LE(imbalance(homes, work, homes_), before + 1e-9);
    EXPECT_LT(*std::max_element(homes.begin(), homes.end()), homes_);
  }
}

TEST_P(SeededWork, PowerfulHomesGetMore) {
  Homes homes = halves(work_.size(), 2);
  (void)rebalance(homes, work_, 2, std::vector<double>{1, 3});
  double first = 0;
  for (std::size_t s = 0; s < homes.size(); ++s) first += homes[s] == 0 ? work_[s] : 0;
  EXPECT_NEAR(first / std::accumulate(work_.begin(), work_.end(), 0.0), 0.25, 0.01);
}

TEST(Rebalance, LeavesAloneWhatCannotBeBetter) {
  Homes homes{0, 0, 1};
  EXPECT_EQ(rebalance(homes, std::vector<double>{100, 0, 1}, 2), 0U);  // one section is nearly all the work
  EXPECT_EQ(rebalance(homes, std::vector<double>{0, 0, 0}, 2), 0U);
  Homes none;
  EXPECT_EQ(rebalance(none, {}, 2), 0U);
}

}  // namespace
}  // namespace rizoma
