// Failures of the world at the n-th call, for every n, in scripted histories: the call gives an Error,
// the store opens again, and nothing acknowledged is lost.
#include "testing/environment.h"
#include "testing/failing_allocation.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace rizoma {
namespace {

/// The last but one has tags, columns and a purge.
constexpr const char* kScripts[] = {"avacraRrkroaRr", "lrRacka", "sroaR", "atxtrpR", "aArAtR", "ddRdacRa"};

/// The graphs of the last script have no kind of ids that was asked for.
GraphSchema schema_of(std::size_t script, std::uint64_t nth) {
  GraphSchema schema = schema_number(nth + 7 * script);
  schema.ids_fixed = script + 1 < std::size(kScripts);
  return schema;
}

/// The store opens and holds the last acknowledged state or the one that was attempted; then goes on.
void expect_whole(const std::shared_ptr<Medium>& medium, const StoreOptions& options, const StoreHistory& history) {
  auto store = Store::open(medium, options);
  ASSERT_TRUE(store) << store.error().message;
  const auto snapshot = *(*store)->snapshot();
  for (const StoreModel& state : {history.model(), history.attempted()}) {
    const auto same = equals(*snapshot, state);
    ASSERT_TRUE(same) << same.error().message;
    const auto same_tags = *same ? tags_equal(**store, medium, options, state) : Result<bool>(false);
    ASSERT_TRUE(same_tags) << "a tag cannot be read: " << same_tags.error().message;
    if (!*same_tags) continue;
    store = Error{};
    StoreHistory next(medium, nullptr, options, 5);
    ASSERT_TRUE(next.open(state));
    const auto status = next.run("acrR");
    ASSERT_TRUE(status) << status.error().message;
    const auto at_end = equals(**next.store().snapshot(), next.model());
    ASSERT_TRUE(at_end && *at_end) << "after going on";
    return;
  }
  FAIL() << "an acknowledged change is missing, or part of another is there";
}

class StoreFailure : public testing::TestWithParam<World> {};

/// Reads only what is acknowledged, also from the store that had the failure.
void expect_readable(StoreHistory& history) {
  const auto snapshot = history.store().snapshot();
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const auto same = equals(**snapshot, history.model());
  if (same && *same) return;
  // A change whose call failed after it was durable may show.
  const auto next = equals(**snapshot, history.attempted());
  EXPECT_TRUE(next && *next) << "the store that had the failure shows something else"
                             << (next ? "" : ": " + next.error().message);
}

TEST_P(StoreFailure, OfEveryCallLosesNothingAcknowledged) {
  const World& world = GetParam();
  std::uint64_t failures = 0;
  for (const OperationKind kind :
       {OperationKind::write, OperationKind::sync, OperationKind::create, OperationKind::sync_names,
        OperationKind::read, OperationKind::resize, OperationKind::remove, OperationKind::rename}) {
    for (const ErrorCode code : {ErrorCode::io, ErrorCode::out_of_space}) {
      for (std::size_t script = 0; script < std::size(kScripts); ++script) {
        for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
          SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(nth) + " of " + kScripts[script]);
          const auto medium = std::make_shared<FaultMedium>(world.granularity);
          const StoreOptions options = world.options(schema_of(script, nth));
          StoreHistory history(medium, medium.get(), options, nth);
          ASSERT_TRUE(history.create());
          const std::uint64_t before = medium->count(kind);
          const bool lasting = code == ErrorCode::out_of_space;
          medium->fail({kind, nth, code, lasting});
          const Status status = history.run(kScripts[script], world.reopens);
          if (!status) {
            EXPECT_FALSE(status.error().message.empty());
            if (history.has_store()) expect_readable(history);
          }
          history.drop();
          const bool reached = medium->count(kind) - before >= nth;
          medium->clear_faults();
          ASSERT_NO_FATAL_FAILURE(expect_whole(medium, options, history));
          if (!reached) break;
          ++failures;
        }
      }
    }
  }
  EXPECT_GT(failures, 300u);
}

/// Runs the script while the nth allocation fails, and with `lasting` all after it in the same step; goes on to
/// the step that met it.  False if there are fewer.
bool run_short_of_memory(StoreHistory& history, std::string_view script, std::uint64_t nth, bool lasting) {
  const FailingAllocation failing(nth, lasting);
  for (const char step : script) {
    try {
      static_cast<void>(history.step(step));
    } catch (const std::bad_alloc&) {
    }
    if (FailingAllocation::happened()) return true;
  }
  return false;
}

TEST_P(StoreFailure, OfEveryAllocationLosesNothingAcknowledged) {
  const World& world = GetParam();
  std::uint64_t failures = 0;
  for (const bool lasting : {false, true}) {
    for (std::size_t script = 0; script < std::size(kScripts); ++script) {
      for (std::uint64_t nth = 1; !HasFailure(); nth += 1 + nth / 400) {
        SCOPED_TRACE("allocation " + std::to_string(nth) + (lasting ? " and all behind it, of " : " of ") +
                     kScripts[script]);
        const std::shared_ptr<Medium> medium = make_heap_medium(world.granularity);
        const StoreOptions options = world.options(schema_of(script, nth));
        StoreHistory history(medium, nullptr, options, nth);
        ASSERT_TRUE(history.create());
        if (!run_short_of_memory(history, kScripts[script], nth, lasting)) break;
        ++failures;
        if (history.has_store()) expect_readable(history);
        history.drop();
        ASSERT_NO_FATAL_FAILURE(expect_whole(medium, options, history));
      }
    }
  }
  EXPECT_GT(failures, 1000u);
}

/// The scripts of the crash explorer, each in a world of its own: a sample of their allocations.
TEST(StoreFailureOfScriptedHistories, OfAllocationsLosesNothingAcknowledged) {
  constexpr const char* kOthers[] = {"aacaaRacakaoaRva", "laRacka",  "saoaRca",   "vRaRaRaka",  "arrcrrRrckro",
                                     "lrcrRrokr",        "ddRacRda", "dRddcva",   "dlcRda",     "sRdaRo",
                                     "dcRdvRca",         "lRacda",   "atratRcat", "latrotRktt", "ttaRxtrorRtx",
                                     "artkrtoca",        "arrcrpR",  "larkrpa"};
  const std::uint64_t stride = from_environment("RIZOMA_ALLOCATION_STRIDE", 41);
  const std::vector<World> worlds = store_worlds();
  std::uint64_t failures = 0;
  for (std::size_t script = 0; script < std::size(kOthers); ++script) {
    const World& world = worlds[script % worlds.size()];
    for (std::uint64_t nth = 1 + script % stride; !testing::Test::HasFailure(); nth += stride) {
      SCOPED_TRACE("allocation " + std::to_string(nth) + " of " + kOthers[script] + ", " + world.name);
      const std::shared_ptr<Medium> medium = make_heap_medium(world.granularity);
      GraphSchema schema = schema_number(nth + 7 * script);
      schema.ids_fixed = script < 6 || script >= 12;
      const StoreOptions options = world.options(schema);
      StoreHistory history(medium, nullptr, options, nth);
      ASSERT_TRUE(history.create());
      if (!run_short_of_memory(history, kOthers[script], nth, nth % 2 == 0)) break;
      ++failures;
      if (history.has_store()) expect_readable(history);
      history.drop();
      ASSERT_NO_FATAL_FAILURE(expect_whole(medium, options, history));
    }
  }
  EXPECT_GT(failures, 3000 / stride);
}

INSTANTIATE_TEST_SUITE_P(Worlds, StoreFailure, testing::ValuesIn(store_worlds()),
                         [](const auto& instance) { return instance.param.name; });

/// There is a whole store then, or no trace of one if memory comes back at once.
TEST(StoreCreation, ThatRunsOutOfMemoryIsTakenBack) {
  std::uint64_t failures = 0;
  for (const bool lasting : {false, true}) {
    for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
      SCOPED_TRACE("allocation " + std::to_string(nth) + (lasting ? " and all behind it" : ""));
      const std::shared_ptr<Medium> medium = make_heap_medium(512);
      const StoreOptions options;
      bool happened = false;
      bool made = false;
      {
        std::unique_ptr<Store> store;
        const FailingAllocation failing(nth, lasting);
        try {
          auto created = Store::create(medium, options);
          made = created.ok();
          if (made) store = *std::move(created);
        } catch (const std::bad_alloc&) {
        }
        happened = FailingAllocation::happened();
      }
      if (!happened) break;
      ++failures;
      const bool there = *Store::exists(*medium);
      if (!lasting) {
        EXPECT_EQ(there, made);
        EXPECT_EQ(medium->list()->empty(), !made);
      }
      const auto again = there ? Store::open(medium, options) : Store::create(medium, options);
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_TRUE((*again)->add_vertices(std::vector<std::int64_t>{1, 2}));
    }
  }
  EXPECT_GT(failures, 100u);
}

/// What a checkpoint could not do, a compaction of either kind did.
TEST(StoreCompaction, EndsTheTroubleThatItCures) {
  for (const std::optional<VertexOrder> order : {std::optional<VertexOrder>(), std::optional(VertexOrder::degree)}) {
    const auto medium = std::make_shared<FaultMedium>(512);
    const auto store = *Store::create(medium, StoreOptions{});
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, {}}));
    medium->fail({OperationKind::create, 1, ErrorCode::out_of_space, true});
    EXPECT_FALSE(store->checkpoint());
    EXPECT_NE(store->info()->background_error, "");
    medium->clear_faults();
    SerialExecutor serial;
    const Status compacted = store->compact(serial, order);
    ASSERT_TRUE(compacted) << compacted.error().message;
    EXPECT_EQ(store->info()->background_error, "");
  }
}

}  // namespace
}  // namespace rizoma
