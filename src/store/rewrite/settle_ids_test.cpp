// A kind of ids that is settled late: for as long as the graph is empty, or for good.
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

}  // namespace
}  // namespace rizoma
