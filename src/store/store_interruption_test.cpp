// A process dies, or a call of its fails, at any point; the store is reopened on the SAME medium, whose
// unsynced bytes are as undecided as before, though every reader sees them; it goes on; then the power fails.
// What an opening showed is durable from then on, and what was acknowledged afterwards is.
#include "testing/crash_explorer.h"

#include "store/repair/store_check.h"
#include "testing/broken_medium.h"
#include "testing/environment.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr const char* kScripts[] = {"aarcraRcr", "avrRako", "laRcr", "sroR", "atxtrpR", "aArAR"};
constexpr const char* kGoesOn = "ac";

/// How a history is interrupted: by the death of the process before change number `death`, or by a fault.
struct Interruption {
  std::optional<std::uint64_t> death;
  Fault fault;
  /// So many changes, or operations of the fault's kind, into the opening that follows, that one is interrupted too.
  std::optional<std::uint64_t> again;
  const Mistake* mistake = nullptr;  ///< of the (last) opening
};

class Interrupted {
 public:
  Interrupted(const World& world, std::uint64_t seed)
      : world_(world),
        medium_(std::make_shared<FaultMedium>(world.granularity)),
        options_(world.options(schema_number(seed))),
        history_(medium_, medium_.get(), options_, seed) {}

  /// What was broken, described; nothing if all is well.  `reached` says whether the interruption came.
  std::optional<std::string> run(const std::string& script, const Interruption& how, CrashCensus& census,
                                 bool& reached) {
    if (how.death) medium_->kill_at(*how.death);
    Status status = history_.create();
    if (!how.death) medium_->fail(how.fault);
    if (status) status = history_.run(script, world_.reopens);
    const auto struck = go_over();
    reached = struck.has_value();
    if (!reached) return {};
    if (how.again) interrupt_opening(how);
    status = history_.resume(how.mistake);
    if (!status) return "opened again: " + status.error().message;
    status = history_.run(kGoesOn);
    if (!status) return "going on: " + status.error().message;
    history_.drop();
    return explore(*struck, census);
  }

 private:
  /// The end of one process, and the beginning of the next.  Returns where the former was interrupted.
  std::optional<std::uint64_t> go_over() {
    history_.drop();
    const auto struck = medium_->struck_at();
    medium_->revive();
    medium_->clear_faults();
    return struck;
  }

  void interrupt_opening(const Interruption& how) {
    if (how.death) medium_->kill_at(medium_->position() + *how.again);
    if (!how.death) medium_->fail({how.fault.kind, 1 + *how.again});
    static_cast<void>(history_.resume());
    go_over();
  }

  std::optional<std::string> explore(std::uint64_t from, CrashCensus& census) {
    CrashExplorer::Settings settings;
    settings.limits = {.exhaustive = 12, .systematic = 3, .random = 1, .first_position = from};
    settings.goes_on = 0;
    settings.checks = 97;
    CrashExplorer explorer(options_, settings);
    auto violation = explorer.find_violation(*medium_, history_.moments());
    census.points += explorer.census().points;
    census.states += explorer.census().states;
    return violation;
  }

  const World& world_;
  std::shared_ptr<FaultMedium> medium_;
  StoreOptions options_;
  StoreHistory history_;
};

/// The interruptions that a run makes: all of them if RIZOMA_CRASH_POINTS is "all"; else each third in the first world
/// and each seventh in the others, other ones in each; CrashShare makes them fewer.
struct Sample {
  explicit Sample(const World& world) {
    const char* points = std::getenv("RIZOMA_CRASH_POINTS");
    if (points != nullptr && std::string_view(points) == "all") return;
    const std::vector<World> worlds = store_worlds();
    while (worlds[phase].name != world.name) ++phase;
    const std::uint64_t of_all_shares = (phase == 0 ? 3 : 7) * share.stride;
    stride = of_all_shares * share.shares;
    phase += of_all_shares * share.number;
  }
  [[nodiscard]] bool has(std::uint64_t n) const { return n % stride == phase % stride; }
  CrashShare share;
  std::size_t phase = 0;
  std::uint64_t stride = 1;
};

class StoreInterruption : public testing::TestWithParam<World> {
 protected:
  /// False if the script is over before the interruption.
  bool explore(std::size_t script, Interruption how, std::uint64_t n) {
    if (!sample_.has(n)) return true;
    // Each opening is interrupted at another place; each fourth is not.
    if (n % 4 != 3) how.again = n % 4 + n / 4 % 3 * 3;
    bool reached = false;
    const auto violation = Interrupted(GetParam(), 7 * script + 1).run(kScripts[script], how, census_, reached);
    EXPECT_FALSE(violation) << *violation;
    return reached && !violation;
  }
  void TearDown() override {
    RecordProperty("crash_points", static_cast<int>(census_.points));
    RecordProperty("states", static_cast<int>(census_.states));
    EXPECT_GE(census_.states, sample_.share.least(100));
  }
  Sample sample_{GetParam()};
  CrashCensus census_;
};

TEST_P(StoreInterruption, ByDeathThenAPowerCutLosesNothingShown) {
  for (std::size_t script = 0; script < std::size(kScripts); ++script) {
    for (std::uint64_t n = 0;; ++n) {
      SCOPED_TRACE("death before change " + std::to_string(n) + " of " + kScripts[script]);
      if (!explore(script, {.death = n}, n)) break;
    }
  }
}

TEST_P(StoreInterruption, ByFailuresThenAPowerCutLosesNothingShown) {
  for (const OperationKind kind :
       {OperationKind::sync, OperationKind::sync_names, OperationKind::write, OperationKind::resize}) {
    for (std::size_t script = 0; script < std::size(kScripts); ++script) {
      for (std::uint64_t n = 1;; ++n) {
        SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(n) + " of " + kScripts[script] + " fails");
        if (!explore(script, {.fault = {kind, n}}, n)) break;
      }
    }
  }
}

/// Without syncs a change is acknowledged all the same; what an opening shows, and what `flush` was asked for, is
/// durable.
TEST(StoreWithoutSyncs, IsDurableAsFarAsAnOpeningShows) {
  for (const Durability level : {Durability::none, Durability::group}) {
    const World world = store_worlds()[0];
    StoreOptions options = world.options({});
    options.durability = level;
    options.group_delay = std::chrono::hours(1);
    options.log_limit = 1 << 20;
    const auto medium = std::make_shared<FaultMedium>(world.granularity);
    StoreHistory history(medium, medium.get(), options, 3);
    ASSERT_TRUE(history.create());
    ASSERT_TRUE(history.run("aara"));
    medium->kill_at(medium->position());
    history.drop();
    medium->revive();
    ASSERT_TRUE(history.resume());
    ASSERT_TRUE(history.step('f'));
    const std::uint64_t position = medium->position();
    CrashExplorer::Settings settings;
    settings.limits.first_position = position;
    const std::vector<Moment> shown{{history.model(), 0, position}};
    const auto violation = CrashExplorer(options, settings).find_violation(*medium, shown);
    EXPECT_FALSE(violation) << *violation;
  }
}

EdgeBatch edges(std::vector<std::int64_t> sources, std::vector<std::int64_t> targets) {
  return {std::move(sources), std::move(targets), {}};
}

/// What a bulk load writes meanwhile must not go where a published state may lie.
TEST(StorePublication, KeepsItsSpaceIfItFails) {
  for (std::uint64_t nth = 1; nth < 12; ++nth) {
    SCOPED_TRACE("sync " + std::to_string(nth) + " of a checkpoint fails");
    const World world = store_worlds()[0];
    const StoreOptions options = world.options({});
    const auto medium = std::make_shared<FaultMedium>(world.granularity);
    auto store = *Store::create(medium, options);
    auto target = *store->load_target(IdKind::dense);
    ASSERT_TRUE(store->add_edges(edges({0, 1, 2, 7}, {1, 2, 3, 8})));
    medium->fail({OperationKind::sync, nth});
    const bool failed = !store->checkpoint();
    SerialExecutor serial;
    {
      BulkLoader loader(store->load_schema(), {}, *target);
      ASSERT_TRUE(loader.add(edges({5, 6, 7, 8}, {0, 0, 0, 0})));
      EXPECT_FALSE(loader.finish(serial)) << "the graph is not empty any more";
    }
    target = nullptr;
    store = nullptr;
    medium->clear_faults();
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report) << report.error().message;
    for (const CheckFinding& finding : report->findings) {
      EXPECT_TRUE(finding.where.starts_with(kSuperblockName)) << finding.where << ": " << finding.what;
    }
    const auto opened = Store::open(medium, options);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ((*(*opened)->snapshot())->num_vertices(), 6u);
    if (!failed) break;
  }
}

/// A sync of `data` that fails, and the next one that succeeds, say nothing of what another thread has written.
class CheckpointBeforePublication final : public LoadTarget {
 public:
  CheckpointBeforePublication(LoadTarget& target, Store& store) : target_(target), store_(store) {}
  Status begin(const LoadShape& shape) override { return target_.begin(shape); }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override { return target_.put(spec, image); }
  Status put_dictionary(std::span<const std::byte> segment) override { return target_.put_dictionary(segment); }
  Status publish(const LoadTotals& totals) override {
    EXPECT_FALSE(store_.checkpoint());
    return target_.publish(totals);
  }

 private:
  LoadTarget& target_;
  Store& store_;
};

TEST(StorePublication, OfALoadIsRefusedIfASyncHasFailedMeanwhile) {
  const auto medium = std::make_shared<FaultMedium>();
  const auto store = *Store::create(medium, store_worlds()[0].options({}));
  const auto target = *store->load_target(IdKind::dense);
  CheckpointBeforePublication between(*target, *store);
  BulkLoader loader(store->load_schema(), {}, between);
  ASSERT_TRUE(loader.add(edges({5, 6, 7, 8}, {0, 0, 0, 0})));
  medium->fail({OperationKind::sync, 3});  // after those of both logs
  SerialExecutor serial;
  const Status done = loader.finish(serial);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("load again"), std::string::npos) << done.error().message;
}

// ---- the canary: an opening that does not make durable what it read must be caught ----

class StoreInterruptionCanary : public testing::TestWithParam<Mistake> {};

TEST_P(StoreInterruptionCanary, IsCaught) {
  const World world = store_worlds()[0];
  bool caught = false;
  for (const OperationKind kind : {OperationKind::read, OperationKind::sync}) {  // read: death
    bool reached = true;
    for (std::uint64_t n = 1; reached && !caught; ++n) {
      Interruption how{.fault = {kind, n}, .mistake = &GetParam()};
      if (kind == OperationKind::read) how.death = n;
      CrashCensus census;
      caught = Interrupted(world, 1).run(kScripts[0], how, census, reached).has_value();
    }
  }
  EXPECT_TRUE(caught) << "the tests are blind to this mistake";
}

INSTANTIATE_TEST_SUITE_P(
    OfRecovery, StoreInterruptionCanary,
    testing::Values(Mistake{.name = "does_not_sync_the_superblock", .kind = OperationKind::sync, .file = "superblock"},
                    Mistake{
                        .name = "does_not_rewrite_the_superblock", .kind = OperationKind::write, .file = "superblock"},
                    Mistake{.name = "does_not_sync_the_log", .kind = OperationKind::sync, .file = "log."},
                    Mistake{.name = "does_not_rewrite_the_log", .kind = OperationKind::write, .file = "log."},
                    Mistake{.name = "does_not_sync_names", .kind = OperationKind::sync_names, .file = ""}),
    [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(Worlds, StoreInterruption, testing::ValuesIn(store_worlds()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace rizoma
