// Whichever single call of a medium fails, in a check, a repair, an opening, a store over several locations: the error
// is given or the damage named, nothing is lost, and the next attempt succeeds.  (What changes of a graph do then:
// store_failure_test.cpp.)
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "store/store.h"
#include "testing/closed_store.h"
#include "testing/directory_medium.h"
#include "testing/failing_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// With columns, tags and a log.
ClosedStore whole_store(std::uint64_t seed) { return {seed, "arxctaaRrcaar"}; }

constexpr std::uint64_t kSeeds[] = {1, 9, 17};

TEST(AnyCallFails, OfACheck) {
  std::uint64_t refused = 0, named = 0;
  for (const std::uint64_t seed : kSeeds) {
    const ClosedStore whole = whole_store(seed);
    FailingCalls calls;
    const std::shared_ptr<Medium> medium = make_failing_medium(medium_of(whole.files), calls);
    SerialExecutor serial;
    for (std::uint64_t nth = 1;; ++nth) {
      calls.fail(nth);
      const auto report = check_store(medium, serial);
      if (!calls.failed()) {
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_TRUE(report->findings.empty());
        break;
      }
      refused += report ? 0 : 1;
      named += report && !report->findings.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 10U);
  EXPECT_GT(named, 10U);
}

TEST(AnyCallFails, OfAnOpeningWhichTheNextOneMakesGood) {
  for (const std::uint64_t seed : kSeeds) {
    const ClosedStore whole = whole_store(seed);
    for (const bool for_reading : {false, true}) {
      const std::shared_ptr<Medium> files = medium_of(whole.files);
      FailingCalls calls;
      const std::shared_ptr<Medium> medium = make_failing_medium(files, calls);
      std::uint64_t nth = 1;
      for (; !HasFailure(); ++nth) {
        SCOPED_TRACE(nth);
        calls.fail(nth);
        const auto store =
            for_reading ? Store::open_read_only(medium, whole.options) : Store::open(medium, whole.options);
        const bool failed = calls.failed();
        calls.fail(0);
        if (store) {
          const auto same = equals(**(*store)->snapshot(), whole.model);
          ASSERT_TRUE(same) << same.error().message;
          EXPECT_TRUE(*same);
        }
        if (!failed) break;
      }
      EXPECT_GT(nth, 10U) << "calls that an opening makes";
      const auto store = Store::open(files, whole.options);
      ASSERT_TRUE(store) << store.error().message;
      EXPECT_TRUE(*equals(**(*store)->snapshot(), whole.model));
    }
  }
}

TEST(AnyCallFails, OfARepairWhichIsMadeAgain) {
  const ClosedStore whole = whole_store(kSeeds[1]);
  FileContents damaged = whole.files;
  damaged.erase("superblock");
  FailingCalls calls;
  const std::shared_ptr<Medium> medium = make_failing_medium(medium_of(damaged), calls);
  SerialExecutor serial;
  std::uint64_t nth = 1;
  for (; !HasFailure(); ++nth) {
    SCOPED_TRACE(nth);
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    calls.fail(nth);
    const auto report = repair_store(medium, make_failing_medium(fresh, calls), serial);
    const bool failed = calls.failed();
    calls.fail(0);
    EXPECT_EQ(read_files(*medium), damaged) << "what is repaired stays as it is";
    if (report && report->lost.empty()) {
      const auto store = Store::open_read_only(fresh, whole.options);
      ASSERT_TRUE(store) << store.error().message;
      EXPECT_TRUE(*equals(**(*store)->snapshot(), whole.model));
    }
    if (failed) continue;
    EXPECT_TRUE(report && report->lost.empty());
    break;
  }
  EXPECT_GT(nth, 20U) << "calls that a repair makes";
}

// ---- locations ----

/// All directories of a store are in one medium, of which any call may fail.
struct Directories {
  std::shared_ptr<Medium> files = make_heap_medium();
  FailingCalls calls;
  std::shared_ptr<Medium> whole = make_failing_medium(files, calls);

  [[nodiscard]] StoreOptions options(std::vector<std::string> locations) const {
    StoreOptions options;
    options.schema.section_bits = 2;
    options.locations = std::move(locations);
    options.open_location = directories_in(*whole);
    return options;
  }
  [[nodiscard]] std::shared_ptr<Medium> home() const { return std::make_shared<DirectoryMedium>(*whole, "store"); }
};

void add(Store& store, StoreModel& model, std::int64_t k) {
  std::vector<StoreModel::Added> added;
  for (std::int64_t i = 0; i < 40; ++i) added.push_back({{i, (7 * i + k) % 40}, 0});
  ASSERT_TRUE(store.add_edges(model.batch(added)));
  model.add(added);
}

TEST(AnyCallFails, OfACreationOverLocationsWhichTheNextOneMakesGood) {
  for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
    SCOPED_TRACE(nth);
    Directories in;
    in.calls.fail(nth);
    auto store = Store::create(in.home(), in.options({"a", "b"}));
    const bool failed = in.calls.failed();
    in.calls.fail(0);
    if (!store) {
      store = Store::create(in.home(), in.options({"a", "b"}));
      ASSERT_TRUE(store) << store.error().message;
    }
    StoreModel model(in.options({}).schema);
    add(**store, model, 1);
    ASSERT_TRUE((*store)->checkpoint());
    ASSERT_TRUE((*store)->close());
    store = Store::open(in.home(), in.options({}));
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
    if (!failed) break;
  }
}

/// Homes are changed, one is given up, one comes anew; then all is moved.
TEST(AnyCallFails, OfAMoveToOtherLocationsLosesNothing) {
  std::uint64_t refused = 0;
  for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
    SCOPED_TRACE(nth);
    Directories in;
    StoreModel model(in.options({}).schema);
    {
      const auto store = *Store::create(in.home(), in.options({"a", "b"}));
      add(*store, model, 1);
      ASSERT_TRUE(store->checkpoint());
    }
    SerialExecutor serial;
    in.calls.fail(nth);
    const auto moved = [&]() -> Status {
      RIZOMA_ASSIGN(const auto store, Store::open(in.home(), in.options({"a", "c"})));
      RIZOMA_TRY(store->compact(serial, std::nullopt));
      return store->close();
    }();
    const bool failed = in.calls.failed();
    in.calls.fail(0);
    refused += moved ? 0 : 1;
    const auto store = Store::open(in.home(), in.options({"a", "b", "c"}));
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
    add(**store, model, 2);
    ASSERT_TRUE((*store)->checkpoint());
    EXPECT_TRUE(*equals(**(*store)->snapshot(), model));
    if (!failed) break;
  }
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace rizoma
