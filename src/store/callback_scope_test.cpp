// The user's code under the store's locks: who waits for whom, and that all waiting ends.  No test depends on how long
// anything takes: a call of that code lasts until those whom it waits for have been refused.
#include "store/callback_scope.h"

#include "platform/memory_medium.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/filtered_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// One thread, which calls the user's code wherever an executor may.
class Telling final : public Executor {
 public:
  explicit Telling(std::function<void()> code) : code_(std::move(code)) {}

  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override {
    code_();
    return {};
  }
  void parallel(FunctionRef<void(unsigned)> body) override {
    body(0);
    code_();
  }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    for (std::uint64_t begin = 0; begin < size; begin += grain) {
      body({begin, std::min(begin + grain, size)}, 0);
      code_();
    }
    return {};
  }

 private:
  std::function<void()> code_;
};

EdgeBatch edge(std::int64_t source, std::int64_t target) {
  return {std::vector<std::int64_t>{source}, std::vector<std::int64_t>{target}, {}};
}

Batch batch_of(EdgeBatch edges) {
  Batch batch;
  batch.add_edges(std::move(edges));
  return batch;
}

std::unique_ptr<Store> make_store(const std::shared_ptr<Medium>& medium, std::chrono::milliseconds lock_timeout,
                                  std::uint64_t log_limit = 256u << 20, Durability durability = Durability::always) {
  StoreOptions options;
  options.durability = durability;
  options.schema.ids = IdKind::integer;
  options.schema.section_bits = 3;
  options.background = true;
  options.lock_timeout = lock_timeout;
  options.log_limit = log_limit;
  auto store = Store::create(medium, options);
  EXPECT_TRUE(store) << store.error().message;
  for (std::int64_t i = 0; i < 20; ++i) EXPECT_TRUE((*store)->add_edges(edge(i, i + 1)));
  return std::move(*store);
}

/// What a thread may want that needs the store's locks.
std::vector<std::pair<std::string, std::function<Status(Store&)>>> wishes() {
  return {
      {"add", [](Store& store) { return store.add_edges(edge(7, 70)); }},
      {"flush", [](Store& store) { return store.flush(); }},
      {"checkpoint", [](Store& store) { return store.checkpoint(); }},
      {"compact",
       [](Store& store) {
         SerialExecutor serial;
         return store.compact(serial, VertexOrder::degree);
       }},
      {"purge",
       [](Store& store) {
         SerialExecutor serial;
         return store.purge(serial, VertexOrder::given);
       }},
      {"column", [](Store& store) { return store.add_column(RowKind::vertices, {0, ColumnType::int64, true, "age"}); }},
      {"tag", [](Store& store) { return store.tag("now"); }},
      {"close", [](Store& store) { return store.close(); }},
      {"discard", [](Store& store) { return store.discard(); }},
  };
}

void expect_refused(const Status& status, const std::string& what) {
  ASSERT_FALSE(status) << what;
  EXPECT_EQ(status.error().code, ErrorCode::locked) << what << ": " << status.error().message;
  EXPECT_NE(status.error().message.find("progress function or signal handler"), std::string::npos)
      << status.error().message;
}

/// `change` calls the executor.  Within, each wish of another thread ends with an error, but for those that need no
/// lock which is held then; afterwards all goes on.
void expect_wishes_end(const std::function<Status(Store&, Executor&)>& change,
                       const std::set<std::string>& granted_at_once) {
  for (const auto& [what, wish] : wishes()) {
    const std::shared_ptr<Medium> medium = make_memory_medium();
    const auto store = make_store(medium, std::chrono::milliseconds(5));
    unsigned asked = 0;
    Telling executor([&] {
      if (++asked > 2) return;
      const Status status = std::async(std::launch::async, [&] { return wish(*store); }).get();
      if (granted_at_once.contains(what)) {
        EXPECT_TRUE(status) << what << ": " << status.error().message;
      } else {
        expect_refused(status, what);
      }
    });
    const Status done = change(*store, executor);
    ASSERT_TRUE(done) << what << ": " << done.error().message;
    EXPECT_GE(asked, 1u) << what;
    const Status granted = wish(*store);
    EXPECT_TRUE(granted) << what << ": " << granted.error().message;
    if (what == "discard") continue;
    EXPECT_EQ(bool(store->add_edges(edge(8, 80))), what != "close");
    ASSERT_TRUE(store->close());
    SerialExecutor serial;
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->findings.empty()) << what;
  }
}

TEST(CallbackScope, OfAChangeMayWaitForAThreadThatWantsTheStore) {
  const auto change = [](Store& store, Executor& executor) -> Status {
    RIZOMA_TRY(store.apply(batch_of(edge(3, 30)), executor));
    return {};
  };
  expect_wishes_end(change, {});
}

TEST(CallbackScope, OfACompactionMayWaitForAThreadThatWantsTheStore) {
  const auto compact = [](Store& store, Executor& executor) { return store.compact(executor, VertexOrder::degree); };
  expect_wishes_end(compact, {"add", "flush"});
}

TEST(CallbackScope, OfAPurgeMayWaitForAThreadThatWantsTheStore) {
  const auto purge = [](Store& store, Executor& executor) { return store.purge(executor, VertexOrder::given); };
  expect_wishes_end(purge, {});
}

/// The log is full again and again, so that changes wait for a checkpoint, and that for the change.
TEST(CallbackScope, MayWaitForAThreadThatWaitsForRoomInTheLog) {
  const auto store = make_store(make_memory_medium(), std::chrono::milliseconds(2), 256);
  for (std::int64_t round = 0; round < 30; ++round) {
    bool asked = false;
    Telling executor([&] {
      asked = true;
      const auto add = [&] { return store->add_edges(edge(round, 100 + round)); };
      expect_refused(std::async(std::launch::async, add).get(), "add");
    });
    ASSERT_TRUE(store->apply(batch_of(edge(round, 50 + round)), executor));
    EXPECT_TRUE(asked);
  }
  EXPECT_EQ(*(*store->snapshot())->num_edges(), 50u);
}

/// The checkpoint has written its sections when the change begins, whose code waits for it.  It gives up; all is kept.
TEST(CallbackScope, MayWaitForACheckpointThatHasWrittenItsSections) {
  const std::shared_ptr<Medium> below = make_memory_medium();
  std::function<void()> among;  // done at the checkpoint's first write of data
  const auto filter = [&](OperationKind kind, std::string_view file, const auto& operation) {
    if (kind == OperationKind::write && file == kDataName && among) std::exchange(among, nullptr)();
    return operation();
  };
  const auto store = make_store(make_filtered_medium(*below, filter), std::chrono::milliseconds(5));
  std::promise<void> called;
  std::promise<Status> checkpoint;
  std::future<Status> change;
  among = [&] {
    change = std::async(std::launch::async, [&]() -> Status {
      bool asked = false;
      Telling executor([&] {
        if (std::exchange(asked, true)) return;
        called.set_value();
        expect_refused(checkpoint.get_future().get(), "checkpoint");
      });
      RIZOMA_TRY(store->apply(batch_of(edge(3, 30)), executor));
      return {};
    });
    called.get_future().wait();
  };
  checkpoint.set_value(store->checkpoint());
  ASSERT_TRUE(change.valid());
  const Status changed = change.get();
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(store->info()->background_error, "");
  ASSERT_TRUE(store->checkpoint());
  EXPECT_EQ(*(*store->snapshot())->num_edges(), 21u);
  ASSERT_TRUE(store->close());
  SerialExecutor serial;
  EXPECT_TRUE(check_store(below, serial)->findings.empty());
}

/// At `group` the store's thread makes durable what nothing comes after.  It is there although a close, or a discard,
/// was begun and refused.
TEST(CallbackScope, ForWhichAnEndIsRefusedLeavesTheStoreItsThread) {
  for (const bool discards : {false, true}) {
    const std::shared_ptr<Medium> below = make_memory_medium();
    std::atomic<bool> awaited{false};
    std::promise<void> synced;
    std::future<void> done = synced.get_future();
    const auto filter = [&](OperationKind kind, std::string_view file, const auto& operation) {
      const Status status = operation();
      if (kind == OperationKind::sync && file.starts_with("log.") && awaited.exchange(false)) synced.set_value();
      return status;
    };
    const auto store =
        make_store(make_filtered_medium(*below, filter), std::chrono::milliseconds(5), 256u << 20, Durability::group);
    ASSERT_TRUE(store->flush());
    bool asked = false;
    Telling executor([&] {
      if (std::exchange(asked, true)) return;
      const auto end = [&] { return discards ? store->discard() : store->close(); };
      expect_refused(std::async(std::launch::async, end).get(), "end");
      awaited = true;  // what is synced from now on is this change
    });
    ASSERT_TRUE(store->apply(batch_of(edge(3, 30)), executor));
    ASSERT_EQ(done.wait_for(std::chrono::minutes(5)), std::future_status::ready);  // so that a failure does not hang
    ASSERT_TRUE(store->close());
  }
}

TEST(CallbackScope, ThatReturnsIsWaitedFor) {
  const auto store = make_store(make_memory_medium(), std::chrono::hours(1));
  std::future<Status> other;
  Telling executor([&] {
    if (!other.valid()) other = std::async(std::launch::async, [&] { return store->add_edges(edge(7, 70)); });
  });
  ASSERT_TRUE(store->compact(executor, VertexOrder::degree));
  ASSERT_TRUE(other.valid());
  const Status added = other.get();
  EXPECT_TRUE(added) << added.error().message;
  EXPECT_EQ(*(*store->snapshot())->num_edges(), 21u);
}

/// Without lock_timeout each call of that code is overdue at once, and whatever is no call of it never is.
TEST(CallbackScope, OfEndlessLockTimeoutIsNotOverdue) {
  CallbackScope code(std::chrono::milliseconds::max());
  Telling telling([&] { EXPECT_FALSE(code.is_overdue()); });
  WatchedExecutor watched(code, telling);
  EXPECT_TRUE(watched.report("", 0, 0));
}

TEST(CallbackScope, IsOverdueInItsOwnCallsOnly) {
  CallbackScope code(std::chrono::milliseconds(0));
  const auto becomes_overdue = [&] {
    while (!code.is_overdue()) std::this_thread::yield();
  };
  unsigned calls = 0;
  Telling telling([&] {
    ++calls;
    becomes_overdue();
    EXPECT_TRUE(code.is_called_by_this_thread());
  });
  EXPECT_FALSE(code.is_called_by_this_thread());
  {
    WatchedExecutor watched(code, telling);
    const auto expect_at_work = [&] { EXPECT_FALSE(code.is_overdue()); };
    expect_at_work();
    ASSERT_TRUE(watched.report("phase", 0, 0));
    expect_at_work();
    ASSERT_TRUE(watched.for_blocks(4, 2, [&](VertexRange, unsigned) {
      expect_at_work();
      ASSERT_TRUE(watched.report("phase", 0, 0));  // a long body asks whether to go on
      expect_at_work();
      ASSERT_TRUE(watched.for_blocks(2, 2, [&](VertexRange, unsigned) { expect_at_work(); }));
      expect_at_work();
    }));
    watched.parallel([&](unsigned) { expect_at_work(); });
    expect_at_work();
  }
  EXPECT_EQ(calls, 8u);
  EXPECT_FALSE(code.is_overdue());
  EXPECT_FALSE(code.is_called_by_this_thread());
}

}  // namespace
}  // namespace rizoma
