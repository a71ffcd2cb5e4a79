#include "placement/adaptive.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace rizoma {
namespace {

/// A move of one section, or an exchange of two (`back` goes the other way).
struct Step {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t over = kNone;
  std::size_t back = kNone;
};

class Balance {
 public:
  Balance(std::vector<unsigned>& home_of_section, std::span<const double> work, unsigned homes,
          std::span<const double> power)
      : home_(home_of_section), work_(work), power_(homes, 1.0), load_(homes), sections_(homes) {
    if (!power.empty()) power_.assign(power.begin(), power.end());
    for (std::size_t s = 0; s < home_.size(); ++s) {
      load_[home_[s]] += work_[s];
      sections_[home_[s]].push_back(s);
    }
    const double all = std::accumulate(load_.begin(), load_.end(), 0.0);
    mean_ = all / std::accumulate(power_.begin(), power_.end(), 0.0);
  }

  [[nodiscard]] double imbalance() const { return mean_ > 0 ? level(fullest()) / mean_ : 1; }

  /// Brings the fullest and the emptiest home nearer to each other; false if no step does.
  bool step() {
    const unsigned from = fullest();
    const unsigned to = emptiest();
    sort_once();
    // So much work on its way would make the two equal.
    const double wanted = (level(from) - level(to)) / (1 / power_[from] + 1 / power_[to]);
    const Step best = nearest_step(from, to, wanted);
    if (best.over == Step::kNone) return false;
    move(best.over, from, to);
    if (best.back != Step::kNone) move(best.back, to, from);
    return true;
  }

 private:
  [[nodiscard]] double level(std::size_t home) const { return load_[home] / power_[home]; }
  [[nodiscard]] unsigned fullest() const {
    unsigned found = 0;
    for (unsigned home = 1; home < load_.size(); ++home) found = level(home) > level(found) ? home : found;
    return found;
  }
  [[nodiscard]] unsigned emptiest() const {
    unsigned found = 0;
    for (unsigned home = 1; home < load_.size(); ++home) found = level(home) < level(found) ? home : found;
    return found;
  }
  [[nodiscard]] bool lighter(std::size_t a, std::size_t b) const {
    return work_[a] != work_[b] ? work_[a] < work_[b] : a < b;
  }
  void sort_once() {
    if (sorted_) return;
    sorted_ = true;
    for (std::vector<std::size_t>& own : sections_) {
      std::sort(own.begin(), own.end(), [this](std::size_t a, std::size_t b) { return lighter(a, b); });
    }
  }

  /// The step that moves the amount nearest to `wanted`, but more than nothing and less than twice as much.
  [[nodiscard]] Step nearest_step(unsigned from, unsigned to, double wanted) const {
    Step best;
    double miss = wanted * (1 - 1e-9);  // a step must reduce the load
    const auto consider = [&](std::size_t over, std::size_t back, double amount) {
      if (std::abs(amount - wanted) >= miss) return;
      miss = std::abs(amount - wanted);
      best = {over, back};
    };
    for (const std::size_t over : sections_[from]) consider(over, Step::kNone, work_[over]);
    if (miss <= wanted / 64) return best;  // moving one section suffices: exchange none
    auto back = sections_[to].begin();
    for (const std::size_t over : sections_[from]) {
      // The lists rise, and so does the partner that makes the difference right.
      while (back != sections_[to].end() && work_[over] - work_[*back] > wanted) ++back;
      if (back != sections_[to].end()) consider(over, *back, work_[over] - work_[*back]);
      if (back != sections_[to].begin()) consider(over, *(back - 1), work_[over] - work_[*(back - 1)]);
    }
    return best;
  }

  void move(std::size_t section, unsigned from, unsigned to) {
    const auto by_work = [this](std::size_t a, std::size_t b) { return lighter(a, b); };
    std::vector<std::size_t>& old = sections_[from];
    old.erase(std::lower_bound(old.begin(), old.end(), section, by_work));
    std::vector<std::size_t>& own = sections_[to];
    own.insert(std::lower_bound(own.begin(), own.end(), section, by_work), section);
    load_[from] -= work_[section];
    load_[to] += work_[section];
    home_[section] = to;
  }

  std::vector<unsigned>& home_;
  std::span<const double> work_;
  std::vector<double> power_;
  std::vector<double> load_;
  std::vector<std::vector<std::size_t>> sections_;  ///< of each home; by rising work once sorted
  double mean_ = 0;
  bool sorted_ = false;
};

}  // namespace

double imbalance(std::span<const unsigned> home_of_section, std::span<const double> work, unsigned homes) {
  std::vector<unsigned> copy(home_of_section.begin(), home_of_section.end());
  return Balance(copy, work, homes, {}).imbalance();
}

std::size_t rebalance(std::vector<unsigned>& home_of_section, std::span<const double> work, unsigned homes,
                      std::span<const double> power, const RebalanceOptions& options) {
  const std::vector<unsigned> before = home_of_section;
  Balance balance(home_of_section, work, homes, power);
  if (balance.imbalance() <= 1 + options.start) return 0;
  // Each step lowers the sum of squares; this is more than any balance has needed.
  for (std::size_t left = 2 * before.size(); left > 0 && balance.imbalance() > 1 + options.stop; --left) {
    if (!balance.step()) break;
  }
  std::size_t moved = 0;
  for (std::size_t s = 0; s < before.size(); ++s) moved += before[s] != home_of_section[s] ? 1 : 0;
  return moved;
}

void WorkAverage::add(std::span<const double> work) {
  if (mean_.size() != work.size()) {
    for (std::vector<double>* values : {&mean_, &sum_, &greatest_}) values->assign(work.size(), 0);
    sweeps_ = 0;
  }
  ++sweeps_;
  for (std::size_t s = 0; s < work.size(); ++s) {
    if (sweeps_ > kMemory) {
      mean_[s] += (work[s] - mean_[s]) / kMemory;
      continue;
    }
    sum_[s] += work[s];
    greatest_[s] = std::max(greatest_[s], work[s]);
    const double others = sweeps_ == 1 ? 0 : (sum_[s] - greatest_[s]) / static_cast<double>(sweeps_ - 1);
    // Where all the others are nothing, the section has its work in few sweeps.
    mean_[s] = others > 0 && greatest_[s] > kFar * others ? others : sum_[s] / static_cast<double>(sweeps_);
  }
}

}  // namespace rizoma
