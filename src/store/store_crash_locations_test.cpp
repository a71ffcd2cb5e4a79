// Crashes at every point of histories of stores that are spread over several directories, which crash together.
#include "testing/broken_medium.h"
#include "testing/crash_explorer.h"
#include "testing/directory_medium.h"
#include "testing/environment.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <string>

namespace rizoma {
namespace {

struct Spread {
  World world;
  std::vector<std::string> locations;
};

/// Runs a history over several directories, at times with a mistake, and explores its crashes.
std::optional<std::string> explore(const Spread& spread, const std::string& script, std::uint64_t seed,
                                   const CrashLimits& limits, const Mistake* mistake, CrashCensus& census) {
  const auto recorder = std::make_shared<FaultMedium>(spread.world.granularity);
  const std::shared_ptr<Medium> medium = mistake == nullptr ? recorder : make_broken_medium(*recorder, *mistake).medium;
  StoreOptions options = spread.world.options(schema_number(seed));
  options.locations = spread.locations;
  options.open_location = directories_in(*medium);
  StoreHistory history(std::make_shared<DirectoryMedium>(*medium, "store"), recorder.get(), options, seed);
  Status status = history.create();
  if (status) status = history.run(script, spread.world.reopens);
  if (!status) return "the history itself: " + status.error().message;
  history.drop();
  CrashExplorer::Settings settings{.limits = limits, .directory = "store"};
  CrashExplorer explorer(options, settings);
  auto violation = explorer.find_violation(*recorder, history.moments());
  census.states += explorer.census().states;
  census.second_states += explorer.census().second_states;
  return violation;
}

constexpr const char* kScripts[] = {"arcraRco", "laRackr", "saroRc", "rCRaKr"};
constexpr CrashLimits kSample{.exhaustive = 24, .systematic = 5, .random = 2};

TEST(StoreCrashOverLocations, EveryPointLosesNothingAcknowledged) {
  CrashCensus census;
  CrashLimits limits = kSample;
  limits.stride = from_environment("RIZOMA_CRASH_STRIDE", 1);
  const std::vector<World> worlds = store_worlds();
  for (std::uint64_t i = 0; i < 8 && !HasFailure(); ++i) {
    const Spread spread{worlds[i % worlds.size()],
                        i % 2 == 0 ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"", "a", "b"}};
    SCOPED_TRACE(spread.world.name + ", script " + kScripts[i % 4]);
    const auto violation = explore(spread, kScripts[i % 4], i * 5 + 2, limits, nullptr, census);
    EXPECT_FALSE(violation) << *violation;
  }
  RecordProperty("states", static_cast<int>(census.states));
  RecordProperty("states_after_a_second_crash", static_cast<int>(census.second_states));
  EXPECT_GT(census.states, 3000 / limits.stride);
}

TEST(StoreCrashOverLocations, AMistakeInOneOfThemIsCaught) {
  for (const Mistake& mistake :
       {Mistake{.name = "skipped_sync_of_data", .kind = OperationKind::sync, .file = "a:data"},
        Mistake{.name = "skipped_sync_of_the_mark", .kind = OperationKind::sync, .file = "b:location"},
        Mistake{.name = "skipped_sync_of_names", .kind = OperationKind::sync_names, .file = ""}}) {
    SCOPED_TRACE(mistake.name);
    bool caught = false;
    for (std::uint64_t seed = 0; seed < 12 && !caught; ++seed) {
      CrashCensus census;
      caught = explore({store_worlds()[0], {"a", "b"}}, "arcraco", seed, kSample, &mistake, census).has_value();
    }
    EXPECT_TRUE(caught) << "the crash tests are blind to this mistake";
  }
}

}  // namespace
}  // namespace rizoma
