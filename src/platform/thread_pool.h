// ThreadPool: threads that wait for loops to run.  The engine builds its Executor on it.
//
// How: a generation counter calls the workers, a counter of those still busy brings the caller back.
// Both sides spin for some tens of microseconds, because the next loop of a sweep follows at once,
// and then sleep on a futex; with more threads than processors none spins.  Workers block all
// signals, so that Ctrl-C reaches the caller.
// Fork: threads do not survive a fork.  The first `run` in a child starts new ones; a fork must not
// happen while `run` is running (Python's os.fork and multiprocessing satisfy that unless another
// Python thread is inside a call).
#pragma once

#include <rizoma/detail/function_ref.h>

#include <memory>
#include <thread>
#include <vector>

namespace rizoma {

/// Tells the processor that a loop waits.
inline void pause_processor() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");  // about as long as the pause of x86; "yield" does nothing on most processors
#else
  std::this_thread::yield();
#endif
}

class ThreadPool {
 public:
  /// `threads` counts the calling thread; 0 means one for each processor this process may use.
  /// Worker i is bound to processors[i % size], if there are any; the caller to the first of them while it
  /// runs, and may run where it might before once `run` returns.  Throws std::system_error if the system gives no
  /// more threads.
  explicit ThreadPool(unsigned threads = 0, std::vector<unsigned> processors = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  /// How long it pays to spin for another thread, in pauses; 0 if there are more threads than processors.
  [[nodiscard]] unsigned spins() const noexcept { return spins_; }

  /// Runs body(thread) for every thread 0..threads()-1 at the same time, 0 on the caller, and returns
  /// when all have; then rethrows the first exception that a body threw.  One run at a time, and
  /// none from within a body.
  void run(FunctionRef<void(unsigned thread)> body) { run(body, nullptr); }
  /// While the caller waits for the others it calls `poll` each time that this many seconds have gone by; what it
  /// throws counts as thrown by the caller's body.
  struct Waiting {
    FunctionRef<void()> poll;
    double seconds;
  };
  void run(FunctionRef<void(unsigned thread)> body, const Waiting& waiting) { run(body, &waiting); }

 private:
  void run(FunctionRef<void(unsigned thread)> body, const Waiting* waiting);
  class Workers;
  void start();

  unsigned threads_;
  unsigned spins_ = 0;
  std::vector<unsigned> processors_;
  std::unique_ptr<Workers> workers_;
};

/// Spins until done() or for about the time of a short loop; returns whether it is done.
template <class Done>
bool spin_until(Done done, unsigned spins) noexcept {
  for (unsigned i = 0; i < spins; ++i) {
    if (done()) return true;
    pause_processor();
  }
  return done();
}

/// Processors that this process may run on, by the operating system's numbers.
[[nodiscard]] std::vector<unsigned> usable_processors();

}  // namespace rizoma
