// Chebyshev's acceleration of PageRank's iteration.
#pragma once

#include <rizoma/engine.h>

#include <cmath>
#include <limits>
#include <utility>

namespace rizoma {

/// Of an iteration whose eigenvalues are real and at most alpha in size, as those of undirected graphs are.
class Acceleration {
 public:
  Acceleration(bool wanted, double alpha) : wanted_(wanted), alpha_(alpha) {}

  [[nodiscard]] bool on() const noexcept { return room_.size() > 0; }

  /// After an iteration: makes the next one ready, by what this one has changed.
  template <class Program>
  void go_on(Engine& engine, VertexId n, double change, Program& iteration) {
    const double promised = alpha_ / (1 + std::sqrt(1 - alpha_ * alpha_));
    const bool slow = change > std::pow(promised, kSlow) * former_change_;
    former_change_ = change;
    if (!wanted_ || (!on() && !slow)) return;
    if (!on()) {
      room_ = engine.make_map<double>(n, 0);
      iteration.ranks = room_.data();
      return;  // the first of them is Jacobi's own
    }
    weight_ = 1 / (1 - alpha_ * alpha_ * weight_ / (weight_ == 1 ? 2 : 4));
    iteration.beyond = weight_ - 1;
    std::swap(iteration.last, iteration.ranks);
  }
  /// Makes `ranks` the values at `answer`, which are there or in the room of this.
  void settle(const double* answer, VertexMap<double>& ranks) {
    if (answer != ranks.data()) std::swap(ranks, room_);
  }

 private:
  static constexpr double kSlow = 0.8;  ///< of a polynomial's step, as an exponent: below 1 for every alpha
  bool wanted_;
  double alpha_;
  double former_change_ = std::numeric_limits<double>::infinity();
  double weight_ = 1;
  VertexMap<double> room_;  ///< for the ranks before the last
};

}  // namespace rizoma
