// Many writers and readers at once: batches are seen whole, in an order that every reader agrees on,
// and what was acknowledged is there after reopening; with sections rewritten in the background.
#include "testing/store_model.h"

#include "base/random.h"
#include "platform/file_medium.h"
#include "platform/memory_medium.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/fault_medium.h"
#include "testing/filtered_medium.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace rizoma {
namespace {

constexpr std::int64_t kWriters = 4;
constexpr std::int64_t kReaders = 2;
constexpr std::int64_t kBatches = 120;
constexpr std::int64_t kEdges = 6;  ///< of a batch

/// Batch b of writer w: a star of kEdges leaves that no other batch has, around a hub of its own.
EdgeBatch star(std::int64_t writer, std::int64_t batch) {
  const std::int64_t first = (writer * kBatches + batch) * (kEdges + 1);
  std::vector<std::int64_t> sources, targets;
  for (std::int64_t leaf = 1; leaf <= kEdges; ++leaf) {
    sources.push_back(first);
    targets.push_back(first + leaf);
  }
  return {std::move(sources), std::move(targets), {}};
}

/// How many batches of each writer a snapshot has; fails if one is partly there, or before an earlier one.
std::vector<std::int64_t> batches_in(const StoreSnapshot& snapshot) {
  std::vector<std::int64_t> counts;
  for (std::int64_t writer = 0; writer < kWriters; ++writer) {
    std::int64_t count = 0;
    bool ended = false;
    for (std::int64_t batch = 0; batch < kBatches; ++batch) {
      const auto hub = snapshot.ids().find((writer * kBatches + batch) * (kEdges + 1));
      const auto leaves = hub ? snapshot.neighbors(Direction::out, *hub) : Result<NeighborList>(NeighborList());
      EXPECT_TRUE(leaves) << leaves.error().message;
      if (!leaves) return counts;
      EXPECT_TRUE(leaves->size() == 0 || leaves->size() == kEdges) << "a part of a batch";
      EXPECT_FALSE(ended && leaves->size() > 0) << "a batch without the one before it";
      ended |= leaves->size() == 0;
      if (leaves->size() > 0) ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

struct World {
  const char* name;
  Durability durability;
  IdKind ids;
  std::uint64_t log_limit;
  bool background;
};

class StoreThreads : public ::testing::TestWithParam<World> {
 protected:
  StoreOptions options() const {
    StoreOptions options;
    options.schema.section_bits = 4;
    options.schema.ids = GetParam().ids;
    options.durability = GetParam().durability;
    options.group_delay = std::chrono::milliseconds(1);
    options.log_limit = GetParam().log_limit;
    options.log_ahead = 4096;
    options.background = GetParam().background;
    return options;
  }
};

TEST_P(StoreThreads, SnapshotsAreWholeAndOnlyGrow) {
  const testing::TemporaryDirectory directory;
  const std::shared_ptr<Medium> medium = *open_file_medium(directory.path(), true);
  auto created = Store::create(medium, options());
  ASSERT_TRUE(created) << created.error().message;
  Store& store = **created;
  std::vector<std::atomic<std::int64_t>> acknowledged(kWriters);
  std::atomic<std::int64_t> writing{kWriters};
  std::vector<std::thread> threads;
  for (std::int64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (std::int64_t batch = 0; batch < kBatches; ++batch) {
        const auto status = store.add_edges(star(writer, batch));
        ASSERT_TRUE(status) << status.error().message;
        acknowledged[static_cast<std::size_t>(writer)] = batch + 1;
        if (batch % 50 == 10) {
          ASSERT_TRUE(store.flush());
        }
      }
      --writing;
    });
  }
  for (std::int64_t reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&] {
      std::vector<std::int64_t> before(kWriters);
      while (writing > 0 && !::testing::Test::HasFailure()) {
        std::vector<std::int64_t> least;
        for (const auto& count : acknowledged) least.push_back(count);
        const auto snapshot = *store.snapshot();
        const auto counts = batches_in(*snapshot);
        ASSERT_EQ(counts.size(), least.size());
        for (std::size_t w = 0; w < counts.size(); ++w) {
          EXPECT_GE(counts[w], least[w]) << "an acknowledged batch is not there";
          EXPECT_GE(counts[w], before[w]) << "a batch is gone again";
        }
        SerialExecutor serial;
        EXPECT_TRUE(snapshot->view(serial));
        EXPECT_EQ(batches_in(*snapshot), counts) << "a snapshot has changed";
        before = counts;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto info = store.info();
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->background_error, "");
  ASSERT_TRUE(store.close());
  SerialExecutor serial;
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
  auto opened = Store::open(medium, options());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(batches_in(**(*opened)->snapshot()), std::vector<std::int64_t>(kWriters, kBatches));
  EXPECT_EQ(*(*(*opened)->snapshot())->num_edges(), static_cast<EdgeCount>(kWriters * kBatches * kEdges));
  *opened = nullptr;
}

INSTANTIATE_TEST_SUITE_P(Worlds, StoreThreads,
                         ::testing::Values(World{"always", Durability::always, IdKind::dense, 20'000, true},
                                           World{"always_integer", Durability::always, IdKind::integer, 6'000, true},
                                           World{"group", Durability::group, IdKind::integer, 20'000, true},
                                           World{"none", Durability::none, IdKind::dense, 20'000, true},
                                           World{"inline_checkpoints", Durability::always, IdKind::integer, 3'000,
                                                 false},
                                           World{"never", Durability::group, IdKind::dense, 1 << 30, true}),
                         [](const auto& world) { return world.param.name; });

TEST(StoreCommit, AFailedAppendIsTakenBackAndTheGraphGoesOn) {
  FaultMedium medium;
  const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  auto store = Store::create(shared, options);
  ASSERT_TRUE(store) << store.error().message;
  StoreModel model(options.schema);
  const std::vector<StoreModel::Added> first{{{7, 8}, 1}}, refused{{{9, 10}, 1}}, last{{{9, 7}, 1}};
  ASSERT_TRUE((*store)->add_edges(model.batch(first)));
  model.add(first[0]);
  medium.fail({OperationKind::write, 1, ErrorCode::out_of_space, true});
  const auto status = (*store)->add_edges(model.batch(refused));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::out_of_space);
  EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
  medium.clear_faults();
  ASSERT_TRUE((*store)->add_edges(model.batch(last)));
  model.add(last[0]);
  EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
  *store = nullptr;
  auto opened = Store::open(shared, options);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE(*equals(**(*opened)->snapshot(), model));
}

TEST(StoreCommit, AFailedSyncEndsAllChanging) {
  FaultMedium medium;
  const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
  auto store = Store::create(shared, {});
  ASSERT_TRUE(store) << store.error().message;
  StoreModel model{GraphSchema{}};
  medium.fail({OperationKind::sync, 1, ErrorCode::io, false});
  EXPECT_FALSE((*store)->add_edges(model.batch({{{0, 1}, 1}})));
  const auto next = (*store)->add_edges(model.batch({{{0, 1}, 1}}));
  ASSERT_FALSE(next);
  EXPECT_NE(next.error().message.find("opened again"), std::string::npos) << next.error().message;
  EXPECT_EQ(*(*(*store)->snapshot())->num_edges(), 0u);
}

/// A change that finds everything done by one that is still on its way is not durable before that one is.
TEST(StoreCommit, AChangeWithoutEffectWaitsForWhatItFound) {
  const auto below = make_memory_medium();
  Store* opened = nullptr;  // once there is something to catch
  std::future<Status> second;
  const auto medium =
      make_filtered_medium(*below, [&](OperationKind kind, std::string_view file, const auto& operation) -> Status {
        if (opened == nullptr || kind != OperationKind::sync || !file.starts_with("log.")) return operation();
        second = std::async(std::launch::async, [store = std::exchange(opened, nullptr)] {
          return store->add_vertices(std::vector<std::int64_t>{7});
        });
        // Time for it to come back, which it must not; that it comes late does no harm.
        second.wait_for(std::chrono::milliseconds(200));
        return Error{ErrorCode::io, "the device is gone"};
      });
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  const auto store = *Store::create(medium, options);
  opened = store.get();
  EXPECT_FALSE(store->add_vertices(std::vector<std::int64_t>{7}));
  EXPECT_FALSE(second.get()) << "acknowledged, though nothing made it durable";
  EXPECT_EQ((*store->snapshot())->num_vertices(), 0u);
}

/// A sync in the background that failed is reported by close.
TEST(StoreCommit, ClosingTellsThatAnAcknowledgedChangeIsNotDurable) {
  for (const Durability durability : {Durability::group, Durability::none, Durability::always}) {
    const auto medium = std::make_shared<FaultMedium>();
    StoreOptions options;
    options.durability = durability;
    options.group_delay = std::chrono::milliseconds(0);
    const auto store = *Store::create(medium, options);
    StoreModel model{options.schema};
    medium->fail({OperationKind::sync, 1, ErrorCode::io, false});
    const Status added = store->add_edges(model.batch({{{0, 1}, 1}}));
    EXPECT_EQ(bool(added), durability != Durability::always);
    static_cast<void>(store->flush());
    const Status closed = store->close();
    EXPECT_EQ(bool(closed), durability == Durability::always) << "there the call that made the change said so";
    if (!closed) {
      EXPECT_EQ(closed.error().code, ErrorCode::io);
      EXPECT_NE(closed.error().message.find("may not be durable"), std::string::npos) << closed.error().message;
    }
    EXPECT_TRUE(store->close()) << "once is enough";
  }
}

/// A close that leaves a long log for want of space says that nothing is lost; one that cannot say so says why.
TEST(StoreCommit, ClosingTellsWhatBecameOfTheLog) {
  for (const bool syncs : {true, false}) {
    const auto below = make_memory_medium();
    bool failing = false;
    const auto medium =
        make_filtered_medium(*below, [&](OperationKind kind, std::string_view file, const auto& operation) -> Status {
          if (failing && kind == OperationKind::write && file == "data")
            return Error{ErrorCode::out_of_space, "the device is full"};
          if (failing && !syncs && kind == OperationKind::write && file.starts_with("manifest"))
            return Error{ErrorCode::io, "the device is gone"};
          return operation();
        });
    StoreOptions options;
    options.close_limit = 0;
    const auto store = *Store::create(medium, options);
    StoreModel model{options.schema};
    ASSERT_TRUE(store->add_edges(model.batch({{{1, 2}, 1}})));
    failing = true;
    const Status closed = store->close();
    ASSERT_FALSE(closed);
    const std::string& message = closed.error().message;
    EXPECT_EQ(closed.error().code, syncs ? ErrorCode::out_of_space : ErrorCode::io) << message;
    EXPECT_EQ(message.find("safe in its log") != std::string::npos, syncs) << message;
    EXPECT_NE(message.find(syncs ? "is full" : "is gone"), std::string::npos) << message;
  }
}

/// Taking a failed append back syncs what was there before: nothing is late after that.
TEST(StoreCommit, NothingIsLateOnceItIsDurable) {
  FaultMedium medium;
  Committer committer(Durability::group, "here");
  committer.set_log(*Log::create(medium, {}, 1, 1, {}), 0);
  LogPayload payload;
  payload.vertices(1);
  const auto commit = [&](bool sync) {
    Committer::Batch batch(sync ? std::span<const std::byte>() : payload.bytes(), [] {}, 0, sync);
    EXPECT_TRUE(committer.enqueue(batch));
    return committer.wait(batch);
  };
  ASSERT_TRUE(commit(false));
  EXPECT_TRUE(committer.unsynced_seconds());
  medium.fail({OperationKind::write, 1, ErrorCode::out_of_space, false});
  EXPECT_FALSE(commit(false));
  EXPECT_TRUE(committer.take_failure());
  ASSERT_TRUE(commit(true));
  EXPECT_FALSE(committer.unsynced_seconds());
  ASSERT_TRUE(commit(false));
  committer.set_log(*Log::create(medium, {}, 2, 2, {.start = LogStart::anew}), 0);
  EXPECT_FALSE(committer.unsynced_seconds()) << "what replaces everything is durable";
}

/// A change that was enqueued before all changing ended is an Error, and leaves no record.
TEST(StoreCommit, NothingIsWrittenOnceChangingHasEnded) {
  FaultMedium medium;
  Committer committer(Durability::always, "here");
  committer.set_log(*Log::create(medium, {}, 1, 1, {}), 0);
  LogPayload payload;
  payload.vertices(1);
  bool applied = false;
  Committer::Batch batch(payload.bytes(), [&] { applied = true; }, 0);
  ASSERT_TRUE(committer.enqueue(batch));
  committer.fail_for_good(Error{ErrorCode::io, "the device is gone"});
  const std::uint64_t before = committer.log().end();
  const Status status = committer.wait(batch);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("the device is gone"), std::string::npos) << status.error().message;
  EXPECT_FALSE(applied);
  EXPECT_EQ(committer.log().end(), before);
}

TEST(StoreCommit, AFullDiskForSectionsDoesNotStopChanges) {
  FaultMedium medium;
  const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
  StoreOptions options;
  options.log_limit = 400;
  options.log_ahead = 0;
  auto store = Store::create(shared, options);
  ASSERT_TRUE(store) << store.error().message;
  medium.fail({OperationKind::create, 1, ErrorCode::out_of_space, true});  // no new log, no new manifest
  StoreModel model{GraphSchema{}};
  for (int i = 0; i < 40; ++i) {
    const std::vector<StoreModel::Added> added{{{i, i + 1}, 1}};
    ASSERT_TRUE((*store)->add_edges(model.batch(added)));
    model.add(added[0]);
  }
  EXPECT_NE((*store)->info()->background_error, "");
  EXPECT_FALSE((*store)->checkpoint());
  medium.clear_faults();
  ASSERT_TRUE((*store)->checkpoint());
  EXPECT_EQ((*store)->info()->background_error, "");
  EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
  *store = nullptr;
  auto opened = Store::open(shared, options);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE(*equals(**(*opened)->snapshot(), model));
}

/// Whatever a crash leaves: what was flushed, or closed, is there, and what came later is there in order.
void expect_flushed_survives(Durability durability) {
  FaultMedium medium;
  const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
  StoreOptions options;
  options.schema.section_bits = 2;
  options.durability = durability;
  options.group_delay = std::chrono::hours(1);
  options.log_limit = 900;
  options.log_ahead = 512;
  std::vector<StoreModel> states{StoreModel(options.schema)};
  std::vector<std::uint64_t> flushed{0};  // position at which state k was known to be durable
  {
    auto store = Store::create(shared, options);
    ASSERT_TRUE(store) << store.error().message;
    flushed[0] = medium.position();
    for (std::int64_t i = 0; i < 24; ++i) {
      StoreModel next = states.back();
      const std::vector<StoreModel::Added> added{{{i % 5, i}, 1}, {{i, i % 7}, 1}};
      for (const auto& one : added) next.add(one);
      ASSERT_TRUE((*store)->add_edges(next.batch(added)));
      states.push_back(next);
      flushed.push_back(UINT64_MAX);
      if (i % 4 == 2) {
        ASSERT_TRUE((*store)->flush());
        for (auto& position : flushed) position = std::min(position, medium.position());
      }
    }
    ASSERT_TRUE((*store)->close());
    for (auto& position : flushed) position = std::min(position, medium.position());
  }
  std::uint64_t kept = 0;
  for (const CrashState& state : medium.crash_states({.systematic = 8, .random = 4, .first_position = flushed[0]})) {
    SCOPED_TRACE(state.describe());
    const std::shared_ptr<Medium> left = state.materialize();
    auto store = Store::open(left, options);
    ASSERT_TRUE(store) << store.error().message;
    const auto snapshot = *(*store)->snapshot();
    bool found = false;
    for (std::size_t k = states.size(); k-- > 0 && !found;) {
      found = *equals(*snapshot, states[k]);
      if (found) kept += k;
      const bool needed = flushed[k] <= state.position();
      ASSERT_TRUE(found || !needed) << "batch " << k << " was flushed";
    }
    ASSERT_TRUE(found) << "a content that never was";
  }
  EXPECT_GT(kept, 0u);
}

TEST(StoreCommit, WhatWasFlushedSurvivesAtGroup) { expect_flushed_survives(Durability::group); }
TEST(StoreCommit, WhatWasFlushedSurvivesAtNone) { expect_flushed_survives(Durability::none); }

TEST(StoreCommit, ACheckpointLetsChangesAndHeldSnapshotsBe) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreOptions options;
  options.schema.section_bits = 3;
  options.background = true;
  options.log_limit = 4'000;
  auto store = Store::create(medium, options);
  ASSERT_TRUE(store) << store.error().message;
  StoreModel model(options.schema);
  std::vector<std::pair<std::shared_ptr<const StoreSnapshot>, StoreModel>> held;
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    std::vector<StoreModel::Added> added;
    for (int e = 0; e < 5; ++e)
      added.push_back({{static_cast<std::int64_t>(random.below(90)), static_cast<std::int64_t>(random.below(90))}, 1});
    ASSERT_TRUE((*store)->add_edges(model.batch(added)));
    for (const auto& one : added) model.add(one);
    if (i % 60 == 30) held.emplace_back(*(*store)->snapshot(), model);
  }
  for (const auto& [snapshot, state] : held) EXPECT_TRUE(*equals(*snapshot, state));
  EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
  EXPECT_LE((*store)->info()->log_bytes, options.log_limit + 1'000);
}

/// Two threads bring the first data of a graph whose kind of ids was not asked for: numbers and strings.
TEST(StoreThreads, SettleTheKindOfIdsOnce) {
  for (int round = 0; round < 300; ++round) {
    StoreOptions options;
    options.schema.ids_fixed = false;
    options.durability = Durability::none;
    options.background = true;
    const auto store = *Store::create(make_memory_medium(), options);
    std::vector<Status> done(2);
    const auto fill = [&](std::size_t i) {
      const IdKind kind = i == 0 ? IdKind::integer : IdKind::string;
      const auto settled = store->settle_ids(kind, false);
      if (!settled) {
        done[i] = settled.error();
        return;
      }
      const EdgeBatch numbers{std::vector<std::int64_t>{-7}, std::vector<std::int64_t>{1 << 20}, {}};
      StringColumn ann, bob;
      ann.push_back("ann");
      bob.push_back("bob");
      done[i] = store->add_edges(i == 0 ? numbers : EdgeBatch{std::move(ann), std::move(bob), {}});
    };
    std::thread other(fill, 1);
    fill(0);
    other.join();
    ASSERT_NE(bool(done[0]), bool(done[1])) << "one kind, and so one of the two";
    const auto& refused = done[0] ? done[1] : done[0];
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument) << refused.error().message;
    EXPECT_EQ(*(*store->snapshot())->num_edges(), 1u);
    EXPECT_EQ(store->schema().ids, done[0] ? IdKind::integer : IdKind::string);
  }
}

}  // namespace
}  // namespace rizoma
