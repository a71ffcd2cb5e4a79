// Degrees: the lengths of all lists of one direction.  Module: graph.
#pragma once

#include <rizoma/graph_view.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace rizoma {

/// Reads the lengths of a graph's lists, whatever the type of their targets.  Cost to make: O(sections); cheap to
/// move, valid while the graph lives.  `in` needs has_in_edges().
class Degrees {
 public:
  explicit Degrees(const GraphView& graph, Direction direction = Direction::out) {
    const bool in = direction == Direction::in && graph.directed();
    std::visit(
        [this](const auto& lists) {
          section_bits_ = lists.section_bits();
          mask_ = (VertexId{1} << section_bits_) - 1;
          sections_.reserve(lists.num_sections());
          for (SectionId s = 0; s < lists.num_sections(); ++s) {
            sections_.push_back({lists.section(s).offsets, lists.section(s).changed});
          }
        },
        in ? *graph.parts().in : graph.parts().out);
  }

  [[nodiscard]] EdgeCount operator[](VertexId v) const noexcept {
    const Section& section = sections_[v >> section_bits_];
    const VertexId place = v & mask_;
    if (section.changed != nullptr && section.changed->has(place)) [[unlikely]]
      return section.changed->size(place);
    return section.offsets[place + 1] - section.offsets[place];
  }

 private:
  struct Section {
    const std::uint32_t* offsets;
    const ChangedLists* changed;
  };
  std::vector<Section> sections_;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
