#include "platform/thread_pool.h"

#include "base/check.h"
#include "platform/signals_blocked.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace rizoma {
namespace {

// About 20 to 50 microseconds: longer than the gap between two loops, shorter than anyone notices.
constexpr unsigned kSpins = 1000;

/// Returns once `value` is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, unsigned spins) noexcept {
  if (spin_until([&] { return value.load(std::memory_order_acquire) != old; }, spins)) return;
  value.wait(old, std::memory_order_acquire);
}

/// A processor that cannot be had (hot-unplugged, or forbidden by now) only costs locality.
void try_bind_to(unsigned processor) noexcept {
  if (processor >= CPU_SETSIZE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  (void)::sched_setaffinity(0, sizeof set, &set);
}

using ProcessorSet = std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)>;

ProcessorSet make_set(int capacity) {
  return {CPU_ALLOC(static_cast<std::size_t>(capacity)), [](cpu_set_t* set) { CPU_FREE(set); }};
}

constexpr int kMostProcessors = 1 << 16;

/// Binds the present thread for its lifetime, and then restores its former binding.
class BoundCaller {
 public:
  explicit BoundCaller(unsigned processor) : before_(make_set(kMostProcessors)) {
    if (before_ == nullptr || ::sched_getaffinity(0, kBytes, before_.get()) != 0) before_.reset();
    else try_bind_to(processor);
  }
  ~BoundCaller() {
    if (before_ != nullptr) (void)::sched_setaffinity(0, kBytes, before_.get());
  }
  BoundCaller(const BoundCaller&) = delete;
  BoundCaller& operator=(const BoundCaller&) = delete;

 private:
  static constexpr std::size_t kBytes = CPU_ALLOC_SIZE(kMostProcessors);
  ProcessorSet before_;
};

}  // namespace

std::vector<unsigned> usable_processors() {
  std::vector<unsigned> processors;
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 2) {
    const ProcessorSet set = make_set(capacity);
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    if (::sched_getaffinity(0, bytes, set.get()) == 0) {
      for (int i = 0; i < capacity; ++i) {
        if (CPU_ISSET_S(i, bytes, set.get())) processors.push_back(static_cast<unsigned>(i));
      }
      return processors;
    }
    if (errno != EINVAL) break;  // EINVAL: the machine has more processors than the set holds
  }
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) processors.push_back(i);
  if (processors.empty()) processors.push_back(0);
  return processors;
}

/// The threads 1..n-1 of one process, and their data shared with the caller.
class ThreadPool::Workers {
 public:
  Workers(unsigned threads, const std::vector<unsigned>& processors, unsigned spins)
      : spins_(spins), process_(::getpid()) {
    const SignalsBlocked blocked;
    threads_.reserve(threads - 1);
    try {
      for (unsigned i = 1; i < threads; ++i) {
        const int processor = processors.empty() ? -1 : static_cast<int>(processors[i % processors.size()]);
        threads_.emplace_back([this, i, processor] { work(i, processor); });
      }
    } catch (...) {
      stop();
      throw;
    }
  }

  ~Workers() { stop(); }

  [[nodiscard]] bool of_this_process() const noexcept { return process_ == ::getpid(); }

  void run(FunctionRef<void(unsigned)> body, const Waiting* waiting) {
    RIZOMA_CHECK(!running_.exchange(true, std::memory_order_acquire));
    body_ = &body;
    busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
    call();
    guarded([this] { (*body_)(0); });
    if (waiting != nullptr) guarded([this, waiting] { wait_and_poll(*waiting); });
    for (std::uint32_t busy; (busy = busy_.load(std::memory_order_acquire)) != 0;) {
      wait_for_change(busy_, busy, spins_);
    }
    std::exception_ptr error = std::exchange(error_, nullptr);
    running_.store(false, std::memory_order_release);
    if (error) std::rethrow_exception(std::move(error));
  }

 private:
  void call() noexcept {
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }

  void stop() noexcept {
    body_ = nullptr;
    call();
    for (std::thread& thread : threads_) thread.join();
  }

  void work(unsigned index, int processor) noexcept {
    if (processor >= 0) try_bind_to(static_cast<unsigned>(processor));
    for (std::uint32_t seen = 0;; ++seen) {
      wait_for_change(generation_, seen, spins_);
      if (body_ == nullptr) return;
      guarded([this, index] { (*body_)(index); });
      if (busy_.fetch_sub(1) == 1) all_done();
    }
  }

  void all_done() noexcept {
    busy_.notify_one();
    if (!sleeps_.load()) return;  // either this sees that the caller sleeps, or the caller that no worker is busy
    const std::lock_guard guard(sleeping_);
    woken_.notify_one();
  }

  /// Spins first: the loops of a sweep over a road network are shorter than it takes to fall asleep and to be woken.
  void wait_and_poll(const Waiting& waiting) {
    const auto done = [this] { return busy_.load() == 0; };
    if (spin_until(done, spins_)) return;
    std::unique_lock lock(sleeping_);
    sleeps_.store(true);
    while (!woken_.wait_for(lock, std::chrono::duration<double>(waiting.seconds), done)) {
      lock.unlock();
      waiting.poll();
      lock.lock();
    }
    sleeps_.store(false);
  }

  template <class F>
  void guarded(F&& f) noexcept {
    try {
      f();
    } catch (...) {
      const std::lock_guard guard(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  // Apart, because the workers spin on the one while the caller spins on the other.
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> busy_{0};
  alignas(64) const FunctionRef<void(unsigned)>* body_ = nullptr;
  std::atomic<bool> running_{false};
  unsigned spins_;
  pid_t process_;
  std::mutex sleeping_;
  std::condition_variable woken_;
  std::atomic<bool> sleeps_{false};  ///< the caller, until it is woken or it is time to poll
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

ThreadPool::ThreadPool(unsigned threads, std::vector<unsigned> processors)
    : threads_(threads != 0 ? threads : static_cast<unsigned>(usable_processors().size())),
      processors_(std::move(processors)) {
  start();
}

ThreadPool::~ThreadPool() {
  // In a forked child the threads to join do not exist: leave their remains alone.
  if (!workers_->of_this_process()) (void)workers_.release();
}

void ThreadPool::start() {
  spins_ = threads_ <= usable_processors().size() ? kSpins : 0;
  workers_ = std::make_unique<Workers>(threads_, processors_, spins_);
}

void ThreadPool::run(FunctionRef<void(unsigned)> body, const Waiting* waiting) {
  if (!workers_->of_this_process()) {
    (void)workers_.release();
    start();
  }
  std::optional<BoundCaller> bound;
  if (!processors_.empty()) bound.emplace(processors_.front());
  workers_->run(body, waiting);
}

}  // namespace rizoma
