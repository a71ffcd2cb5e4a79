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
          offsets_.reserve(lists.num_sections());
          for (SectionId s = 0; s < lists.num_sections(); ++s) offsets_.push_back(lists.section(s).offsets);
        },
        in ? *graph.parts().in : graph.parts().out);
  }

  [[nodiscard]] EdgeCount operator[](VertexId v) const noexcept {
    const std::uint32_t* const place = offsets_[v >> section_bits_] + (v & mask_);
    return place[1] - place[0];
  }

 private:
  std::vector<const std::uint32_t*> offsets_;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
