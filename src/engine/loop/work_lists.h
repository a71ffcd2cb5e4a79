// Work lists: the vertices of a graph, cut into pieces of about equal work, in one list a home.
//
// The work of a vertex is 1 + the length of its list; of one whose list has changed since its section was written,
// the length that it had then, since the section's offsets are the sums that are cut.  A list strings the sections of
// one home together; `cut` turns a stretch [begin, end) of its work into the ranges of vertices that start
// there.  Stretches that partition the work give ranges that partition the vertices, so a shared
// counter of work handed out is all that threads need to share a list.  `cut_pieces` does the same but
// splits long lists too: a stretch within one is a piece of it.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// Where ranges may be cut: at any vertex, or at multiples of 64 only, so that no two ranges share a
/// word of a VertexSet.
enum class Cut : std::uint8_t { anywhere = 1, words = 64 };

/// Takes whole vertices, and pieces of long lists.
struct PieceTaker {
  EdgeCount great;  ///< lists of at least this many entries are split; at least twice a chunk
  FunctionRef<void(VertexRange)> whole;
  FunctionRef<void(ListPiece)> piece;
};

class WorkList {
 public:
  /// Vertices that are together: a section, or (of sections smaller than a word) one word's vertices.
  struct ListPart {
    std::uint64_t start;           ///< work of the pieces before it
    const std::uint32_t* offsets;  ///< of the section; null: the piece cannot be cut
    const void* targets;           ///< of the section, from its first list on; null: the piece cannot be cut
    const DeltaLists* changed;     ///< of the section; null: none
    VertexRange range;
  };

  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }
  /// In the order of their work.
  [[nodiscard]] std::span<const ListPart> pieces() const noexcept { return pieces_; }
  /// Work of the pieces before the one after piece i.
  [[nodiscard]] std::uint64_t end_of(std::size_t i) const noexcept {
    return i + 1 < pieces_.size() ? pieces_[i + 1].start : work_;
  }
  /// Calls f(range) for the vertices whose work begins within [begin, end), in ascending order.
  void cut(std::uint64_t begin, std::uint64_t end, Cut at, FunctionRef<void(VertexRange)> f) const;
  /// The same for lists that may be split; not for lists made with Cut::words.
  void cut_pieces(std::uint64_t begin, std::uint64_t end, const PieceTaker& taker) const;

 private:
  friend class WorkLists;
  [[nodiscard]] static bool is_great(const ListPart& part, VertexId place, EdgeCount great) noexcept;
  [[nodiscard]] std::vector<ListPart>::const_iterator first_piece(std::uint64_t work) const;
  std::vector<ListPart> pieces_;
  std::uint64_t work_ = 0;
};

/// The lists of all homes for one loop.  Cost to build: O(sections).
class WorkLists {
 public:
  /// Which sections the lists contain: those of one owner, and of these the needed ones.
  struct Mine {
    std::span<const unsigned> owners;  ///< by section; empty: all are
    unsigned owner = 0;
    std::span<const char> needed = {};            ///< by section, not 0; empty: all are
    std::span<const std::uint32_t> lengths = {};  ///< entries of the sections' images; empty: their offsets are read
    [[nodiscard]] bool has(SectionId section) const noexcept {
      return (owners.empty() || owners[section] == owner) && (needed.empty() || needed[section] != 0);
    }
  };

  WorkLists(const GraphView::AnyAdjacency& adjacency, const Placement& placement, Cut at, const Mine& mine);
  WorkLists(const GraphView::AnyAdjacency& adjacency, const Placement& placement, Cut at)
      : WorkLists(adjacency, placement, at, Mine{}) {}

  [[nodiscard]] const std::vector<WorkList>& lists() const noexcept { return lists_; }
  [[nodiscard]] std::uint64_t work() const noexcept;

 private:
  template <class Target>
  void add_sections(const Adjacency<Target>& edges, const Placement& placement, const Mine& mine);
  template <class Target>
  void add_words(const Adjacency<Target>& edges, const Placement& placement, const Mine& mine);
  void add(unsigned home, const WorkList::ListPart& part, std::uint64_t work);
  std::vector<WorkList> lists_;
};

}  // namespace rizoma
