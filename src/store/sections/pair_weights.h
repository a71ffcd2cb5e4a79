// PairWeights: what edges several pairs of vertices have: the weights of each pair's edges, in their order, those of
// one pair after those of the pair before.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rizoma {

class PairWeights {
 public:
  /// How many pairs there are.
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The weights of pair i; a weight for each of its edges, also where the graph has no weights.
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const noexcept {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(weights_).subspan(begin, ends_[i] - begin);
  }
  /// Those of all pairs.
  [[nodiscard]] std::span<const double> all() const noexcept { return weights_; }
  /// The next pair.
  void push(std::span<const double> weights) {
    weights_.insert(weights_.end(), weights.begin(), weights.end());
    ends_.push_back(weights_.size());
  }

 private:
  std::vector<double> weights_;
  std::vector<std::size_t> ends_;  ///< by pair, in weights_
};

}  // namespace rizoma
