// Crashes of stores that several threads change at once, while another one moves the log into sections.
//
// Each thread has vertices of its own, and so a model of its own: in every state that a crash may leave, what is there
// of each thread is what it was at one moment, no older than its last change that was acknowledged before the crash and
// no younger than the last one begun.
#include "testing/broken_medium.h"
#include "testing/environment.h"
#include "testing/fault_medium.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kWriters = 3;

/// One thread's changes, and when each was begun and acknowledged.
class Writer {
 public:
  Writer(Store& store, const FaultMedium& recorder, const GraphSchema& schema, std::int64_t lane, std::uint64_t seed)
      : store_(store),
        recorder_(recorder),
        random_(seed * 31 + static_cast<std::uint64_t>(lane)),
        steps_(schema, random_, lane, kWriters) {
    moments_.push_back({StoreModel(schema), 0, 0});
  }
  void run(int changes) {
    for (int i = 0; i < changes; ++i) {
      StoreModel next = moments_.back().state;
      Batch batch;
      ChangeCounts counts;
      for (std::uint64_t steps = 1 + random_.below(3); steps > 0; --steps) steps_.append(batch, next, counts);
      const std::uint64_t begun = recorder_.position();
      const auto done = store_.apply(batch);
      if (!done) {
        failure_ = done.error().message;
        return;
      }
      moments_.push_back({std::move(next), begun, recorder_.position()});
    }
  }
  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }

 private:
  Store& store_;
  const FaultMedium& recorder_;
  Random random_;
  RandomSteps steps_;
  std::vector<Moment> moments_;
  std::optional<std::string> failure_;
};

StoreModel::Lists of_lane(const StoreModel::Lists& all, std::int64_t lane) {
  StoreModel::Lists part;
  std::copy_if(all.begin(), all.end(), std::inserter(part, part.end()),
               [&](const auto& entry) { return ((entry.first % kWriters) + kWriters) % kWriters == lane; });
  return part;
}

/// What a crash at `position` must not have done to one thread's changes.
std::optional<std::string> judge(const StoreModel::Lists& found, const std::vector<Moment>& moments,
                                 std::uint64_t position) {
  for (std::size_t k = moments.size(); k-- > 0;) {
    if (moments[k].begun > position) continue;
    if (moments[k].state.lists(Direction::out) == found) return {};
    if (moments[k].acknowledged <= position) return "an acknowledged change is missing, or part of another is there";
  }
  return "a content that never was";
}

struct Census {
  std::uint64_t states = 0;
};

/// Runs the writers beside checkpoints, and explores the crashes.
std::optional<std::string> explore(const World& world, std::uint64_t seed, const CrashLimits& limits,
                                   const Mistake* mistake, Census& census) {
  GraphSchema schema = schema_number(seed);
  schema.ids = seed % 2 == 0 ? IdKind::integer : IdKind::string;  // dense ids are of all threads
  const StoreOptions options = world.options(schema);
  const auto recorder = std::make_shared<FaultMedium>(world.granularity);
  std::shared_ptr<Medium> medium = recorder;
  if (mistake != nullptr) medium = make_broken_medium(*recorder, *mistake).medium;
  auto store = Store::create(medium, options);
  if (!store) return store.error().message;
  const std::uint64_t created = recorder->position();
  std::vector<std::unique_ptr<Writer>> writers;
  for (std::int64_t lane = 0; lane < kWriters; ++lane) {
    writers.push_back(std::make_unique<Writer>(**store, *recorder, schema, lane, seed));
  }
  std::vector<std::thread> threads;
  for (const auto& writer : writers) threads.emplace_back([&writer] { writer->run(6); });
  threads.emplace_back([&] {
    for (int i = 0; i < 2; ++i) static_cast<void>((*store)->checkpoint());
  });
  for (std::thread& thread : threads) thread.join();
  *store = nullptr;
  for (const auto& writer : writers) {
    if (writer->failure()) return *writer->failure();
  }
  for (const CrashState& state : recorder->crash_states(limits)) {
    if (state.position() < created) continue;
    ++census.states;
    const auto left = Store::open(state.materialize(), options);
    if (!left) return state.describe() + ": the store does not open: " + left.error().message;
    const auto lists = lists_of(**(*left)->snapshot(), Direction::out);
    if (!lists) return state.describe() + ": " + lists.error().message;
    for (std::int64_t lane = 0; lane < kWriters; ++lane) {
      const auto wrong =
          judge(of_lane(*lists, lane), writers[static_cast<std::size_t>(lane)]->moments(), state.position());
      if (wrong) return state.describe() + ", thread " + std::to_string(lane) + ": " + *wrong;
    }
  }
  return {};
}

constexpr CrashLimits kSample{.exhaustive = 16, .systematic = 4, .random = 2};

TEST(StoreCrashAmongWriters, EveryPointLosesNothingAcknowledged) {
  const std::uint64_t first = from_environment("RIZOMA_CRASH_SEED", 1000);
  const std::uint64_t count = from_environment("RIZOMA_CRASH_HISTORIES", 8);
  CrashLimits limits = kSample;
  limits.stride = from_environment("RIZOMA_CRASH_STRIDE", 1);
  Census census;
  const std::vector<World> worlds = store_worlds();
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    const World& world = worlds[seed % worlds.size()];
    SCOPED_TRACE(world.name + ", seed " + std::to_string(seed));
    const auto violation = explore(world, seed, limits, nullptr, census);
    EXPECT_FALSE(violation) << *violation;
  }
  RecordProperty("states", static_cast<int>(census.states));
  EXPECT_GT(census.states, 50 * count / limits.stride);
}

TEST(StoreCrashAmongWriters, AMistakeIsCaught) {
  for (const Mistake& mistake : {Mistake{.name = "skipped_sync_of_log", .kind = OperationKind::sync, .file = "log."},
                                 Mistake{.name = "skipped_sync_of_data", .kind = OperationKind::sync, .file = "data"},
                                 Mistake{.name = "log_synced_a_change_too_late",
                                         .kind = OperationKind::sync,
                                         .file = "log.",
                                         .delayed = true,
                                         .until = OperationKind::write,
                                         .until_file = "log."}}) {
    SCOPED_TRACE(mistake.name);
    bool caught = false;
    for (std::uint64_t seed = 0; seed < 500 && !caught; ++seed) {  // how the threads take turns is chance
      Census census;
      caught = explore(store_worlds()[0], seed, kSample, &mistake, census).has_value();
    }
    EXPECT_TRUE(caught) << "the crash tests are blind to this mistake";
  }
}

}  // namespace
}  // namespace rizoma
