#include "platform/lock_order.h"

#include "platform/mutex.h"
#include "platform/timed_mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace rizoma {
namespace {

constexpr std::chrono::milliseconds kPause{1};
constexpr auto kNeverGiveUp = [] { return false; };

#ifndef NDEBUG

TEST(LockOrder, LowerLevelsComeFirst) {
  Mutex first(LockLevel::contents), second(LockLevel::extents);
  const MutexLock outer(first);
  EXPECT_NO_THROW({ const MutexLock inner(second); });
}

TEST(LockOrder, AHigherLevelFirstIsCaughtEachWayALockIsTaken) {
  Mutex low(LockLevel::contents), high(LockLevel::extents);
  TimedMutex lowest(LockLevel::publication);
  const MutexLock held(high);
  EXPECT_THROW({ const MutexLock lock(low); }, InternalError);
  EXPECT_THROW({ const HeldLock lock(low); }, InternalError);
  EXPECT_THROW(low.lock(), InternalError);
  EXPECT_THROW({ const TimedLock lock(lowest, kNeverGiveUp, kPause); }, InternalError);
}

TEST(LockOrder, TheErrorNamesBothLocks) {
  Mutex low(LockLevel::contents), high(LockLevel::extents);
  const MutexLock held(high);
  try {
    const MutexLock lock(low);
    FAIL() << "not caught";
  } catch (const InternalError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("`extents`"), std::string::npos) << said;
    EXPECT_NE(said.find("`contents`"), std::string::npos) << said;
  }
}

TEST(LockOrder, WhatTheCatchRefusedIsFree) {
  Mutex low(LockLevel::contents), high(LockLevel::extents);
  {
    const MutexLock held(high);
    EXPECT_THROW({ const MutexLock lock(low); }, InternalError);
  }
  const HeldLock lock(low, std::try_to_lock);
  EXPECT_TRUE(lock.owns_lock());
}

TEST(LockOrder, TwoOfOneLevelAreNotHeldTogether) {
  Mutex one(LockLevel::section), other(LockLevel::section);
  const MutexLock held(one);
  EXPECT_THROW({ const MutexLock lock(other); }, InternalError);
  EXPECT_THROW({ const MutexLock again(one); }, InternalError) << "instead of waiting for itself";
}

TEST(LockOrder, TriesAreNotCheckedButCount) {
  TimedMutex low(LockLevel::publication), high(LockLevel::writer);
  Mutex between(LockLevel::writer_entry);
  const TimedLock held(high, std::try_to_lock);
  const TimedLock tried(low, std::try_to_lock);
  EXPECT_TRUE(tried.owns_lock());
  EXPECT_THROW({ const MutexLock lock(between); }, InternalError);
}

TEST(LockOrder, ReleasedLocksDoNotCount) {
  Mutex low(LockLevel::contents);
  TimedMutex high(LockLevel::writer);
  Mutex highest(LockLevel::extents);
  MutexLock early(highest);
  early.unlock();
  EXPECT_NO_THROW({ const MutexLock lock(low); });
  early.lock();
  EXPECT_THROW({ const MutexLock lock(low); }, InternalError);
  early.unlock();
  {
    TimedLock first(high, kNeverGiveUp, kPause);
    std::optional<TimedLock> moved(std::move(first));
    EXPECT_NO_THROW({ const MutexLock lock(low); });
    moved.reset();
  }
  TimedMutex before(LockLevel::publication);
  EXPECT_NO_THROW({ const TimedLock lock(before, kNeverGiveUp, kPause); }) << "the moved lock counted once";
}

TEST(LockOrder, LocksMayBeReleasedInAnyOrder) {
  Mutex a(LockLevel::contents), b(LockLevel::section), c(LockLevel::extents);
  std::optional<MutexLock> first(std::in_place, a), second(std::in_place, b), third(std::in_place, c);
  second.reset();
  EXPECT_THROW({ const MutexLock lock(b); }, InternalError) << "the third is still held";
  third.reset();
  EXPECT_NO_THROW({ const MutexLock lock(b); });
}

TEST(LockOrder, EachThreadHasItsOwn) {
  Mutex low(LockLevel::contents), high(LockLevel::extents);
  const MutexLock held(high);
  std::thread([&] { EXPECT_NO_THROW({ const MutexLock lock(low); }); }).join();
}

TEST(LockOrder, UnorderedLocksAreFree) {
  Mutex high(LockLevel::extents), any, other;
  const MutexLock held(high), under(any);
  EXPECT_NO_THROW({ const MutexLock lock(other); });
}

TEST(LockOrder, WhatIsAssumedHeldIsHeld) {
  TimedMutex mutex(LockLevel::writer);
  EXPECT_THROW(mutex.assume_held(), InternalError);
  const TimedLock lock(mutex, std::try_to_lock);
  EXPECT_NO_THROW(mutex.assume_held());
  std::thread([&] { EXPECT_THROW(mutex.assume_held(), InternalError) << "another thread holds it"; }).join();
}

#else

TEST(LockOrder, CostsNothingInARelease) {
  EXPECT_EQ(sizeof(Mutex), sizeof(std::mutex));
  EXPECT_EQ(sizeof(MutexLock), sizeof(std::unique_lock<std::mutex>));
}

#endif

}  // namespace
}  // namespace rizoma
