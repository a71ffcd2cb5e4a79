// ReachedMap<T>: values of the vertices that a search has reached, and one value for all others.  Module: graph.
//
// A search of a thousand vertices in a graph of a million is to cost what it touches.  So nothing is written for the
// vertices that it does not reach until somebody asks for all values in one array.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/vertex_map.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace rizoma {

template <class T>
class ReachedMap {
 public:
  ReachedMap() = default;
  /// `values` may hold anything outside `reached`, which stands for `none`.
  ReachedMap(VertexMap<T> values, std::shared_ptr<const VertexSet> reached, T none)
      : values_(std::move(values)), reached_(std::move(reached)), none_(none) {}

  [[nodiscard]] VertexId size() const noexcept { return values_.size(); }
  [[nodiscard]] T operator[](VertexId v) const noexcept {
    return reached_ == nullptr || reached_->contains(v) ? values_[v] : none_;
  }

  /// Who has a value of its own; null: every vertex.
  [[nodiscard]] const std::shared_ptr<const VertexSet>& reached() const noexcept { return reached_; }
  /// Makes these the ones who have; their values are to be put into `values`, which may hold anything outside.
  void reach(std::shared_ptr<const VertexSet> reached) noexcept { reached_ = std::move(reached); }
  [[nodiscard]] VertexMap<T>& values() noexcept { return values_; }

  /// All values, which from then on lie in one array.  Cost: O(n / 64 + vertices not reached), once.
  VertexMap<T>& all() {
    if (const auto reached = std::exchange(reached_, nullptr)) {
      for (VertexId base = 0; base < size(); base += 64) {
        std::uint64_t others = ~reached->word(base / 64);
        if (size() - base < 64) others &= (std::uint64_t{1} << (size() - base)) - 1;
        if (others == ~std::uint64_t{0}) {  // 64 at once
          std::fill_n(values_.data() + base, 64, none_);
          continue;
        }
        for (; others != 0; others &= others - 1)
          values_[base + static_cast<VertexId>(std::countr_zero(others))] = none_;
      }
    }
    return values_;
  }

 private:
  VertexMap<T> values_;
  std::shared_ptr<const VertexSet> reached_;  ///< null: every vertex has its value
  T none_{};
};

}  // namespace rizoma
