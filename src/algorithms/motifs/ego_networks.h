// The edges among the neighbours of each vertex.
#pragma once

#include "algorithms/motifs/degree_ordered_lists.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// For entry k of the list of r: the places, in that list, of the common neighbours of r and the vertex there,
/// ascending.  So the network among the neighbours of r has its list for each place.
/// Cost: the sum of squares of the degrees; 24 bytes a triangle and 8 an entry.
class EgoNetworks {
 public:
  /// Errors: cancelled.
  static Result<EgoNetworks> make(Engine& engine, const DegreeOrderedLists& lists);

  /// The list of place k in the network of r.
  [[nodiscard]] std::span<const std::uint32_t> operator()(DegreeOrderedLists::Number r, std::size_t k) const noexcept {
    return of_entry(lists_->first(r) + k);
  }
  /// Triangles of the edge in entry k of the list of r.
  [[nodiscard]] std::uint64_t triangles(DegreeOrderedLists::Number r, std::size_t k) const noexcept {
    const EdgeCount entry = lists_->first(r) + k;
    return begins_[entry + 1] - begins_[entry];
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> of_entry(EdgeCount entry) const noexcept {
    return {places_.data() + begins_[entry], places_.data() + begins_[entry + 1]};
  }

  const DegreeOrderedLists* lists_ = nullptr;  ///< must outlive the networks
  std::vector<std::uint64_t> begins_;          ///< by entry
  std::vector<std::uint32_t> places_;
};

}  // namespace rizoma
