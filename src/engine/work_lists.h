// Work lists: the vertices of a graph, cut into pieces of about equal work, in one list a home.
//
// The work of a vertex is 1 + the length of its list.  A list strings the sections of one home
// together; `cut` turns a stretch [begin, end) of its work into the ranges of vertices that start
// there.  Stretches that partition the work give ranges that partition the vertices, so a shared
// counter of work handed out is all that threads need to share a list.
#pragma once

#include <rizoma/function_ref.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>

#include <cstdint>
#include <vector>

namespace rizoma {

/// Where ranges may be cut: at any vertex, or at multiples of 64 only, so that no two ranges share a
/// word of a VertexSet.
enum class Cut : std::uint8_t { anywhere = 1, words = 64 };

class WorkList {
 public:
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }
  /// Calls f(range) for the vertices whose work begins within [begin, end), in ascending order.
  void cut(std::uint64_t begin, std::uint64_t end, Cut at, FunctionRef<void(VertexRange)> f) const;

 private:
  friend class WorkLists;
  /// Vertices that lie together: a section, or (of sections smaller than a word) one word's vertices.
  struct Piece {
    std::uint64_t start;           ///< work of the pieces before it
    const std::uint32_t* offsets;  ///< of the section; null: the piece cannot be cut
    VertexRange range;
  };
  std::vector<Piece> pieces_;
  std::uint64_t work_ = 0;
};

/// The lists of all homes for one loop.  Cost to build: O(sections).
class WorkLists {
 public:
  WorkLists(const GraphView::AnyAdjacency& adjacency, const Placement& placement, Cut at);

  [[nodiscard]] const std::vector<WorkList>& lists() const noexcept { return lists_; }
  [[nodiscard]] std::uint64_t work() const noexcept;

 private:
  template <class Target>
  void add_sections(const Adjacency<Target>& edges, const Placement& placement);
  template <class Target>
  void add_words(const Adjacency<Target>& edges, const Placement& placement);
  void add(unsigned home, const std::uint32_t* offsets, VertexRange range, std::uint64_t work);
  std::vector<WorkList> lists_;
};

}  // namespace rizoma
