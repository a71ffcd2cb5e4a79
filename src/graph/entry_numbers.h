// Numbers of the entries of a graph's out-lists: 0 for the first entry of vertex 0, and on through all lists.
#pragma once

#include <rizoma/graph_view.h>

#include <vector>

namespace rizoma {

/// Cost: O(sections) to make, and the vertices of those with changed lists; O(1) to ask.  Valid while the graph lives.
class EntryNumbers {
 public:
  explicit EntryNumbers(const GraphView& graph) {
    graph.with_out([this](const auto& lists) {
      section_bits_ = lists.section_bits();
      mask_ = (VertexId{1} << section_bits_) - 1;
      sections_.resize(lists.num_sections());
      EdgeCount first = 0;
      for (SectionId s = 0; s < lists.num_sections(); ++s) {
        Section& section = sections_[s];
        section.offsets = lists.section(s).offsets;
        section.first = first;
        first += lists.section_size(s);
        if (lists.section(s).changed == nullptr) continue;
        EdgeCount next = section.first;
        for (VertexId v = lists.range_of(s).begin; v < lists.range_of(s).end; ++v) {
          section.of_lists.push_back(next);
          next += lists.degree(v);
        }
      }
    });
  }
  /// Number of the first entry of v's list.
  [[nodiscard]] EdgeCount first(VertexId v) const noexcept {
    const Section& section = sections_[v >> section_bits_];
    const VertexId place = v & mask_;
    if (!section.of_lists.empty()) return section.of_lists[place];
    return section.first + section.offsets[place] - section.offsets[0];
  }

 private:
  struct Section {
    const std::uint32_t* offsets = nullptr;
    EdgeCount first = 0;
    std::vector<EdgeCount> of_lists;  ///< numbers of the first entries; only of a section with changed lists
  };
  std::vector<Section> sections_;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
