// A graph for tests of what is read ahead: its lists lie one after the other in one run of bytes, as in a file.
#pragma once

#include <rizoma/graph_view.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma::great_graph {

inline constexpr VertexId kVertices = 1024;
inline constexpr std::size_t kListBytes = 64u << 10;  // of one vertex: 64 MiB in all
inline constexpr unsigned kSectionBits = 6;
inline constexpr std::size_t kSectionBytes = kListBytes << kSectionBits;

/// Nobody reads the bytes.
struct InOneRun {
  InOneRun() : offsets((1u << kSectionBits) + 1) {
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::uint32_t>(i * kListBytes / 4);
    std::vector<SectionEdges<std::uint32_t>> sections;
    for (SectionId s = 0; s < kVertices >> kSectionBits; ++s) {
      sections.push_back({offsets.data(), targets->data() + s * kSectionBytes / 4});
    }
    GraphView::Parts parts;
    parts.out = Adjacency<std::uint32_t>(kSectionBits, kVertices, std::move(sections));
    parts.num_entries = kVertices * kListBytes / 4;
    parts.owner = targets;
    view = GraphView(std::move(parts));
  }
  [[nodiscard]] const std::byte* at(std::size_t bytes) const {
    return reinterpret_cast<const std::byte*>(targets->data()) + bytes;
  }

  std::shared_ptr<std::vector<std::uint32_t>> targets =
      std::make_shared<std::vector<std::uint32_t>>(kVertices * kListBytes / 4);
  std::vector<std::uint32_t> offsets;
  GraphView view;
};

}  // namespace rizoma::great_graph
