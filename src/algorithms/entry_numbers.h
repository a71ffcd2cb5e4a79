// Numbers of the entries of a graph's lists: 0 for the first entry of vertex 0, and on through all lists.
#pragma once

#include <rizoma/adjacency.h>

#include <vector>

namespace rizoma {

/// Cost: O(sections) to make, O(1) to ask.  The adjacency must outlive it.
template <class Target>
class EntryNumbers {
 public:
  explicit EntryNumbers(const Adjacency<Target>& lists) : lists_(lists) {
    EdgeCount first = 0;
    for (SectionId s = 0; s < lists.num_sections(); ++s) {
      first_.push_back(first);
      first += lists.section_size(s);
    }
  }
  /// Number of the first entry of v's list.
  [[nodiscard]] EdgeCount first(VertexId v) const noexcept {
    const SectionId s = lists_.section_of(v);
    return first_[s] + static_cast<EdgeCount>(lists_.neighbors(v).data() - lists_.section(s).targets -
                                              lists_.section(s).offsets[0]);
  }

 private:
  const Adjacency<Target>& lists_;
  std::vector<EdgeCount> first_;
};

}  // namespace rizoma
