// A store that has lost its manifest and the manifest's copy: a repair finds a third one in `data`
// (embedded_manifest.h) and restores everything; without that one it says what cannot be restored.
#include "store/manifest/embedded_manifest.h"
#include "store/manifest/superblock.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/environment.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::HasSubstr;

FileContents without_manifests(FileContents files) {
  std::erase_if(files, [](const auto& file) { return file.first.find("manifest") != std::string::npos; });
  return files;
}

/// The two files as they may also be: there, and not what they were.
FileContents with_damaged_manifests(FileContents files, const std::function<void(std::vector<std::byte>&)>& damage) {
  for (auto& [name, bytes] : files) {
    if (name.find("manifest") != std::string::npos) damage(bytes);
  }
  return files;
}

struct Repaired {
  std::shared_ptr<Medium> medium = make_heap_medium();
  Result<RepairReport> report = Error{ErrorCode::closed, "not repaired yet"};
};

Repaired repaired(const FileContents& files) {
  Repaired result;
  SerialExecutor serial;
  result.report = repair_store(medium_of(files), result.medium, serial);
  return result;
}

/// Whether the repaired store is whole and shows a state.  Errors: those of reading it.
Result<bool> shows(const Repaired& repaired, const StoreOptions& options, const StoreModel& state) {
  RIZOMA_ASSIGN(const auto store, Store::open_read_only(repaired.medium));
  RIZOMA_ASSIGN(const auto snapshot, store->snapshot());
  RIZOMA_ASSIGN(const bool same, equals(*snapshot, state));
  if (!same) return false;
  return tags_equal(*store, repaired.medium, options, state);
}

/// That the log had an end which nothing proves is all that is said to be lost, perhaps.
void expect_all_restored(const Repaired& repaired, const StoreOptions& options, const StoreModel& state) {
  ASSERT_TRUE(repaired.report) << repaired.report.error().message;
  const auto same = shows(repaired, options, state);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same) << "another content";
  EXPECT_THAT(repaired.report->restored, testing::Contains(HasSubstr("copy of them in data")));
  ASSERT_EQ(repaired.report->lost.size(), 1u);
  EXPECT_TRUE(repaired.report->lost[0].starts_with("perhaps changes from batch")) << repaired.report->lost[0];
  SerialExecutor serial;
  const auto checked = check_store(repaired.medium, serial);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(checked->findings.empty());
}

/// Histories of every kind of step: changes, loads, new orders, tags, columns, purges, kinds of ids settled late.
constexpr const char* kScripts[] = {"aacrraRx", "laRrcak", "saoRcra", "vRraxaRp", "atortaRo", "vatkrRtr", "axrtRxra"};

TEST(LostManifest, IsFoundInDataAfterEveryStep) {
  for (std::uint64_t i = 0; i < 2 * std::size(kScripts) && !HasFailure(); ++i) {
    const std::string script = kScripts[i % std::size(kScripts)];
    GraphSchema schema = schema_number(i * 5 + 2);
    if (i % 3 == 0) schema.ids_fixed = false;
    const StoreOptions options = World{.log_ahead = 512 * (i % 3)}.options(schema);
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options, i);
    ASSERT_TRUE(history.create());
    for (std::size_t step = 0; step <= script.size() && !HasFailure(); ++step) {
      SCOPED_TRACE("script " + script + ", seed " + std::to_string(i) + ", after step " + std::to_string(step));
      expect_all_restored(repaired(without_manifests(read_files(*medium))), options, history.model());
      if (step == script.size()) continue;
      const Status done = history.step(script[step]);
      ASSERT_TRUE(done) << done.error().message;
    }
    history.drop();
    expect_all_restored(repaired(without_manifests(read_files(*medium))), options, history.model());
  }
}

/// Whatever a crash leaves, and however little of it is certain: no acknowledged change is missing.
TEST(LostManifest, IsFoundInDataAfterACrashAtEveryPoint) {
  const CrashShare share;
  std::uint64_t states = 0;
  for (std::uint64_t i = 0; i < std::size(kScripts) && !HasFailure(); ++i) {
    const StoreOptions options = World{}.options(schema_number(i * 5 + 1));
    const auto medium = std::make_shared<FaultMedium>(512);
    StoreHistory history(medium, medium.get(), options, i);
    ASSERT_TRUE(history.create());
    const Status run = history.run(kScripts[i]);
    ASSERT_TRUE(run) << run.error().message;
    history.drop();
    const std::vector<Moment>& moments = history.moments();
    const CrashLimits limits{.seed = i,
                             .exhaustive = 2,
                             .systematic = 1,
                             .random = 1,
                             .first_position = share.stride * share.number,
                             .stride = 3 * share.stride * share.shares};
    for (const CrashState& state : medium->crash_states(limits)) {
      SCOPED_TRACE(std::string(kScripts[i]) + ", " + state.describe());
      const FileContents left = state.contents();
      if (!left.contains(kSuperblockName)) continue;  // the store was being created
      ++states;
      const Repaired result = repaired(without_manifests(left));
      ASSERT_TRUE(result.report) << result.report.error().message;
      std::optional<std::size_t> found;
      for (std::size_t k = moments.size(); k-- > 0 && !found;) {
        if (moments[k].begun > state.position()) continue;
        const auto same = shows(result, options, moments[k].state);
        ASSERT_TRUE(same) << same.error().message;
        if (*same) found = k;
        ASSERT_TRUE(found || moments[k].acknowledged > state.position()) << "an acknowledged change is missing";
      }
      ASSERT_TRUE(found) << "a content that never was";
    }
  }
  RecordProperty("states", static_cast<int>(states));
  EXPECT_GE(states, share.least(500));
}

/// A store of several logs, some tags and columns, and what was there.
class LostManifestOfAStore : public testing::Test {
 protected:
  void SetUp() override {
    StoreHistory history(medium_, nullptr, options_, 5);
    ASSERT_TRUE(history.create());
    ASSERT_TRUE(history.run("laxctrra"));
    history.drop();
    model_ = history.model();
    files_ = read_files(*medium_);
  }
  /// Where `data` has a copy of the present manifest.
  [[nodiscard]] std::uint64_t embedded() const {
    const auto medium = medium_of(files_);
    const auto slots = read_superblock(*medium);
    const auto found = find_embedded(*medium, {slots->newest()->store, slots->newest()->manifest_number});
    EXPECT_TRUE(found && *found);
    return *(*found)->file.state.embedded_at;
  }

  const StoreOptions options_ = World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(13));
  const std::shared_ptr<Medium> medium_ = make_heap_medium();
  std::optional<StoreModel> model_;
  FileContents files_;
};

TEST_F(LostManifestOfAStore, IsFoundHoweverTheFilesWereLost) {
  using Bytes = std::vector<std::byte>;
  const std::pair<const char*, std::function<void(Bytes&)>> kinds[] = {
      {"emptied", [](Bytes& bytes) { bytes.clear(); }},
      {"zeroed", [](Bytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::byte{0}); }},
      {"cut", [](Bytes& bytes) { bytes.resize(bytes.size() / 2); }},
      {"a bit of the header", [](Bytes& bytes) { bytes[20] ^= std::byte{1}; }},
      {"a bit of the body", [](Bytes& bytes) { bytes[100] ^= std::byte{1}; }},
  };
  for (const auto& [kind, damage] : kinds) {
    SCOPED_TRACE(kind);
    expect_all_restored(repaired(with_damaged_manifests(files_, damage)), options_, *model_);
  }
}

TEST_F(LostManifestOfAStore, IsFoundWithoutASuperblockToo) {
  FileContents files = without_manifests(files_);
  files.erase(kSuperblockName);
  const Repaired result = repaired(files);
  ASSERT_TRUE(result.report) << result.report.error().message;
  const auto same = shows(result, options_, *model_);
  EXPECT_TRUE(same && *same);
}

TEST_F(LostManifestOfAStore, AnOpeningRefusesAndChangesNothing) {
  const auto medium = medium_of(without_manifests(files_));
  for (int opening = 0; opening < 2; ++opening) {
    EXPECT_FALSE(Store::open(medium, options_));
    EXPECT_FALSE(Store::open_read_only(medium, options_));
  }
  FileContents left = read_files(*medium);
  left.erase("LOCK");
  FileContents expected = without_manifests(files_);
  expected.erase("LOCK");
  EXPECT_EQ(left, expected);
}

/// Also of releases that wrote none to `data`.
TEST_F(LostManifestOfAStore, WithoutACopyInDataARepairSaysWhatCannotBeHad) {
  FileContents files = without_manifests(files_);
  for (std::uint64_t at = 0; at < files["data"].size(); at += format::kPage) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, files["data"].data() + at, sizeof magic);
    if (magic == format::kManifestMagic) files["data"][at] ^= std::byte{1};
  }
  const Repaired result = repaired(files);
  ASSERT_FALSE(result.report);
  EXPECT_EQ(result.report.error().code, ErrorCode::corrupt);
  for (const char* said : {"manifest.", "manifest-copy.", "data holds no whole copy", "values and tags", "backup"}) {
    EXPECT_THAT(result.report.error().message, HasSubstr(said));
  }
}

/// The copy alone is damaged: nothing is lost, check and repair say so, and the next checkpoint writes another one.
TEST_F(LostManifestOfAStore, ADamagedCopyInDataCostsNothing) {
  const std::uint64_t begin = embedded();
  SerialExecutor serial;
  for (const std::uint64_t byte : {0, 8, 60, 64, 140, 200}) {
    SCOPED_TRACE(byte);
    FileContents files = files_;
    files["data"][begin + byte] ^= std::byte{0x10};
    const auto checked = check_store(medium_of(files), serial);
    ASSERT_TRUE(checked) << checked.error().message;
    ASSERT_EQ(checked->findings.size(), 1u);
    EXPECT_TRUE(checked->findings[0].loss.starts_with("nothing")) << checked->findings[0].loss;
    const Repaired result = repaired(files);
    ASSERT_TRUE(result.report) << result.report.error().message;
    EXPECT_THAT(result.report->restored, testing::Contains("the copy of the manifest in data"));
    EXPECT_TRUE(*shows(result, options_, *model_));
    const auto medium = medium_of(files);
    for (int opening = 0; opening < 2; ++opening) {
      const auto store = Store::open(medium, options_);
      ASSERT_TRUE(store) << store.error().message;
      EXPECT_TRUE(*equals(**(*store)->snapshot(), *model_));
      if (opening == 1) {
        ASSERT_TRUE((*store)->checkpoint());
      }
      ASSERT_TRUE((*store)->close());
    }
    const auto after = check_store(medium, serial);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_TRUE(after->findings.empty());
  }
}

/// A superblock of an earlier moment names a manifest that `data` may still have a copy of: the later state counts.
TEST_F(LostManifestOfAStore, AnOldSuperblockDoesNotBringBackAnOldState) {
  const FileContents before = files_;
  {
    StoreHistory history(medium_, nullptr, options_, 6);
    ASSERT_TRUE(history.open(*model_));
    ASSERT_TRUE(history.run("ac"));
    history.drop();
    model_ = history.model();
  }
  FileContents files = without_manifests(read_files(*medium_));
  files[kSuperblockName] = before.at(kSuperblockName);
  const Repaired result = repaired(files);
  ASSERT_TRUE(result.report) << result.report.error().message;
  EXPECT_TRUE(*shows(result, options_, *model_));
  for (const std::string& lost : result.report->lost)
    EXPECT_EQ(lost.find("all changes since"), std::string::npos) << lost;
}

/// The present state's copy is not overwritten while changes, checkpoints and new orders go on.
TEST_F(LostManifestOfAStore, TheSpaceOfTheCopyIsItsOwnAfterAReopening) {
  StoreHistory history(medium_, nullptr, options_, 7);
  ASSERT_TRUE(history.open(*model_));
  for (const char step : std::string("acrRacaoRpcR")) {
    const Status done = history.step(step);
    ASSERT_TRUE(done) << done.error().message;
    SerialExecutor serial;
    const auto checked = check_store(medium_, serial);
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_TRUE(checked->findings.empty()) << "after " << step << ": " << checked->findings[0].what;
  }
}

TEST(LostRemovedVertices, AreThoseThatTheLogHasAgain) {
  for (const IdKind ids : {IdKind::integer, IdKind::string, IdKind::dense}) {
    GraphSchema schema = schema_number(0);
    schema.ids = ids;
    const StoreOptions options = World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema);
    const auto column = [&](std::initializer_list<int> numbers) -> IdColumn {
      if (ids != IdKind::string) return std::vector<std::int64_t>(numbers.begin(), numbers.end());
      StringColumn texts;
      for (const int number : numbers) texts.push_back(std::to_string(number));
      return texts;
    };
    const std::shared_ptr<Medium> medium = make_heap_medium();
    {
      const auto store = *Store::create(medium, options);
      ASSERT_TRUE(store->add_edges({column({0, 1, 2, 3}), column({1, 2, 3, 4}), {}}));
      ASSERT_TRUE(store->apply(Batch().remove_vertices(column({1, 3}))));
      ASSERT_TRUE(store->checkpoint());
      ASSERT_TRUE(store->add_edges({column({1}), column({4}), {}}));       // 1 is there again,
      ASSERT_TRUE(store->apply(Batch().remove_vertices(column({4, 1}))));  // and removed again, as is 4,
      ASSERT_TRUE(store->add_edges({column({4}), column({0}), {}}));       // which then comes back
      ASSERT_TRUE(store->close());
    }
    FileContents files = read_files(*medium);
    for (std::uint64_t at = 0; at < files["data"].size(); at += format::kPage) {
      std::uint32_t magic = 0;
      std::memcpy(&magic, files["data"].data() + at, sizeof magic);
      if (magic == format::kRemovedMagic) files["data"][at + 70] ^= std::byte{1};
    }
    const Repaired result = repaired(files);
    ASSERT_TRUE(result.report) << result.report.error().message;
    EXPECT_THAT(result.report->lost, testing::ElementsAre(HasSubstr("which vertices had been removed")));
    const auto store = Store::open_read_only(result.medium);
    ASSERT_TRUE(store) << store.error().message;
    const auto snapshot = *(*store)->snapshot();
    EXPECT_EQ(snapshot->num_live(), 4u) << "0, 2 and 4, and 3, whose removal is forgotten; 1 was removed in the log";
    EXPECT_EQ(*snapshot->num_edges(), 1u);
  }
}

}  // namespace
}  // namespace rizoma
