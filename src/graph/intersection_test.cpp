#include <rizoma/intersection.h>

#include "base/random.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <utility>

namespace rizoma {
namespace {

template <class T>
std::vector<T> draw(Random& random, std::size_t size, std::uint64_t below) {
  std::set<T> values;
  while (values.size() < std::min<std::size_t>(size, below)) values.insert(static_cast<T>(random.below(below)));
  return {values.begin(), values.end()};
}

template <class T>
class Intersections : public ::testing::Test {
 public:
  /// All ways to intersect two lists against the standard library's.
  static void check(const std::vector<T>& a, const std::vector<T>& b, std::uint64_t universe) {
    std::vector<T> right;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(right));
    const std::span<const T> x(a);
    const std::span<const T> y(b);
    EXPECT_EQ(count_common(x, y), right.size());
    std::vector<T> written(std::min(a.size(), b.size()) + 1);
    written.resize(intersect(x, y, written.data()));
    EXPECT_EQ(written, right);
    std::vector<T> met;
    for_each_common(x, y, [&](std::size_t i, std::size_t j) {
      EXPECT_EQ(a[i], b[j]);
      met.push_back(a[i]);
    });
    EXPECT_EQ(met, right);
    MarkedList marked(universe);
    marked.mark(y);  // what was marked before must be gone
    marked.mark(x);
    EXPECT_EQ(marked.count_common(y), right.size());
    for (const T value : b) EXPECT_EQ(marked.contains(value), std::binary_search(a.begin(), a.end(), value));
  }
};
using Targets = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Intersections, Targets);

TYPED_TEST(Intersections, AgreeWithTheStandardLibrarysOnAllLengths) {
  Random random(7);
  const std::size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 40, 64, 100, 700, 5000};
  for (const std::size_t size_a : sizes) {
    for (const std::size_t size_b : sizes) {
      for (const std::uint64_t below : {std::max(size_a, size_b) + 1, 2 * (size_a + size_b) + 3, std::size_t{100000}}) {
        const auto a = draw<TypeParam>(random, size_a, below);
        const auto b = draw<TypeParam>(random, size_b, below);
        this->check(a, b, below);
      }
    }
  }
}

TYPED_TEST(Intersections, OfAListWithItselfAndWithWhatLiesBesideIt) {
  Random random(8);
  const auto a = draw<TypeParam>(random, 333, 5000);
  this->check(a, a, 5000);
  std::vector<TypeParam> after;
  for (const TypeParam value : a) after.push_back(value + 5000);
  this->check(a, after, 10000);
  this->check(after, a, 10000);
}

TYPED_TEST(Intersections, OfValuesAtTheEndOfTheirType) {
  const auto most = static_cast<TypeParam>(~TypeParam{0});
  std::vector<TypeParam> a;
  std::vector<TypeParam> b;
  for (TypeParam i = 40; i-- > 0;) {
    a.push_back(most - 2 * i);
    b.push_back(most - 3 * i);
  }
  EXPECT_EQ(count_common(std::span<const TypeParam>(a), std::span<const TypeParam>(b)), 14U);
}

}  // namespace
}  // namespace rizoma
