// Rules for parallel edges: what is refused and how it is said, what is counted, and what stays after a reopening.
// That every way in combines as a model does is for the histories (store_model_test.cpp, store_crash_test.cpp).
#include "store/writing/parallel_edges_added.h"

#include "platform/memory_medium.h"
#include "store/loading/bulk_load.h"
#include "store/store.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Integers = std::vector<std::int64_t>;

GraphSchema weighted(WeightType type, ParallelRule rule, bool directed = true) {
  GraphSchema schema;
  schema.directed = directed;
  schema.weights = type;
  set_parallel_rule(schema, rule);
  return schema;
}

GraphSchema with_column(ColumnType type, ParallelRule rule) {
  GraphSchema schema;
  schema.directed = true;
  schema.edge_columns = {{0, type, true, "amount", rule}};
  return schema;
}

Result<std::unique_ptr<Store>> made(const GraphSchema& schema, std::shared_ptr<Medium> medium = make_memory_medium()) {
  StoreOptions options;
  options.schema = schema;
  return Store::create(std::move(medium), options);
}

EdgeBatch amounts(Integers sources, Integers targets, const std::vector<std::int64_t>& values) {
  EdgeBatch edges{std::move(sources), std::move(targets), {}, {}};
  ColumnValues column{"amount", ColumnType::int64, {}, {}, {}};
  for (const std::int64_t& value : values) column.push(std::as_bytes(std::span(&value, 1)));
  edges.columns.columns.push_back(std::move(column));
  return edges;
}

Status loaded(Store& store, const EdgeBatch& edges) {
  RIZOMA_ASSIGN(const auto target, store.load_target(store.load_schema().ids));
  BulkLoader loader(store.load_schema(), {}, *target);
  RIZOMA_TRY(loader.add(edges));
  SerialExecutor serial;
  return loader.finish(serial);
}

void expect_says(const Status& status, const std::vector<std::string>& parts) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
  for (const std::string& part : parts)
    EXPECT_NE(status.error().message.find(part), std::string::npos) << part << " is not in " << status.error().message;
}

TEST(ParallelRules, SumsThatDoNotFitAreRefusedWithTheEdge) {
  const double most = std::numeric_limits<std::int32_t>::max();
  for (const bool directed : {true, false}) {
    const EdgeBatch edges{Integers{0, 7, 7}, Integers{1, 9, 9}, {1, most, 1}, {}};
    GraphSchema schema = weighted(WeightType::int32, ParallelRule::sum, directed);
    schema.ids = IdKind::integer;
    auto changed = *made(schema);
    expect_says(changed->add_edges(edges), {"'weight'", "7 -> 9", "int32"});
    EXPECT_EQ((*changed->snapshot())->num_live(), 0U);
    auto filled = *made(schema);
    expect_says(loaded(*filled, edges), {"'weight'", "int32", directed ? "7 -> 9" : "7"});
  }
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  auto changed = *made(with_column(ColumnType::int64, ParallelRule::sum));
  expect_says(changed->add_edges(amounts({0, 0}, {1, 1}, {greatest, 1})), {"'amount'", "0 -> 1", "int64"});
  ASSERT_TRUE(changed->add_edges(amounts({0, 0, 0}, {1, 1, 1}, {greatest, 1, -1})));
  auto filled = *made(with_column(ColumnType::int64, ParallelRule::sum));
  expect_says(loaded(*filled, amounts({0, 0}, {1, 1}, {greatest, 1})), {"'amount'", "edge 1", "int64"});
}

TEST(ParallelRules, ThoseThatDoNotSuitAreRefused) {
  for (const ParallelRule rule : {ParallelRule::sum, ParallelRule::min, ParallelRule::max}) {
    const auto refused = made(with_column(ColumnType::string, rule));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("\"first\" or \"last\""), std::string::npos) << refused.error().message;
  }
  for (const ColumnType type : {ColumnType::date, ColumnType::timestamp_us, ColumnType::boolean}) {
    EXPECT_FALSE(made(with_column(type, ParallelRule::sum)));
    EXPECT_TRUE(made(with_column(type, ParallelRule::min)));
  }
  EXPECT_FALSE(made(weighted(WeightType::none, ParallelRule::sum)));
  GraphSchema kept = weighted(WeightType::int32, ParallelRule::sum);
  kept.parallel_edges = ParallelEdges::keep;
  EXPECT_FALSE(made(kept));
  kept = with_column(ColumnType::int64, ParallelRule::sum);
  kept.parallel_edges = ParallelEdges::keep;
  EXPECT_FALSE(made(kept)) << "the rule of a column alone";
}

TEST(ParallelRules, StayWithTheGraphAndWithColumnsThatComeLater) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  GraphSchema schema = with_column(ColumnType::int64, ParallelRule::last);
  set_parallel_rule(schema, ParallelRule::max);
  auto store = *made(schema, medium);
  ASSERT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::float32, true, "later"}));
  ASSERT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::string, true, "text"}));
  ASSERT_TRUE(store->close());
  store = *Store::open(medium, {});
  const auto columns = store->schema().edge_columns;
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].parallel, ParallelRule::max);
  EXPECT_EQ(columns[1].parallel, ParallelRule::max);
  EXPECT_EQ(columns[2].parallel, ParallelRule::last);
}

TEST(ParallelRules, RowsThatMadeNoEdgeAreCounted) {
  auto store = *made(weighted(WeightType::float64, ParallelRule::min, false));
  Batch batch;
  batch.add_edges({Integers{0, 1, 2}, Integers{1, 0, 3}, {2, 1, 5}, {}});
  batch.add_edges({Integers{3}, Integers{2}, {4}, {}});
  const auto counts = store->apply(batch);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->edges_merged, 2U);
}

}  // namespace
}  // namespace rizoma
