#include <rizoma/lab/boundary.h>

#include <cstddef>

namespace rizoma {
namespace {

/// Puts the ends of a rank's lists into a set.
template <class Target>
void note_ends(const Adjacency<Target>& lists, std::span<const unsigned> rank_of_section, unsigned rank,
               VertexSet& ends) {
  for (SectionId s = 0; s < lists.num_sections(); ++s) {
    if (rank_of_section[s] != rank) continue;
    const VertexRange range = lists.range_of(s);
    for (VertexId v = range.begin; v < range.end; ++v) {
      for (const Target u : lists.neighbors(v)) ends.add(u);
    }
  }
}

}  // namespace

std::vector<VertexId> boundary_vertices(const GraphView& graph, Direction direction,
                                        std::span<const unsigned> rank_of_section, unsigned ranks) {
  std::vector<VertexId> counts(std::size_t{ranks} * ranks);
  if (rank_of_section.empty()) return counts;
  const unsigned bits = graph.with_out([](const auto& out) { return out.section_bits(); });
  for (unsigned rank = 0; rank < ranks; ++rank) {
    VertexSet ends(graph.num_vertices());
    const auto note = [&](const auto& lists) { note_ends(lists, rank_of_section, rank, ends); };
    if (direction == Direction::out) graph.with_out(note);
    else graph.with_both([&](const auto&, const auto& in) { note(in); });
    ends.for_each([&](VertexId v) {
      const unsigned owner = rank_of_section[v >> bits];
      if (owner != rank) ++counts[std::size_t{rank} * ranks + owner];
    });
  }
  return counts;
}

}  // namespace rizoma
