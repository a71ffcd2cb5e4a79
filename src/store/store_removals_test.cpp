// Changes of every kind from many threads at once, removals above all, beside readers and sections that are
// rewritten: against models, and by what must be conserved.
#include "base/random.h"
#include "platform/memory_medium.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/store_model.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rizoma {
namespace {

constexpr std::int64_t kThreads = 4;

/// The lists reversed.
StoreModel::Lists transposed(const StoreModel::Lists& lists) {
  StoreModel::Lists turned;
  for (const auto& [v, list] : lists) {
    turned[v];
    for (const auto& [u, weight] : list) turned[u].emplace_back(v, weight);
  }
  for (auto& entry : turned) std::sort(entry.second.begin(), entry.second.end());
  return turned;
}

/// Both ends of an edge, and both directions, say the same.
void expect_agreement(const StoreSnapshot& snapshot) {
  const auto out = lists_of(snapshot, Direction::out);
  ASSERT_TRUE(out) << out.error().message;
  const auto in = snapshot.schema().directed && snapshot.has_in() ? lists_of(snapshot, Direction::in) : out;
  ASSERT_TRUE(in) << in.error().message;
  EXPECT_EQ(transposed(*out), *in);
}

class StoreRemovals : public testing::TestWithParam<std::uint64_t> {
 protected:
  static GraphSchema schema() {
    GraphSchema schema = schema_number(GetParam());
    schema.section_bits = 4;
    if (schema.directed) schema.in_edges = true;
    return schema;
  }
  static StoreOptions options(const GraphSchema& schema) {
    StoreOptions options;
    options.schema = schema;
    options.background = true;
    options.log_limit = 6'000;
    options.log_ahead = 4'096;
    return options;
  }
  /// Runs `body(thread)` in kThreads threads, beside a reader that looks for contradictions.
  template <class Body>
  void run(Store& store, Body body) {
    std::atomic<std::int64_t> working{kThreads};
    std::vector<std::thread> threads;
    for (std::int64_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        body(thread);
        --working;
      });
    }
    while (working > 0 && !HasFailure()) expect_agreement(**store.snapshot());
    for (std::thread& thread : threads) thread.join();
  }
  /// What the store holds is also what the next open finds, whole.
  void expect_kept(const std::shared_ptr<Medium>& medium, std::unique_ptr<Store>& store) {
    const auto before = lists_of(**store->snapshot(), Direction::out);
    ASSERT_TRUE(before) << before.error().message;
    EXPECT_EQ(store->info()->background_error, "");
    ASSERT_TRUE(store->close());
    SerialExecutor serial;
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->findings.empty());
    store = *Store::open(medium, options(schema()));
    EXPECT_EQ(*lists_of(**store->snapshot(), Direction::out), *before);
  }
};

/// Each thread has vertices of its own, in the same sections as those of the others.
TEST_P(StoreRemovals, OfEachThreadsOwnEdgesAndVerticesMatchItsModel) {
  GraphSchema with_names = schema();
  if (with_names.ids == IdKind::dense) with_names.ids = IdKind::integer;  // dense ids would make those of other threads
  const std::shared_ptr<Medium> medium = make_memory_medium();
  auto store = *Store::create(medium, options(with_names));
  std::vector<StoreModel> models(kThreads, StoreModel(with_names));
  run(*store, [&](std::int64_t thread) {
    StoreModel& model = models[static_cast<std::size_t>(thread)];
    Random random(GetParam() * 100 + static_cast<std::uint64_t>(thread));
    RandomSteps steps(with_names, random, thread, kThreads);
    for (int i = 0; i < 150; ++i) {
      Batch batch;
      ChangeCounts expected;
      for (std::uint64_t k = 1 + random.below(4); k > 0; --k) steps.append(batch, model, expected);
      const auto counts = store->apply(batch);
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_EQ(counts->edges_removed, expected.edges_removed);
      EXPECT_EQ(counts->edges_missing, expected.edges_missing);
      EXPECT_EQ(counts->vertices_removed, expected.vertices_removed);
      EXPECT_EQ(counts->weights_set, expected.weights_set);
    }
  });
  StoreModel::Lists all;
  for (const StoreModel& model : models) all.merge(model.lists(Direction::out));
  EXPECT_EQ(*lists_of(**store->snapshot(), Direction::out), all);
  expect_kept(medium, store);
}

/// All threads remove the same edges and vertices: each goes once, and is counted by one thread.
TEST_P(StoreRemovals, OfTheSameEdgesAndVerticesCountEachOnce) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  auto store = *Store::create(medium, options(schema()));
  StoreModel model(schema());
  Random random(GetParam());
  std::vector<StoreModel::Added> added;
  for (int i = 0; i < 1'200; ++i) {
    added.push_back({{static_cast<std::int64_t>(random.below(160)), static_cast<std::int64_t>(random.below(160))},
                     static_cast<double>(random.below(9))});
  }
  model.add(added);
  ASSERT_TRUE(store->add_edges(model.batch(added)));
  const EdgeCount edges = model.num_edges();
  std::atomic<EdgeCount> edges_removed{0};
  std::atomic<VertexId> vertices_removed{0};
  run(*store, [&](std::int64_t thread) {
    Random own(static_cast<std::uint64_t>(thread));
    for (int i = 0; i < 120; ++i) {
      Batch batch;
      const std::vector<StoreModel::Added> some(added.begin() + i * 5, added.begin() + i * 5 + 5);
      batch.remove_edges(model.batch(some), Missing::ignore, Parallel::all);
      if (i % 12 == 3) batch.remove_vertices(model.column({static_cast<std::int64_t>(own.below(20))}), Missing::ignore);
      const auto counts = store->apply(batch);
      ASSERT_TRUE(counts) << counts.error().message;
      edges_removed += counts->edges_removed;
      vertices_removed += counts->vertices_removed;
    }
  });
  const auto snapshot = *store->snapshot();
  EXPECT_EQ(*snapshot->num_edges() + edges_removed, edges);
  EXPECT_EQ(snapshot->num_live() + vertices_removed, model.num_vertices());
  EXPECT_GT(vertices_removed, 0u);
  // What is left is what was neither named nor at a vertex that went.
  ChangeCounts ignored;
  model.remove_edges({added.begin(), added.begin() + 600}, Parallel::all, ignored);
  std::vector<std::int64_t> gone;
  const auto left = *lists_of(*snapshot, Direction::out);
  for (std::int64_t v = 0; v < 20; ++v) {
    if (!left.contains(v)) gone.push_back(v);
  }
  model.remove_vertices(gone, ignored);
  EXPECT_EQ(left, model.lists(Direction::out));
  expect_kept(medium, store);
}

/// Of a weight that all threads set, the last one stands, the same at both ends.
TEST_P(StoreRemovals, OfWeightsLeaveOneOfThoseThatWereSet) {
  GraphSchema weighted = schema();
  weighted.weights = WeightType::int32;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  auto store = *Store::create(medium, options(weighted));
  StoreModel model(weighted);
  std::vector<StoreModel::Added> ring;
  for (std::int64_t v = 0; v < 100; ++v) ring.push_back({{v, (v + 1) % 100}, 0});
  model.add(ring);
  ASSERT_TRUE(store->add_edges(model.batch(ring)));
  run(*store, [&](std::int64_t thread) {
    for (int i = 0; i < 60; ++i) {
      auto some = std::vector(ring.begin() + i, ring.begin() + i + 40);
      for (auto& one : some) one.weight = static_cast<double>(1 + thread * 1'000 + i);
      Batch batch;
      batch.set_weights(model.batch(some));
      const auto counts = store->apply(batch);
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_EQ(counts->weights_set, 40u);
    }
  });
  const auto snapshot = *store->snapshot();
  const std::vector<std::int64_t> ids = *ids_of(*snapshot);
  for (VertexId u = 0; u < ids.size(); ++u) {
    const std::int64_t v = ids[u];
    if (v == 99) continue;  // no round closed the ring
    const NeighborList list = *snapshot->neighbors(Direction::out, u);
    std::size_t at = 0;
    while (at < list.size() && ids[list[at]] != v + 1) ++at;
    ASSERT_LT(at, list.size());
    const auto weight = static_cast<std::int64_t>(list.weight(at));
    const std::int64_t i = (weight - 1) % 1'000;  // the round that set it had this edge, and was the last of its thread
    EXPECT_TRUE(weight > 0 && i <= v && v < i + 40) << "edge " << v << " has weight " << weight;
    EXPECT_EQ(i, std::min<std::int64_t>(v, 59)) << "a later round of the same thread set it again";
  }
  store = nullptr;
}

INSTANTIATE_TEST_SUITE_P(Schemas, StoreRemovals, testing::Values(0, 3, 6, 9, 13, 17, 22));

}  // namespace
}  // namespace rizoma
