// A load that begins with the present graph: whatever else happens to the graph meanwhile is not lost with it.
#include "store/loading/bulk_load.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Ids = std::vector<std::int64_t>;

std::unique_ptr<Store> small_store() {
  StoreOptions options;
  options.schema.directed = true;
  options.schema.vertex_columns = {{0, ColumnType::int64, true, "age"}};
  auto store = *Store::create(make_heap_medium(), options);
  EXPECT_TRUE(store->add_edges({Ids{0, 1}, Ids{1, 2}, {}, {}}));
  return store;
}

/// Appends the edge 2 -> 3; `meanwhile` is called when all of it was read.
Status appended(Store& store, const std::function<void(Store&)>& meanwhile) {
  SerialExecutor serial;
  RIZOMA_ASSIGN(const LoadOfPresent with, store.append_target());
  BulkLoader loader(store.load_schema(), {}, *with.target);
  RIZOMA_ASSIGN(const GraphView view, with.present->entry_view(serial));
  RIZOMA_TRY(loader.add_graph(view, with.present->ids(), serial));
  RIZOMA_TRY(loader.add({Ids{2}, Ids{3}, {}, {}}));
  meanwhile(store);
  return loader.finish(serial);
}

TEST(AppendTarget, AddsToWhatIsThere) {
  const auto store = small_store();
  const Status done = appended(*store, [](Store&) {});
  ASSERT_TRUE(done) << done.error().message;
  const auto snapshot = *store->snapshot();
  EXPECT_EQ(*snapshot->num_edges(), 3U);
  EXPECT_EQ(store->schema().vertex_columns.size(), 1U);
}

/// Dense ids of removed vertices stay removed though an edge may name them; other ids are new ones then.
TEST(AppendTarget, OfAGraphWithRemovedVerticesNeedsIdsThatAreNotNumbers) {
  for (const IdKind ids : {IdKind::dense, IdKind::integer}) {
    StoreOptions options;
    options.schema.directed = true;
    options.schema.ids = ids;
    const auto store = *Store::create(make_heap_medium(), options);
    ASSERT_TRUE(store->add_edges({Ids{0, 1}, Ids{1, 2}, {}, {}}));
    ASSERT_TRUE(store->apply(Batch().remove_vertices(Ids{0})));
    const Status done = appended(*store, [](Store&) {});
    EXPECT_EQ(done.ok(), ids == IdKind::integer);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::unsupported);
      EXPECT_NE(done.error().message.find("dense ids of which some were removed"), std::string::npos);
    }
    EXPECT_EQ(*(*store->snapshot())->num_edges(), done ? 2U : 1U);
    EXPECT_EQ((*store->snapshot())->num_live(), done ? 3U : 2U);
  }
}

TEST(AppendTarget, AChangeMeanwhileIsKeptAndTheLoadIsNot) {
  const std::map<std::string, std::function<Status(Store&)>> changes{
      {"a column of edges",
       [](Store& store) { return store.add_column(RowKind::edges, {0, ColumnType::int64, true, "since"}); }},
      {"a column of vertices",
       [](Store& store) { return store.add_column(RowKind::vertices, {0, ColumnType::int64, true, "size"}); }},
      {"a column less", [](Store& store) { return store.drop_column(RowKind::vertices, "age"); }},
      {"an edge", [](Store& store) { return store.add_edges({Ids{0}, Ids{2}, {}, {}}); }},
      {"a vertex", [](Store& store) { return store.add_vertices(Ids{3}); }}};
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    const auto store = small_store();
    GraphSchema schema;
    EdgeCount edges = 0;
    const Status refused = appended(*store, [&](Store& changed) {
      ASSERT_TRUE(change(changed));
      schema = changed.schema();
      edges = *(*changed.snapshot())->num_edges();
    });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::locked);
    EXPECT_NE(refused.error().message.find("load again"), std::string::npos) << refused.error().message;
    EXPECT_EQ(store->schema().edge_columns, schema.edge_columns);
    EXPECT_EQ(store->schema().vertex_columns, schema.vertex_columns);
    EXPECT_EQ(*(*store->snapshot())->num_edges(), edges);
    EXPECT_TRUE(store->add_edges({Ids{3}, Ids{1}, {}, {}}));
  }
}

}  // namespace
}  // namespace rizoma
