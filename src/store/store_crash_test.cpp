// Crashes at every point of scripted and random histories, in many worlds: what was acknowledged is
// there and whole, what was not is there whole or not at all, in order; and the store goes on from
// there.  docs/internals/crash-tests.md says what is explored, and how much.
#include "testing/crash_explorer.h"

#include "testing/broken_medium.h"
#include "testing/environment.h"
#include "testing/filtered_medium.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

/// Runs a history on a FaultMedium and explores what crashes leave of it; `reorderings`, if it exists, grows by those
/// that the history had.
std::optional<std::string> explore(const World& world, const GraphSchema& schema, const std::string& script,
                                   std::uint64_t seed, const CrashExplorer::Settings& settings, CrashCensus& census,
                                   std::uint64_t* reorderings = nullptr, bool* became_integers = nullptr) {
  const auto medium = std::make_shared<FaultMedium>(world.granularity);
  const StoreOptions options = world.options(schema);
  StoreHistory history(medium, medium.get(), options, seed);
  Status status = history.create();
  if (status) status = history.run(script, world.reopens);
  if (!status) return "the history itself: " + status.error().message;
  if (reorderings != nullptr) *reorderings += history.reorderings();
  if (became_integers != nullptr) *became_integers = schema.ids != history.store().schema().ids;
  history.drop();
  CrashExplorer explorer(options, settings);
  auto violation = explorer.find_violation(*medium, history.moments());
  census.points += explorer.census().points;
  census.exhaustive_points += explorer.census().exhaustive_points;
  census.states += explorer.census().states;
  census.opened += explorer.census().opened;
  census.second_histories += explorer.census().second_histories;
  census.second_states += explorer.census().second_states;
  return violation;
}

class StoreCrash : public testing::TestWithParam<World> {
 protected:
  void explore_and_expect(std::uint64_t seed, const std::string& script) {
    explore_and_expect(seed, script, schema_number(seed));
  }
  void explore_and_expect(std::uint64_t seed, const std::string& script, const GraphSchema& schema) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", script " + script);
    CrashExplorer::Settings settings;
    settings.limits.stride = share_.stride * (whole_ ? 1 : share_.shares);
    settings.limits.first_position = whole_ ? 0 : share_.stride * share_.number;
    if (script.find('h') != std::string::npos) settings.second_script = "rhRr";
    bool integers = false;
    const auto violation = explore(GetParam(), schema, script, seed, settings, census_, &reorderings_, &integers);
    became_integers_ += integers ? 1 : 0;
    EXPECT_FALSE(violation) << *violation;
  }
  void TearDown() override {
    RecordProperty("crash_points", static_cast<int>(census_.points));
    RecordProperty("exhaustive_points", static_cast<int>(census_.exhaustive_points));
    RecordProperty("states", static_cast<int>(census_.states));
    RecordProperty("opened", static_cast<int>(census_.opened));
    RecordProperty("states_after_a_second_crash", static_cast<int>(census_.second_states));
    EXPECT_GE(census_.states, share_.least(1000));
    EXPECT_GE(census_.exhaustive_points, share_.least(50));
    EXPECT_GE(census_.second_states, share_.least(300));
  }
  const CrashShare share_;
  bool whole_ = false;  ///< all points in every share
  std::uint64_t reorderings_ = 0;
  std::uint64_t became_integers_ = 0;  ///< histories whose dense ids got gaps
  CrashCensus census_;
};

/// Every kind of step, and the sequence close, reopen, change.
constexpr const char* kScripts[] = {"aacaaRacakaoaRva", "laRacka", "saoaRca", "vRaRaRaka", "arrcrrRrckro", "lrcrRrokr"};

TEST_P(StoreCrash, EveryPointOfScriptedHistories) {
  whole_ = true;
  for (std::uint64_t i = 0; i < 8 && !HasFailure(); ++i)
    explore_and_expect(i * 5 + 1, kScripts[i % std::size(kScripts)]);
}

/// Of a graph whose kind of ids was not asked for: settled alone, again and again, or by a bulk load, before and
/// after other changes.
TEST_P(StoreCrash, EveryPointOfSettlingTheKindOfIds) {
  constexpr const char* kSettling[] = {"ddRacRda", "dRddcva", "dlcRda", "sRdaRo", "dcRdvRca", "lRacda"};
  for (std::uint64_t i = 0; i < 12 && !HasFailure(); ++i) {
    GraphSchema schema = schema_number(i * 5 + 1);
    schema.ids_fixed = false;
    explore_and_expect(i, kSettling[i % std::size(kSettling)], schema);
  }
}

/// The ids of a dense graph that get gaps are integers, or not yet, and the change that had them is there or not.
TEST_P(StoreCrash, EveryPointOfDenseIdsThatBecomeIntegers) {
  constexpr const char* kGrowing[] = {"avraraR", "vatrvRaar", "avcraaoR", "varAarA"};
  for (std::uint64_t i = 0; i < 8 && !HasFailure(); ++i) {
    GraphSchema schema = schema_number(i * 5 + 1);
    schema.ids = IdKind::dense;
    explore_and_expect(i, kGrowing[i % std::size(kGrowing)], schema);
  }
  EXPECT_GT(became_integers_, 0U);
}

/// Tagged states stay as they are through everything that follows, and tags come and go whole.
TEST_P(StoreCrash, EveryPointOfTags) {
  constexpr const char* kTagging[] = {"atratRcat", "latrotRktt", "ttaRxtrorRtx", "artkrtoca"};
  for (std::uint64_t i = 0; i < 8 && !HasFailure(); ++i) explore_and_expect(i * 4 + 2, kTagging[i % 4]);
}

TEST_P(StoreCrash, EveryPointOfPurging) {
  constexpr const char* kPurging[] = {"arrcrpR", "larkrpa"};
  for (std::uint64_t i = 0; i < 2 && !HasFailure(); ++i) explore_and_expect(i * 3 + 5, kPurging[i]);
}

/// What a load adds to a graph that has something is there whole, or not at all.
TEST_P(StoreCrash, EveryPointOfAppendingLoads) {
  constexpr const char* kAppending[] = {"arAcrAR", "lARrAtA", "vAoAkra", "aArRAa"};
  for (std::uint64_t i = 0; i < 8 && !HasFailure(); ++i) explore_and_expect(i * 3 + 1, kAppending[i % 4]);
}

TEST_P(StoreCrash, EveryPointOfRandomHistories) {
  const std::uint64_t first = from_environment("RIZOMA_CRASH_SEED", 1000);
  const std::uint64_t count = from_environment("RIZOMA_CRASH_HISTORIES", 8);
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    explore_and_expect(seed, random_script(seed, 12));
  }
}

/// A checkpoint holds the writers' lock while it freezes and while it publishes; between any two operations in
/// between, changes of another thread may come.
TEST_P(StoreCrash, EveryPointOfCheckpointsAmongChanges) {
  constexpr const char* kAmongChanges[] = {"aCrCaRC", "arKrCR", "lCrKrRC", "rCCaK"};
  for (std::uint64_t i = 0; i < 4 && !HasFailure(); ++i) explore_and_expect(i * 7 + 2, kAmongChanges[i]);
}

/// Changes of another thread come while everything is rewritten under other numbers, and between the rounds that put
/// them into those numbers.
TEST_P(StoreCrash, EveryPointOfRenumberingAmongChanges) {
  constexpr const char* kRenumbering[] = {"arOrRO", "lrOaRcO", "rrOOcrR", "vrOtrOR"};
  const std::uint64_t world = GetParam().name.size();  // one history each, as they are long
  explore_and_expect(world * 5 + 3, kRenumbering[world % 4]);
}

/// The store renumbers itself while another thread changes it: what was acknowledged before it began, and meanwhile, is
/// there whichever order a crash leaves.
TEST_P(StoreCrash, EveryPointOfReorderingAmongChanges) {
  constexpr const char* kReordering[] = {"ahraahR", "aacahtrah", "vahxrahp", "ahRrcahk"};
  const std::uint64_t world = GetParam().name.size();  // one history each, as they are long
  explore_and_expect(world * 5 + 1, kReordering[world % 4]);
  EXPECT_GT(reorderings_, 0u) << "the history was to have some";
}

INSTANTIATE_TEST_SUITE_P(Worlds, StoreCrash, testing::ValuesIn(store_worlds()),
                         [](const auto& instance) { return instance.param.name; });

/// A checkpoint that fails at any of its calls is tried again, with the log that the first one began, at times after a
/// change; then the power fails.
TEST(StoreCrashAfterAFailedCheckpoint, EveryPointLosesNothing) {
  const World world = store_worlds().front();
  CrashExplorer::Settings settings;
  settings.limits = {.exhaustive = 12, .systematic = 3, .random = 1};
  settings.goes_on = 0;
  std::uint64_t tried_again = 0;
  for (const OperationKind kind :
       {OperationKind::write, OperationKind::sync, OperationKind::create, OperationKind::sync_names}) {
    for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(nth));
      const auto medium = std::make_shared<FaultMedium>(world.granularity);
      const StoreOptions options = world.options(schema_number(nth));
      StoreHistory history(medium, medium.get(), options, nth);
      ASSERT_TRUE(history.create());
      ASSERT_TRUE(history.run("ar"));
      const std::uint64_t begun = medium->position();
      medium->fail({kind, nth, ErrorCode::out_of_space, false});
      if (history.step('c')) break;  // there are no more calls
      medium->clear_faults();
      if (history.run(nth % 2 == 0 ? "cac" : "accac")) ++tried_again;  // else the durable state was in doubt
      history.drop();
      settings.limits.first_position = begun;
      CrashExplorer explorer(options, settings);
      const auto violation = explorer.find_violation(*medium, history.moments());
      EXPECT_FALSE(violation) << *violation;
    }
  }
  EXPECT_GT(tried_again, 10u);
}

/// Where changes are durable only when they are flushed, several records are on their way at once.
TEST(StoreCrashWhereChangesAreFlushed, EveryPointLosesNothingFlushed) {
  const CrashExplorer::Settings settings{.limits = {.exhaustive = 16, .systematic = 4, .random = 2},
                                         .second_script = "rrfrr"};
  CrashCensus census;
  for (std::uint64_t seed = 1; seed < 5 && !HasFailure(); ++seed) {
    World world = store_worlds()[seed % 3];
    world.log_ahead = seed % 2 == 0 ? 0 : world.log_ahead;
    world.durability = seed == 3 ? Durability::group : Durability::none;
    const std::string script = seed == 4 ? "larrfaCarRrr" : "aarfrraCrrRrafr";
    SCOPED_TRACE("seed " + std::to_string(seed) + ", script " + script);
    const auto violation = explore(world, schema_number(seed), script, seed, settings, census);
    EXPECT_FALSE(violation) << *violation;
  }
  EXPECT_GT(census.states, 1000u);
}

// ---- the canary: mistakes that must be caught ----

/// Bytes that were right after a crash are wrong after a later one, if what they lack was acknowledged in between.
TEST(KnownContents, AreHeldAgainstTheMomentsThatAreRight) {
  const StoreModel state{GraphSchema{}};
  const std::vector<Moment> moments{{state, 0, 1}, {state, 3, 5}};
  const FileContents before{{"data", {std::byte{1}, std::byte{2}}}, {"log", {}}};
  const FileContents after{{"data", {std::byte{1}, std::byte{3}}}, {"log", {}}};
  KnownContents known;
  EXPECT_EQ(known.find(before, moments, 2), std::nullopt);
  known.add(before, 0);
  known.add(after, 1);
  EXPECT_EQ(known.find(before, moments, 2), 0u);
  EXPECT_EQ(known.find(before, moments, 4), 0u) << "the next one has begun, no more";
  EXPECT_EQ(known.find(before, moments, 5), std::nullopt) << "the next one was acknowledged";
  EXPECT_EQ(known.find(after, moments, 5), 1u);
  EXPECT_EQ(known.find(after, moments, 2), std::nullopt) << "it had not begun";
  EXPECT_EQ(known.find({{"data", {std::byte{1}}}, {"log", {std::byte{2}}}}, moments, 2), std::nullopt);
  EXPECT_EQ(known.find({{"data", {std::byte{1}, std::byte{2}}}}, moments, 2), std::nullopt);
}

class StoreCanary : public testing::TestWithParam<Mistake> {};

TEST_P(StoreCanary, IsCaught) {
  const World world = store_worlds()[0];
  const StoreOptions options = world.options({});
  bool caught = false;
  for (std::uint64_t seed = 0; seed < 20 && !caught; ++seed) {
    FaultMedium medium(world.granularity);
    StoreHistory history(make_broken_medium(medium, GetParam()).medium, &medium, options, seed);
    ASSERT_TRUE(history.create());
    const Status status = history.run(kScripts[seed % std::size(kScripts)]);
    ASSERT_TRUE(status) << status.error().message;
    history.drop();
    caught = CrashExplorer(options, {}).find_violation(medium, history.moments()).has_value();
  }
  EXPECT_TRUE(caught) << "the crash tests are blind to this mistake";
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, StoreCanary,
    testing::Values(
        Mistake{.name = "skipped_sync_of_the_log", .kind = OperationKind::sync, .file = "log."},
        Mistake{.name = "skipped_sync_of_data", .kind = OperationKind::sync, .file = "data"},
        Mistake{.name = "skipped_sync_of_the_manifest", .kind = OperationKind::sync, .file = "manifest"},
        Mistake{
            .name = "skipped_sync_of_one_copy_of_the_manifest", .kind = OperationKind::sync, .file = "manifest-copy."},
        Mistake{.name = "skipped_sync_of_the_superblock", .kind = OperationKind::sync, .file = "superblock"},
        Mistake{.name = "skipped_sync_of_names", .kind = OperationKind::sync_names, .file = ""},
        Mistake{.name = "data_synced_after_it_is_published",
                .kind = OperationKind::sync,
                .file = "data",
                .delayed = true,
                .until = OperationKind::sync,
                .until_file = "superblock"},
        Mistake{.name = "manifest_synced_after_it_is_published",
                .kind = OperationKind::sync,
                .file = "manifest",
                .delayed = true,
                .until = OperationKind::sync,
                .until_file = "superblock"},
        Mistake{.name = "names_synced_after_they_are_published",
                .kind = OperationKind::sync_names,
                .file = "",
                .delayed = true,
                .until = OperationKind::sync,
                .until_file = "superblock"},
        Mistake{.name = "log_synced_a_change_too_late",
                .kind = OperationKind::sync,
                .file = "log.",
                .delayed = true,
                .until = OperationKind::write,
                .until_file = "log."}),
    [](const auto& instance) { return instance.param.name; });

/// A step of a history in which one write to `data`, or all syncs of it, are forgotten.
struct ForgottenStep {
  std::string name;
  std::string before;
  char step;
  OperationKind kind;
  friend void PrintTo(const ForgottenStep& forgotten, std::ostream* out) { *out << forgotten.name; }
};

class StoreCanaryOfColumnsAndTags : public testing::TestWithParam<ForgottenStep> {
 protected:
  /// Whether the explorer complains if the n-th write, or every sync, is forgotten; nothing if there is no n-th one.
  static std::optional<bool> is_caught(const GraphSchema& schema, std::uint64_t nth) {
    // No checkpoint comes by itself, so that the step is what writes.
    const World world{.name = "canary", .log_limit = 1 << 20, .close_limit = 1 << 20};
    const StoreOptions options = world.options(schema);
    FaultMedium medium(world.granularity);
    bool watched = false;
    std::uint64_t seen = 0;
    const auto forgetful = [&](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
      if (!watched || kind != GetParam().kind || !file.starts_with("data")) return operation();
      return ++seen == nth || kind == OperationKind::sync ? Status() : operation();
    };
    StoreHistory history(make_filtered_medium(medium, forgetful), &medium, options, 1);
    if (!history.create() || !history.run(GetParam().before)) return false;
    CrashExplorer::Settings settings;
    settings.limits.first_position = medium.position();
    watched = true;
    const Status done = history.step(GetParam().step);
    watched = false;
    if (seen < nth) return std::nullopt;
    history.drop();
    return !done || CrashExplorer(options, settings).find_violation(medium, history.moments()).has_value();
  }
};

/// With columns of both kinds, undirected and directed.
TEST_P(StoreCanaryOfColumnsAndTags, EachForgottenOperationIsCaught) {
  const bool syncs = GetParam().kind == OperationKind::sync;
  for (const std::uint64_t schema : {2, 5}) {
    std::uint64_t forgotten = 0;
    for (std::uint64_t nth = 1; nth == 1 || !syncs; ++nth) {
      const auto caught = is_caught(schema_number(schema), nth);
      if (!caught) break;
      ++forgotten;
      EXPECT_TRUE(*caught) << "schema " << schema << ": the crash tests are blind to number " << nth;
    }
    EXPECT_GT(forgotten, 0u) << "schema " << schema << ": the step has no such operation";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, StoreCanaryOfColumnsAndTags,
    testing::Values(ForgottenStep{"write_of_values", "ar", 'c', OperationKind::write},
                    ForgottenStep{"sync_of_values", "ar", 'c', OperationKind::sync},
                    ForgottenStep{"write_of_a_tag", "arc", 't', OperationKind::write},
                    ForgottenStep{"sync_of_a_tag", "arc", 't', OperationKind::sync},
                    ForgottenStep{"write_of_values_beside_a_tag", "arctr", 'c', OperationKind::write},
                    ForgottenStep{"write_of_a_new_order_beside_a_tag", "arctr", 'o', OperationKind::write}),
    [](const auto& instance) { return instance.param.name; });

/// Unless a torn tail is cut off, a whole record after it comes to life when one of the same length takes the
/// place of the torn one.  Records without syncs between them, equally long, and a recovery with the mistake.
TEST(StoreCanary, ATornTailThatRecoveryDoesNotCutIsCaught) {
  World world{
      .name = "parts_of_records", .granularity = 8, .log_limit = 1 << 20, .close_limit = 1 << 20, .log_ahead = 0};
  world.durability = Durability::none;
  const StoreOptions options = world.options({.parallel_edges = ParallelEdges::keep});
  FaultMedium medium(world.granularity);
  StoreHistory history(std::shared_ptr<Medium>(std::shared_ptr<void>(), &medium), &medium, options, 1);
  ASSERT_TRUE(history.create());
  ASSERT_TRUE(history.run("efeee"));
  history.drop();
  CrashExplorer::Settings settings{.goes_on = 1, .second_script = "e"};
  EXPECT_EQ(CrashExplorer(options, settings).find_violation(medium, history.moments()), std::nullopt);
  settings.second_medium = [](Medium& below) {
    return make_broken_medium(below, {.name = "tail_not_cut", .kind = OperationKind::resize, .file = "log."}).medium;
  };
  EXPECT_TRUE(CrashExplorer(options, settings).find_violation(medium, history.moments()))
      << "the crash tests are blind to this mistake";
}

}  // namespace
}  // namespace rizoma
