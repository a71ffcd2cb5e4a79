// The records of clean closes: what damages them is found, and does not hide that the log has lost its end.
#include "store/manifest/close_records.h"

#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_seal.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace rizoma {
namespace {

class CloseRecords : public testing::Test {
 protected:
  CloseRecords() : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(1))) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, 1);
    EXPECT_TRUE(history.create());
    EXPECT_TRUE(history.run("aacaa"));
    unclosed_ = read_files(*medium);
    history.drop();
    closed_ = read_files(*medium);
    first_ = closed_.lower_bound("manifest.")->first;
    second_ = closed_.lower_bound("manifest-copy.")->first;
    log_ = closed_.lower_bound("log.")->first;
    record_at_ = closed_.at(first_).size() - sizeof(format::PublishRecord);
  }
  /// With the last record of the log taken off.
  [[nodiscard]] FileContents without_the_last_change(FileContents files) const {
    std::vector<std::byte>& log = files.at(log_);
    std::size_t end = log.size() - sizeof(format::LogRecord);
    for (std::uint32_t magic = 0; magic != format::kRecordMagic; end -= 8) {
      std::memcpy(&magic, log.data() + end, sizeof magic);
    }
    log.resize(end + 8);
    return files;
  }
  [[nodiscard]] Status opens(const FileContents& files) const {
    const auto store = Store::open(medium_of(files), options_);
    return store ? Status() : store.error();
  }
  [[nodiscard]] static CheckReport check(const FileContents& files) {
    SerialExecutor serial;
    auto report = check_store(medium_of(files), serial);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : CheckReport();
  }
  [[nodiscard]] static RepairReport repair(const FileContents& files) {
    SerialExecutor serial;
    auto report = repair_store(medium_of(files), make_heap_medium(), serial);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : RepairReport();
  }

  StoreOptions options_;
  FileContents unclosed_, closed_;
  std::string first_, second_, log_;
  std::size_t record_at_ = 0;
};

TEST_F(CloseRecords, SayWhetherAllIsThere) {
  EXPECT_EQ(check(closed_).unproven, "");
  EXPECT_NE(check(unclosed_).unproven.find("changes from batch 5 on"), std::string::npos) << check(unclosed_).unproven;
  EXPECT_TRUE(check(unclosed_).findings.empty());
  EXPECT_FALSE(opens(without_the_last_change(closed_)));
  const RepairReport report = repair(without_the_last_change(closed_));
  ASSERT_EQ(report.lost.size(), 1u);
  EXPECT_EQ(report.lost[0].find("all changes from batch 4 on"), 0u) << report.lost[0];
  EXPECT_NE(report.lost[0].find(" UTC or later"), std::string::npos) << report.lost[0];
}

TEST_F(CloseRecords, DamagedInOneCopyAreFoundAndTheOtherOneServes) {
  for (const std::string& name : {first_, second_}) {
    for (std::size_t at = record_at_; at < closed_.at(name).size(); ++at) {
      SCOPED_TRACE(name + " byte " + std::to_string(at));
      FileContents files = closed_;
      files[name][at] ^= std::byte{4};
      EXPECT_EQ(check(files).findings.size(), 1u);
      EXPECT_EQ(check(files).unproven, "");
      EXPECT_TRUE(opens(files));
      EXPECT_FALSE(opens(without_the_last_change(files))) << "it hides that the log has lost its end";
      EXPECT_TRUE(repair(files).lost.empty());
    }
  }
}

TEST_F(CloseRecords, DamagedInBothCopiesAreRefused) {
  for (std::size_t at = record_at_; at < closed_.at(first_).size(); ++at) {
    SCOPED_TRACE("byte " + std::to_string(at));
    FileContents files = closed_;
    files[first_][at] ^= std::byte{4};
    files[second_][at] ^= std::byte{4};
    const Status refused = opens(files);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("how the store was closed"), std::string::npos) << refused.error().message;
    EXPECT_EQ(check(files).findings.size(), 1u);
    ASSERT_EQ(repair(files).lost.size(), 1u);
    EXPECT_EQ(repair(files).lost[0].find("perhaps changes from batch 5 on"), 0u) << repair(files).lost[0];
  }
}

/// A log that was rolled back to where the store was closed looks whole, but for the note of a change since.
TEST_F(CloseRecords, DoNotVouchForChangesSince) {
  const std::shared_ptr<Medium> medium = medium_of(closed_);
  const auto store = Store::open(medium, options_);
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->add_vertices(ids_below(4'001)));
  FileContents files = read_files(*medium);
  files[log_] = closed_.at(log_);
  EXPECT_NE(check(files).unproven.find("changes from batch 5 on"), std::string::npos);
  files["superblock"][3] ^= std::byte{1};
  ASSERT_EQ(repair(files).lost.size(), 1u);
  EXPECT_EQ(repair(files).lost[0].find("perhaps changes from batch 5 on"), 0u) << repair(files).lost[0];
}

/// A crash while a store that was closed before publishes may tear a slot of the superblock: some words of it are new.
/// If they stayed, the next slot that is torn could make it whole, naming a manifest that has been removed.
TEST_F(CloseRecords, DoNotKeepASlotThatWasTornSince) {
  FileContents files = closed_;
  std::vector<std::byte>& superblock = files.at("superblock");
  seal<format::Superblock>(superblock, format::kPage, format::kSeedSuperblock, [](format::Superblock& block) {
    ++block.generation;
    ++block.manifest_number;
  });
  const std::size_t kept = format::kPage + offsetof(format::Superblock, manifest_number);
  std::memcpy(superblock.data() + kept, closed_.at("superblock").data() + kept, sizeof(std::uint64_t));
  const std::shared_ptr<Medium> medium = medium_of(files);
  ASSERT_TRUE(Store::open(medium, options_));
  EXPECT_EQ(read_files(*medium).at("superblock"), closed_.at("superblock"));
}

TEST_F(CloseRecords, StayWhereNothingIsChanged) {
  const std::shared_ptr<Medium> medium = medium_of(closed_);
  for (int i = 0; i < 3; ++i) {
    const auto store = Store::open(medium, options_);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->close());
  }
  EXPECT_EQ(read_files(*medium), closed_);
}

}  // namespace
}  // namespace rizoma
