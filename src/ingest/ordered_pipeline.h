// OrderedPipeline: read in order, work in parallel, deliver in order, in bounded memory.
//
// Every thread does the same: it takes the next input (one thread at a time), transforms it beside the
// others, and puts the output into a window.  Whoever puts the output that is due delivers it and all
// that wait after it.  So while one thread decompresses, another parses and a third delivers; and no
// more than 2 * threads + 1 outputs exist at a time, and no more than one a thread is kept to be used again.
// The loop runs in rounds of about 50 ms, between which progress is reported from the calling thread.
// The first error in input order wins, whichever thread met it first.
#pragma once

#include <rizoma/executor.h>

#include "platform/mutex.h"
#include "base/check.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

/// Input and Output are default-constructible and movable; an Input object is used again and again, and so is an Output
/// that has `recycle()`, which makes a delivered one empty and may keep its memory.
///   Next:      Result<bool>(Input&)                   false at the end
///   Transform: Status(Input&, Output&)                 concurrent
///   Deliver:   Status(Output&&)                        one thread at a time, in order
template <class Input, class Output, class Next, class Transform, class Deliver>
class OrderedPipeline {
 public:
  OrderedPipeline(Executor& executor, Next& next, Transform& transform, Deliver& deliver)
      : executor_(executor),
        next_(next),
        transform_(transform),
        deliver_(deliver),
        inputs_(executor.threads()),
        window_(2 * executor.threads() + 1) {}

  /// `done` gives the units done so far, out of `total`.
  template <class Done>
  Status run(std::string_view phase, Done&& done, double total) {
    for (;;) {
      round_end_ = Clock::now() + std::chrono::milliseconds(50);
      executor_.parallel([this](unsigned thread) { work(inputs_[thread]); });
      {
        const MutexLock lock(window_mutex_);
        if (exception_) std::rethrow_exception(exception_);
        if (failure_) return *std::move(failure_);
      }
      RIZOMA_TRY(executor_.report(phase, done(), total));
      if (ended()) return {};
      if (executor_.stopping()) return Error{ErrorCode::cancelled, std::string(phase) + " was stopped"};
    }
  }

 private:
  [[nodiscard]] bool ended() {
    const MutexLock take(take_mutex_);
    const MutexLock window(window_mutex_);
    RIZOMA_CHECK(!at_end_ || taken_ == delivered_);
    return at_end_;
  }

  using Clock = std::chrono::steady_clock;
  struct Slot {
    bool ready = false;
    std::optional<Error> error;
    Output output;
  };

  void work(Input& input) {
    try {
      std::uint64_t number = 0;
      while (take(input, number)) {
        Slot slot = empty_slot();
        if (Status status = transform_(input, slot.output); !status) slot.error = std::move(status).error();
        put(number, std::move(slot));
      }
    } catch (...) {
      const MutexLock lock(window_mutex_);
      if (!exception_) exception_ = std::current_exception();
      stop();
    }
  }

  static constexpr bool kRecycles = requires(Output& output) { output.recycle(); };

  Slot empty_slot() {
    Slot slot;
    if constexpr (kRecycles) {
      const MutexLock lock(window_mutex_);
      if (spare_.empty()) return slot;
      slot.output = std::move(spare_.back());
      spare_.pop_back();
    }
    return slot;
  }

  bool take(Input& input, std::uint64_t& number) {
    const MutexLock lock(take_mutex_);
    if (at_end_ || stopped_ || executor_.stopping() || Clock::now() >= round_end_) return false;
    {
      MutexLock window(window_mutex_);
      while (!stopped_ && taken_ - delivered_ >= window_.size()) room_.wait(window);
    }
    if (stopped_) return false;
    Result<bool> more = next_(input);
    if (more && *more) {
      number = taken_++;
      return true;
    }
    at_end_ = true;
    if (!more) {
      Slot slot;
      slot.error = std::move(more).error();
      put(taken_++, std::move(slot));
    }
    return false;
  }

  void put(std::uint64_t number, Slot&& slot) {
    MutexLock lock(window_mutex_);
    slot.ready = true;
    window_[number % window_.size()] = std::move(slot);
    if (delivering_) return;
    delivering_ = true;
    while (!stopped_ && window_[delivered_ % window_.size()].ready) {
      Slot due = std::exchange(window_[delivered_ % window_.size()], Slot{});
      lock.unlock();
      std::optional<Error> error = std::move(due.error);
      if (!error) {
        if (Status status = deliver_(std::move(due.output)); !status) error = std::move(status).error();
      }
      if constexpr (kRecycles) due.output.recycle();
      lock.lock();
      if constexpr (kRecycles) {
        if (spare_.size() < inputs_.size()) spare_.push_back(std::move(due.output));
      }
      ++delivered_;
      if (error) {
        failure_ = std::move(error);
        stop();
      }
      room_.notify_all();
    }
    delivering_ = false;
  }

  void stop() RIZOMA_REQUIRES(window_mutex_) {
    stopped_ = true;
    room_.notify_all();
  }

  Executor& executor_;
  Next& next_;
  Transform& transform_;
  Deliver& deliver_;
  Clock::time_point round_end_;
  std::vector<Input> inputs_;  ///< by thread

  Mutex take_mutex_;  ///< guards next_ and writes of taken_ too
  bool at_end_ RIZOMA_GUARDED_BY(take_mutex_) = false;
  std::atomic<std::uint64_t> taken_ = 0;

  Mutex window_mutex_;
  Condition room_;
  std::vector<Slot> window_ RIZOMA_GUARDED_BY(window_mutex_);
  std::vector<Output> spare_ RIZOMA_GUARDED_BY(window_mutex_);  ///< recycled outputs
  std::uint64_t delivered_ RIZOMA_GUARDED_BY(window_mutex_) = 0;
  bool delivering_ RIZOMA_GUARDED_BY(window_mutex_) = false;
  std::atomic<bool> stopped_ = false;
  std::optional<Error> failure_ RIZOMA_GUARDED_BY(window_mutex_);
  std::exception_ptr exception_ RIZOMA_GUARDED_BY(window_mutex_);
};

template <class Input, class Output, class Next, class Transform, class Deliver, class Done>
Status run_ordered(Executor& executor, std::string_view phase, Done&& done, double total, Next next,
                   Transform transform, Deliver deliver) {
  OrderedPipeline<Input, Output, Next, Transform, Deliver> pipeline(executor, next, transform, deliver);
  return pipeline.run(phase, done, total);
}

}  // namespace rizoma
