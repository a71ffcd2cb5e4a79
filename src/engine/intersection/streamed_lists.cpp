#include "engine/intersection/streamed_lists.h"

#include "base/check.h"
#include "engine/intersection/degree_order.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

using Word = CoreRows::Word;
using DegreeRank = OrientedLists::DegreeRank;

constexpr std::uint64_t kRoomForCore = 4;  // of the room for lists so much is for rows of bits
constexpr std::uint64_t kRoomForOut = 8;   // and so much for out-edges that wait for the in-edges of their vertices
constexpr std::uint64_t kLeastForOut = std::uint64_t{1} << 20;
constexpr EdgeCount kGreatDegree = 1 << 20;  // those above are alike: few vertices have them
constexpr EdgeCount kPlace = 4;              // entries that take as much room as the data of one vertex in a part
constexpr VertexId kTogether = 1024;         // vertices whose lists are loaded into a part together

bool meets(VertexRange a, VertexRange b) noexcept { return a.begin < b.end && a.end > b.begin; }

/// Puts the neighbours of lower degree rank after those that are there, each once.
void take_lower(const StreamedOrder& order, VertexId u, const auto& entries, std::vector<DegreeRank>& lower) {
  const DegreeRank own = order.of(u);
  VertexId before = kNoVertex;
  for (const VertexId v : entries.sources()) {
    if (order.is_plain() && v >= u) break;  // lists ascend
    if (v == std::exchange(before, v)) continue;
    const DegreeRank degree_rank = order.of(v);
    if (degree_rank < own) lower.push_back(degree_rank);
  }
}

}  // namespace

StreamedOrder::StreamedOrder(const GraphView& graph, const AllDegrees& degrees) {
  if (graph.ordered_by_degree()) return;
  const VertexId n = graph.num_vertices();
  degree_ranks_.resize(n);
  vertices_.resize(n);
  for_each_by_degree(
      n, kGreatDegree, [&](VertexId v) { return degrees[v]; },
      [&](VertexId v, DegreeRank r) {
        degree_ranks_[v] = r;
        vertices_[r] = static_cast<DegreeRank>(v);
      });
}

void StreamedPart::put(VertexId v, std::span<const DegreeRank> lower) {
  const std::uint64_t begin = used_.fetch_add(lower.size(), std::memory_order_relaxed);
  RIZOMA_CHECK(begin + lower.size() <= capacity_);
  places_[v - range_.begin] = {begin, static_cast<std::uint32_t>(lower.size())};
  std::ranges::copy(lower, entries_.get() + begin);
}

bool StreamedLists::are_needed(Engine& engine, const GraphView& graph) {
  return engine.ranks() == nullptr && graph.has_in_edges() &&
         graph.num_vertices() <= std::numeric_limits<DegreeRank>::max() && engine.room_for_lists(graph) > 0;
}

StreamedLists::StreamedLists(Engine& engine, const GraphView& graph)
    : engine_(engine),
      graph_(graph),
      degrees_(graph),
      order_(graph, degrees_),
      longest_(std::max(static_cast<EdgeCount>(std::sqrt(2.0 * static_cast<double>(graph.num_entries()))),
                        2 * graph.num_entries() / kGreatDegree) +
               1),
      lower_(engine.threads()) {
  const std::uint64_t room = engine.room_for_lists(graph);
  const VertexId n = graph.num_vertices();
  VertexId size = 0;
  while (size < std::min(n, CoreRows::kMost) && CoreRows::place(size + 1) * sizeof(Word) <= room / kRoomForCore) ++size;
  core_ = CoreRows(engine, size);
  std::uint64_t for_lists = room - CoreRows::place(size) * sizeof(Word);
  if (graph.directed()) {
    waiting_ = std::max(for_lists / kRoomForOut, kLeastForOut) / sizeof(DegreeRank);
    for_lists -= for_lists / kRoomForOut;
  }
  capacity_ = for_lists / sizeof(DegreeRank);
}

Status StreamedLists::for_all(
    std::string_view name,
    FunctionRef<void(DegreeRank, std::span<const DegreeRank>, const Loaded&, unsigned thread)> f) {
  const VertexId n = graph_.num_vertices();
  RIZOMA_TRY(fill_rows());
  VertexId begin = order_.is_plain() ? core_.size() / kTogether * kTogether : 0;
  for (bool first = true; begin < n || first; first = false) {
    RIZOMA_TRY(engine_.report(name, static_cast<double>(begin), static_cast<double>(n)));
    StreamedPart part(begin, std::max(capacity_, most_in(begin)));
    RIZOMA_TRY(load(part));
    // The first time also lists that lead to the core alone.
    const auto may_lead = [&, all = first || !order_.is_plain()](VertexRange range) {
      return all || range.end > part.range().begin;
    };
    const Loaded loaded{order_, part, first ? core_.size() : 0};
    RIZOMA_TRY(for_lower(may_lead, [&](VertexId u, std::span<const DegreeRank> lower, unsigned thread) {
      f(order_.of(u), lower, loaded, thread);
    }));
    begin = part.range().end;
  }
  return {};
}

/// f(v, neighbours of lower degree rank, thread) for each vertex of ranges with `needed`, and perhaps others.
Status StreamedLists::for_lower(Needed needed, OfVertex f) {
  if (graph_.directed()) return for_lower_of_both(needed, f);
  const SectionFilter filter(needed);
  return gather(engine_, graph_, {.filter = &filter}, [&](VertexId v, const auto& entries, unsigned thread) {
    std::vector<DegreeRank>& lower = lower_[thread].value;
    lower.clear();
    take_lower(order_, v, entries, lower);
    f(v, lower, thread);
  });
}

/// Directed graphs: loads the out-edges of some vertices, which wait for their in-edges to be streamed past.
Status StreamedLists::for_lower_of_both(Needed needed, OfVertex f) {
  for (VertexId begin = 0; begin < graph_.num_vertices();) {
    VertexRange range{begin, begin};
    EdgeCount most = 0;
    for (VertexRange more = next_of(range); more.size() > 0; more = next_of(range)) {
      const EdgeCount theirs = out_edges(more);
      if (range.size() > 0 && most + theirs + kPlace * (range.size() + more.size()) > waiting_) break;
      most += theirs;
      range.end = more.end;
    }
    begin = range.end;
    if (!needed(range)) continue;
    StreamedPart of_out(range.begin, most);
    of_out.extend(range.end);
    RIZOMA_TRY(take_out(of_out));
    RIZOMA_TRY(join_in(of_out, needed, f));
  }
  return {};
}
VertexRange StreamedLists::next_of(VertexRange range) const noexcept {
  return {range.end, std::min(range.end + kTogether, graph_.num_vertices())};
}
EdgeCount StreamedLists::out_edges(VertexRange range) const noexcept {
  EdgeCount sum = 0;
  for (VertexId v = range.begin; v < range.end; ++v) sum += degrees_.out(v);
  return sum;
}

Status StreamedLists::take_out(StreamedPart& part) {
  const auto is_there = [&](VertexRange range) { return meets(range, part.range()); };
  const SectionFilter filter(is_there);
  return gather(engine_, graph_, {.filter = &filter}, [&](VertexId v, const auto& entries, unsigned thread) {
    if (!is_there({v, v + 1})) return;
    std::vector<DegreeRank>& lower = lower_[thread].value;
    lower.clear();
    take_lower(order_, v, entries, lower);
    part.put(v, lower);
  });
}

Status StreamedLists::join_in(const StreamedPart& of_out, Needed needed, OfVertex f) {
  const auto is_there = [&](VertexRange range) { return meets(range, of_out.range()) && needed(range); };
  const SectionFilter filter(is_there);
  const GatherOptions options{.direction = Direction::in, .filter = &filter};
  return gather(engine_, graph_, options, [&](VertexId v, const auto& entries, unsigned thread) {
    if (!meets({v, v + 1}, of_out.range())) return;
    std::vector<DegreeRank>& lower = lower_[thread].value;
    lower.assign(of_out[v].begin(), of_out[v].end());
    take_lower(order_, v, entries, lower);
    std::ranges::sort(lower);
    lower.erase(std::unique(lower.begin(), lower.end()), lower.end());
    f(v, lower, thread);
  });
}

Status StreamedLists::fill_rows() {
  const auto has_core = [&](VertexRange range) { return !order_.is_plain() || range.begin < core_.size(); };
  return for_lower(has_core, [&](VertexId v, std::span<const DegreeRank> lower, unsigned) {
    if (order_.of(v) < core_.size()) core_.add(order_.of(v), lower);
  });
}

/// An upper bound on the entries of lower degree rank of the vertices that are loaded together from there on.
std::uint64_t StreamedLists::most_in(VertexId begin) const {
  std::uint64_t most = 0;
  for (VertexId v = begin; v < std::min(begin + kTogether, graph_.num_vertices()); ++v)
    most += order_.of(v) < core_.size() ? 0 : std::min(degrees_[v], order_.is_plain() ? v : longest_);
  return most;
}

/// Fills the part: first with lists that surely fit, then with those that surely fit in the room that these have
/// left.
Status StreamedLists::load(StreamedPart& part) {
  const VertexId n = graph_.num_vertices();
  while (part.range().end < n) {
    const VertexId begin = part.range().end;
    VertexId end = begin;
    for (std::uint64_t most = most_in(end); end < n && most <= part.left(); most += most_in(end)) end += kTogether;
    end = std::min(end, n);
    if (end == begin) return {};
    part.extend(end);
    const auto is_new = [&](VertexRange range) { return meets(range, {begin, end}); };
    RIZOMA_TRY(for_lower(is_new, [&](VertexId v, std::span<const DegreeRank> lower, unsigned) {
      if (is_new({v, v + 1}) && order_.of(v) >= core_.size()) part.put(v, lower);
    }));
    if (part.is_full()) return {};
  }
  return {};
}

}  // namespace rizoma
