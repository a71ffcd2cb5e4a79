// Other internal ids while changes go on: what comes meanwhile is there, in the new numbers, and waits for none of it.
#include "store/rewrite/renumbering.h"

#include "base/checksum.h"
#include "platform/memory_medium.h"
#include "store/file_names.h"
#include "store/repair/store_check.h"
#include "store/space/data_files.h"
#include "testing/filtered_medium.h"
#include "testing/int64_column.h"
#include "testing/store_model.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Asks a function at every report, and stops if it says so.
class AskingExecutor final : public Executor {
 public:
  explicit AskingExecutor(std::function<bool(std::string_view phase)> go_on) : go_on_(std::move(go_on)) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view phase, double, double) override {
    if (go_on_(phase)) return {};
    return Error{ErrorCode::cancelled, "stopped"};
  }
  void parallel(FunctionRef<void(unsigned)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    return SerialExecutor().for_blocks(size, grain, body);
  }

 private:
  std::function<bool(std::string_view)> go_on_;
};

void add_edge(Store& store, StoreModel& model, std::int64_t u, std::int64_t v) {
  const std::vector<StoreModel::Added> added{{{u, v}, 1}};
  ASSERT_TRUE(store.add_edges(model.batch(added)));
  model.add(added);
}

/// A change of another thread at every report; all are made before the renumbering goes on, which keeps none waiting.
TEST(Renumbering, ChangesGoOnMeanwhile) {
  for (const bool background : {false, true}) {
    StoreOptions options;
    options.schema.ids = IdKind::integer;
    options.schema.section_bits = 3;
    options.catch_up_bytes = 100;
    options.background = background;
    const std::shared_ptr<Medium> medium = make_memory_medium();
    const auto store = *Store::create(medium, options);
    StoreModel model(options.schema);
    const auto add = [&](std::int64_t u, std::int64_t v) { add_edge(*store, model, u, v); };
    for (std::int64_t i = 0; i < 40; ++i) add(7 * i % 31, i);
    const auto held = *store->snapshot();
    const StoreModel before = model;
    std::int64_t made = 0;
    AskingExecutor executor([&](std::string_view phase) {
      if (phase == "catch up" && made > 20) return true;
      std::thread([&] { add(made, 100 + made / 2); }).join();
      ++made;
      return true;
    });
    const Status done = store->compact(executor, VertexOrder::degree);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_GT(made, 2);
    EXPECT_EQ(store->info()->order, VertexOrder::degree);
    EXPECT_TRUE(*equals(**store->snapshot(), model));
    EXPECT_TRUE(*equals(*held, before)) << "a snapshot has changed";
    add(1000, 3);
    EXPECT_TRUE(*equals(**store->snapshot(), model));
    ASSERT_TRUE(store->close());
    SerialExecutor serial;
    EXPECT_TRUE(check_store(medium, serial)->findings.empty());
    EXPECT_TRUE(*equals(**(*Store::open(medium, options))->snapshot(), model));
  }
}

/// A store with a few edges, whose log is caught up with to its end.
std::unique_ptr<Store> store_to_renumber(const std::shared_ptr<Medium>& medium, StoreModel& model,
                                         StoreOptions options = {}) {
  options.catch_up_bytes = 0;
  auto store = *Store::create(medium, options);
  for (std::int64_t i = 0; i < 40; ++i) add_edge(*store, model, 5, i);
  return store;
}

/// It goes after changes as long as there are any, without keeping them waiting, but not for ever.
TEST(Renumbering, CatchesUpInSixteenRoundsAtMost) {
  for (const int changed : {0, 3, 1000}) {
    StoreModel model({});
    const auto store = store_to_renumber(make_memory_medium(), model);
    int rounds = 0;
    AskingExecutor executor([&](std::string_view phase) {
      if (phase != "catch up") return true;
      if (++rounds <= changed) std::thread([&] { add_edge(*store, model, 7, rounds); }).join();
      return true;
    });
    ASSERT_TRUE(store->compact(executor, VertexOrder::degree));
    EXPECT_EQ(rounds, std::min(changed + 1, 16));
    EXPECT_TRUE(*equals(**store->snapshot(), model));
  }
}

/// Changes made meanwhile need room in the log: a checkpoint comes first, and if it fails, nothing else.
TEST(Renumbering, BeginsWithRoomInTheLog) {
  const auto below = make_memory_medium();
  bool full = false;
  const auto medium = make_filtered_medium(
      *below, [&](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
        const bool fails = kind == OperationKind::write && file == kDataName && std::exchange(full, false);
        return fails ? Status(Error{ErrorCode::out_of_space, "full"}) : operation();
      });
  StoreOptions options;
  options.log_limit = 8000;
  StoreModel model({});
  const auto store = store_to_renumber(medium, model, options);
  ASSERT_GT(store->info()->log_bytes, 2000U);
  std::optional<std::uint64_t> log_bytes;
  AskingExecutor executor([&](std::string_view) {
    std::thread([&] { log_bytes = log_bytes ? *log_bytes : store->info()->log_bytes; }).join();
    return true;
  });
  full = true;
  const Status done = store->compact(executor, VertexOrder::degree);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::out_of_space);
  EXPECT_FALSE(log_bytes);
  EXPECT_EQ(store->info()->order, VertexOrder::given);
  ASSERT_TRUE(store->compact(executor, VertexOrder::degree));
  EXPECT_LT(*log_bytes, 2000U);
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

/// The checkpoint that would make room waits for the renumbering, and that for the progress function, which waits for
/// the change: once the function is overdue, changes go on beyond the limit.
TEST(Renumbering, ChangesDoNotWaitForRoomBehindAnOverdueProgressFunction) {
  StoreOptions options;
  options.background = true;
  options.log_limit = 2000;
  options.lock_timeout = std::chrono::milliseconds(50);
  StoreModel model({});
  const auto store = store_to_renumber(make_memory_medium(), model, options);
  std::future<void> changes;
  bool in_time = true;
  AskingExecutor executor([&](std::string_view) {
    if (changes.valid()) return true;
    changes = std::async(std::launch::async, [&] {
      for (std::int64_t i = 0; i < 40; ++i) add_edge(*store, model, 9, i);
    });
    in_time = changes.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
    return true;
  });
  static_cast<void>(store->compact(executor, VertexOrder::degree));
  EXPECT_TRUE(in_time);
  changes.get();
  EXPECT_TRUE(*equals(**store->snapshot(), model));
}

/// Values that come meanwhile are those of the same vertices in their new order, which is another one.
TEST(Renumbering, ValuesThatComeMeanwhileStayWithTheirVertices) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  options.schema.vertex_columns = {{0, ColumnType::int64, true, "age"}};
  options.catch_up_bytes = 0;
  auto store = *Store::create(medium, options);
  std::vector<std::int64_t> sources, targets, ids(40), ages(40);
  for (std::int64_t i = 0; i < 40; ++i) {
    ids[static_cast<std::size_t>(i)] = i;
    ages[static_cast<std::size_t>(i)] = 100 - i;
    for (std::int64_t to = 0; to < i; ++to) sources.push_back(i), targets.push_back(to);  // the last has the most
  }
  ASSERT_TRUE(store->add_edges({sources, targets, {}}));
  int rounds = 0;
  AskingExecutor executor([&](std::string_view phase) {
    if (phase != "catch up" || rounds++ > 0) return true;
    std::thread([&] {
      EXPECT_TRUE(store->apply(Batch().set_vertices(ids, testing::int64_column("age", ages))));
    }).join();
    return true;
  });
  ASSERT_TRUE(store->compact(executor, VertexOrder::degree));
  for (const bool reopened : {false, true}) {
    if (reopened) {
      ASSERT_TRUE(store->close());
      store = *Store::open(medium, options);
    }
    const auto snapshot = *store->snapshot();
    const std::vector<VertexId> numbers = *snapshot->find(ids);
    EXPECT_FALSE(std::is_sorted(numbers.begin(), numbers.end()));
    const auto values = snapshot->vertex_values("age", numbers);
    ASSERT_TRUE(values) << values.error().message;
    std::vector<std::int64_t> found(ids.size());
    std::memcpy(found.data(), values->values.data(), found.size() * sizeof(std::int64_t));
    EXPECT_EQ(found, ages);
  }
}

/// Where a change failed that may be durable or not, nothing is changed any more: no other order is published either.
TEST(Renumbering, EndsWhereChangingHasEnded) {
  const auto below = make_memory_medium();
  bool fails = false;
  const auto medium = make_filtered_medium(
      *below, [&](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
        const bool now = kind == OperationKind::sync && file.starts_with("log") && std::exchange(fails, false);
        return now ? Status(Error{ErrorCode::io, "broken"}) : operation();
      });
  StoreModel model({});
  const auto store = store_to_renumber(medium, model);
  AskingExecutor executor([&](std::string_view phase) {
    if (phase != "catch up") return true;
    std::thread([&] {
      fails = true;
      EXPECT_FALSE(store->add_vertices(std::vector<std::int64_t>{50}));
    }).join();
    return true;
  });
  const Status done = store->compact(executor, VertexOrder::degree);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::io);
  EXPECT_EQ(store->info()->order, VertexOrder::given);
}

/// Changes of every kind, for every kind of schema, between and during renumberings.
TEST(Renumbering, OfRandomHistoriesAmongChanges) {
  constexpr std::string_view kScripts[] = {"rrOrOROrcO", "lrOrrOOtRrO", "arOxrOrkOR", "srOrcOrrO"};
  for (std::uint64_t seed = 0; seed < 48 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world = store_worlds()[seed % 9];
    world.catch_up_bytes = seed % 4 * 100;
    const StoreOptions options = world.options(schema_number(seed));
    StoreHistory history(make_memory_medium(), nullptr, options, seed);
    ASSERT_TRUE(history.create());
    for (const char step : kScripts[seed % std::size(kScripts)]) {
      const Status status = history.step(step);
      ASSERT_TRUE(status) << step << ": " << status.error().message;
      const auto same = equals(**history.store().snapshot(), history.model());
      ASSERT_TRUE(same) << step << ": " << same.error().message;
      ASSERT_TRUE(*same) << "after " << step;
    }
  }
}

/// Stopped at any report, it leaves the order and the changes as they are, and no file.
TEST(Renumbering, CanBeStopped) {
  StoreOptions options;
  options.catch_up_bytes = 0;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  const auto add = [&](std::int64_t u, std::int64_t v) { add_edge(*store, model, u, v); };
  for (std::int64_t i = 0; i < 40; ++i) add(5, i);
  const std::size_t files = medium->list()->size();
  int stopped = 0;
  for (int nth = 1;; ++nth) {
    int reports = 0;
    AskingExecutor executor([&](std::string_view) {
      if (reports < 3) std::thread([&] { add(nth, reports); }).join();
      return ++reports < nth;
    });
    const Status done = store->compact(executor, VertexOrder::degree);
    EXPECT_TRUE(*equals(**store->snapshot(), model));
    if (done) break;
    ++stopped;
    EXPECT_EQ(done.error().code, ErrorCode::cancelled);
    EXPECT_EQ(medium->list()->size(), files);
    EXPECT_EQ(store->info()->order, VertexOrder::given);
  }
  EXPECT_GT(stopped, 2);
  EXPECT_EQ(store->info()->order, VertexOrder::degree);
}

/// The thread that tells of its progress holds a lock: what its user's code may not ask is refused.
TEST(Renumbering, RefusesChangesFromWithinItsProgress) {
  const auto store = *Store::create(make_memory_medium(), {});
  ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{1}, std::vector<std::int64_t>{2}, {}}));
  int refused = 0;
  SerialExecutor serial;
  AskingExecutor executor([&](std::string_view) {
    const Status added = store->add_vertices(std::vector<std::int64_t>{7});
    EXPECT_TRUE(!added && added.error().code == ErrorCode::invalid_argument);
    EXPECT_FALSE(store->checkpoint());
    const auto settled = store->settle_ids(IdKind::integer, false);
    const auto target = store->load_target(IdKind::dense);
    for (const Status& status : {settled ? Status() : Status(settled.error()), target ? Status() : target.error(),
                                 store->place({0}), store->compact(serial, VertexOrder::degree), store->close()}) {
      EXPECT_FALSE(status);
      const std::string said = status ? "" : status.error().message;
      EXPECT_NE(said.find("from a progress function"), std::string::npos) << said;
    }
    EXPECT_TRUE(store->snapshot());
    ++refused;
    return true;
  });
  ASSERT_TRUE(store->compact(executor, VertexOrder::degree));
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(store->add_vertices(std::vector<std::int64_t>{7}));
}

/// Whole in itself, the last record of a log names a vertex that there is not one of as the source of its edge.
void forge_last_record(Medium& medium, std::uint64_t log_number) {
  const auto file = *medium.open(log_name(log_number), FileMode::write);
  std::vector<std::byte> bytes(*file->size());
  ASSERT_TRUE(file->read(0, bytes));
  format::LogRecord record;
  std::uint64_t at = 0;
  for (std::uint64_t next = sizeof(format::LogHeader); next + sizeof record <= bytes.size();) {
    format::LogRecord found;
    std::memcpy(&found, bytes.data() + next, sizeof found);
    if (found.magic != format::kRecordMagic) break;
    record = found;
    at = next;
    next += sizeof found + (found.payload_bytes + 7) / 8 * 8;
  }
  ASSERT_GT(at, 0u);
  const auto payload = std::span(bytes).subspan(at + sizeof record, record.payload_bytes);
  const VertexId absent = 1'000'000;
  std::memcpy(payload.data() + sizeof(format::LogOperation), &absent, sizeof absent);
  record.payload_checksum = checksum(payload, format::kSeedLogPayload);
  record.checksum = checksum(std::as_bytes(std::span(&record, 1)).first(offsetof(format::LogRecord, checksum)),
                             format::kSeedLogRecord ^ (log_number << 24));
  std::memcpy(bytes.data() + at, &record, sizeof record);
  ASSERT_TRUE(file->write(0, bytes));
}

/// What it cannot follow is in the log of the store, whatever that of its successor is called.
TEST(Renumbering, NamesTheLogThatItCannotFollow) {
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  options.catch_up_bytes = 0;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, options);
  StoreModel model(options.schema);
  for (std::int64_t i = 0; i < 5; ++i) add_edge(*store, model, i, i + 1);
  bool forged = false;
  AskingExecutor executor([&](std::string_view phase) {
    if (phase != "catch up" || std::exchange(forged, true)) return true;
    std::thread([&] { add_edge(*store, model, 4, 1); }).join();
    forge_last_record(*medium, 1);
    return true;
  });
  const Status done = store->compact(executor, VertexOrder::degree);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::corrupt);
  EXPECT_NE(done.error().message.find(log_name(1) + " "), std::string::npos) << done.error().message;
}

/// The log of a state that no superblock names: it says nothing while it repeats the logs before it, and is a sign of
/// damage once it has more.
TEST(Renumbering, ItsLogSaysNothingUntilItHasMoreThanTheOthers) {
  const auto medium = make_memory_medium();
  const format::StoreId id{};
  const auto log = *Log::create(*medium, id, 5, 10, {.start = LogStart::prepared});
  LogPayload payload;
  payload.vertices(3);
  const std::span<const std::byte> records[] = {payload.bytes(), payload.bytes()};
  const auto continues = [&](std::uint64_t next, bool beside_writer) {
    const auto file = *medium->open(log_name(5), FileMode::read);
    std::vector<std::byte> bytes(*file->size());
    EXPECT_TRUE(file->read(0, bytes));
    LogExpectation expected{id, 5, next, 0};
    expected.beside_writer = beside_writer;
    return continues_log(bytes, expected, "log");
  };
  EXPECT_FALSE(*continues(10, false));
  ASSERT_TRUE(log->append(records));
  EXPECT_FALSE(*continues(12, false));
  EXPECT_FALSE(*continues(13, false));
  const auto more = continues(11, false);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::corrupt);
  EXPECT_FALSE(*continues(11, true)) << "both grow while they are read";
}

}  // namespace
}  // namespace rizoma
