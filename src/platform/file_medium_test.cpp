// What only a medium of real files has: the lock between processes, errors of the system, read-only
// access.  What all media share is tested in tests/medium_contract_test.cpp.
#include "platform/file_medium.h"

#include "platform/os_error.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

class FileMediumTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path store() const { return root_ / "store"; }

  testing::TemporaryDirectory root_;
};

TEST_F(FileMediumTest, AMissingDirectoryIsNotFoundUnlessCreated) {
  const auto missing = open_file_medium(store());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_NE(missing.error().message.find(store().string()), std::string::npos) << missing.error().message;
  EXPECT_TRUE(open_file_medium(store(), true));
  EXPECT_TRUE(open_file_medium(store(), true)) << "creating what is there opens it";
}

TEST_F(FileMediumTest, AFileInPlaceOfTheDirectoryIsAnError) {
  std::ofstream(store()) << "not a directory";
  const auto medium = open_file_medium(store(), true);
  ASSERT_FALSE(medium);
  EXPECT_EQ(medium.error().code, ErrorCode::io);
}

TEST_F(FileMediumTest, AMissingParentIsNotFound) {
  const auto medium = open_file_medium(root_ / "a/b", true);
  ASSERT_FALSE(medium);
  EXPECT_EQ(medium.error().code, ErrorCode::not_found);
}

TEST_F(FileMediumTest, TheLockNamesItsHolder) {
  auto medium = open_file_medium(store(), true);
  ASSERT_TRUE(medium);
  const auto lock = (*medium)->lock_for_writing();
  ASSERT_TRUE(lock);
  auto second = open_file_medium(store());
  const auto refused = (*second)->lock_for_writing();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::locked);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(*(*second)->list(), std::vector<std::string>{}) << "LOCK is no file of the medium";
}

/// A child process that holds the lock until it is killed.
pid_t start_holder(const fs::path& store) {
  int ready[2];
  if (::pipe(ready) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    auto medium = open_file_medium(store);
    auto lock = (*medium)->lock_for_writing();
    (void)!::write(ready[1], lock ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  (void)!::read(ready[0], &answer, 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return answer == 'y' ? child : -1;
}

TEST_F(FileMediumTest, TheLockDiesWithItsProcess) {
  auto medium = open_file_medium(store(), true);
  const pid_t holder = start_holder(store());
  ASSERT_GT(holder, 0);
  const auto refused = (*medium)->lock_for_writing();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(std::to_string(holder)), std::string::npos) << refused.error().message;
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_TRUE((*medium)->lock_for_writing());
}

TEST_F(FileMediumTest, AForkedChildNeitherReleasesNorKeepsItsParentsLock) {
  auto medium = open_file_medium(store(), true);
  auto other = open_file_medium(store());
  auto lock = (*medium)->lock_for_writing();
  ASSERT_TRUE(lock);
  int stay[2];
  ASSERT_EQ(::pipe(stay), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    (*lock).reset();
    ::close(stay[1]);
    char end;
    (void)!::read(stay[0], &end, 1);  // lives on with a copy of the parent's descriptors
    ::_exit(0);
  }
  EXPECT_FALSE((*other)->lock_for_writing()) << "the child released what the parent holds";
  (*lock).reset();
  EXPECT_TRUE((*other)->lock_for_writing()) << "the child keeps what the parent released";
  ::close(stay[0]);
  ::close(stay[1]);
  ::waitpid(child, nullptr, 0);
}

TEST_F(FileMediumTest, AForkedChildDoesNotKeepTheLockOfAParentThatDied) {
  auto medium = open_file_medium(store(), true);
  int ready[2];
  int stay[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(stay), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    auto lock = (*medium)->lock_for_writing();
    if (::fork() == 0) {
      char end;
      ::close(stay[1]);
      (void)!::write(ready[1], lock ? "y" : "n", 1);
      (void)!::read(stay[0], &end, 1);  // outlives its parent
      ::_exit(0);
    }
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_FALSE((*medium)->lock_for_writing());
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE((*medium)->lock_for_writing());
  for (const int end : {ready[0], ready[1], stay[0], stay[1]}) ::close(end);
}

TEST_F(FileMediumTest, ReadOnlyChangesNothingAndNeedsNoLock) {
  {
    auto medium = open_file_medium(store(), true);
    auto file = (*medium)->open("data", FileMode::create);
    const std::byte byte{7};
    ASSERT_TRUE((*file)->write(0, {&byte, 1}));
  }
  auto medium = open_file_medium_read_only(store());
  ASSERT_TRUE(medium);
  Medium& reader = **medium;
  EXPECT_EQ(reader.lock_for_writing().error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader.open("data", FileMode::write).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader.open("new", FileMode::create).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader.remove("data").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader.rename("data", "new").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader.sync_names().error().code, ErrorCode::invalid_argument);
  auto file = reader.open("data", FileMode::read);
  ASSERT_TRUE(file);
  std::byte byte{0};
  EXPECT_TRUE((*file)->read(0, {&byte, 1}));
  EXPECT_EQ(byte, std::byte{7});
  EXPECT_EQ((*file)->write(0, {&byte, 1}).error().code, ErrorCode::invalid_argument);
  EXPECT_FALSE(fs::exists(store() / "LOCK"));
}

TEST(OsError, SaysWhatWhereAndWhy) {
  const Error full = os_error("write to", "/disk/log", ENOSPC);
  EXPECT_EQ(full.code, ErrorCode::out_of_space);
  EXPECT_EQ(full.message.rfind("cannot write to /disk/log: No space left on device", 0), 0u) << full.message;
  EXPECT_EQ(os_error("write to", "x", EDQUOT).code, ErrorCode::out_of_space);
  EXPECT_EQ(os_error("open", "x", ENOENT).code, ErrorCode::not_found);
  EXPECT_EQ(os_error("open", "x", EACCES).code, ErrorCode::io);
  EXPECT_EQ(os_error("read", "x", EIO).code, ErrorCode::io);
}

}  // namespace
}  // namespace rizoma
