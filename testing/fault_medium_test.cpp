// The fault medium must let a right log pass and must catch each way of being wrong.
#include "testing/fault_medium.h"

#include "base/checksum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::UnorderedElementsAre;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_of(Medium& medium, std::string_view name) {
  const auto file = *medium.open(name, FileMode::read);
  std::string text(*file->size(), '?');
  EXPECT_TRUE(file->read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

// ---- a toy log: numbers, each acknowledged once durable --------------------------------------------

/// How the toy log is wrong, if it is.
struct Mistakes {
  bool skips_sync = false;
  bool skips_sync_names = false;
  bool trusts_bytes = false;  ///< recovery without checksum
  bool retries_failed_sync = false;
};

struct Record {
  std::uint64_t value;
  std::uint64_t sum;
  char padding[752];  // so that a record spans granules
};

std::uint64_t sum_of(std::uint64_t value, std::uint64_t place) {
  return checksum(std::as_bytes(std::span(&value, 1)), place);
}

struct Acknowledgement {
  std::uint64_t position;
  std::uint64_t value;
};

class ToyLog {
 public:
  ToyLog(Medium& medium, Mistakes mistakes) : medium_(medium), mistakes_(mistakes) {}

  Status start() {
    RIZOMA_ASSIGN(file_, medium_.open("log", FileMode::create));
    if (mistakes_.skips_sync_names) return {};
    return medium_.sync_names();
  }

  Status append(std::uint64_t value) {
    Record record{value, sum_of(value, count_), {}};
    std::memset(record.padding, static_cast<int>(value), sizeof record.padding);
    RIZOMA_TRY(file_->write(count_ * sizeof record, std::as_bytes(std::span(&record, 1))));
    ++count_;
    if (mistakes_.skips_sync) return {};
    Status status = file_->sync();
    if (!status && mistakes_.retries_failed_sync) status = file_->sync();
    return status;
  }

 private:
  Medium& medium_;
  Mistakes mistakes_;
  std::unique_ptr<MediumFile> file_;
  std::uint64_t count_ = 0;
};

std::vector<std::uint64_t> recover(Medium& medium, Mistakes mistakes) {
  std::vector<std::uint64_t> values;
  const auto file = medium.open("log", FileMode::read);
  if (!file) return values;
  for (Record record; (*file)->read(values.size() * sizeof record, std::as_writable_bytes(std::span(&record, 1)));) {
    if (!mistakes.trusts_bytes && record.sum != sum_of(record.value, values.size())) break;
    values.push_back(record.value);
  }
  return values;
}

/// Appends 1, 2, ... and returns what was acknowledged, and when.
std::vector<Acknowledgement> run_toy(FaultMedium& medium, Mistakes mistakes) {
  ToyLog log(medium, mistakes);
  std::vector<Acknowledgement> acknowledged;
  if (!log.start()) return acknowledged;
  for (std::uint64_t value = 1; value <= 5; ++value) {
    if (!log.append(value)) break;
    acknowledged.push_back({medium.position(), value});
  }
  return acknowledged;
}

/// The first crash state in which an acknowledged value is missing or a false one turns up.
std::optional<std::string> find_violation(const FaultMedium& medium, const std::vector<Acknowledgement>& acknowledged,
                                          Mistakes mistakes) {
  for (const CrashState& state : medium.crash_states()) {
    const auto left = state.materialize();
    const std::vector<std::uint64_t> values = recover(*left, mistakes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != i + 1) return "false value: " + state.describe();
    }
    for (const Acknowledgement& a : acknowledged) {
      if (a.position <= state.position() && values.size() < a.value) return "lost value: " + state.describe();
    }
  }
  return std::nullopt;
}

std::optional<std::string> violation_of(Mistakes mistakes, std::optional<Fault> fault = std::nullopt) {
  FaultMedium medium;
  if (fault) medium.fail(*fault);
  const auto acknowledged = run_toy(medium, mistakes);
  return find_violation(medium, acknowledged, mistakes);
}

TEST(ToyLogUnderCrash, TheRightLogLosesNothing) {
  EXPECT_EQ(violation_of({}), std::nullopt);
  FaultMedium medium;
  EXPECT_EQ(run_toy(medium, {}).size(), 5u);
}

TEST(ToyLogUnderCrash, ASkippedSyncIsCaught) { EXPECT_TRUE(violation_of({.skips_sync = true})); }

TEST(ToyLogUnderCrash, ASkippedSyncOfNamesIsCaught) { EXPECT_TRUE(violation_of({.skips_sync_names = true})); }

TEST(ToyLogUnderCrash, ATornRecordTakenForWholeIsCaught) { EXPECT_TRUE(violation_of({.trusts_bytes = true})); }

TEST(ToyLogUnderCrash, FaultsAtEachOperationAreSurvived) {
  FaultMedium clean;
  run_toy(clean, {});
  for (const OperationKind kind :
       {OperationKind::write, OperationKind::sync, OperationKind::create, OperationKind::sync_names}) {
    ASSERT_GT(clean.count(kind), 0u);
    for (std::uint64_t nth = 1; nth <= clean.count(kind); ++nth) {
      EXPECT_EQ(violation_of({}, Fault{kind, nth}), std::nullopt) << name_of(kind) << " " << nth;
    }
  }
}

TEST(ToyLogUnderCrash, ARetriedSyncIsCaught) {
  EXPECT_TRUE(violation_of({.retries_failed_sync = true}, Fault{OperationKind::sync, 3}));
}

// ---- the rules one by one --------------------------------------------------------------------------

/// All different contents that `name` may have after a crash at the end; "absent" if it is missing.
std::vector<std::string> outcomes(const FaultMedium& medium, std::string_view name) {
  std::vector<std::string> all;
  for (const CrashState& state : medium.crash_states({.random = 64, .first_position = medium.position()})) {
    const auto left = state.materialize();
    std::string text = *left->exists(name) ? text_of(*left, name) : "absent";
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }
  return all;
}

std::unique_ptr<MediumFile> durable_file(FaultMedium& medium, std::string_view name, std::string_view text) {
  auto file = *medium.open(name, FileMode::create);
  EXPECT_TRUE(file->write(0, bytes_of(text)));
  EXPECT_TRUE(file->sync());
  EXPECT_TRUE(medium.sync_names());
  return file;
}

TEST(CrashStates, SyncedBytesSurviveWhole) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "abc");
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("abc"));
}

TEST(CrashStates, UnsyncedGranulesSurviveInAnyCombination) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "ab");
  ASSERT_TRUE(file->write(0, bytes_of("xy")));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("ab", "xb", "ay", "xy"));
}

TEST(CrashStates, AGranuleSurvivesWholeOrNotAtAll) {
  FaultMedium medium(2);
  const auto file = durable_file(medium, "a", "ab");
  ASSERT_TRUE(file->write(0, bytes_of("xy")));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("ab", "xy"));
}

TEST(CrashStates, AnEarlierWriteMaySurviveWithoutALaterOne) {
  FaultMedium medium(2);
  const auto file = durable_file(medium, "a", "ab");
  ASSERT_TRUE(file->write(0, bytes_of("x")));
  ASSERT_TRUE(file->write(1, bytes_of("y")));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("ab", "xb", "xy"));
}

TEST(CrashStates, TheSizeIsAsUncertainAsTheBytes) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "a");
  ASSERT_TRUE(file->write(1, bytes_of("b")));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("a", "ab", std::string("a\0", 2)));
}

TEST(CrashStates, ACutIsUncertainUntilSynced) {
  FaultMedium medium(4);
  const auto file = durable_file(medium, "a", "ab");
  ASSERT_TRUE(file->resize(1));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("ab", "a", std::string("a\0", 2)));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("a"));
}

TEST(CrashStates, AFileIsThereForSureOnceNamesAreSynced) {
  FaultMedium medium(1);
  const auto file = *medium.open("a", FileMode::create);
  ASSERT_TRUE(file->write(0, bytes_of("x")));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("absent", "x"));
  ASSERT_TRUE(medium.sync_names());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("x"));
}

TEST(CrashStates, RenameReplacesAtomically) {
  FaultMedium medium(1);
  durable_file(medium, "new", "new");
  durable_file(medium, "old", "old");
  ASSERT_TRUE(medium.rename("new", "old"));
  EXPECT_THAT(outcomes(medium, "old"), UnorderedElementsAre("old", "new"));
  EXPECT_THAT(outcomes(medium, "new"), UnorderedElementsAre("new", "absent"));
  ASSERT_TRUE(medium.sync_names());
  EXPECT_THAT(outcomes(medium, "old"), UnorderedElementsAre("new"));
}

TEST(CrashStates, ARemovedFileMayComeBack) {
  FaultMedium medium(1);
  durable_file(medium, "a", "x");
  ASSERT_TRUE(medium.remove("a"));
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("absent", "x"));
  ASSERT_TRUE(medium.sync_names());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("absent"));
}

TEST(CrashStates, AfterAFailedSyncALaterOneDoesNotHelpUnlessRewritten) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "a");
  ASSERT_TRUE(file->write(0, bytes_of("x")));
  medium.fail({OperationKind::sync});
  EXPECT_EQ(file->sync().error().code, ErrorCode::io);
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("a", "x"));
  ASSERT_TRUE(file->write(0, bytes_of("x")));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("x"));
}

TEST(CrashStates, ASizeAdriftReachesAsFarAsWhatIsRewritten) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "a");
  ASSERT_TRUE(file->write(1, bytes_of("bc")));
  medium.fail({OperationKind::sync});
  EXPECT_FALSE(file->sync());
  ASSERT_TRUE(file->write(1, bytes_of("b")));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("ab", std::string("ab\0", 3), "abc"));
  ASSERT_TRUE(file->write(2, bytes_of("c")));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("abc"));
}

TEST(CrashStates, ALaterSyncCoversNamesAndResizing) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "xy");
  ASSERT_TRUE(medium.rename("a", "b"));
  medium.fail({OperationKind::sync_names});
  EXPECT_FALSE(medium.sync_names());
  EXPECT_THAT(outcomes(medium, "b"), UnorderedElementsAre("absent", "xy"));
  ASSERT_TRUE(medium.sync_names());
  EXPECT_THAT(outcomes(medium, "b"), UnorderedElementsAre("xy"));
  ASSERT_TRUE(file->resize(1));
  medium.fail({OperationKind::sync});
  EXPECT_FALSE(file->sync());
  EXPECT_THAT(outcomes(medium, "b"), UnorderedElementsAre("xy", "x", std::string("x\0", 2)));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "b"), UnorderedElementsAre("x"));
}

TEST(CrashStates, ADeadProcessChangesNothingMoreAndWhatItWroteStaysOpen) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "a");
  medium.kill_at(medium.position() + 1);
  ASSERT_TRUE(file->write(0, bytes_of("b")));
  EXPECT_EQ(medium.struck_at(), std::nullopt);
  EXPECT_FALSE(file->sync());
  EXPECT_FALSE(file->write(0, bytes_of("c")));
  EXPECT_FALSE(medium.remove("a"));
  EXPECT_EQ(medium.struck_at(), medium.position());
  medium.revive();
  EXPECT_EQ(text_of(medium, "a"), "b");
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("a", "b"));
  ASSERT_TRUE(file->sync());
  EXPECT_THAT(outcomes(medium, "a"), UnorderedElementsAre("b"));
}

TEST(CrashStates, EveryPointIsVisitedAndKnowsItsPosition) {
  FaultMedium medium(1);
  durable_file(medium, "a", "x");  // create, write, sync, sync_names
  std::vector<std::uint64_t> positions;
  for (const CrashState& state : medium.crash_states()) {
    if (positions.empty() || positions.back() != state.position()) positions.push_back(state.position());
  }
  EXPECT_EQ(positions, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  positions.clear();
  for (const CrashState& state :
       medium.crash_states({.systematic = 1, .random = 0, .first_position = 1, .stride = 2})) {
    if (positions.empty() || positions.back() != state.position()) positions.push_back(state.position());
  }
  EXPECT_EQ(positions, (std::vector<std::uint64_t>{1, 3, 4}));
}

TEST(CrashStates, FewCombinationsAreAllVisited) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "abcd");
  ASSERT_TRUE(file->write(0, bytes_of("ABCD")));
  ASSERT_TRUE(file->write(0, bytes_of("1")));
  std::vector<std::string> texts;
  for (const CrashState& state : medium.crash_states({.exhaustive = 24, .first_position = medium.position()})) {
    EXPECT_TRUE(state.exhaustive());
    texts.push_back(text_of(*state.materialize(), "a"));
  }
  EXPECT_EQ(texts.size(), 24u);
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::unique(texts.begin(), texts.end()), texts.end());
  for (const CrashState& state : medium.crash_states({.exhaustive = 23, .first_position = medium.position()})) {
    EXPECT_FALSE(state.exhaustive());
  }
}

TEST(CrashStates, TheSameSeedGivesTheSameStates) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "a", "abcdefgh");
  ASSERT_TRUE(file->write(0, bytes_of("ABCDEFGH")));
  const auto all = [&](std::uint64_t seed) {
    std::vector<std::string> texts;
    for (const CrashState& state :
         medium.crash_states({.seed = seed, .exhaustive = 0, .first_position = medium.position()})) {
      texts.push_back(text_of(*state.materialize(), "a"));
    }
    return texts;
  };
  EXPECT_EQ(all(1), all(1));
  EXPECT_NE(all(1), all(2));
}

TEST(CrashStates, ARecoveryCanCrashToo) {
  FaultMedium first(1);
  const auto file = durable_file(first, "a", "a");
  ASSERT_TRUE(file->write(0, bytes_of("b")));
  for (const CrashState& state : first.crash_states({.first_position = first.position()})) {
    const auto left = state.materialize();
    FaultMedium second(*left);
    const std::string found = text_of(second, "a");
    const auto again = *second.open("a", FileMode::write);
    ASSERT_TRUE(again->write(0, bytes_of("c")));
    EXPECT_THAT(outcomes(second, "a"), UnorderedElementsAre(found, "c"));
  }
}

TEST(CrashStates, SayWhatWasLost) {
  FaultMedium medium(1);
  const auto file = durable_file(medium, "log", "a");
  ASSERT_TRUE(file->write(0, bytes_of("b")));
  std::vector<std::string> texts;
  for (const CrashState& state : medium.crash_states({.random = 0, .first_position = medium.position()})) {
    texts.push_back(state.describe());
  }
  EXPECT_THAT(texts,
              UnorderedElementsAre("crash after 5 operations (the last: write log [0, 1)); lost: nothing",
                                   "crash after 5 operations (the last: write log [0, 1)); lost: log granule 0"));
}

// ---- faults ----------------------------------------------------------------------------------------

TEST(Faults, TheNthOperationOfAKindFailsAsAsked) {
  FaultMedium medium;
  const auto file = *medium.open("a", FileMode::create);
  medium.fail({OperationKind::write, 2, ErrorCode::out_of_space});
  EXPECT_TRUE(file->write(0, bytes_of("abcd")));
  const Status failed = file->write(4, bytes_of("efgh"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::out_of_space);
  EXPECT_EQ(text_of(medium, "a"), "abcdef") << "a failed write may have written a part";
  EXPECT_TRUE(file->write(4, bytes_of("efgh")));
  EXPECT_EQ(medium.count(OperationKind::write), 3u);
}

TEST(Faults, LastUntilHealedIfAsked) {
  FaultMedium medium;
  const auto file = *medium.open("a", FileMode::create);
  medium.fail({OperationKind::write, 1, ErrorCode::out_of_space, true});
  EXPECT_FALSE(file->write(0, bytes_of("a")));
  EXPECT_FALSE(file->write(0, bytes_of("a")));
  medium.clear_faults();
  EXPECT_TRUE(file->write(0, bytes_of("a")));
}

TEST(Faults, OfNamesReadsAndSizesHaveNoEffect) {
  FaultMedium medium;
  durable_file(medium, "a", "abc");
  for (const OperationKind kind : {OperationKind::create, OperationKind::remove, OperationKind::rename,
                                   OperationKind::resize, OperationKind::discard, OperationKind::read}) {
    medium.fail({kind});
  }
  EXPECT_FALSE(medium.open("b", FileMode::create));
  EXPECT_FALSE(medium.remove("a"));
  EXPECT_FALSE(medium.rename("a", "b"));
  const auto file = *medium.open("a", FileMode::write);
  EXPECT_FALSE(file->resize(0));
  EXPECT_FALSE(file->discard(0, 3));
  std::byte out[3];
  EXPECT_FALSE(file->read(0, out));
  EXPECT_THAT(*medium.list(), UnorderedElementsAre("a"));
  EXPECT_EQ(text_of(medium, "a"), "abc");
  EXPECT_THAT(outcomes(medium, "b"), UnorderedElementsAre("absent"));
}

}  // namespace
}  // namespace rizoma
