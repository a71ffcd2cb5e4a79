// Ids and values that are strings are UTF-8: what is not is refused where it is written, and named where it is.
#include "store/loading/bulk_load.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLatin1 = "caf\xE9";

StringColumn texts(std::initializer_list<std::string_view> all) {
  StringColumn column;
  for (const std::string_view each : all) column.push_back(each);
  return column;
}

StoreOptions string_options() {
  StoreOptions options;
  options.schema.ids = IdKind::string;
  return options;
}

ColumnValues values_of(std::string name, ColumnType type, std::initializer_list<std::string_view> all) {
  ColumnValues values{std::move(name), type, {}, {}, {}};
  for (const std::string_view each : all) values.push(std::as_bytes(std::span(each)));
  return values;
}

void expect_no_text(const Status& refused) {
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("UTF-8"));
}

TEST(TextIds, AChangeWithOneThatIsNoTextIsRefusedWhole) {
  const auto store = *Store::create(make_heap_medium(), string_options());
  ASSERT_TRUE(store->add_edges({texts({"ann"}), texts({"bob"}), {}}));
  const Status refused = store->add_edges({texts({"ann", "zoe"}), texts({"caf\xC3\xA9", kLatin1}), {}});
  expect_no_text(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("'caf\\xE9'"));
  expect_no_text(store->add_vertices(texts({"eve", kLatin1})));
  Batch batch;
  batch.add_edges({texts({"ann"}), texts({"eve"}), {}}).add_vertices(texts({kLatin1}));
  const auto applied = store->apply(batch);
  expect_no_text(applied ? Status() : Status(applied.error()));
  EXPECT_EQ((*store->snapshot())->num_vertices(), 2u);
  EXPECT_FALSE((*store->snapshot())->find(kLatin1)) << "may be asked for all the same";
  ASSERT_TRUE(store->add_edges({texts({"ann", "zoe"}), texts({"caf\xC3\xA9", "\xF0\x9F\x8C\xB1"}), {}}));
  EXPECT_EQ((*store->snapshot())->num_vertices(), 5u);
}

TEST(TextIds, ALoadWithOneThatIsNoTextIsRefused) {
  const auto store = *Store::create(make_heap_medium(), string_options());
  const auto target = *store->load_target(IdKind::string);
  BulkLoader loader(store->load_schema(), {}, *target);
  expect_no_text(loader.add({texts({"ann", "bob"}), texts({"bob", kLatin1}), {}}));
  expect_no_text(loader.add_vertices(texts({"eve", kLatin1})));
  ASSERT_TRUE(loader.add({texts({"ann"}), texts({"bob"}), {}}));
  SerialExecutor serial;
  ASSERT_TRUE(loader.finish(serial));
  EXPECT_EQ((*store->snapshot())->num_vertices(), 2u) << "of what was refused nothing is there";
}

TEST(TextIds, ValuesThatAreNoTextAreRefusedUnlessTheyAreBinary) {
  StoreOptions options;
  options.schema.edge_columns = {{0, ColumnType::string, true, "note"}, {0, ColumnType::binary, true, "raw"}};
  options.schema.vertex_columns = {{0, ColumnType::string, true, "name"}};
  const auto store = *Store::create(make_heap_medium(), options);
  const std::vector<std::int64_t> one{0};
  const std::vector<std::int64_t> other{1};
  expect_no_text(store->add_edges({one, other, {}, {{values_of("note", ColumnType::string, {kLatin1})}}}));
  ASSERT_TRUE(store->add_edges({one, other, {}, {{values_of("raw", ColumnType::binary, {kLatin1})}}}));
  Batch batch;
  batch.set_vertices(one, {{values_of("name", ColumnType::string, {kLatin1})}});
  const auto set = store->apply(batch);
  expect_no_text(set ? Status() : Status(set.error()));
  EXPECT_EQ((*store->snapshot())->num_vertices(), 2u);
}

/// Those of earlier releases, and of crafted stores: kept by whatever writes the graph again, and named by `check`.
TEST(TextIds, ThoseThatAStoreHasAreKeptAndFound) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  SerialExecutor serial;
  {
    const auto store = *Store::create(medium, string_options());
    const auto target = *store->load_target(IdKind::string);
    LoadSettings settings;
    settings.stored_weights = true;
    BulkLoader loader(store->load_schema(), settings, *target);
    ASSERT_TRUE(loader.add({texts({"ann", "bob"}), texts({kLatin1, kLatin1}), {}}));
    ASSERT_TRUE(loader.finish(serial));
    ASSERT_TRUE(store->compact(serial, VertexOrder::degree));
    ASSERT_TRUE(store->add_edges({texts({"ann"}), texts({kLatin1}), {}})) << "it is known";
  }
  const std::shared_ptr<Medium> fresh = make_heap_medium();
  ASSERT_TRUE(repair_store(medium, fresh, serial));
  for (const auto& each : {medium, fresh}) {
    EXPECT_TRUE((*(*Store::open(each))->snapshot())->find(kLatin1));
    const auto found = check_store(each, serial);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->findings.size(), 1u);
    EXPECT_THAT(found->findings[0].what, HasSubstr("is not UTF-8 text"));
  }
}

}  // namespace
}  // namespace rizoma
