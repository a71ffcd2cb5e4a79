// Adaptive placement: sections change their homes according to the work that was measured in them.
//
// How: while the homes differ by more than the bound, the section, or the pair of sections, whose move or
// exchange brings the most and the smallest loaded home nearest to each other goes over.  Each step lowers
// the sum of the squares of the loads, so it ends; and it changes nothing while the homes are within the
// bound that starts it, a dead band, so that with steady work the second call moves nothing.
// Work is averaged over sweeps (WorkAverage), which damps what the machine does besides.
// Cost: O(sections log sections) when something moves, else O(sections).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

struct RebalanceOptions {
  double start = 0.01;  ///< nothing moves while the largest load is below (1 + start) * mean
  double stop = 0.002;  ///< good enough to stop at
};

/// Greatest load / mean load of the homes; 1 if there is no work.
[[nodiscard]] double imbalance(std::span<const unsigned> home_of_section, std::span<const double> work, unsigned homes);

/// Moves sections between homes; returns how many now have another home.  `power` is what each home can
/// do (its threads); empty: all the same.  Loads are work / power.
std::size_t rebalance(std::vector<unsigned>& home_of_section, std::span<const double> work, unsigned homes,
                      std::span<const double> power = {}, const RebalanceOptions& options = {});

/// Mean work of each section over the sweeps so far.  Its largest is left out if it is far above the others: the first
/// sweep pays for bringing the graph into memory, and whatever holds up a processor for some milliseconds makes
/// the sections of that moment look heavy.  Old sweeps fade once there are many.
class WorkAverage {
 public:
  /// Tells the work of one sweep.
  void add(std::span<const double> work);
  [[nodiscard]] std::span<const double> mean() const noexcept { return mean_; }
  [[nodiscard]] std::uint64_t sweeps() const noexcept { return sweeps_; }

 private:
  static constexpr std::uint64_t kMemory = 16;  ///< sweeps
  static constexpr double kFar = 1.5;           ///< times the mean of the others
  std::vector<double> mean_;
  std::vector<double> sum_;       ///< of the first kMemory sweeps
  std::vector<double> greatest_;  ///< of those
  std::uint64_t sweeps_ = 0;
};

}  // namespace rizoma
