#include "engine/loop/work_tally.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

/// The share of `work` of one of `homes` homes; home 0 gets the remainder.
WorkCount part_of(const WorkCount& work, unsigned homes, unsigned home) {
  const auto part = [&](std::uint64_t amount) { return amount / homes + (home == 0 ? amount % homes : 0); };
  return {part(work.blocks), part(work.vertices), part(work.edges), part(work.bytes)};
}

}  // namespace

WorkTally::WorkTally(unsigned homes, std::vector<unsigned> home_of_thread)
    : homes_(homes), home_of_thread_(std::move(home_of_thread)), threads_(home_of_thread_.size()) {
  for (OfThread& one : threads_) one.by_home.resize(homes + 1);
  reset();
}

void WorkTally::merge(unsigned home, std::vector<WorkCount>& by_home, SweepCount& sweep) {
  for (unsigned to = 0; to < homes_; ++to) {
    WorkCount work = by_home[to];
    work += part_of(by_home[homes_], homes_, to);
    (to == home ? sweep.local : sweep.remote) += work;
    traffic_.between[home * homes_ + to] += work;
  }
  for (WorkCount& work : by_home) work = {};
}

void WorkTally::end_sweep(unsigned threads) {
  const MutexLock lock(guard_);
  SweepCount sweep;
  for (unsigned thread = 0; thread < threads; ++thread) {
    merge(home_of_thread_[thread], threads_[thread].by_home, sweep);
  }
  if (traffic_.num_sweeps++ < Traffic::kSweepsKept) traffic_.sweeps.push_back(sweep);
}

Traffic WorkTally::traffic() {
  const bool left_over = std::any_of(threads_.begin(), threads_.end(), [](const OfThread& one) {
    return std::any_of(one.by_home.begin(), one.by_home.end(),
                       [](const WorkCount& work) { return work != WorkCount{}; });
  });
  if (left_over) end_sweep(static_cast<unsigned>(threads_.size()));
  const MutexLock lock(guard_);
  return traffic_;
}

void WorkTally::reset() {
  const MutexLock lock(guard_);
  for (OfThread& one : threads_) std::fill(one.by_home.begin(), one.by_home.end(), WorkCount{});
  traffic_ = Traffic{.homes = homes_, .between = std::vector<WorkCount>(std::size_t{homes_} * homes_)};
}

}  // namespace rizoma
