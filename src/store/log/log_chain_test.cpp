// Two logs in a row: a checkpoint that fails leaves them, and changes go on in the second.
#include "store/log/log_chain.h"

#include "store/disk_format.h"
#include "store/file_names.h"
#include "store/log/log.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;

/// The files of a store in two logs, each with changes, that was not closed.
class TwoLogs : public ::testing::Test {
 protected:
  TwoLogs() {
    const StoreOptions options = World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(0));
    for (std::uint64_t nth = 1; logs_.size() < 2 && !HasFailure(); ++nth) {
      const auto medium = std::make_shared<FaultMedium>(512);
      StoreHistory history(medium, medium.get(), options, 5);
      EXPECT_TRUE(history.create());
      EXPECT_TRUE(history.run("aa"));
      medium->fail({OperationKind::write, nth, ErrorCode::out_of_space, false});
      if (history.step('c')) break;  // it has no more writes
      medium->clear_faults();
      if (!history.run("aa")) continue;
      files_ = read_files(*medium);
      logs_ = *logs_from(*medium, 0);
    }
    EXPECT_EQ(logs_.size(), 2U);
  }
  std::vector<std::byte>& log(std::size_t which) { return files_.at(log_name(logs_.at(which))); }
  [[nodiscard]] std::string unproven() const {
    SerialExecutor serial;
    const auto report = check_store(medium_of(files_), serial);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->unproven : std::string();
  }

  FileContents files_;
  std::vector<std::uint64_t> logs_;
};

/// Of a torn record in the second one nothing is known, so the time is that of the last whole change before it.
TEST_F(TwoLogs, TheLastWholeChangeSaysWhenOthersMayHaveBeenMade) {
  EXPECT_THAT(unproven(), HasSubstr("changes from batch 5 on, made after "));
  log(1).resize(sizeof(format::LogHeader) + sizeof(format::LogRecord) + 4);
  EXPECT_THAT(unproven(), HasSubstr("changes from batch 3 on, made after "));
}

/// The header of the first is damaged, so what the second holds is lost; that a later release wrote it is said first.
TEST_F(TwoLogs, ARepairRefusesASecondOneOfALaterRelease) {
  log(0)[0] ^= std::byte{1};
  SerialExecutor serial;
  const auto before = repair_store(medium_of(files_), make_heap_medium(), serial);
  ASSERT_TRUE(before) << before.error().message;
  ASSERT_FALSE(before->lost.empty());
  EXPECT_THAT(before->lost.front(), HasSubstr("changes from batch 1 on"));
  seal<format::LogHeader>(log(1), 0, format::kSeedLogHeader, [](auto& header) { header.version = 99; });
  const auto refused = repair_store(medium_of(files_), make_heap_medium(), serial);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr(log_name(logs_[1])));
}

/// What a failed append has written may look like a record to who opens the log next.
TEST(OneLog, ARollbackLeavesNothingBehindItsEnd) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  const auto log = *Log::create(*medium, {1, 2}, 7, 1, {});
  const std::vector<std::byte> batch(64), rest(100, std::byte{7});
  const std::vector<std::span<const std::byte>> batches{batch};
  ASSERT_TRUE(log->append(batches));
  ASSERT_TRUE(log->sync());
  const auto file = *medium->open(log_name(7), FileMode::write);
  ASSERT_TRUE(file->write(log->end(), rest));
  ASSERT_TRUE(log->rollback());
  EXPECT_EQ(*file->size(), log->end());
}

}  // namespace
}  // namespace rizoma
