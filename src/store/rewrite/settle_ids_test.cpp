// A kind of ids that is settled late: for as long as the graph is empty, or for good.
#include "store/loading/bulk_load.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

TEST(SettledIds, AreForGoodWhereThatIsAsked) {
  for (const bool for_good : {false, true}) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreOptions options;
    options.schema.ids_fixed = false;
    auto store = *Store::create(medium, options);
    EXPECT_EQ(*store->settle_ids(IdKind::dense, for_good), IdKind::dense);
    EXPECT_EQ(store->schema().ids_fixed, for_good);
    EXPECT_EQ(*store->settle_ids(IdKind::string, false), for_good ? IdKind::dense : IdKind::string);
    ASSERT_TRUE(store->close());
    store = *Store::open(medium);
    EXPECT_EQ(store->schema().ids, for_good ? IdKind::dense : IdKind::string);
    EXPECT_EQ(store->schema().ids_fixed, for_good);
  }
}

TEST(SettledIds, StayOnceThereAreVertices) {
  StoreOptions options;
  options.schema.ids_fixed = false;
  const auto store = *Store::create(make_heap_medium(), options);
  EXPECT_EQ(*store->settle_ids(IdKind::integer, false), IdKind::integer);
  ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{70}));
  EXPECT_EQ(*store->settle_ids(IdKind::string, true), IdKind::integer);
  EXPECT_EQ(store->schema().ids, IdKind::integer);
}

/// A load brings the kind of its ids to a graph of which none was asked for; to another one it is refused.
TEST(SettledIds, ComeWithALoad) {
  for (const bool asked : {false, true}) {
    StoreOptions options;
    options.schema.ids_fixed = asked;
    const auto store = *Store::create(make_heap_medium(), options);
    const auto target = *store->load_target(asked ? IdKind::dense : IdKind::string);
    GraphSchema schema = store->load_schema();
    schema.ids = asked ? IdKind::dense : IdKind::string;
    BulkLoader loader(schema, {}, *target);
    StringColumn one, other;
    one.push_back("a");
    other.push_back("b");
    const EdgeBatch texts{one, other, {}, {}};
    const EdgeBatch numbers{std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, {}, {}};
    ASSERT_TRUE(loader.add(asked ? numbers : texts));
    SerialExecutor serial;
    const Status loaded = loader.finish(serial);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(store->schema().ids, schema.ids);
    EXPECT_EQ(store->info()->num_edges, 1u);
  }
}

}  // namespace
}  // namespace rizoma
