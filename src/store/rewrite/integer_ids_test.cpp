// Dense ids that get gaps become integers, on every way in: no vertex that nothing named, whatever was there stays.
#include "store/store.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/store_model.h"

#include "platform/memory_medium.h"
#include "store/repair/store_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Ids = std::vector<std::int64_t>;
using Edges = std::vector<StoreModel::Edge>;

std::vector<StoreModel::Added> weighed(const Edges& edges) {
  std::vector<StoreModel::Added> added;
  for (const StoreModel::Edge& edge : edges) added.push_back({edge, 1.0});
  return added;
}

Status load(BulkLoader& loader, const StoreModel& model, const Edges& edges, const Ids& vertices) {
  SerialExecutor serial;
  RIZOMA_TRY(loader.add_vertices(model.column(vertices)));
  for (const StoreModel::Edge& edge : edges) RIZOMA_TRY(loader.add(model.batch(weighed({edge}))));
  return loader.finish(serial);
}

/// A way to add edges and vertices to a store.
using Way = std::function<Status(Store&, const StoreModel&, const Edges&, const Ids&)>;

std::map<std::string, Way> ways() {
  return {
      {"one change",
       [](Store& store, const StoreModel& model, const Edges& edges, const Ids& vertices) {
         return store.add(model.batch(weighed(edges)), model.column(vertices));
       }},
      {"a change for each",
       [](Store& store, const StoreModel& model, const Edges& edges, const Ids& vertices) -> Status {
         RIZOMA_TRY(store.add_vertices(model.column(vertices)));
         for (const StoreModel::Edge& edge : edges) RIZOMA_TRY(store.add_edges(model.batch(weighed({edge}))));
         return {};
       }},
      {"a batch of steps",
       [](Store& store, const StoreModel& model, const Edges& edges, const Ids& vertices) -> Status {
         Batch batch;
         for (const StoreModel::Edge& edge : edges) batch.add_edges(model.batch(weighed({edge})));
         batch.add_vertices(model.column(vertices));
         const auto counts = store.apply(batch);
         return counts ? Status() : Status(counts.error());
       }},
      {"a load that appends",
       [](Store& store, const StoreModel& model, const Edges& edges, const Ids& vertices) -> Status {
         SerialExecutor serial;
         RIZOMA_ASSIGN(const LoadOfPresent with, store.append_target());
         BulkLoader loader(store.load_schema(), {}, *with.target);
         RIZOMA_ASSIGN(const GraphView view, with.present->entry_view(serial));
         RIZOMA_TRY(loader.add_graph(view, with.present->ids(), serial));
         return load(loader, model, edges, vertices);
       }},
  };
}

struct Addition {
  Edges edges;
  Ids vertices;
  IdKind becomes;
};

/// To a graph of the vertices 0, 1 and 2.
std::map<std::string, Addition> additions() {
  return {
      {"the next ones", {{{3, 4}}, {}, IdKind::dense}},
      {"the next ones, the last first", {{{5, 4}, {3, 0}}, {6}, IdKind::dense}},
      {"known ones alone", {{{0, 2}}, {1}, IdKind::dense}},
      {"a gap", {{{10, 20}}, {}, IdKind::integer}},
      {"a gap of one", {{{3, 5}}, {}, IdKind::integer}},
      {"a gap by a vertex", {{}, {4}, IdKind::integer}},
      {"far away", {{{0, std::int64_t{1} << 50}}, {}, IdKind::integer}},
      {"a vertex far away", {{{3, 4}}, {std::int64_t{1} << 40}, IdKind::integer}},
      {"near and far", {{{3, 4}, {4, 3'000'000'000}}, {5}, IdKind::integer}},
      {"a negative one", {{{0, -4}}, {}, IdKind::integer}},
      {"a negative vertex", {{{3, 4}}, {-1}, IdKind::integer}},
      {"the least of all", {{{std::numeric_limits<std::int64_t>::min(), 3}}, {}, IdKind::integer}},
      {"negative, then far", {{{-1, 0}, {3, 3'000'000'000}}, {}, IdKind::integer}},
      {"far, then negative", {{{3, 3'000'000'000}, {0, -1}}, {-2}, IdKind::integer}},
  };
}

void expect_like(const Store& store, const StoreModel& model) {
  const auto snapshot = const_cast<Store&>(store).snapshot();
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const auto same = equals(**snapshot, model);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same);
  EXPECT_EQ((*snapshot)->num_live(), model.num_vertices());
}

void expect_sound(const std::shared_ptr<Medium>& medium) {
  SerialExecutor serial;
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty()) << report->findings[0].what;
}

GraphSchema dense_schema(bool directed) {
  GraphSchema schema;
  schema.directed = directed;
  return schema;
}

TEST(IntegerIds, EveryWayInMakesWhatWasNamedAndNothingElse) {
  for (const auto& [way_name, way] : ways()) {
    for (const auto& [name, addition] : additions()) {
      if (way_name == "a change for each" && name == "the next ones, the last first") continue;  // 6 alone is a gap
      SCOPED_TRACE(way_name + ", " + name);
      StoreOptions options;
      options.schema = dense_schema(name.size() % 2 == 0);
      const std::shared_ptr<Medium> medium = make_memory_medium();
      StoreModel model(options.schema);
      auto store = *Store::create(medium, options);
      ASSERT_TRUE(store->add(model.batch(weighed({{0, 1}, {1, 2}})), model.column(Ids{0})));
      model.add(weighed({{0, 1}, {1, 2}}));
      const Status added = way(*store, model, addition.edges, addition.vertices);
      ASSERT_TRUE(added) << added.error().message;
      model.add(weighed(addition.edges));
      model.add_vertices(addition.vertices);
      expect_like(*store, model);
      EXPECT_EQ(store->schema().ids, addition.becomes);
      EXPECT_EQ((*store->snapshot())->num_vertices(), model.num_vertices()) << "no room for what is not there";
      ASSERT_TRUE(store->close());
      store = *Store::open(medium, options);
      expect_like(*store, model);
      EXPECT_EQ(store->schema().ids, addition.becomes);
      store = nullptr;
      expect_sound(medium);
    }
  }
}

TEST(IntegerIds, ALoadOfAnEmptyGraphMakesWhatWasNamedAndNothingElse) {
  const std::map<std::string, Addition> loads = {
      {"none left out", {{{0, 1}, {2, 1}}, {3}, IdKind::dense}},
      {"a gap", {{{0, 1}, {10, 20}}, {}, IdKind::integer}},
      {"a gap and vertices", {{{0, 1}}, {3, 9}, IdKind::integer}},
      {"not from 0", {{{1, 2}}, {}, IdKind::integer}},
      {"far away", {{{0, 1}, {1, std::int64_t{1} << 50}, {7, 0}}, {5}, IdKind::integer}},
      {"a loop", {{{0, 1}, {4, 4}}, {}, IdKind::integer}},
  };
  for (const auto& [name, addition] : loads) {
    for (const SelfLoops loops : {SelfLoops::keep, SelfLoops::drop}) {
      for (const VertexOrder order : {VertexOrder::given, VertexOrder::degree, VertexOrder::striped}) {
        SCOPED_TRACE(name + ", order " + std::to_string(int(order)) + ", loops " + std::to_string(int(loops)));
        StoreOptions options;
        options.schema = dense_schema(order == VertexOrder::given);
        options.schema.self_loops = loops;
        const std::shared_ptr<Medium> medium = make_memory_medium();
        auto store = *Store::create(medium, options);
        StoreModel model(options.schema);
        auto target = *store->load_target(IdKind::dense);
        BulkLoader loader(store->load_schema(), {.order = order}, *target);
        const Status loaded = load(loader, model, addition.edges, addition.vertices);
        ASSERT_TRUE(loaded) << loaded.error().message;
        model.add(weighed(addition.edges));
        model.add_vertices(addition.vertices);
        expect_like(*store, model);
        EXPECT_EQ(store->schema().ids, addition.becomes);
        EXPECT_EQ((*store->snapshot())->num_vertices(), model.num_vertices());
        target = nullptr;
        store = nullptr;
        expect_sound(medium);
      }
    }
  }
}

/// What was there stays: numbers, values, removed vertices, states that are held or tagged.
TEST(IntegerIds, WhatWasThereStays) {
  StoreOptions options;
  options.schema = dense_schema(true);
  add_model_columns(options.schema);
  options.schema.rows = true;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  auto store = *Store::create(medium, options);
  StoreModel model(store->schema());
  const auto changed = [&](const auto& change) {
    Batch batch;
    change(batch);
    const auto counts = store->apply(batch);
    ASSERT_TRUE(counts) << counts.error().message;
  };
  const auto add = [&](const std::vector<StoreModel::Added>& added) {
    changed([&](Batch& batch) { batch.add_edges(model.batch(added)); });
    model.add(added);
  };
  add({{{0, 1}, 3}, {{1, 2}, 4}, {{2, 3}, 5}});
  changed([&](Batch& batch) { batch.add_vertices(Ids{1, 3}, StoreModel::ages_table({30, 40})); });
  model.set_ages({1, 3}, {30, 40});
  ChangeCounts counts;
  changed([&](Batch& batch) { batch.remove_vertices(Ids{2}); });
  model.remove_vertices({2}, counts);
  ASSERT_TRUE(store->tag("before"));
  const StoreModel tagged = model;
  const auto held = *store->snapshot();
  add({{{0, 50}, 7}});
  EXPECT_EQ(store->schema().ids, IdKind::integer);
  const auto now = *store->snapshot();
  expect_like(*store, model);
  EXPECT_TRUE(*equals(*held, tagged));
  EXPECT_TRUE(now->ids().continues(held->ids())) << "internal ids are what they were";
  EXPECT_EQ(*now->find(3), *held->find(3));
  add({{{2, 1}, 8}});  // the removed one comes back
  expect_like(*store, model);
  ASSERT_TRUE(store->close());
  store = *Store::open(medium, options);
  expect_like(*store, model);
  store = nullptr;
  expect_sound(medium);
}

TEST(IntegerIds, AChangeThatIsRefusedChangesNoVertex) {
  StoreOptions options;
  const auto store = *Store::create(make_memory_medium(), options);
  ASSERT_TRUE(store->add_edges({Ids{0}, Ids{1}, {}, {}}));
  Batch batch;
  batch.add_edges({Ids{10}, Ids{20}, {}, {}}).remove_vertices(Ids{99}, Missing::error);
  EXPECT_FALSE(store->apply(batch));
  EXPECT_EQ((*store->snapshot())->num_vertices(), 2U);
}

/// 5 makes 3 a number, not a vertex, until a later step of the batch names it.
TEST(IntegerIds, AStepFindsNoNumberThatNoStepBeforeItHasNamed) {
  using Step = std::function<void(Batch&, const StoreModel&, Missing)>;
  const std::map<std::string, Step> steps = {
      {"set", [](Batch& batch, const StoreModel& model,
                 Missing missing) { batch.set_vertices(model.column({3}), StoreModel::ages_table({50}), missing); }},
      {"remove", [](Batch& batch, const StoreModel& model,
                    Missing missing) { batch.remove_vertices(model.column({3}), missing); }},
  };
  for (const auto& [name, step] : steps) {
    for (const Missing missing : {Missing::ignore, Missing::error}) {
      SCOPED_TRACE(name);
      StoreOptions options;
      options.schema = dense_schema(true);
      add_model_columns(options.schema);
      const std::shared_ptr<Medium> medium = make_memory_medium();
      const auto store = *Store::create(medium, options);
      StoreModel model(options.schema);
      const Edges edges = {{0, 5}};
      Batch batch;
      batch.add_edges(model.batch(weighed(edges)));
      step(batch, model, missing);
      batch.add_vertices(model.column({1, 2, 3, 4}));
      const auto counts = store->apply(batch);
      if (missing == Missing::error) {
        ASSERT_FALSE(counts);
        EXPECT_EQ(counts.error().code, ErrorCode::not_found) << counts.error().message;
      } else {
        ASSERT_TRUE(counts) << counts.error().message;
        EXPECT_EQ(counts->vertices_missing, 1u);
        EXPECT_EQ(counts->vertices_set + counts->vertices_removed, 0u);
        model.add(weighed(edges));
        model.add_vertices({1, 2, 3, 4});
        EXPECT_EQ(store->schema().ids, IdKind::dense) << "no number is left out";
      }
      expect_like(*store, model);
    }
  }
}

}  // namespace
}  // namespace rizoma
