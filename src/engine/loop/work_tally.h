// WorkTally: counts the work of an engine's threads while loops run, and folds it into a Traffic after each.
#pragma once

#include <rizoma/traffic.h>

#include "platform/mutex.h"

#include <vector>

namespace rizoma {

class WorkTally {
 public:
  WorkTally(unsigned homes, std::vector<unsigned> home_of_thread);

  /// Work of a thread on a section of `home`; `home` = homes: memory that is on all homes evenly.
  /// For the thread itself, within a loop.
  void count(unsigned thread, unsigned home, const WorkCount& work) noexcept { threads_[thread].by_home[home] += work; }

  /// Ends a loop in which threads 0..threads-1 took part.  Not while one runs.
  void end_sweep(unsigned threads);

  /// Adds the counts of nested loops, which are not counted by themselves, as one more sweep.  Not during a loop.
  [[nodiscard]] Traffic traffic();
  void reset();

 private:
  struct alignas(64) OfThread {
    std::vector<WorkCount> by_home;  ///< one more than there are homes
  };
  void merge(unsigned home, std::vector<WorkCount>& by_home, SweepCount& sweep) RIZOMA_REQUIRES(guard_);

  unsigned homes_;
  std::vector<unsigned> home_of_thread_;
  std::vector<OfThread> threads_;
  Mutex guard_;
  Traffic traffic_ RIZOMA_GUARDED_BY(guard_);
};

}  // namespace rizoma
