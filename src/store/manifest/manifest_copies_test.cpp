// The records behind a manifest, on a device that loses what was not synced: a crash while one is appended leaves those
// before it, and looks like no damage.
#include "store/manifest/manifest_copies.h"

#include "testing/fault_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace rizoma {
namespace {

using format::PublishKind;
using format::PublishRecord;

constexpr format::StoreId kStore{5, 6};
constexpr std::uint64_t kNumberOfCopies = 3;

ManifestState state_of_copies() {
  ManifestState state;
  state.schema.section_bits = 4;
  state.generation = 7;
  state.log_number = 3;
  state.log_sequence = 100;
  return state;
}

PublishRecord closed_at(std::uint64_t log_end) {
  return publish_record(PublishKind::closed, 3, log_end, 100 + log_end / 8);
}

/// Both copies on a device whose words are durable one by one, closed once.
class CopiesOfAManifest : public testing::Test {
 protected:
  CopiesOfAManifest() {
    const auto ends =
        write_manifest(medium_, encode_manifest(state_of_copies(), kStore, kNumberOfCopies), kNumberOfCopies);
    EXPECT_TRUE(ends);
    ends_ = *ends;
    EXPECT_TRUE(append_publish_record(medium_, kNumberOfCopies, ends_, closed_at(640)));
  }
  /// In each state that a crash from `from` on may leave, the last close is one of these, and nothing is damaged.
  static void expect_after_a_crash(const FaultMedium& medium, std::uint64_t from,
                                   const std::vector<std::uint64_t>& log_ends) {
    std::size_t states = 0;
    for (const CrashState& state : medium.crash_states({.exhaustive = 1 << 10, .first_position = from})) {
      const auto left = state.materialize();
      const auto found = read_manifest(*left, kStore, kNumberOfCopies);
      ASSERT_TRUE(found) << state.describe() << found.error().message;
      ASSERT_FALSE(found->damage) << state.describe() << found->damage->message;
      ASSERT_FALSE(found->close_lost) << state.describe();
      ASSERT_TRUE(std::count(log_ends.begin(), log_ends.end(), found->file.log_end)) << state.describe();
      ++states;
    }
    EXPECT_GT(states, 0U);
  }

  FaultMedium medium_{8};
  ManifestOffsets ends_{};
};

TEST_F(CopiesOfAManifest, ShowTheLastRecordThatIsDurable) {
  const std::uint64_t before = medium_.position();
  ASSERT_TRUE(append_publish_record(medium_, kNumberOfCopies, ends_, closed_at(1280)));
  expect_after_a_crash(medium_, before, {640, 1280});
  expect_after_a_crash(medium_, medium_.position(), {1280});
}

/// A record whose sync failed is read, and may be gone after a power cut: the next one is written together with it.
TEST_F(CopiesOfAManifest, ARecordIsDurableWithThoseThatWereAdrift) {
  medium_.fail({OperationKind::sync, 1, ErrorCode::io, false});
  ASSERT_FALSE(append_publish_record(medium_, kNumberOfCopies, ends_, closed_at(1280)));
  medium_.clear_faults();
  ManifestOffsets ends = read_manifest(medium_, kStore, kNumberOfCopies)->ends;
  ASSERT_GT(ends[0], ends[1]) << "only the first copy has it";
  ASSERT_TRUE(append_publish_record(medium_, kNumberOfCopies, ends, closed_at(1920)));
  expect_after_a_crash(medium_, medium_.position(), {1920});
}

/// Words of two records would be taken for damage.
TEST_F(CopiesOfAManifest, ARecordDoesNotMixWithOneThatWasTorn) {
  ASSERT_TRUE(append_publish_record(medium_, kNumberOfCopies, ends_, closed_at(1280)));
  FileContents files;
  for (const CrashState& state : medium_.crash_states({.first_position = medium_.position()})) files = state.contents();
  std::vector<std::byte>& second = files.at(manifest_copy_name(kNumberOfCopies));
  std::memset(second.data() + second.size() - sizeof(PublishRecord) / 2, 0, sizeof(PublishRecord) / 2);
  const auto torn = medium_of(files, 8);
  FaultMedium medium(*torn);
  const auto found = read_manifest(medium, kStore, kNumberOfCopies);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->damage) << found->damage->message;
  ManifestOffsets ends = found->ends;
  ASSERT_TRUE(append_publish_record(medium, kNumberOfCopies, ends, closed_at(1920)));
  expect_after_a_crash(medium, 0, {1280, 1920});
  expect_after_a_crash(medium, medium.position(), {1920});
}

}  // namespace
}  // namespace rizoma
