// Opening for reading beside a writer: what a checkpoint may have replaced meanwhile is looked for again, for long
// enough; what no writer causes is said at once.
#include "platform/file_medium.h"
#include "store/disk_format.h"
#include "store/recovery/discarded.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/failing_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_seal.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Before another medium; calls `look` whenever the superblock is opened.
class WatchedMedium final : public Medium {
 public:
  WatchedMedium(std::shared_ptr<Medium> below, std::function<void()> look)
      : below_(std::move(below)), look_(std::move(look)) {}
  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    if (name == "superblock") look_();
    return below_->open(name, mode);
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override { return below_->exists(name); }
  [[nodiscard]] Result<std::vector<std::string>> list() const override { return below_->list(); }
  Status remove(std::string_view name) override { return below_->remove(name); }
  Status rename(std::string_view from, std::string_view to) override { return below_->rename(from, to); }
  Status sync_names() override { return below_->sync_names(); }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return below_->lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return below_->granularity(); }
  [[nodiscard]] std::string describe() const override { return below_->describe(); }

 private:
  std::shared_ptr<Medium> below_;
  std::function<void()> look_;
};

FileContents small_store() {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  const auto store = *Store::create(medium, {});
  EXPECT_TRUE(store->add_edges({std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, {}, {}}));
  EXPECT_TRUE(store->checkpoint());
  EXPECT_TRUE(store->close());
  return read_files(*medium);
}

template <class Change>
FileContents with_other_manifests(Change change) {
  FileContents files = small_store();
  for (auto& [name, bytes] : files) {
    if (name.starts_with("manifest")) change(bytes);
  }
  return files;
}

struct Outcome {
  int looks = 0;
  ErrorCode code = ErrorCode::closed;
};

Outcome outcome_of(const FileContents& files) {
  Outcome outcome;
  const auto medium = std::make_shared<WatchedMedium>(medium_of(files), [&] { ++outcome.looks; });
  const auto store = Store::open_read_only(medium);
  EXPECT_FALSE(store);
  if (!store) outcome.code = store.error().code;
  return outcome;
}

TEST(OpeningForReading, TriesAsOftenAsAWriterMayBeTheReason) {
  const Outcome later = outcome_of(with_other_manifests([](std::vector<std::byte>& bytes) {
    seal<format::ManifestHeader>(bytes, 0, format::kSeedManifestHeader,
                                 [](format::ManifestHeader& header) { header.version = 99; });
  }));
  EXPECT_EQ(later.code, ErrorCode::unsupported);
  const Outcome damaged =
      outcome_of(with_other_manifests([](std::vector<std::byte>& bytes) { bytes[40] ^= std::byte{1}; }));
  EXPECT_EQ(damaged.code, ErrorCode::corrupt);
  FileContents none = small_store();
  std::erase_if(none, [](const auto& file) { return file.first.starts_with("manifest"); });
  const Outcome missing = outcome_of(none);
  EXPECT_EQ(missing.code, ErrorCode::not_found);
  EXPECT_EQ(damaged.looks, 3 * later.looks);
  EXPECT_EQ(missing.looks, 20 * later.looks);
}

/// Whether a store was being removed is not known where that cannot be read: nothing is made or removed then.
TEST(Opening, OfADirectoryThatCannotBeReadIsRefused) {
  FailingCalls calls;
  const std::shared_ptr<Medium> medium = make_failing_medium(make_heap_medium(), calls);
  const auto none = is_discarded(*medium);
  EXPECT_TRUE(none && !*none);
  calls.fail(1);
  const auto unknown = is_discarded(*medium);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::io);
}

TEST(Opening, ASecondWriterIsRefusedUntilTheFirstIsGone) {
  const testing::TemporaryDirectory directory;
  auto first = *Store::create(*open_file_medium(directory.path() / "g", true), {});
  const auto second = Store::open(*open_file_medium(directory.path() / "g"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::locked);
  EXPECT_TRUE(Store::open_read_only(*open_file_medium(directory.path() / "g")));
  first.reset();
  EXPECT_TRUE(Store::open(*open_file_medium(directory.path() / "g")));
}

TEST(Opening, SeesThatADataFileWasCutOff) {
  FileContents files = small_store();
  EXPECT_EQ((*Store::open_read_only(medium_of(files)))->damage(), "");
  files.at("data").resize(1);
  const auto store = Store::open_read_only(medium_of(files));
  ASSERT_TRUE(store);
  EXPECT_NE((*store)->damage().find("data ends at byte"), std::string::npos);
}

/// Nothing was changed, but the store is whole again.
TEST(Opening, AndClosingMakesADamagedCopyOfTheManifestAgain) {
  FileContents files = small_store();
  const auto copy = files.lower_bound("manifest.");
  ASSERT_NE(copy, files.end());
  copy->second[copy->second.size() / 2] ^= std::byte{1};
  const std::shared_ptr<Medium> medium = medium_of(files);
  SerialExecutor serial;
  EXPECT_EQ(check_store(medium, serial)->findings.size(), 1U);
  ASSERT_TRUE((*Store::open(medium))->close());
  EXPECT_TRUE(check_store(medium, serial)->findings.empty());
}

TEST(OpeningForReading, FindsWhatIsThereAtTheLastAttempt) {
  const FileContents whole = small_store();
  FileContents none = whole;
  std::erase_if(none, [](const auto& file) { return file.first.starts_with("manifest"); });
  const int most = outcome_of(none).looks;
  const std::shared_ptr<Medium> below = medium_of(none);
  int looks = 0;
  const auto medium = std::make_shared<WatchedMedium>(below, [&] {
    if (++looks != most) return;
    for (const auto& [name, bytes] : whole) {
      if (!name.starts_with("manifest")) continue;
      EXPECT_TRUE((*below->open(name, FileMode::create))->write(0, bytes));
    }
  });
  const auto store = Store::open_read_only(medium);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*(*store)->snapshot())->num_vertices(), 2U);
}

}  // namespace
}  // namespace rizoma
