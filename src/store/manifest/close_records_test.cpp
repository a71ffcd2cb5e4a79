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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_EQ(report.lost[0].find("there were"), std::string::npos) << "one change is no more than that one";
  EXPECT_NE(report.lost[0].find(log_ + " has lost its end"), std::string::npos) << report.lost[0];
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
  EXPECT_FALSE(opens(without_the_last_change(files))) << "what there was at the close must be there";
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

/// Where the log ends may be the same in the log before a checkpoint and in the empty one after it.
TEST_F(CloseRecords, AreMadeAnewAfterACheckpoint) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  {
    const auto store = *Store::create(medium, options_);
    ASSERT_TRUE(store->close());
  }
  for (int i = 0; i < 3; ++i) {
    const auto store = Store::open(medium, options_);
    ASSERT_TRUE(store);
    if (i == 1) {
      ASSERT_TRUE((*store)->add_vertices(ids_below(3)));
    }
    SerialExecutor serial;
    ASSERT_TRUE((*store)->compact(serial, VertexOrder::degree));
    ASSERT_TRUE((*store)->close());
    EXPECT_EQ(check(read_files(*medium)).unproven, "");
  }
}

/// One copy of the manifest is enough to read a store; who opens it for writing and closes it leaves two again.
TEST_F(CloseRecords, OfADamagedCopyAreWholeAgainAfterTheNextClose) {
  for (const std::string& name : {first_, second_}) {
    FileContents files = closed_;
    files[name][40] ^= std::byte{1};
    EXPECT_EQ(check(files).findings.size(), 1u);
    const std::shared_ptr<Medium> medium = medium_of(files);
    ASSERT_TRUE((*Store::open(medium, options_))->close());
    EXPECT_TRUE(check(read_files(*medium)).findings.empty()) << name;
  }
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

// ---- the records of two copies, by themselves ----

using Records = std::vector<format::PublishRecord>;

format::PublishRecord record_of(std::uint64_t log_end) {
  return publish_record(format::PublishKind::closed, 3, log_end, 9);
}

std::vector<std::byte> bytes_of(const format::PublishRecord& record) {
  const auto bytes = std::as_bytes(std::span(&record, 1));
  return {bytes.begin(), bytes.end()};
}

/// What is said of a second copy that has `behind` after its records.
CloseDamage damage_of(const Records& first, const Records& second, std::vector<std::byte> behind) {
  ManifestFile one, other;
  one.records = first;
  other.records = second;
  other.behind = std::move(behind);
  return close_damage(one, other);
}

TEST(CloseRecordsOfTwoCopies, ATornOneIsNoDamage) {
  const Records records{record_of(64), record_of(128)};
  const Records before{records[0]};
  const std::vector<std::byte> whole = bytes_of(records[1]);
  EXPECT_EQ(damage_of(records, records, {}), CloseDamage::none);
  EXPECT_EQ(damage_of(records, before, {}), CloseDamage::none) << "the second is written after the first";
  EXPECT_EQ(damage_of(before, records, {}), CloseDamage::first);
  for (std::size_t word = 0; word < whole.size(); word += 8) {
    std::vector<std::byte> torn = whole;
    std::fill_n(torn.begin() + static_cast<std::ptrdiff_t>(word), 8, std::byte{0});
    EXPECT_EQ(damage_of(records, before, torn), CloseDamage::none) << "word " << word << " was not written";
    torn = whole;
    torn[word] ^= std::byte{1};
    EXPECT_EQ(damage_of(records, before, torn), CloseDamage::second) << "word " << word << " is of no record";
    EXPECT_EQ(damage_of(records, records, torn), CloseDamage::both);
  }
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
    const std::vector<std::byte> torn(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_EQ(damage_of(records, before, torn), CloseDamage::none) << "the first " << bytes << " bytes";
  }
  std::vector<std::byte> longer = whole;
  longer.resize(longer.size() + 8);
  longer[0] ^= std::byte{1};
  EXPECT_EQ(damage_of(records, before, longer), CloseDamage::second);
  longer = whole;
  std::fill_n(longer.begin(), 8, std::byte{0});
  longer.resize(longer.size() + 8);
  EXPECT_EQ(damage_of(records, before, longer), CloseDamage::second) << "more than one record is not torn";
}

TEST(CloseRecordsOfTwoCopies, AChangeThatEitherKnowsOfCounts) {
  ManifestFile closed;
  closed.closed = true;
  closed.log_number = 3;
  closed.log_end = 64;
  ManifestFile changed = closed;
  changed.changed = true;
  EXPECT_FALSE(of_two_copies(closed, closed).changed);
  EXPECT_TRUE(of_two_copies(closed, changed).changed);
  EXPECT_TRUE(of_two_copies(changed, closed).changed);
  ManifestFile later = closed;
  later.log_end = 128;
  EXPECT_FALSE(of_two_copies(changed, later).changed) << "it was closed again since";
  EXPECT_EQ(of_two_copies(changed, later).log_end, 128U);
  EXPECT_FALSE(of_two_copies(later, changed).changed);
}

TEST(CloseRecordsOfTwoCopies, ARecordThatIsNotWholeSaysHowFarTheLogReached) {
  ManifestFile file;
  file.state.log_number = 3;
  file.closed = true;
  file.log_number = 3;
  file.log_end = 64;
  const auto hint = [&](const std::function<void(format::PublishRecord&)>& change) {
    format::PublishRecord record = record_of(128);
    change(record);
    file.behind = bytes_of(record);
    return chain_start(file).hinted_end;
  };
  EXPECT_EQ(hint([](auto&) {}), 128U);
  EXPECT_EQ(hint([](auto& record) { record.checksum = 0; }), 128U);
  EXPECT_EQ(hint([](auto& record) { record.magic = 0; }), 0U) << "it is no record";
  EXPECT_EQ(hint([](auto& record) { record.log_number = 2; }), 0U) << "of a log that is gone";
  EXPECT_EQ(hint([](auto& record) { record.log_end = 64; }), 0U) << "no more than is known";
  EXPECT_EQ(hint([](auto& record) { record.log_number = 4; }), 128U);
  file.behind.pop_back();
  EXPECT_EQ(chain_start(file).hinted_number, 0U) << "less than a record";
}

TEST(CloseRecordsOfTwoCopies, ProveThatAllIsThereIfAllOfItAgrees) {
  ManifestFile file;
  file.closed = true;
  file.next_sequence = 9;
  LogChainEnd end;
  end.end.next_sequence = 9;
  EXPECT_TRUE(evidence_of(end, file).complete);
  ManifestFile other = file;
  other.closed = false;
  EXPECT_FALSE(evidence_of(end, other).complete);
  other = file;
  other.changed = true;
  EXPECT_FALSE(evidence_of(end, other).complete);
  for (const std::uint64_t next : {8U, 10U}) {
    other = file;
    other.next_sequence = next;
    EXPECT_FALSE(evidence_of(end, other).complete);
  }
  end.end.torn = true;
  EXPECT_FALSE(evidence_of(end, file).complete);
}

/// Of two copies that cannot be read the error names what is damaged, not what is missing.
TEST_F(CloseRecords, OfNoCopyTheErrorNamesTheDamage) {
  const auto error_of = [&](const std::function<void(FileContents&)>& change) {
    FileContents files = closed_;
    change(files);
    const Status refused = opens(files);
    EXPECT_FALSE(refused);
    return refused ? std::string() : refused.error().message;
  };
  const auto damage = [](std::vector<std::byte>& bytes) { bytes[sizeof(format::ManifestHeader)] ^= std::byte{1}; };
  const std::string first = error_of([&](FileContents& files) { files.erase(first_), damage(files.at(second_)); });
  EXPECT_NE(first.find(second_), std::string::npos) << first;
  EXPECT_EQ(first.find(first_), std::string::npos) << first;
  const std::string second = error_of([&](FileContents& files) { files.erase(second_), damage(files.at(first_)); });
  EXPECT_NE(second.find(first_), std::string::npos) << second;
  EXPECT_EQ(second.find(second_), std::string::npos) << second;
  const std::string both = error_of([&](FileContents& files) { damage(files.at(first_)), damage(files.at(second_)); });
  EXPECT_NE(both.find(first_), std::string::npos) << both;
  EXPECT_NE(both.find(second_ + " is damaged too"), std::string::npos) << both;
}

}  // namespace
}  // namespace rizoma
