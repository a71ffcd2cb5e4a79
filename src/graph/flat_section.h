// Flat sections: a section's lists copied one after another, changed ones in their places.  Module: graph.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace rizoma {

/// The destination of a copy.  The lists take Adjacency::section_size(s) entries.
template <class Index, class Target>
struct FlatSection {
  Index* offsets;      ///< one for each vertex of the section
  Index first;         ///< offset of the first list
  Target* targets;     ///< to copy to
  std::byte* weights;  ///< the same; not touched where weights have no bytes
};

/// Copies section s.  `weight_bytes`: of a weight, 0 if there are none.  Cost: O(vertices + entries); a section without
/// changed lists in one piece.
template <class Index, class Target, class From>
void flatten_section(const Adjacency<From>& lists, SectionId s, std::size_t weight_bytes,
                     const FlatSection<Index, Target>& to) {
  const SectionEdges<From>& section = lists.section(s);
  const VertexId size = lists.range_of(s).size();
  const auto copy = [&](const typename SectionEdges<From>::List& list, EdgeCount at) {
    const std::size_t length = list.end - list.begin;
    std::copy_n(list.targets + list.begin, length, to.targets + at);
    if (weight_bytes == 0 || length == 0) return;
    std::memcpy(to.weights + at * weight_bytes, static_cast<const std::byte*>(list.weights) + list.begin * weight_bytes,
                length * weight_bytes);
  };
  if (section.changed == nullptr) {
    const std::uint32_t begin = section.offsets[0];
    for (VertexId place = 0; place < size; ++place) {
      to.offsets[place] = to.first + static_cast<Index>(section.offsets[place] - begin);
    }
    copy({section.targets, section.weights, begin, section.offsets[size]}, 0);
    return;
  }
  EdgeCount at = 0;
  for (VertexId place = 0; place < size; ++place) {
    to.offsets[place] = to.first + static_cast<Index>(at);
    section.for_runs(place, 0, section.size(place), [&](const auto& run) {
      copy(run, at);
      at += run.end - run.begin;
      return true;
    });
  }
}

}  // namespace rizoma
