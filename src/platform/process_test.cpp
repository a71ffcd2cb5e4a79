#include "platform/process.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace rizoma {
namespace {

TEST(Process, ALockIsHadByItsOwnProcessAndByAChildIfNobodyHasIt) {
  Mutex mutex;
  EXPECT_TRUE(lock_in(process_id(), mutex));
  EXPECT_TRUE(lock_in(process_id() + 1, mutex));
}

TEST(Process, AChildGivesUpALockThatAThreadOfItsParentHeld) {
  Mutex mutex;
  const MutexLock held(mutex);
  Error error;
  std::thread([&] { error = lock_in(process_id() + 1, mutex).error(); }).join();
  EXPECT_EQ(error.code, ErrorCode::closed);
}

/// Though the number is kept.
TEST(Process, AChildHasItsOwnNumberAndSoHasItsChild) {
  EXPECT_EQ(process_id(), ::getpid());
  const pid_t child = ::fork();
  if (child == 0) {
    const bool right = process_id() == ::getpid() && process_id() == ::getpid();
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(process_id() == ::getpid() ? 0 : 1);
    int status = 1;
    ::waitpid(grandchild, &status, 0);
    ::_exit(right && status == 0 ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(process_id(), ::getpid());
}

TEST(Process, AProcessLivesUntilItHasEnded) {
  EXPECT_TRUE(process_lives(process_id()));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  while (process_lives(child)) ::usleep(1000);  // a zombie counts as ended
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(process_lives(child));
}

TEST(Process, TheMachineHasAName) {
  EXPECT_FALSE(machine_identity().host.empty());
  EXPECT_EQ(machine_identity().machine, machine_identity().machine);
  EXPECT_NE(machine_identity().machine, machine_identity().host);
}

}  // namespace
}  // namespace rizoma
