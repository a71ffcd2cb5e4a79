// BackgroundThread: one thread that runs a piece of work when it is woken, or when the time has come
// that the work itself asked for.
//
// Signals are blocked in it, so that Ctrl-C reaches the caller.  After a fork the child has no such
// thread: there `wake` does nothing, and the destructor leaves everything after as it is.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace rizoma {

class BackgroundThread {
 public:
  /// Runs in the thread; returns how long to sleep at most, or nothing to sleep until woken.
  using Work = std::function<std::optional<std::chrono::milliseconds>()>;

  /// Throws std::system_error if the system has no more threads.
  explicit BackgroundThread(Work work);
  ~BackgroundThread();  ///< stops it
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;

  /// The work runs once more, at least, from now on, unless the thread has been stopped.
  void wake();
  /// Returns once running work has finished; no work runs afterwards.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rizoma
