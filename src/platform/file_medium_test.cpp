// What only a medium of real files has: the lock between processes, errors of the system, read-only
// access.  What all media share is tested in tests/medium_contract_test.cpp.
#include "platform/file_medium.h"

#include "platform/os_error.h"
#include "testing/temporary_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

class FileMediumTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path store() const { return root_ / "store"; }

  [[nodiscard]] std::string text_of_lock() const {
    std::ifstream file(store() / "LOCK");
    return {std::istreambuf_iterator<char>(file), {}};
  }

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
  EXPECT_NE(refused.error().message.find("by this process"), std::string::npos) << refused.error().message;
  EXPECT_EQ(*(*second)->list(), std::vector<std::string>{}) << "LOCK is no file of the medium";
}

/// Where there is no room for its name the holder has none, rather than another's.
TEST_F(FileMediumTest, TheLockNamesNobodyOfBeforeOnAFullDisk) {
  const std::string former = "process 1 on " + std::string(200, 'h') + " since long ago\n";
  for (const rlim_t room : {rlim_t{0}, rlim_t{7}}) {
    auto medium = open_file_medium(store(), true);
    std::ofstream(store() / "LOCK") << former;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{room, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const auto lock = (*medium)->lock_for_writing();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    ASSERT_TRUE(lock) << "a full disk must not cost us the lock";
    EXPECT_EQ(text_of_lock(), "");
  }
}

TEST_F(FileMediumTest, TheLockNamesNobodyOfBefore) {
  auto medium = open_file_medium(store(), true);
  const std::string former = "process 1 on " + std::string(200, 'h') + " since long ago\n";
  std::ofstream(store() / "LOCK") << former;
  const auto lock = (*medium)->lock_for_writing();
  ASSERT_TRUE(lock);
  const std::string text = text_of_lock();
  EXPECT_TRUE(text.starts_with("process " + std::to_string(::getpid()) + " on ")) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
  // As a writer leaves it that is killed before it cuts off a longer text.
  std::ofstream(store() / "LOCK") << text + former;
  auto second = open_file_medium(store());
  const auto refused = (*second)->lock_for_writing();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.find("long ago"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("by this process"), std::string::npos) << refused.error().message;
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
  EXPECT_EQ(refused.error().message.find("by this process"), std::string::npos) << refused.error().message;
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

TEST_F(FileMediumTest, ALockThatIsRemovedByHandLetsNobodyIn) {
  auto medium = open_file_medium(store(), true);
  auto lock = (*medium)->lock_for_writing();
  ASSERT_TRUE(lock);
  fs::remove(store() / "LOCK");
  auto second = open_file_medium(store());
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto refused = (*second)->lock_for_writing();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::locked);
    EXPECT_NE(refused.error().message.find("whose file " + (store() / "LOCK").string() + " has been removed"),
              std::string::npos)
        << refused.error().message;
  }
  (*lock).reset();
  EXPECT_TRUE((*second)->lock_for_writing());
}

TEST_F(FileMediumTest, ADirectoryThatAnImportHasLockedIsWritten) {
  auto medium = open_file_medium(store(), true);
  const int directory = ::open(store().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(directory, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE((*medium)->lock_for_writing());
  ::close(directory);
}

/// One of a release that marks no directories.
TEST_F(FileMediumTest, ALockOfTheFileAloneCountsToo) {
  auto medium = open_file_medium(store(), true);
  const int file = ::open((store() / "LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ((*medium)->lock_for_writing().error().code, ErrorCode::locked);
  ::close(file);
  EXPECT_TRUE((*medium)->lock_for_writing());
}

TEST_F(FileMediumTest, ADirectoryIsOfOthersUnlessItIsEmptyOrTheFileSystemsOwn) {
  auto medium = open_file_medium(store(), true);
  fs::create_directory(store() / "lost+found");
  EXPECT_FALSE(*(*medium)->has_others());
  fs::create_directory(store() / "photos");
  EXPECT_FALSE(*(*medium)->has_others());
  fs::create_directory(store() / "photos" / "2026");
  EXPECT_TRUE(*(*medium)->has_others());
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

// ---- a directory from another user ----

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

constexpr FileMode kModes[] = {FileMode::read, FileMode::write, FileMode::create};

TEST_F(FileMediumTest, LinksAreNeitherFollowedNorEmptied) {
  auto medium = open_file_medium(store(), true);
  const fs::path victim = root_.write("victim", "precious");
  fs::create_symlink(victim, store() / "data");
  fs::create_symlink(root_ / "nowhere", store() / "log.1");
  for (const FileMode mode : kModes) {
    for (const char* name : {"data", "log.1"}) {
      const auto file = (*medium)->open(name, mode);
      ASSERT_FALSE(file) << name;
      EXPECT_EQ(file.error().code, ErrorCode::corrupt);
      EXPECT_NE(file.error().message.find((store() / name).string() + " is a symbolic link"), std::string::npos)
          << file.error().message;
    }
  }
  EXPECT_EQ(text_of(victim), "precious");
  EXPECT_FALSE(fs::exists(root_ / "nowhere"));
  EXPECT_TRUE(*(*medium)->exists("log.1")) << "the name is taken";
  auto names = *(*medium)->list();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"data", "log.1"})) << "a new file would come upon them";
}

TEST_F(FileMediumTest, ALockThatIsALinkIsRefused) {
  auto medium = open_file_medium(store(), true);
  const fs::path victim = root_.write("victim", "precious");
  fs::create_symlink(victim, store() / "LOCK");
  EXPECT_EQ((*medium)->lock_for_writing().error().code, ErrorCode::corrupt);
  fs::remove(store() / "LOCK");
  fs::create_hard_link(victim, store() / "LOCK");
  EXPECT_EQ((*medium)->lock_for_writing().error().code, ErrorCode::corrupt);
  EXPECT_EQ(text_of(victim), "precious");
}

TEST_F(FileMediumTest, NobodyWaitsForAPipe) {
  auto medium = open_file_medium(store(), true);
  ASSERT_EQ(::mkfifo((store() / "log.1").c_str(), 0666), 0);
  for (const FileMode mode : kModes) {
    const auto file = (*medium)->open("log.1", mode);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::corrupt);
    EXPECT_NE(file.error().message.find("is a pipe"), std::string::npos) << file.error().message;
  }
  ASSERT_EQ(::mkfifo((store() / "LOCK").c_str(), 0666), 0);
  EXPECT_EQ((*medium)->lock_for_writing().error().code, ErrorCode::corrupt);
  fs::create_directory(store() / "data");
  EXPECT_EQ((*medium)->open("data", FileMode::create).error().code, ErrorCode::corrupt);
}

TEST_F(FileMediumTest, WhatIsWrittenToARemovedFileIsNotCalledDurable) {
  auto medium = open_file_medium(store(), true);
  ASSERT_TRUE(medium);
  const auto file = (*medium)->open("log.1", FileMode::create);
  ASSERT_TRUE(file);
  const std::vector<std::byte> bytes(8);
  ASSERT_TRUE((*file)->write(0, bytes));
  ASSERT_TRUE((*file)->sync());
  fs::remove_all(store());
  ASSERT_TRUE((*file)->write(8, bytes));
  const Status synced = (*file)->sync();
  ASSERT_FALSE(synced);
  EXPECT_EQ(synced.error().code, ErrorCode::io);
  EXPECT_NE(synced.error().message.find("log.1 was removed while it is open"), std::string::npos);
  for (const FileMode mode : {FileMode::create, FileMode::read}) {
    const auto next = (*medium)->open("log.2", mode);
    ASSERT_FALSE(next);
    EXPECT_NE(next.error().message.find("log.2 was removed while it is open"), std::string::npos);
  }
}

TEST_F(FileMediumTest, AFileWithAnotherNameIsReadAndNotWritten) {
  auto medium = open_file_medium(store(), true);
  const fs::path victim = root_.write("victim", "precious");
  fs::create_hard_link(victim, store() / "data");
  EXPECT_TRUE((*medium)->open("data", FileMode::read));
  const auto writing = (*medium)->open("data", FileMode::write);
  ASSERT_FALSE(writing);
  EXPECT_EQ(writing.error().code, ErrorCode::corrupt);
  EXPECT_NE(writing.error().message.find("has 2 hard links"), std::string::npos) << writing.error().message;
  auto made = (*medium)->open("data", FileMode::create);
  ASSERT_TRUE(made) << "the new file takes the name alone";
  const std::byte byte{7};
  ASSERT_TRUE((*made)->write(0, {&byte, 1}));
  EXPECT_EQ(text_of(victim), "precious");
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
