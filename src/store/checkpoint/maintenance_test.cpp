// A caller that waits for room learns of room, of a failure and of the end at once; a checkpoint that failed is tried
// again without a change.
#include "store/checkpoint/maintenance.h"

#include "platform/clock.h"
#include "platform/memory_medium.h"
#include "store/store.h"
#include "testing/filtered_medium.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

/// Lets a thread wait, whose own next look is far away, then calls `tell`; the seconds that it waited.
double seconds_until_told(Maintenance& maintenance, std::atomic<bool>& enough, const std::function<void()>& tell) {
  std::atomic<bool> looked{false};
  const Stopwatch clock;
  std::thread waiting([&] {
    maintenance.wait_for(
        [&] {
          looked = true;  // under the lock that the teller needs
          return enough.load();
        },
        milliseconds(5000));
  });
  while (!looked) std::this_thread::yield();
  tell();
  waiting.join();
  return clock.seconds();
}

TEST(Maintenance, WhoWaitsIsToldAtOnce) {
  Maintenance maintenance;
  std::atomic<bool> enough{false};
  const auto room = [&] {
    enough = true;
    maintenance.look_again();
  };
  EXPECT_LT(seconds_until_told(maintenance, enough, room), 4) << "room";
  enough = false;
  const auto failure = [&] { maintenance.note(Error{ErrorCode::io, "full"}); };
  EXPECT_LT(seconds_until_told(maintenance, enough, failure), 4) << "a failure";
  maintenance.note({});
  EXPECT_LT(seconds_until_told(maintenance, enough, [&] { maintenance.stop(); }), 4) << "the end";
}

TEST(Maintenance, NobodyWaitsAfterAFailureOrTheEnd) {
  Maintenance maintenance;
  int looks = 0;
  const auto most_looks = [&] { return ++looks == 3; };
  maintenance.note(Error{ErrorCode::io, "full"});
  maintenance.wait_for(most_looks, milliseconds(1));
  EXPECT_EQ(looks, 0);
  maintenance.note({});
  maintenance.wait_for(most_looks, milliseconds(1));
  EXPECT_EQ(looks, 3);
  looks = 0;
  maintenance.stop();
  maintenance.wait_for(most_looks, milliseconds(1));
  EXPECT_EQ(looks, 0);
}

/// A store in memory, of which `filter` sees each operation.
struct Watched {
  explicit Watched(OperationFilter filter) : medium(make_filtered_medium(*below, std::move(filter))) {}
  std::shared_ptr<Medium> below = make_memory_medium();
  std::shared_ptr<Medium> medium;
};

OperationFilter counting(std::atomic<int>& syncs) {
  return [&syncs](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
    syncs += kind == OperationKind::sync && file.starts_with("log") ? 1 : 0;
    return operation();
  };
}

Status add_one_edge(Store& store, std::int64_t from, std::int64_t to) {
  return store.add_edges({std::vector<std::int64_t>{from}, std::vector<std::int64_t>{to}, {}});
}

/// True once `there` is, false after ten seconds.
bool comes(const std::function<bool()>& there) {
  const Stopwatch clock;
  while (!there()) {
    if (clock.seconds() > 10) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

StoreOptions of_groups(bool background, milliseconds delay) {
  StoreOptions options;
  options.background = background;
  options.durability = Durability::group;
  options.group_delay = delay;
  return options;
}

/// Durability::group wakes the thread for each sync; only a long log is moved into sections.
TEST(MaintenanceOfAStore, SyncsWithoutACheckpoint) {
  std::atomic<int> syncs{0};
  Watched watched(counting(syncs));
  const auto store = *Store::create(watched.medium, of_groups(true, milliseconds(1)));
  const std::uint64_t generation = store->info()->generation;
  for (std::int64_t i = 0; i < 3; ++i) {  // the thread has ended its work of the first two when it syncs the third
    const int before = syncs;
    ASSERT_TRUE(add_one_edge(*store, i, i + 1));
    ASSERT_TRUE(comes([&] { return syncs > before; }));
  }
  EXPECT_EQ(store->info()->generation, generation);
  EXPECT_GT(store->info()->pending_entries, 0U);
}

/// Without a thread the change that comes after the delay makes those before it durable.
TEST(MaintenanceOfAStore, AChangeSyncsWhatIsLateWithoutAThread) {
  std::atomic<int> syncs{0};
  Watched watched(counting(syncs));
  const auto store = *Store::create(watched.medium, of_groups(false, milliseconds(0)));
  const int before = syncs;
  ASSERT_TRUE(add_one_edge(*store, 0, 1));
  EXPECT_EQ(syncs, before + 1);
  ASSERT_TRUE(store->close());
  const auto patient = *Store::open(watched.medium, of_groups(false, std::chrono::hours(1)));
  const int opened = syncs;
  ASSERT_TRUE(add_one_edge(*patient, 1, 2));
  EXPECT_EQ(syncs, opened);
}

TEST(MaintenanceOfAStore, TriesAgainWithoutAChange) {
  std::atomic<bool> full{false};
  Watched watched([&](OperationKind, std::string_view file, const std::function<Status()>& operation) {
    if (full && file == "data") return Status(Error{ErrorCode::out_of_space, "full"});
    return operation();
  });
  StoreOptions options;
  options.background = true;
  options.log_limit = 400;
  const auto store = *Store::create(watched.medium, options);
  full = true;
  for (std::int64_t i = 0; i < 12; ++i) ASSERT_TRUE(add_one_edge(*store, i, i + 1));
  ASSERT_TRUE(comes([&] { return !store->info()->background_error.empty(); }));
  full = false;
  EXPECT_TRUE(comes([&] { return store->info()->background_error.empty(); }));
}

}  // namespace
}  // namespace rizoma
