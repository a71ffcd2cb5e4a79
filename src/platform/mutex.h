// Mutex: a lock of which clang's -Wthread-safety knows what it guards (tools/check_threads.py runs it).
//
// Data that a lock guards says so (RIZOMA_GUARDED_BY), and so does a function that its caller must hold the lock for
// (RIZOMA_REQUIRES): to touch either without it is an error of compilation.  Other compilers see plain locks.
// What the analysis cannot follow stays with std::mutex: data that is read without a lock once an atomic flag says
// that it is there, data that may be read under either of two locks, and mutexes that are local to a function.
// Each lock has a level in the order of locks, which debug builds check (lock_order.h).
// Cost: that of std::mutex.
#pragma once

#include "base/check.h"
#include "platform/lock_order.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <utility>

#ifdef __clang__
#define RIZOMA_THREADS(attribute) __attribute__((attribute))
#else
#define RIZOMA_THREADS(attribute)
#endif
/// Of a member: readers and writers hold the lock.
#define RIZOMA_GUARDED_BY(mutex) RIZOMA_THREADS(guarded_by(mutex))
/// Of a function, after its parameters: the caller holds the locks.
#define RIZOMA_REQUIRES(...) RIZOMA_THREADS(requires_capability(__VA_ARGS__))

namespace rizoma {

class RIZOMA_THREADS(capability("mutex")) Mutex {
 public:
  explicit Mutex(LockLevel level = LockLevel::unordered) noexcept : place_(level) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() RIZOMA_THREADS(acquire_capability()) {
    place_.expect_next();
    mutex_.lock();
    place_.note_taken();
  }
  void unlock() RIZOMA_THREADS(release_capability()) {
    place_.note_released();
    mutex_.unlock();
  }
  /// Tells the analysis a fact that it cannot see: the lock is held, or no other thread has the object yet.
  void assume_held() const noexcept RIZOMA_THREADS(assert_capability(this)) {}

 private:
  friend class MutexLock;
  friend class HeldLock;
  std::mutex mutex_;
  [[no_unique_address]] LockPlace place_;
};

/// What a lock of a Mutex adds to it for the check of the order: in release builds nothing.
class MutexPlace {
 public:
#ifdef NDEBUG
  explicit MutexPlace(const LockPlace&) noexcept {}
  void taken() noexcept {}
  void released() noexcept {}
  void expect_next() const noexcept {}
#else
  explicit MutexPlace(const LockPlace& place) noexcept : place_(&place) {}
  void taken() noexcept { place_->note_taken(); }
  void released() noexcept { place_->note_released(); }
  void expect_next() const { place_->expect_next(); }

 private:
  const LockPlace* place_;
#endif
};

/// Holds a Mutex until the end of its scope.
class RIZOMA_THREADS(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) RIZOMA_THREADS(acquire_capability(mutex))
      : place_(mutex.place_), lock_(mutex.mutex_, std::defer_lock) {
    take();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() RIZOMA_THREADS(release_capability()) {
    if (lock_.owns_lock()) place_.released();
  }

  void lock() RIZOMA_THREADS(acquire_capability()) { take(); }
  void unlock() RIZOMA_THREADS(release_capability()) {
    place_.released();
    lock_.unlock();
  }

 private:
  friend class Condition;
  void take() {
    place_.expect_next();
    lock_.lock();
    place_.taken();
  }
  [[no_unique_address]] MutexPlace place_;
  std::unique_lock<std::mutex> lock_;
};

/// A lock as a value, which a function can return.  `holds` tells the analysis which lock it is.
class HeldLock {
 public:
  explicit HeldLock(Mutex& mutex) : place_(mutex.place_), lock_(mutex.mutex_, std::defer_lock) {
    place_.expect_next();
    lock_.lock();
    place_.taken();
  }
  HeldLock(Mutex& mutex, std::try_to_lock_t attempt) : place_(mutex.place_), lock_(mutex.mutex_, attempt) {
    if (lock_.owns_lock()) place_.taken();
  }
  HeldLock(HeldLock&&) noexcept = default;
  HeldLock& operator=(HeldLock&&) = delete;
  ~HeldLock() {
    if (lock_.owns_lock()) place_.released();
  }

  [[nodiscard]] bool owns_lock() const noexcept { return lock_.owns_lock(); }
  void holds(const Mutex& mutex) const RIZOMA_THREADS(assert_capability(mutex)) {
    RIZOMA_CHECK(lock_.owns_lock() && lock_.mutex() == &mutex.mutex_);
  }
  void unlock(const Mutex& mutex) RIZOMA_THREADS(release_capability(mutex)) RIZOMA_THREADS(no_thread_safety_analysis) {
    RIZOMA_CHECK(lock_.mutex() == &mutex.mutex_);
    place_.released();
    lock_.unlock();
  }

 private:
  [[no_unique_address]] MutexPlace place_;
  std::unique_lock<std::mutex> lock_;
};

/// A condition variable for a MutexLock.  Without predicates: the analysis takes a lambda for a function without locks.
class Condition {
 public:
  void notify_one() noexcept { changed_.notify_one(); }
  void notify_all() noexcept { changed_.notify_all(); }
  void wait(MutexLock& lock) { changed_.wait(lock.lock_); }
  /// False once the time is over.
  [[nodiscard]] bool wait_until(MutexLock& lock, std::chrono::steady_clock::time_point end) {
    return changed_.wait_until(lock.lock_, end) == std::cv_status::no_timeout;
  }

 private:
  std::condition_variable changed_;
};

class RIZOMA_THREADS(capability("shared mutex")) SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

 private:
  friend class AloneLock;
  friend class SharedLock;
  std::shared_mutex mutex_;
};

/// Holds a SharedMutex exclusively: its data may be written.
class RIZOMA_THREADS(scoped_lockable) AloneLock {
 public:
  explicit AloneLock(SharedMutex& mutex) RIZOMA_THREADS(acquire_capability(mutex)) : lock_(mutex.mutex_) {}
  ~AloneLock() RIZOMA_THREADS(release_capability()) {}

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

/// Holds a SharedMutex shared: its data may be read.
class RIZOMA_THREADS(scoped_lockable) SharedLock {
 public:
  explicit SharedLock(SharedMutex& mutex) RIZOMA_THREADS(acquire_shared_capability(mutex)) : lock_(mutex.mutex_) {}
  ~SharedLock() RIZOMA_THREADS(release_generic_capability()) {}

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace rizoma
