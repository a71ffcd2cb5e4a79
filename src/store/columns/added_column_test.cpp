// A column that a graph gets later: what was written before has no values in it.
#include "store/columns/column_rules.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/heap_medium.h"
#include "testing/int64_column.h"
#include "testing/store_files.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

using Ids = std::vector<std::int64_t>;

TEST(AddedColumn, ChangesKeptBesideTheirSectionHaveNoValues) {
  for (const bool directed : {false, true}) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreOptions options;
    options.schema.directed = directed;
    SerialExecutor serial;
    const auto store = *Store::create(medium, options);
    Ids sources(2000), targets(2000);
    for (std::int64_t i = 0; i < 2000; ++i) {
      sources[static_cast<std::size_t>(i)] = i;
      targets[static_cast<std::size_t>(i)] = i + 1;
    }
    ASSERT_TRUE(store->add_edges({sources, targets, {}}));
    ASSERT_TRUE(store->compact(serial, std::nullopt));
    ASSERT_TRUE(store->add_edges({Ids{5}, Ids{500}, {}}));
    ASSERT_TRUE(store->checkpoint());  // too little for a new image
    ASSERT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::float64, true, "since"}));
    const auto snapshot = *store->snapshot();
    const auto view = snapshot->view(serial);
    ASSERT_TRUE(view) << view.error().message;
    EXPECT_EQ(*snapshot->num_edges(), 2001u);
    const auto refused = snapshot->view(serial, "since");
    ASSERT_FALSE(refused) << "no edge has a value";
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    ASSERT_TRUE(store->compact(serial, VertexOrder::degree));
    EXPECT_EQ(store->info()->num_edges, 2001u);
    ASSERT_TRUE(store->close());
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->findings.empty());
  }
}

TEST(AddedColumn, AfterTheLastIdIsRefusedAndTheStoreOpens) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.next_column = kEndOfColumnIds - 1;
  auto store = *Store::create(medium, options);
  ASSERT_TRUE(store->add_column(RowKind::vertices, {0, ColumnType::int64, true, "last"}));
  const Status refused = store->add_column(RowKind::vertices, {0, ColumnType::int64, true, "one more"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  ASSERT_TRUE(store->close());
  store.reset();
  const auto again = Store::open(medium);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ((*again)->schema().vertex_columns.size(), 1u);
  EXPECT_EQ((*again)->schema().vertex_columns[0].name, "last");
}

/// Of two copies of a store to which a column of one id was added in each, with another type: a log has rows that the
/// columns of the other copy could not hold.
TEST(AddedColumn, ALogOfOtherColumnsIsRefused) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  ASSERT_TRUE((*Store::create(medium, {}))->close());
  const FileContents begun = read_files(*medium);
  std::vector<FileContents> copies;
  for (const ColumnType type : {ColumnType::int64, ColumnType::string}) {
    const std::shared_ptr<Medium> copy = medium_of(begun);
    const auto store = *Store::open(copy);
    ASSERT_TRUE(store->add_column(RowKind::edges, {0, type, true, "x"}));
    const std::vector<std::int64_t> numbers{1};
    EdgeBatch edges{Ids{1}, Ids{2}, {}, testing::int64_column("x", numbers)};
    if (type == ColumnType::string) edges.columns.columns[0] = {"x", type, std::vector<std::byte>(1), {1}, {}};
    const Status added = store->add_edges(edges);
    ASSERT_TRUE(added) << added.error().message;
    copies.push_back(read_files(*copy));
  }
  ASSERT_TRUE(Store::open_read_only(medium_of(copies[0])));
  for (auto& [name, bytes] : copies[0]) {
    if (name.starts_with("log.")) bytes = copies[1].at(name);
  }
  const auto mixed = Store::open(medium_of(copies[0]));
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, ErrorCode::corrupt) << mixed.error().message;
}

}  // namespace
}  // namespace rizoma
