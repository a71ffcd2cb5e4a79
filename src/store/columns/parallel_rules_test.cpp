// One value for those of parallel edges: each rule for each kind of type, with nulls, at the ends of a type's range.
#include "store/columns/parallel_rules.h"

#include "graph/fixed_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

template <class T>
using Values = std::vector<std::optional<T>>;

/// The value of one group; an Error if its sum does not fit.
template <class T>
Result<std::optional<T>> combined(ColumnType type, ParallelRule rule, const Values<T>& group) {
  ColumnValues values{"amount", type, {}, {}, {}};
  // Another group before: it has nothing to do with this one.
  push_fixed(values, T{1});
  for (const auto& value : group) {
    if (value) push_fixed(values, *value);
    else values.push_null();
  }
  const std::vector<std::size_t> ends{1, 1 + group.size()};
  const ColumnSchema column{1, type, true, "amount", rule};
  RIZOMA_ASSIGN(const ColumnValues found,
                combined_values(column, values, ends, [](std::size_t i) { return "edge " + std::to_string(i); }));
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(fixed_at<T>(found, 0), T{1});
  if (!found.is_valid(1)) return std::optional<T>();
  return std::optional<T>(fixed_at<T>(found, 1));
}

template <class T>
void expect_ends_of_range(ColumnType type) {
  SCOPED_TRACE(column_type_name(type));
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kMost = std::numeric_limits<T>::max();
  const auto sum = [&](const Values<T>& group) { return combined<T>(type, ParallelRule::sum, group); };
  EXPECT_EQ(*sum({static_cast<T>(kMost - 1), T{1}}), kMost);
  EXPECT_EQ(*sum({kMost, std::nullopt}), kMost);
  EXPECT_EQ(*sum({kLeast}), kLeast);
  const auto refused = sum({kMost, T{1}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(refused.error().message.find("edge 1"), std::string::npos) << refused.error().message;
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(*sum({static_cast<T>(kLeast + 1), static_cast<T>(-1)}), kLeast);
    EXPECT_FALSE(sum({kLeast, static_cast<T>(-1)}));
    EXPECT_EQ(*sum({kMost, T{1}, static_cast<T>(-1)}), kMost) << "what is in between does not count";
  }
  EXPECT_EQ(*combined<T>(type, ParallelRule::min, {T{3}, kLeast, kMost}), kLeast);
  EXPECT_EQ(*combined<T>(type, ParallelRule::max, {T{3}, kMost, kLeast}), kMost);
}

TEST(CombinedValues, FitTheirTypeOrAreRefused) {
  expect_ends_of_range<std::int8_t>(ColumnType::int8);
  expect_ends_of_range<std::int16_t>(ColumnType::int16);
  expect_ends_of_range<std::int32_t>(ColumnType::int32);
  expect_ends_of_range<std::int64_t>(ColumnType::int64);
  expect_ends_of_range<std::uint8_t>(ColumnType::uint8);
  expect_ends_of_range<std::uint16_t>(ColumnType::uint16);
  expect_ends_of_range<std::uint32_t>(ColumnType::uint32);
  expect_ends_of_range<std::uint64_t>(ColumnType::uint64);
}

TEST(CombinedValues, PassOverNullsUnlessTheyAreTheFirstOrTheLast) {
  using Numbers = Values<std::int64_t>;
  const auto value = [](ParallelRule rule, const Numbers& group) {
    return *combined<std::int64_t>(ColumnType::int64, rule, group);
  };
  const Numbers mixed{std::nullopt, 5, -2, std::nullopt};
  EXPECT_EQ(value(ParallelRule::sum, mixed), 3);
  EXPECT_EQ(value(ParallelRule::min, mixed), -2);
  EXPECT_EQ(value(ParallelRule::max, mixed), 5);
  EXPECT_EQ(value(ParallelRule::first, mixed), std::nullopt);
  EXPECT_EQ(value(ParallelRule::last, mixed), std::nullopt);
  const Numbers inner{7, std::nullopt, 4};
  EXPECT_EQ(value(ParallelRule::first, inner), 7);
  EXPECT_EQ(value(ParallelRule::last, inner), 4);
  for (const ParallelRule rule :
       {ParallelRule::first, ParallelRule::last, ParallelRule::sum, ParallelRule::min, ParallelRule::max}) {
    EXPECT_EQ(value(rule, {std::nullopt, std::nullopt}), std::nullopt) << parallel_rule_name(rule);
  }
}

template <class T>
void expect_of_fractions(ColumnType type) {
  SCOPED_TRACE(column_type_name(type));
  constexpr T kMost = std::numeric_limits<T>::max();
  constexpr T kInfinite = std::numeric_limits<T>::infinity();
  constexpr T kNone = std::numeric_limits<T>::quiet_NaN();
  const auto value = [&](ParallelRule rule, const Values<T>& group) { return combined<T>(type, rule, group); };
  EXPECT_EQ(*value(ParallelRule::sum, {T{0.5}, T{0.25}}), T{0.75});
  EXPECT_FALSE(value(ParallelRule::sum, {kMost, kMost})) << "numbers whose sum is none";
  EXPECT_EQ(*value(ParallelRule::sum, {kMost, kInfinite}), kInfinite) << "which was given";
  EXPECT_TRUE(std::isnan(**value(ParallelRule::sum, {T{1}, kNone})));
  for (const ParallelRule rule : {ParallelRule::min, ParallelRule::max}) {
    EXPECT_TRUE(std::isnan(**value(rule, {T{1}, kNone, T{2}}))) << "it is seen";
    EXPECT_TRUE(std::isnan(**value(rule, {kNone, T{1}})));
  }
  EXPECT_EQ(*value(ParallelRule::min, {T{1}, -kInfinite, T{2}}), -kInfinite);
  EXPECT_EQ(*value(ParallelRule::max, {T{1}, T{2}, T{1.5}}), T{2});
}

TEST(CombinedValues, OfFractionsAreNumbersWhereTheyWere) {
  expect_of_fractions<float>(ColumnType::float32);
  expect_of_fractions<double>(ColumnType::float64);
}

TEST(CombinedWeights, FollowTheirRule) {
  const std::vector<double> weights{3, 1, 2};
  EXPECT_EQ(combined_weight(ParallelRule::last, WeightType::float64, weights), 2);
  EXPECT_EQ(combined_weight(ParallelRule::first, WeightType::float64, weights), 3);
  EXPECT_EQ(combined_weight(ParallelRule::min, WeightType::float64, weights), 1);
  EXPECT_EQ(combined_weight(ParallelRule::max, WeightType::float64, weights), 3);
  EXPECT_EQ(combined_weight(ParallelRule::sum, WeightType::float64, weights), 6);
  EXPECT_EQ(combined_weight(ParallelRule::sum, WeightType::int32, weights), 6);
}

TEST(CombinedWeights, AreThereWhereARuleIsNotThatOfTheLast) {
  GraphSchema schema;
  schema.weights = WeightType::int32;
  EXPECT_FALSE(combines(schema));
  schema.weight_rule = ParallelRule::sum;
  EXPECT_TRUE(combines(schema));
  schema.weights = WeightType::none;
  EXPECT_FALSE(combines(schema));
  schema.weights = WeightType::int32;
  schema.parallel_edges = ParallelEdges::keep;
  EXPECT_FALSE(combines(schema));
  schema.parallel_edges = ParallelEdges::merge;
  schema.rows = true;
  schema.edge_columns = {{1, ColumnType::int64, true, "a"}, {2, ColumnType::int64, true, "b"}};
  EXPECT_FALSE(combines(schema)) << "columns have rules of their own";
  schema.edge_columns[1].parallel = ParallelRule::first;
  EXPECT_TRUE(combines(schema));
}

}  // namespace
}  // namespace rizoma
