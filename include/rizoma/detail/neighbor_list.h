// NeighborList: the neighbours of one vertex, in place where possible.  Module: graph.
//
// What: a sorted list of internal ids with the weights of the edges; parallel edges are adjacent.
// Cost: no copy, unless the section has pending changes that are not merged yet.
#pragma once

#include <rizoma/ids.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

class NeighborList {
 public:
  NeighborList() = default;
  /// `target_bytes`: 4 or 8; `weights`: null if `type` is none.  `owner` keeps both alive.
  NeighborList(std::size_t size, const void* targets, unsigned target_bytes, const void* weights, WeightType type,
               std::shared_ptr<const void> owner) noexcept
      : size_(size),
        targets_(targets),
        weights_(weights),
        type_(type),
        wide_(target_bytes == 8),
        owner_(std::move(owner)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] VertexId operator[](std::size_t i) const noexcept {
    return wide_ ? static_cast<const std::uint64_t*>(targets_)[i] : static_cast<const std::uint32_t*>(targets_)[i];
  }
  /// 1 in a graph without weights.
  [[nodiscard]] double weight(std::size_t i) const noexcept {
    switch (type_) {
      case WeightType::int32: return static_cast<const std::int32_t*>(weights_)[i];
      case WeightType::float32: return static_cast<double>(static_cast<const float*>(weights_)[i]);
      case WeightType::float64: return static_cast<const double*>(weights_)[i];
      case WeightType::none: break;
    }
    return 1;
  }
  [[nodiscard]] WeightType weight_type() const noexcept { return type_; }
  /// The same with other weights, one an entry, or with none if it is null.
  [[nodiscard]] NeighborList with_weights(std::shared_ptr<const std::vector<double>> weights) const {
    if (weights == nullptr) return {size_, targets_, wide_ ? 8U : 4U, nullptr, WeightType::none, owner_};
    const double* values = weights->data();
    auto owners = std::make_shared<std::pair<decltype(owner_), decltype(weights)>>(owner_, std::move(weights));
    return {size_, targets_, wide_ ? 8U : 4U, values, WeightType::float64, std::move(owners)};
  }
  /// Index of the first entry that is not below v.
  [[nodiscard]] std::size_t lower_bound(VertexId v) const noexcept {
    std::size_t begin = 0;
    for (std::size_t left = size_; left > 0;) {
      const std::size_t half = left / 2;
      const bool below = (*this)[begin + half] < v;
      begin = below ? begin + half + 1 : begin;
      left = below ? left - half - 1 : half;
    }
    return begin;
  }
  [[nodiscard]] bool contains(VertexId v) const noexcept {
    const std::size_t i = lower_bound(v);
    return i < size_ && (*this)[i] == v;
  }
  [[nodiscard]] std::vector<VertexId> targets() const {
    std::vector<VertexId> copy(size_);
    for (std::size_t i = 0; i < size_; ++i) copy[i] = (*this)[i];
    return copy;
  }
  [[nodiscard]] std::vector<double> weights() const {
    std::vector<double> copy(size_);
    for (std::size_t i = 0; i < size_; ++i) copy[i] = weight(i);
    return copy;
  }

 private:
  std::size_t size_ = 0;
  const void* targets_ = nullptr;
  const void* weights_ = nullptr;
  WeightType type_ = WeightType::none;
  bool wide_ = false;
  std::shared_ptr<const void> owner_;
};

}  // namespace rizoma
