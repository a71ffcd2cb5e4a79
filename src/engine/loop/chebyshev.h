// Chebyshev's acceleration of PageRank's iteration.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

namespace rizoma {

/// Of an iteration whose eigenvalues are real and at most alpha in size, as those of undirected graphs are.
class Acceleration {
 public:
  Acceleration(bool wanted, double alpha) : wanted_(wanted), alpha_(alpha) {}

  /// Whether scores are no longer Jacobi's own.
  [[nodiscard]] bool on() const noexcept { return on_; }

  /// After an iteration that has changed so much: how far the next one is to go beyond Jacobi's new scores, away from
  /// those before the last (the messages of two steps).
  [[nodiscard]] double beyond_next(double change) {
    const double promised = alpha_ / (1 + std::sqrt(1 - alpha_ * alpha_));
    const bool slow = change > std::pow(promised, kSlow) * former_change_;
    former_change_ = change;
    if (!wanted_ || (!on_ && !slow)) return 0;
    if (!std::exchange(on_, true)) return 0;  // the first of them is Jacobi's own
    weight_ = 1 / (1 - alpha_ * alpha_ * weight_ / (weight_ == 1 ? 2 : 4));
    return weight_ - 1;
  }

 private:
  static constexpr double kSlow = 0.8;  ///< of a polynomial's step, as an exponent: below 1 for every alpha
  bool wanted_;
  double alpha_;
  double former_change_ = std::numeric_limits<double>::infinity();
  double weight_ = 1;
  bool on_ = false;
};

}  // namespace rizoma
