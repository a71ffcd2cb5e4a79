#include "engine/loop/work_lists.h"

#include <algorithm>

namespace rizoma {
namespace {

constexpr VertexId kWord = 64;

/// Place (a multiple of `step`, or the size) of the first vertex whose work begins at `work` or later.
VertexId first_at_work(const std::uint32_t* offsets, VertexId size, std::uint64_t work, VertexId step) {
  VertexId low = 0;
  VertexId high = (size + step - 1) / step;
  while (low < high) {
    const VertexId middle = (low + high) / 2;
    const VertexId place = middle * step;
    if (offsets[place] - offsets[0] + place < work) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::min(low * step, size);
}

}  // namespace

void WorkList::cut(std::uint64_t begin, std::uint64_t end, Cut at, FunctionRef<void(VertexRange)> f) const {
  const auto step = static_cast<VertexId>(at);
  for (auto piece = first_piece(begin); piece != pieces_.end() && piece->start < end; ++piece) {
    const VertexId size = piece->range.size();
    if (piece->offsets == nullptr) {
      if (piece->start >= begin) f(piece->range);
      continue;
    }
    const auto place = [&](std::uint64_t work) {
      return work <= piece->start ? 0 : first_at_work(piece->offsets, size, work - piece->start, step);
    };
    const VertexRange range{piece->range.begin + place(begin), piece->range.begin + place(end)};
    if (!range.empty()) f(range);
  }
}

std::vector<WorkList::ListPart>::const_iterator WorkList::first_piece(std::uint64_t work) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), work,
                                      [](std::uint64_t value, const ListPart& piece) { return value < piece.start; });
  return after == pieces_.begin() ? after : after - 1;
}

/// Whether a list is split: it must have been long when its section was written, and be so now.
bool WorkList::is_great(const ListPart& part, VertexId place, EdgeCount great) noexcept {
  if (part.offsets[place + 1] - part.offsets[place] < great) return false;
  return part.changed == nullptr || !part.changed->has(place) || part.changed->size(place) >= great;
}

void WorkList::cut_pieces(std::uint64_t begin, std::uint64_t end, const PieceTaker& taker) const {
  for (auto piece = first_piece(begin); piece != pieces_.end() && piece->start < end; ++piece) {
    const std::uint32_t* const offsets = piece->offsets;
    const VertexId size = piece->range.size();
    // Work within the section: a vertex at `place` begins at offsets[place] - offsets[0] + place.
    const std::uint64_t from = begin > piece->start ? begin - piece->start : 0;
    const std::uint64_t to = end - piece->start;
    const auto give = [&](VertexId place) {
      const std::uint64_t first = offsets[place] - offsets[0] + place + 1;  // where its entries begin
      const EdgeCount entries = offsets[place + 1] - offsets[place];
      EdgeCount low = from > first ? std::min(from - first, entries) : 0;
      EdgeCount high = to > first ? std::min(to - first, entries) : 0;
      if (piece->changed != nullptr && piece->changed->has(place)) {
        const EdgeCount now = piece->changed->size(place);
        high = high == entries ? now : std::min(high, now);  // the last piece takes the remainder
        low = low == entries ? now : std::min(low, now);
      }
      if (low < high) taker.piece({piece->range.begin + place, low, high});
    };
    VertexId first = from == 0 ? 0 : first_at_work(offsets, size, from, 1);
    VertexId last = first_at_work(offsets, size, to, 1);
    // A long list reaches beyond the piece in which it begins, so it is the last there.
    if (first > 0 && is_great(*piece, first - 1, taker.great)) give(first - 1);
    const bool ends_great = first < last && is_great(*piece, last - 1, taker.great);
    const VertexRange whole{piece->range.begin + first, piece->range.begin + last - (ends_great ? 1 : 0)};
    if (!whole.empty()) taker.whole(whole);
    if (ends_great) give(last - 1);
  }
}

WorkLists::WorkLists(const GraphView::AnyAdjacency& adjacency, const Placement& placement, Cut at, const Mine& mine)
    : lists_(placement.homes) {
  std::visit(
      [&](const auto& edges) {
        if (at == Cut::words && (VertexId{1} << edges.section_bits()) < kWord) {
          add_words(edges, placement, mine);
        } else {
          add_sections(edges, placement, mine);
        }
      },
      adjacency);
}

std::uint64_t WorkLists::work() const noexcept {
  std::uint64_t sum = 0;
  for (const WorkList& list : lists_) sum += list.work();
  return sum;
}

template <class Target>
void WorkLists::add_sections(const Adjacency<Target>& edges, const Placement& placement, const Mine& mine) {
  for (SectionId s = 0; s < edges.num_sections(); ++s) {
    if (!mine.has(s)) continue;
    const VertexRange range = edges.range_of(s);
    const SectionEdges<Target>& section = edges.section(s);
    const std::uint64_t entries =
        mine.lengths.empty() ? section.offsets[range.size()] - section.offsets[0] : mine.lengths[s];
    add(placement.home(s), {0, section.offsets, section.targets, section.changed, range}, range.size() + entries);
  }
}

template <class Target>
void WorkLists::add_words(const Adjacency<Target>& edges, const Placement& placement, const Mine& mine) {
  for (VertexId v = 0; v < edges.num_vertices(); v += kWord) {
    if (!mine.has(edges.section_of(v))) continue;  // a word has one owner
    const VertexRange range{v, std::min(v + kWord, edges.num_vertices())};
    std::uint64_t work = range.size();
    for (VertexId u = range.begin; u < range.end; ++u) work += edges.degree(u);
    add(placement.home(edges.section_of(v)), {0, nullptr, nullptr, nullptr, range}, work);
  }
}

void WorkLists::add(unsigned home, const WorkList::ListPart& part, std::uint64_t work) {
  WorkList& list = lists_[home];
  list.pieces_.push_back(part);
  list.pieces_.back().start = list.work_;
  list.work_ += work;
}

}  // namespace rizoma
