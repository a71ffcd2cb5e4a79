#include "platform/process.h"

#include <gtest/gtest.h>

#include <thread>

namespace rizoma {
namespace {

TEST(Process, ALockIsHadByItsOwnProcessAndByAChildIfNobodyHasIt) {
  std::mutex mutex;
  EXPECT_TRUE(lock_in(process_id(), mutex));
  EXPECT_TRUE(lock_in(process_id() + 1, mutex));
}

TEST(Process, AChildGivesUpALockThatAThreadOfItsParentHeld) {
  std::mutex mutex;
  const std::lock_guard held(mutex);
  Error error;
  std::thread([&] { error = lock_in(process_id() + 1, mutex).error(); }).join();
  EXPECT_EQ(error.code, ErrorCode::closed);
}

}  // namespace
}  // namespace rizoma
