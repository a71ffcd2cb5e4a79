// Pause: how a rank passes its time between two looks at what others do.
#pragma once

#include "platform/thread_pool.h"

#include <chrono>
#include <thread>

namespace rizoma::mpi {

/// Spins, then gives the processor away, then sleeps.  Ranks that share processors do not spin for long; others do as
/// long as a short sweep takes: who gives a processor away beside other work gets it back milliseconds later.
class Pause {
 public:
  explicit Pause(bool crowded) : crowded_(crowded) {}
  void operator()() {
    ++turns_;
    pause_processor();
    if (turns_ < kTurns || (!crowded_ && spins())) return;
    if (yields_++ < kYields) std::this_thread::yield();
    else std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kTurns = 64;  // between two looks at the clock
  static constexpr unsigned kYields = 4096;
  static constexpr auto kSpin = std::chrono::milliseconds(4);

  bool spins() {
    if (!spinning_ || turns_ % kTurns != 0) return spinning_;
    const Clock::time_point now = Clock::now();
    if (turns_ == kTurns) begun_ = now;
    spinning_ = now - begun_ < kSpin;
    return spinning_;
  }

  bool crowded_;
  bool spinning_ = true;
  unsigned turns_ = 0;
  unsigned yields_ = 0;
  Clock::time_point begun_;
};

}  // namespace rizoma::mpi
