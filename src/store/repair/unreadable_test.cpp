// Sectors that the device cannot read: each costs what is under it, and no more, in open, check and repair.
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/unreadable_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rizoma {
namespace {

constexpr std::uint64_t kSector = 512;

class Unreadable : public testing::TestWithParam<std::uint64_t> {
 protected:
  Unreadable()
      : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(GetParam()))),
        model_(options_.schema) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, GetParam());
    EXPECT_TRUE(history.create());
    const Status status = history.run("arcaarcraraaRaR");
    EXPECT_TRUE(status) << status.error().message;
    history.drop();
    files_ = read_files(*medium);
    model_ = history.model();
  }
  [[nodiscard]] std::shared_ptr<Medium> medium_without(const std::string& file, std::uint64_t begin,
                                                       std::uint64_t end) const {
    return make_unreadable_medium(medium_of(files_), {{file, begin, end}});
  }
  [[nodiscard]] bool shows_all(Store& store) const { return shows(store, model_); }
  [[nodiscard]] static bool shows(Store& store, const StoreModel& model) {
    try {
      const auto same = equals(**store.snapshot(), model);
      return same && *same;
    } catch (const std::invalid_argument&) {  // an id that took the place of a lost one
      return false;
    }
  }
  /// Opens, changes, closes, and opens again.
  void expect_no_harm(const std::shared_ptr<Medium>& medium) const {
    StoreModel model = model_;
    for (const std::int64_t vertex : {7'000, 7'001}) {
      const auto store = Store::open(medium, options_);
      ASSERT_TRUE(store) << store.error().message;
      EXPECT_TRUE(shows(**store, model));
      ASSERT_TRUE((*store)->add_vertices(model.column({vertex})));
      model.add_vertex(vertex);
      ASSERT_TRUE((*store)->close());
    }
  }
  /// The report of a repair whose result is whole, and shows all unless it says that something is lost.
  RepairReport repair(const std::shared_ptr<Medium>& medium) const {
    SerialExecutor serial;
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    const auto report = repair_store(medium, fresh, serial);
    if (!report) {
      // Without its header the number of ids is unknown; without the list of removed vertices a log that has some of
      // them again does not fit.
      const std::string& said = report.error().message;
      EXPECT_TRUE(said.find("is not a dictionary segment") != std::string::npos ||
                  said.find("restores one that was not removed") != std::string::npos)
          << said;
      return {.lost = {report.error().message}};
    }
    const auto store = Store::open(fresh, options_);
    EXPECT_TRUE(store) << store.error().message;
    EXPECT_TRUE(store && (shows_all(**store) || !report->lost.empty())) << "lost in silence";
    return *report;
  }
  [[nodiscard]] static std::size_t findings_of(const std::shared_ptr<Medium>& medium) {
    SerialExecutor serial;
    const auto report = check_store(medium, serial);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->findings.size() : 0;
  }

  StoreOptions options_;
  FileContents files_;
  StoreModel model_;
};

TEST_P(Unreadable, SlotOfTheSuperblockCostsNothing) {
  for (const std::uint64_t begin : {std::uint64_t{0}, std::uint64_t{format::kPage}}) {
    SCOPED_TRACE(begin);
    const auto damaged = [&] { return medium_without("superblock", begin, begin + format::kPage); };
    EXPECT_EQ(findings_of(damaged()), 1u);
    EXPECT_TRUE(repair(damaged()).lost.empty());
    expect_no_harm(damaged());
  }
}

TEST_P(Unreadable, CopyOfTheManifestCostsNothing) {
  for (const std::string prefix : {"manifest.", "manifest-copy."}) {
    const std::string name = files_.lower_bound(prefix)->first;
    for (std::uint64_t begin = 0; begin < files_.at(name).size() && !HasFailure(); begin += kSector) {
      SCOPED_TRACE(name + " byte " + std::to_string(begin));
      const auto damaged = [&] { return medium_without(name, begin, begin + kSector); };
      EXPECT_EQ(findings_of(damaged()), 1u);
      EXPECT_TRUE(repair(damaged()).lost.empty());
      expect_no_harm(damaged());
    }
  }
}

TEST_P(Unreadable, PartOfTheLogCostsTheChangesFromThereOn) {
  const std::string name = files_.lower_bound("log.")->first;
  for (std::uint64_t begin = 0; begin < files_.at(name).size() && !HasFailure(); begin += kSector) {
    SCOPED_TRACE("byte " + std::to_string(begin));
    const auto damaged = [&] { return medium_without(name, begin, begin + kSector); };
    const auto refused = Store::open(damaged(), options_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::io) << refused.error().message;
    EXPECT_EQ(findings_of(damaged()), 1u);
    const RepairReport report = repair(damaged());
    ASSERT_EQ(report.lost.size(), 1u);
    EXPECT_NE(report.lost[0].find("all changes from batch "), std::string::npos) << report.lost[0];
    EXPECT_NE(report.lost[0].find(name + " is damaged"), std::string::npos) << report.lost[0];
  }
}

TEST_P(Unreadable, SectionsAndIdsAreFoundAndRepaired) {
  std::size_t refused = 0;
  std::size_t restored = 0;
  for (std::uint64_t begin = 0; begin < files_.at("data").size() && !HasFailure(); begin += kSector) {
    SCOPED_TRACE("byte " + std::to_string(begin));
    const auto damaged = [&] { return medium_without("data", begin, begin + kSector); };
    const std::size_t findings = findings_of(damaged());
    const auto store = Store::open(damaged(), options_);
    const bool all = store && shows_all(**store);
    refused += all ? 0 : 1;
    EXPECT_TRUE(findings > 0 || all) << "check does not find it";
    if (findings == 0) continue;
    restored += repair(damaged()).lost.empty() ? 1 : 0;
  }
  EXPECT_GT(refused, 3u);
  EXPECT_TRUE(restored > 0 || !options_.schema.directed || !options_.schema.in_edges);
}

INSTANTIATE_TEST_SUITE_P(Schemas, Unreadable, testing::Values(2, 13, 20, 21));

}  // namespace
}  // namespace rizoma
