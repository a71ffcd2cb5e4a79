// RangeSet: a set of numbers as disjoint ranges [begin, end); neighbours merge.  Each call costs the
// logarithm of the number of ranges, and one step for each range that it removes.
#pragma once

#include <cstdint>
#include <map>

namespace rizoma {

class RangeSet {
 public:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  ///< begin -> end

  void add(std::uint64_t begin, std::uint64_t end);
  void remove(std::uint64_t begin, std::uint64_t end);
  void clear() noexcept { ranges_.clear(); }
  [[nodiscard]] const Ranges& ranges() const noexcept { return ranges_; }
  /// How many numbers it holds.
  [[nodiscard]] std::uint64_t size() const noexcept;

 private:
  Ranges ranges_;
};

}  // namespace rizoma
