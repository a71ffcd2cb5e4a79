// A writer that is killed leaves in the files what it wrote and did not sync; the next one builds on it.
// When the power fails after that, what the next one found must be there.
#include "testing/crash_explorer.h"
#include "testing/fault_medium.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rizoma {
namespace {

class StoreKilled : public testing::TestWithParam<World> {
 protected:
  /// The state that a store without a writer shows.
  static const StoreModel& shown(const std::shared_ptr<FaultMedium>& medium, const StoreOptions& options,
                                 const StoreHistory& history) {
    const auto reader = Store::open_read_only(medium, options);
    EXPECT_TRUE(reader) << reader.error().message;
    const auto same = reader ? equals(**(*reader)->snapshot(), history.model()) : Result<bool>(true);
    return same && *same ? history.model() : history.attempted();
  }

  /// False if the script has no so many operations.
  bool kill_and_explore(std::uint64_t operations, const std::string& script) {
    const World& world = GetParam();
    const StoreOptions options = world.options(schema_number(operations));
    const auto medium = std::make_shared<FaultMedium>(world.granularity);
    StoreHistory killed(medium, medium.get(), options, operations);
    EXPECT_TRUE(killed.create());
    medium->stop_after(operations);
    const bool reached = !killed.run(script, world.reopens);
    killed.drop();
    medium->heal();
    if (!reached) return false;
    StoreHistory next(medium, medium.get(), options, operations + 1);
    EXPECT_TRUE(next.open(shown(medium, options, killed)));
    CrashExplorer::Settings settings;
    settings.limits = {.exhaustive = 16, .systematic = 6, .random = 2, .first_position = medium->position()};
    settings.goes_on = 0;
    const Status status = next.run("arcrc");
    EXPECT_TRUE(status) << status.error().message;
    next.drop();
    const auto violation = CrashExplorer(options, settings).find_violation(*medium, next.moments());
    EXPECT_FALSE(violation) << *violation;
    return true;
  }
};

TEST_P(StoreKilled, WhatTheNextWriterFoundSurvivesAPowerCut) {
  std::uint64_t kills = 0;
  for (const char* script : {"arcaRrca", "lrcRrokr"}) {
    for (std::uint64_t operations = 0; !HasFailure(); operations += 1 + operations / 40) {
      SCOPED_TRACE("killed after " + std::to_string(operations) + " operations of " + script);
      if (!kill_and_explore(operations, script)) break;
      ++kills;
    }
  }
  EXPECT_GT(kills, 20u);
}

INSTANTIATE_TEST_SUITE_P(Worlds, StoreKilled, testing::ValuesIn(store_worlds()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace rizoma
