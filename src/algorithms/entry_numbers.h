// Numbers of the entries of a graph's lists: 0 for the first entry of vertex 0, and on through all lists.
#pragma once

#include <rizoma/adjacency.h>

#include <cstddef>
#include <vector>

namespace rizoma {

/// Cost: O(sections) to make, and the vertices of those with changed lists; O(1) to ask.  Outlived by the adjacency.
template <class Target>
class EntryNumbers {
 public:
  explicit EntryNumbers(const Adjacency<Target>& lists) : lists_(lists), sections_(lists.num_sections()) {
    EdgeCount first = 0;
    for (SectionId s = 0; s < lists.num_sections(); ++s) {
      Section& section = sections_[s];
      section.first = first;
      first += lists.section_size(s);
      if (lists.section(s).changed == nullptr) continue;
      EdgeCount next = section.first;
      for (VertexId v = lists.range_of(s).begin; v < lists.range_of(s).end; ++v) {
        section.of_lists.push_back(next);
        next += lists.degree(v);
      }
    }
  }
  /// Number of the first entry of v's list.
  [[nodiscard]] EdgeCount first(VertexId v) const noexcept {
    const SectionId s = lists_.section_of(v);
    const Section& section = sections_[s];
    const VertexId place = v - lists_.range_of(s).begin;
    if (!section.of_lists.empty()) return section.of_lists[place];
    return section.first + lists_.section(s).offsets[place] - lists_.section(s).offsets[0];
  }

 private:
  struct Section {
    EdgeCount first = 0;
    std::vector<EdgeCount> of_lists;  ///< numbers of the first entries; only of a section with changed lists
  };
  const Adjacency<Target>& lists_;
  std::vector<Section> sections_;
};

}  // namespace rizoma
