// Repairs that are interrupted: by a crash at each of their operations, by a call or an allocation that fails.  The
// damaged store stays as it is, what an unfinished repair leaves is nothing but files of a store, and a finished one is
// durable as a whole.
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/broken_medium.h"
#include "testing/environment.h"
#include "testing/failing_allocation.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>

namespace rizoma {
namespace {

/// A closed store with tags of which one copy of what is there twice is damaged, so that repair restores all.
class InterruptedRepair : public testing::TestWithParam<std::uint64_t> {
 protected:
  InterruptedRepair()
      : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(GetParam()))),
        model_(options_.schema) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, GetParam());
    EXPECT_TRUE(history.create());
    EXPECT_TRUE(history.run("rrctarrcrta"));
    history.drop();
    files_ = read_files(*medium);
    files_["superblock"][8] ^= std::byte{1};
    files_.lower_bound("manifest.")->second[70] ^= std::byte{1};
    model_ = history.model();
  }
  Result<RepairReport> repair(const std::shared_ptr<Medium>& fresh) {
    SerialExecutor serial;
    const std::shared_ptr<Medium> damaged = medium_of(files_);
    auto report = repair_store(damaged, fresh, serial);
    EXPECT_EQ(read_files(*damaged), files_) << "repairing changed the damaged store";
    return report;
  }
  /// Nothing, if a repaired store is whole and all there.
  [[nodiscard]] std::optional<std::string> complaint(const std::shared_ptr<Medium>& fresh) const {
    SerialExecutor serial;
    const auto checked = check_store(fresh, serial);
    if (!checked) return checked.error().message;
    if (!checked->findings.empty()) return checked->findings[0].what;
    if (!checked->unproven.empty()) return checked->unproven;
    const auto store = Store::open(fresh, options_);
    if (!store) return store.error().message;
    const auto same = equals(**(*store)->snapshot(), model_);
    if (!same || !*same) return "its content is another one";
    const auto tags = tags_equal(**store, fresh, {}, model_);
    return tags && *tags ? std::optional<std::string>() : "its tags are others";
  }
  /// The first state after a crash after the end of a repair that is not the repaired store.
  [[nodiscard]] std::optional<std::string> find_violation(const FaultMedium& fresh) const {
    for (const CrashState& state : fresh.crash_states({.first_position = fresh.position()})) {
      if (auto wrong = complaint(state.materialize())) return state.describe() + ": " + *wrong;
    }
    return {};
  }

  StoreOptions options_;
  FileContents files_;
  StoreModel model_;
};

TEST_P(InterruptedRepair, ByACrashLeavesNothingThatIsTakenForMore) {
  const auto fresh = std::make_shared<FaultMedium>();
  const auto report = repair(fresh);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->lost.empty());
  std::uint64_t states = 0;
  std::uint64_t whole = 0;
  for (const CrashState& state : fresh->crash_states({.exhaustive = 12, .systematic = 4, .random = 2})) {
    ++states;
    const std::shared_ptr<Medium> left = state.materialize();
    const auto names = left->list();
    EXPECT_TRUE(std::all_of(names->begin(), names->end(), Store::makes_file)) << state.describe();
    SerialExecutor serial;
    const auto checked = check_store(left, serial);
    if (!checked || !checked->findings.empty() || !checked->unproven.empty()) continue;
    ++whole;  // it is closed, so it is all there
    EXPECT_EQ(complaint(left), std::nullopt) << state.describe();
  }
  EXPECT_GT(states, 100u);
  EXPECT_GT(whole, 0u);
  EXPECT_EQ(find_violation(*fresh), std::nullopt);
}

TEST_P(InterruptedRepair, ByAFailedCallGivesAnError) {
  std::uint64_t failures = 0;
  for (const OperationKind kind : {OperationKind::write, OperationKind::sync, OperationKind::create,
                                   OperationKind::sync_names, OperationKind::rename}) {
    for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(nth));
      const auto fresh = std::make_shared<FaultMedium>();
      fresh->fail({kind, nth, ErrorCode::out_of_space, false});
      const auto report = repair(fresh);
      if (fresh->count(kind) < nth) break;
      ++failures;
      if (!report) continue;
      fresh->clear_faults();  // what failed was not needed
      EXPECT_EQ(complaint(fresh), std::nullopt);
    }
  }
  EXPECT_GT(failures, 15u);
}

TEST_P(InterruptedRepair, ByAFailedAllocationGivesAnError) {
  const std::uint64_t stride = from_environment("RIZOMA_ALLOCATION_STRIDE", 7);
  std::uint64_t failures = 0;
  for (std::uint64_t nth = 1 + GetParam() % stride; !HasFailure(); nth += stride) {
    SCOPED_TRACE("allocation " + std::to_string(nth));
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    const std::shared_ptr<Medium> damaged = medium_of(files_);
    SerialExecutor serial;
    bool done = false;
    bool happened = false;
    {
      const FailingAllocation failing(nth);
      try {
        done = repair_store(damaged, fresh, serial).ok();
      } catch (const std::bad_alloc&) {
      }
      happened = FailingAllocation::happened();
    }
    if (!happened) break;
    ++failures;
    EXPECT_EQ(read_files(*damaged), files_);
    EXPECT_TRUE(!done || !complaint(fresh));
  }
  EXPECT_GT(failures, 100 / stride);
}

INSTANTIATE_TEST_SUITE_P(Schemas, InterruptedRepair, testing::Values(2, 13, 21));

class InterruptedRepairCanary : public InterruptedRepair {};

TEST_P(InterruptedRepairCanary, AMistakeIsCaught) {
  for (const Mistake& mistake :
       {Mistake{.name = "skipped_sync_of_data", .kind = OperationKind::sync, .file = "data"},
        Mistake{.name = "skipped_sync_of_manifest", .kind = OperationKind::sync, .file = "manifest"},
        Mistake{.name = "skipped_sync_of_superblock", .kind = OperationKind::sync, .file = "superblock"},
        Mistake{.name = "skipped_sync_of_names", .kind = OperationKind::sync_names, .file = ""}}) {
    SCOPED_TRACE(mistake.name);
    const auto fresh = std::make_shared<FaultMedium>();
    ASSERT_TRUE(repair(make_broken_medium(*fresh, mistake).medium));
    EXPECT_NE(find_violation(*fresh), std::nullopt) << "the test is blind to this mistake";
  }
}

INSTANTIATE_TEST_SUITE_P(Schemas, InterruptedRepairCanary, testing::Values(2));

}  // namespace
}  // namespace rizoma
