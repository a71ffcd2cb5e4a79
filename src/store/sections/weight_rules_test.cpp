// The same weights are refused whichever way they come in: a change, a bulk load, a new weight.
#include "platform/memory_medium.h"
#include "store/loading/bulk_load.h"
#include "store/store.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Case {
  WeightType type;
  double weight;
  const char* refusal;  ///< a part of the message; null: it is taken
};

const Case kCases[] = {
    {WeightType::float64, 0.1, nullptr},
    {WeightType::float64, kInfinity, "not finite"},
    {WeightType::float64, -kInfinity, "not finite"},
    {WeightType::float64, std::numeric_limits<double>::max(), nullptr},
    {WeightType::float64, kNaN, "not a number"},
    {WeightType::float64, -kNaN, "not a number"},
    {WeightType::float32, 0.1, nullptr},
    {WeightType::float32, kInfinity, "not finite"},
    {WeightType::float32, 3.4e38, nullptr},
    {WeightType::float32, 3.5e38, "too large for float32"},
    {WeightType::float32, 3.4028236e38, "too large for float32"},
    {WeightType::float32, -1e300, "too large for float32"},
    {WeightType::float32, kNaN, "not a number"},
    {WeightType::int32, -2147483648.0, nullptr},
    {WeightType::int32, 2147483647.0, nullptr},
    {WeightType::int32, 2147483648.0, "does not fit an int32"},
    {WeightType::int32, -2147483649.0, "does not fit an int32"},
    {WeightType::int32, 0.5, "is not an integer"},
    {WeightType::int32, kInfinity, "not finite"},
    {WeightType::int32, kNaN, "not a number"},
};

/// Edges of which the second has the weight.
EdgeBatch edges_with(double weight) {
  return {std::vector<std::int64_t>{0, 1}, std::vector<std::int64_t>{1, 2}, {1.0, weight}};
}

std::unique_ptr<Store> make_store(WeightType weights) {
  StoreOptions options;
  options.schema.weights = weights;
  return std::move(*Store::create(make_memory_medium(), options));
}

Status load(Store& store, const EdgeBatch& edges) {
  RIZOMA_ASSIGN(const auto target, store.load_target(IdKind::dense));
  BulkLoader loader(store.load_schema(), {}, *target);
  RIZOMA_TRY(loader.add(edges));
  SerialExecutor serial;
  return loader.finish(serial);
}

void expect(const Status& status, const Case& expected) {
  if (expected.refusal == nullptr) {
    EXPECT_TRUE(status) << status.error().message;
    return;
  }
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(status.error().message.find(expected.refusal), std::string::npos) << status.error().message;
  EXPECT_NE(status.error().message.find("edge 1 "), std::string::npos) << status.error().message;
}

TEST(WeightRules, AreTheSameForEveryWayIn) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(std::to_string(static_cast<int>(one.type)) + " " + std::to_string(one.weight));
    const EdgeBatch edges = edges_with(one.weight);
    expect(make_store(one.type)->add_edges(edges), one);
    expect(load(*make_store(one.type), edges), one);
    const auto store = make_store(one.type);
    ASSERT_TRUE(store->add_edges(edges_with(1)));
    const auto set = store->apply(Batch().set_weights(edges));
    expect(set ? Status() : set.error(), one);
  }
}

/// Whether a change is read from the log's copy in memory, or from the section that a checkpoint made of it.
TEST(WeightRules, AWeightReadsTheSameBeforeAndAfterACheckpoint) {
  for (const WeightType type : {WeightType::float64, WeightType::float32, WeightType::int32}) {
    SCOPED_TRACE(static_cast<int>(type));
    const double given = type == WeightType::int32 ? 7.0 : 0.1;
    const double stored = type == WeightType::float32 ? static_cast<double>(0.1F) : given;
    const auto store = make_store(type);
    ASSERT_TRUE(store->add_edges(edges_with(given)));
    const auto weight_of = [&](VertexId u) {
      const auto list = (*store->snapshot())->entries(Direction::out, u);
      EXPECT_TRUE(list) << list.error().message;
      return list && list->size() == 1 ? list->weight(0) : kNaN;
    };
    EXPECT_EQ(weight_of(2), stored);
    ASSERT_TRUE(store->checkpoint());
    EXPECT_EQ(weight_of(2), stored);
    ASSERT_TRUE(
        store->apply(Batch().set_weights({std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, {given}})));
    EXPECT_EQ(weight_of(0), stored);
    EXPECT_EQ(weight_of(2), stored);
  }
}

}  // namespace
}  // namespace rizoma
