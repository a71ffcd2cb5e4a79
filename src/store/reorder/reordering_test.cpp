// A graph that grows by small changes gets its inner order again by itself; others go before.
#include "platform/memory_medium.h"
#include "store/repair/store_check.h"
#include "testing/ids_below.h"
#include "testing/store_model.h"
#include "testing/fault_medium.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

StoreOptions reorder_options() {
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  options.schema.section_bits = 3;
  options.reordering = reordering_at_every_opportunity();
  return options;
}

/// One edge; the later vertices have the most.
void add_edge(Store& store, StoreModel& model, std::int64_t i) {
  const std::vector<StoreModel::Added> added{{{i, i * 7 % 5}, 1}};
  ASSERT_TRUE(store.add_edges(model.batch(added)));
  model.add(added);
  store.reorder_if_due();
}

/// Algorithms rely on an order by degree while nearly all edges are those that it was made for.
TEST(Reordering, AnOrderServesWhileNearlyAllEdgesAreThoseItWasMadeFor) {
  StoreOptions options;
  options.schema.section_bits = 3;
  const auto store = *Store::create(make_memory_medium(), options);
  const auto add = [&](std::int64_t first, std::int64_t end) {
    const std::vector<std::int64_t> all = ids_below(end + 1);
    return store->add_edges({std::vector<std::int64_t>(all.begin() + first, all.end() - 1),
                             std::vector<std::int64_t>(all.begin() + first + 1, all.end()),
                             {},
                             {}});
  };
  const auto serves = [&] { return (*store->snapshot())->parts().ordered_by_degree; };
  ASSERT_TRUE(add(0, 80));
  EXPECT_FALSE(serves());
  SerialExecutor serial;
  ASSERT_TRUE(store->compact(serial, VertexOrder::degree));
  EXPECT_TRUE(serves());
  ASSERT_TRUE(add(80, 82));
  EXPECT_TRUE(serves());
  ASSERT_TRUE(add(82, 400));
  EXPECT_FALSE(serves());
}

/// Any other order has its lists in whatever order of degree it happens to have.
TEST(Reordering, OnlyAnOrderByDegreeServesAsOne) {
  for (const VertexOrder order : {VertexOrder::degree, VertexOrder::striped, VertexOrder::given}) {
    const auto store = *Store::create(make_memory_medium(), {});
    ASSERT_TRUE(
        store->add_edges({std::vector<std::int64_t>{0, 1, 2, 3}, std::vector<std::int64_t>{1, 2, 3, 1}, {}, {}}));
    SerialExecutor serial;
    ASSERT_TRUE(store->compact(serial, order));
    EXPECT_EQ((*store->snapshot())->parts().ordered_by_degree, order == VertexOrder::degree);
  }
}

/// Without a thread it is done when it is asked whether it is due, here after each change.
TEST(Reordering, AGrowingGraphGetsItsOrderAgainAndAgain) {
  const StoreOptions options = reorder_options();
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 10; ++i) add_edge(*store, model, i);
  const auto held = *store->snapshot();
  const StoreModel before = model;
  const std::uint64_t reordered = store->info()->reordering.done;
  EXPECT_GT(reordered, 0u);
  for (std::int64_t i = 10; i < 60; ++i) {
    add_edge(*store, model, i);
    ASSERT_TRUE(*equals(**store->snapshot(), model)) << "after edge " << i;
    const ReorderInfo reordering = store->info()->reordering;
    EXPECT_FALSE(reordering.running);
    EXPECT_EQ(reordering.error, "");
    EXPECT_LT(reordering.arrived, 1 + store->info()->num_entries / 4) << "after edge " << i;
  }
  EXPECT_GT(store->info()->reordering.done, reordered + 3);
  EXPECT_LT(store->info()->reordering.done, reordered + 12) << "not for each change";
  EXPECT_NE(store->info()->order_reason.hubs, 0) << "as auto chooses";
  EXPECT_TRUE(*equals(*held, before)) << "a snapshot has changed";
  ASSERT_TRUE(store->close());
  SerialExecutor serial;
  EXPECT_TRUE(check_store(medium, serial)->findings.empty());
  EXPECT_TRUE(*equals(**(*Store::open(medium, options))->snapshot(), model));
}

/// A tagged state shares its sections with the current one only as long as neither is renumbered.
TEST(Reordering, TagsKeepThePresentOrderUntilSomebodyAsksForAnother) {
  const StoreOptions options = reorder_options();
  const std::shared_ptr<Medium> medium = make_memory_medium();
  auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 10; ++i) add_edge(*store, model, i);
  const StoreModel before = model;
  const std::uint64_t reordered = store->info()->reordering.done;
  ASSERT_TRUE(store->tag("early"));
  for (std::int64_t i = 10; i < 40; ++i) add_edge(*store, model, i);
  ReorderInfo reordering = store->info()->reordering;
  EXPECT_EQ(reordering.done, reordered);
  EXPECT_NE(reordering.next.find("tags keep the present order"), std::string::npos) << reordering.next;
  ASSERT_TRUE(store->close());
  store = *Store::open(medium, options);
  store->reorder_if_due();
  EXPECT_EQ(store->info()->reordering.done, 0u) << "of the store that is opened anew";
  SerialExecutor serial;
  ASSERT_TRUE(store->compact(serial, VertexOrder::automatic));
  EXPECT_EQ(store->info()->reordering.arrived, 0u);
  for (std::int64_t i = 40; i < 80; ++i) add_edge(*store, model, i);
  EXPECT_EQ(store->info()->reordering.done, 0u);
  StoreOptions early;
  early.at = "early";
  EXPECT_TRUE(*equals(**(*Store::open_read_only(medium, early))->snapshot(), before)) << "a tagged state has changed";
  ASSERT_TRUE(store->untag("early"));
  store->reorder_if_due();
  EXPECT_EQ(store->info()->reordering.done, 1u);
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

TEST(Reordering, SwitchedOffMeansOff) {
  StoreOptions options = reorder_options();
  options.reordering.on = false;
  const auto store = *Store::create(make_memory_medium(), options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 40; ++i) add_edge(*store, model, i);
  const GraphInfo info = *store->info();
  EXPECT_FALSE(info.reordering.on);
  EXPECT_EQ(info.reordering.done, 0u);
  EXPECT_EQ(info.reordering.arrived, info.num_entries);
  EXPECT_EQ(info.order, VertexOrder::given);
  EXPECT_EQ(info.order_reason.hubs, 0);
}

/// Who asks for an order gets it again, and who asks for the numbers as given keeps them.
TEST(Reordering, KeepsTheOrderThatWasAskedFor) {
  for (const VertexOrder order : {VertexOrder::degree, VertexOrder::striped, VertexOrder::given}) {
    StoreOptions options = reorder_options();
    const auto store = *Store::create(make_memory_medium(), options);
    StoreModel model(options.schema);
    for (std::int64_t i = 0; i < 10; ++i) add_edge(*store, model, i);
    SerialExecutor serial;
    ASSERT_TRUE(store->compact(serial, order));
    const std::uint64_t reordered = store->info()->reordering.done;
    for (std::int64_t i = 10; i < 30; ++i) add_edge(*store, model, i);
    EXPECT_EQ(store->info()->order, order);
    EXPECT_EQ(store->info()->reordering.done > reordered, order != VertexOrder::given);
    EXPECT_TRUE(*equals(**store->snapshot(), model));
  }
}

/// A purge without an order leaves the current one, and its numbers are not "given" permanently.
TEST(Reordering, APurgeWithoutAnOrderAsksForNone) {
  for (const IdKind ids : {IdKind::dense, IdKind::integer}) {
    for (const VertexOrder order : {VertexOrder::automatic, VertexOrder::degree, VertexOrder::given}) {
      StoreOptions options = reorder_options();
      options.schema.ids = ids;
      const std::shared_ptr<Medium> medium = make_memory_medium();
      auto store = *Store::create(medium, options);
      StoreModel model(options.schema);
      if (ids == IdKind::dense) {
        ASSERT_TRUE(store->add_vertices(ids_below(10)));
        model.add_vertices(ids_below(10));
      }
      for (std::int64_t i = 0; i < 10; ++i) add_edge(*store, model, i);
      SerialExecutor serial;
      ASSERT_TRUE(store->compact(serial, order));
      const GraphInfo before = *store->info();
      ASSERT_TRUE(store->purge(serial, std::nullopt));
      ASSERT_TRUE(store->close());
      store = *Store::open(medium, options);
      const GraphInfo after = *store->info();
      const bool lost = ids == IdKind::dense && before.order != VertexOrder::given;
      EXPECT_EQ(after.order, lost ? VertexOrder::given : before.order);
      EXPECT_EQ(after.reordering.arrived, lost ? after.num_entries : 0);
      EXPECT_EQ(after.reordering.next.find("order of the input was asked for") != std::string::npos,
                order == VertexOrder::given);
      store->reorder_if_due();
      EXPECT_EQ(store->info()->reordering.done, lost ? 1 : 0);
      EXPECT_TRUE(*equals(**store->snapshot(), model));
    }
  }
}

/// Whoever renumbers a graph that did not come to it has the store try again later.
TEST(Reordering, TriesAsOftenAsItMayAndAgainAfterAReorder) {
  StoreOptions options = reorder_options();
  options.reordering.most_unfinished = 2;
  FaultMedium medium(512);
  const auto store = *Store::create(std::shared_ptr<Medium>(std::shared_ptr<void>(), &medium), options);
  StoreModel model(options.schema);
  const std::vector<StoreModel::Added> added{{{1, 2}, 1}, {{2, 3}, 1}, {{3, 4}, 1}};
  ASSERT_TRUE(store->add_edges(model.batch(added)));
  model.add(added);
  for (int attempt = 1; attempt < 4; ++attempt) {
    medium.fail({OperationKind::write, 1, ErrorCode::out_of_space, false});
    store->reorder_if_due();
    medium.clear_faults();
    const ReorderInfo reordering = store->info()->reordering;
    EXPECT_EQ(reordering.done, 0u);
    EXPECT_EQ(reordering.next.find("did not finish 2 times") != std::string::npos, attempt >= 2) << reordering.next;
  }
  SerialExecutor serial;
  const auto has_given_up = [&] {
    return store->info()->reordering.next.find("did not finish 2 times") != std::string::npos;
  };
  medium.fail({OperationKind::write, 1, ErrorCode::out_of_space, false});
  EXPECT_FALSE(store->purge(serial, VertexOrder::degree));
  medium.clear_faults();
  EXPECT_TRUE(has_given_up()) << "a purge that failed made no order";
  ASSERT_TRUE(store->purge(serial, std::nullopt));
  EXPECT_TRUE(has_given_up()) << "a purge that was asked for none";
  ASSERT_TRUE(store->compact(serial, VertexOrder::automatic));
  EXPECT_FALSE(has_given_up());
  for (std::int64_t i = 0; i < 9; ++i) add_edge(*store, model, i);
  EXPECT_GT(store->info()->reordering.done, 0u);
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

/// What its views unpack counts too.
TEST(Reordering, ValuesOfEdgesCountAsMemory) {
  for (const bool columns : {false, true}) {
    StoreOptions options = reorder_options();
    if (columns) options.schema.edge_columns.push_back({0, ColumnType::int64, true, "since"});
    options.reordering.memory_limit = reordering_memory(IdKind::integer, 4) + 24;
    const auto store = *Store::create(make_memory_medium(), options);
    const EdgeBatch edges{std::vector<std::int64_t>{1, 2, 3}, std::vector<std::int64_t>{2, 3, 4}, {}};
    ASSERT_TRUE(store->add_edges(edges));
    store->reorder_if_due();
    EXPECT_EQ(store->info()->reordering.done, columns ? 0 : 1);
    EXPECT_EQ(store->info()->reordering.next.find("memory") != std::string::npos, columns);
  }
}

/// Does something else at each report of progress.
class WhenAsked final : public Executor {
 public:
  explicit WhenAsked(std::function<void()> then) : then_(std::move(then)) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override {
    then_();
    return {};
  }
  void parallel(FunctionRef<void(unsigned)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    return SerialExecutor().for_blocks(size, grain, body);
  }

 private:
  std::function<void()> then_;
};

/// Others have the store for long: that is no attempt.
TEST(Reordering, AStoreThatOthersHaveIsNoFailure) {
  const StoreOptions options = reorder_options();
  const auto store = *Store::create(make_memory_medium(), options);
  StoreModel model(options.schema);
  const std::vector<StoreModel::Added> added{{{1, 2}, 1}};
  ASSERT_TRUE(store->add_edges(model.batch(added)));
  model.add(added);
  bool asked = false;
  WhenAsked executor([&] {
    asked = true;
    std::thread([&] { store->reorder_if_due(); }).join();
  });
  ASSERT_TRUE(store->compact(executor, VertexOrder::given));
  EXPECT_TRUE(asked);
  EXPECT_EQ(store->info()->reordering.done, 0u);
  EXPECT_EQ(store->info()->reordering.error, "");
}

/// Changes of what there is fill the log, but the graph does not grow by them.
TEST(Reordering, ManyNewWeightsAreNoGrowth) {
  StoreOptions options = reorder_options();
  options.schema.weights = WeightType::float64;
  options.close_limit = 0;
  const auto store = *Store::create(make_memory_medium(), options);
  const auto weigh = [&](double weight) {
    EdgeBatch edges{std::vector<std::int64_t>{1, 2, 3, 4}, std::vector<std::int64_t>{5, 6, 7, 8}, {}};
    edges.weights.assign(4, weight);
    ASSERT_TRUE(store->add_edges(edges));
    store->reorder_if_due();
  };
  weigh(1);
  const std::uint64_t reordered = store->info()->reordering.done;
  for (int i = 2; i < 20; ++i) weigh(i);
  EXPECT_EQ(store->info()->reordering.done, reordered);
}

/// Where there is none for this many vertices, it does not begin.
TEST(Reordering, KeepsToItsMemory) {
  StoreOptions options = reorder_options();
  options.reordering.memory_limit = reordering_memory(IdKind::integer, 200);
  const auto medium = make_memory_medium();
  const auto store = *Store::create(std::shared_ptr<Medium>(std::shared_ptr<void>(), medium.get()), options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 100; ++i) add_edge(*store, model, i);
  const std::uint64_t reordered = store->info()->reordering.done;
  EXPECT_GT(reordered, 0u);
  for (std::int64_t i = 100; i < 400; ++i) add_edge(*store, model, i);
  const ReorderInfo reordering = store->info()->reordering;
  EXPECT_LE(reordering.done, reordered + 3) << "200 vertices are reached soon";
  EXPECT_NE(reordering.next.find("memory"), std::string::npos) << reordering.next;
  EXPECT_EQ(reordering.error, "");
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

/// Waits, a minute at most, until it is so; whether it is.
bool comes(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// A reordering that is far too slow to finish: the store's thread has begun it when this returns.
void begin_slow_reordering(Store& store, StoreModel& model) {
  for (std::int64_t i = 0; i < 20; ++i) add_edge(store, model, i);
  ASSERT_TRUE(comes([&] { return store.info()->reordering.running; }));
}

StoreOptions slow_options() {
  StoreOptions options = reorder_options();
  options.background = true;
  options.reordering.bytes_per_second = 1;
  options.reordering.rest = std::chrono::hours(1);
  return options;
}

TEST(Reordering, GivesWayToACloseAndLosesNothing) {
  StoreOptions options = slow_options();
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreModel model(options.schema);
  {
    const auto store = *Store::create(medium, options);
    ASSERT_NO_FATAL_FAILURE(begin_slow_reordering(*store, model));
    add_edge(*store, model, 50);
    ASSERT_TRUE(store->close());
  }
  options.reordering.on = false;
  const auto again = *Store::open(medium, options);
  EXPECT_TRUE(*equals(**again->snapshot(), model));
  EXPECT_EQ(again->info()->order_reason.hubs, 0) << "it was not renumbered";
  ASSERT_TRUE(again->close());
  SerialExecutor serial;
  EXPECT_TRUE(check_store(medium, serial)->findings.empty());
}

TEST(Reordering, GivesWayToWhateverElseIsAskedOfTheStore) {
  SerialExecutor serial;
  const std::vector<std::function<Status(Store&)>> others = {
      [](Store& store) { return store.checkpoint(); },
      [](Store& store) { return store.tag("now"); },
      [&](Store& store) { return store.compact(serial, VertexOrder::degree); },
      [&](Store& store) { return store.purge(serial, VertexOrder::degree); },
      [](Store& store) { return store.discard(); },
  };
  for (const auto& other : others) {
    const StoreOptions options = slow_options();
    const auto store = *Store::create(make_memory_medium(), options);
    StoreModel model(options.schema);
    ASSERT_NO_FATAL_FAILURE(begin_slow_reordering(*store, model));
    EXPECT_TRUE(*equals(**store->snapshot(), model)) << "readers wait for nothing";
    add_edge(*store, model, 60);
    const Status done = other(*store);
    ASSERT_TRUE(done) << done.error().message;
  }
}

/// The log cannot be moved while it goes on: those who fill it do not wait for it.
TEST(Reordering, GivesWayToALogThatGrows) {
  StoreOptions options = slow_options();
  options.log_limit = 1 << 14;
  const auto store = *Store::create(make_memory_medium(), options);
  StoreModel model(options.schema);
  ASSERT_NO_FATAL_FAILURE(begin_slow_reordering(*store, model));
  std::int64_t next = 20;
  ASSERT_TRUE(comes([&] {
    add_edge(*store, model, next++);
    return !store->info()->reordering.running;
  }));
  EXPECT_TRUE(*equals(**store->snapshot(), model));
  EXPECT_NE(store->info()->reordering.error, "");
  EXPECT_NE(store->info()->reordering.next.find("tried again"), std::string::npos) << store->info()->reordering.next;
}

/// In the thread, to its end, while changes go on.
TEST(Reordering, ComesToItsEndBesideChanges) {
  StoreOptions options = reorder_options();
  options.background = true;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  std::int64_t next = 0;
  ASSERT_TRUE(comes([&] {
    add_edge(*store, model, next++);
    return store->info()->reordering.done >= 3;
  }));
  EXPECT_TRUE(*equals(**store->snapshot(), model));
  ASSERT_TRUE(store->close());
  EXPECT_TRUE(*equals(**(*Store::open(medium, options))->snapshot(), model));
}

/// Whether it has grown or not.
TEST(Reordering, IsOffWhereTheGraphIsOpenedForReading) {
  const StoreOptions options = reorder_options();
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 10; ++i) add_edge(*store, model, i);
  SerialExecutor serial;
  ASSERT_TRUE(store->compact(serial, VertexOrder::automatic));
  EXPECT_TRUE(store->info()->reordering.on);
  const ReorderInfo reordering = (*Store::open_read_only(medium, options))->info()->reordering;
  EXPECT_FALSE(reordering.on);
  EXPECT_NE(reordering.next.find("open for reading"), std::string::npos) << reordering.next;
}

/// The thread looks again by itself.
TEST(Reordering, BeginsWhenTheLastTagIsGone) {
  StoreOptions options = reorder_options();
  options.background = true;
  const auto store = *Store::create(make_memory_medium(), options);
  ASSERT_TRUE(store->tag("one"));
  ASSERT_TRUE(store->tag("two"));
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 40; ++i) add_edge(*store, model, i);
  ASSERT_TRUE(store->untag("one"));
  EXPECT_EQ(store->info()->reordering.done, 0u);
  ASSERT_TRUE(store->untag("two"));
  EXPECT_TRUE(comes([&] { return store->info()->reordering.done > 0; }));
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

/// Whoever says again and again what is there does not put it off.
TEST(Reordering, ChangesWithoutEffectArePauses) {
  StoreOptions options = reorder_options();
  options.reordering.idle = std::chrono::milliseconds(200);
  options.reordering.rest = std::chrono::hours(1);
  const auto store = *Store::create(make_memory_medium(), options);
  const EdgeBatch edges{std::vector<std::int64_t>{1, 2, 3}, std::vector<std::int64_t>{2, 3, 4}, {}};
  ASSERT_TRUE(store->add_edges(edges));
  EXPECT_TRUE(comes([&] {
    EXPECT_TRUE(store->add_vertices(std::vector<std::int64_t>{1, 2}));
    store->reorder_if_due();
    return store->info()->reordering.done > 0;
  })) << store->info()->reordering.next;
}

/// Beside those who change the graph, who read what there is, and who ask how far it is: each sees whole states.
TEST(Reordering, GoesOnBesideReadersAndWriters) {
  StoreOptions options = reorder_options();
  options.background = true;
  options.log_limit = 1 << 14;
  const auto store = *Store::create(make_memory_medium(), options);
  std::atomic<bool> ended{false};
  const auto write = [&](std::int64_t first) {
    for (std::int64_t i = 0; i < 150; ++i) {
      const EdgeBatch edges{std::vector<std::int64_t>{first + i}, std::vector<std::int64_t>{first + i * 7 % 5}, {}};
      ASSERT_TRUE(store->add_edges(edges));
    }
  };
  const auto read = [&] {
    VertexId before = 0;
    while (!ended) {
      const auto snapshot = *store->snapshot();
      EXPECT_GE(snapshot->num_vertices(), before);
      before = snapshot->num_vertices();
      SerialExecutor serial;
      const auto view = snapshot->entry_view(serial);
      ASSERT_TRUE(view);
      EdgeCount entries = 0;
      view->with_out([&](const auto& out) {
        for (VertexId v = 0; v < out.num_vertices(); ++v) entries += out.neighbors(v).size();
      });
      EXPECT_GE(entries, snapshot->num_vertices() / 2) << "each vertex is the end of an edge";
      EXPECT_LE(store->info()->reordering.progress, 1);
    }
  };
  std::vector<std::thread> writers;
  for (std::int64_t i = 0; i < 2; ++i) writers.emplace_back(write, i * 1000);
  std::thread reader(read);
  for (std::thread& writer : writers) writer.join();
  ended = true;
  reader.join();
  ASSERT_TRUE(comes([&] { return store->info()->reordering.done > 0; }));
  EXPECT_EQ(store->info()->num_edges, 300u);
  ASSERT_TRUE(store->close());
}

/// A store that grew before it was opened.
TEST(Reordering, BeginsWithoutAChange) {
  StoreOptions options = reorder_options();
  options.reordering.on = false;
  options.close_limit = 0;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreModel model(options.schema);
  {
    const auto store = *Store::create(medium, options);
    for (std::int64_t i = 0; i < 40; ++i) add_edge(*store, model, i);
  }
  {
    const auto reader = *Store::open_read_only(medium, reorder_options());
    EXPECT_FALSE(reader->info()->reordering.on);
    EXPECT_FALSE(reader->info()->reordering.running);
    EXPECT_NE(reader->info()->reordering.next.find("open for reading"), std::string::npos);
    EXPECT_NE(reader->info()->reordering.next.find("the process that writes it rebuilds the order"), std::string::npos);
  }
  options.reordering.on = true;
  options.background = true;
  const auto store = *Store::open(medium, options);
  ASSERT_TRUE(comes([&] { return store->info()->reordering.done > 0; }));
  EXPECT_NE(store->info()->order_reason.hubs, 0);
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

}  // namespace
}  // namespace rizoma
