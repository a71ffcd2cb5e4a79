#include "algorithms/triangles/out_of_core_triangles.h"

#include "base/check.h"
#include "engine/intersection/oriented_triangles.h"

#include <rizoma/gather.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using DegreeRank = std::uint32_t;
using Word = std::uint64_t;

constexpr std::uint64_t kRoomForCore = 4;  // of the room for lists so much is for rows of bits
constexpr std::uint64_t kRoomForOut = 8;   // and so much for out-edges that wait for the in-edges of their vertices
constexpr std::uint64_t kLeastForOut = std::uint64_t{1} << 20;
constexpr EdgeCount kPlace = 4;       // entries that take as much room as the data of one vertex in a part
constexpr VertexId kTogether = 1024;  // vertices whose lists are loaded into a part together
constexpr std::uint64_t kFull = 16;   // a part with less than this share of its room left is full

/// The lengths of a vertex's lists, of both directions together.
class AllDegrees {
 public:
  explicit AllDegrees(const GraphView& graph) : out_(graph) {
    if (graph.directed()) in_.emplace(graph, Direction::in);
  }
  [[nodiscard]] EdgeCount operator[](VertexId v) const noexcept { return out_[v] + (in_ ? (*in_)[v] : 0); }
  [[nodiscard]] EdgeCount out(VertexId v) const noexcept { return out_[v]; }

 private:
  Degrees out_;
  std::optional<Degrees> in_;
};

/// Degree rank 0 is the vertex of largest degree; of a graph that was ordered by degree, vertex 0.  Changes may have
/// given later vertices greater degrees since: such degree ranks are a hint of speed, and bound no list.
class DegreeOrder {
 public:
  DegreeOrder(const GraphView& graph, const AllDegrees& degrees) {
    if (graph.ordered_by_degree()) return;
    const auto before = [](const auto& a, const auto& b) { return a.first > b.first; };
    std::vector<std::pair<std::uint32_t, DegreeRank>> sorted;
    sorted.reserve(graph.num_vertices());
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      sorted.emplace_back(static_cast<std::uint32_t>(std::min<EdgeCount>(degrees[v], UINT32_MAX)),
                          static_cast<DegreeRank>(v));
    std::stable_sort(sorted.begin(), sorted.end(), before);
    degree_ranks_.resize(sorted.size());
    vertices_.reserve(sorted.size());
    for (const auto& [degree, v] : sorted) {
      degree_ranks_[v] = static_cast<DegreeRank>(vertices_.size());
      vertices_.push_back(v);
    }
  }
  /// Whether degree ranks are the numbers of vertices.
  [[nodiscard]] bool is_plain() const noexcept { return degree_ranks_.empty(); }
  [[nodiscard]] DegreeRank of(VertexId v) const noexcept {
    return is_plain() ? static_cast<DegreeRank>(v) : degree_ranks_[v];
  }
  [[nodiscard]] VertexId vertex(DegreeRank r) const noexcept { return is_plain() ? r : vertices_[r]; }

 private:
  std::vector<DegreeRank> degree_ranks_;  ///< by vertex; empty: the vertices' numbers
  std::vector<DegreeRank> vertices_;      ///< by degree rank
};

struct Neighbor {
  DegreeRank degree_rank;
  DegreeRank vertex;
};

/// Puts the neighbours of lower degree rank after those that exist, each once.
template <class List>
void take_lower(const DegreeOrder& order, VertexId u, const List& entries, std::vector<Neighbor>& lower) {
  const DegreeRank own = order.of(u);
  VertexId before = kNoVertex;
  for (const VertexId v : entries.sources()) {
    if (order.is_plain() && v >= u) break;  // lists ascend
    if (v == std::exchange(before, v)) continue;
    const DegreeRank degree_rank = order.of(v);
    if (degree_rank < own) lower.push_back({degree_rank, static_cast<DegreeRank>(v)});
  }
}

/// Lists of lower degree ranks of a range of vertices, apart from those of the core.
class Part {
 public:
  Part(VertexId begin, std::uint64_t capacity)
      : range_{begin, begin}, capacity_(capacity), entries_(std::make_unique_for_overwrite<DegreeRank[]>(capacity)) {}

  [[nodiscard]] VertexRange range() const noexcept { return range_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return capacity_ - used_; }
  [[nodiscard]] bool is_full() const noexcept { return left() < capacity_ / kFull; }
  [[nodiscard]] std::span<const DegreeRank> operator[](VertexId v) const noexcept {
    if (v < range_.begin || v >= range_.end) return {};
    const Place& place = places_[v - range_.begin];
    return {entries_.get() + place.begin, place.size};
  }
  /// Vertices up to there may be added.
  void extend(VertexId end) {
    range_.end = end;
    places_.resize(range_.size());
  }
  /// From any thread, for different vertices; there is room for all of them.
  void put(VertexId v, const std::vector<Neighbor>& lower) {
    const std::uint64_t begin = used_.fetch_add(lower.size(), std::memory_order_relaxed);
    RIZOMA_CHECK(begin + lower.size() <= capacity_);
    places_[v - range_.begin] = {begin, static_cast<std::uint32_t>(lower.size())};
    for (std::size_t i = 0; i < lower.size(); ++i) entries_[begin + i] = lower[i].degree_rank;
  }

 private:
  struct Place {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };
  VertexRange range_;
  std::uint64_t capacity_;
  std::atomic<std::uint64_t> used_ = 0;
  std::vector<Place> places_;
  std::unique_ptr<DegreeRank[]> entries_;
};

/// What one thread has found.
struct alignas(64) Worker {
  std::vector<Neighbor> lower;
  std::vector<Word> marks;
  std::vector<std::uint64_t> in_core;  ///< triangles of the vertices of the core; empty: not asked for
  std::uint64_t total = 0;
};

class OutOfCoreTriangles {
 public:
  OutOfCoreTriangles(Engine& engine, const GraphView& graph, std::uint64_t room, VertexMap<std::uint64_t>& counts)
      : engine_(engine),
        graph_(graph),
        degrees_(graph),
        order_(graph, degrees_),
        counts_(counts),
        longest_(static_cast<EdgeCount>(std::sqrt(2.0 * static_cast<double>(graph.num_entries()))) + 1),
        workers_(engine.threads()) {
    const VertexId n = graph.num_vertices();
    while (core_ < std::min(n, CoreRows::kMost) && CoreRows::place(core_ + 1) * sizeof(Word) <= room / kRoomForCore)
      ++core_;
    rows_.resize(CoreRows::place(core_));
    std::uint64_t for_lists = room - rows_.size() * sizeof(Word);
    if (graph.directed()) {
      waiting_ = std::max(for_lists / kRoomForOut, kLeastForOut) / sizeof(DegreeRank);
      for_lists -= for_lists / kRoomForOut;
    }
    capacity_ = for_lists / sizeof(DegreeRank);
    for (Worker& worker : workers_) {
      worker.marks.resize(n / 64 + 1);
      if (counts.size() > 0) worker.in_core.resize(core_);
    }
  }

  /// Returns how many there are; adds to the counts of the vertices if these are asked for.
  Result<std::uint64_t> count() {
    RIZOMA_TRY(fill_rows());
    const VertexId n = graph_.num_vertices();
    VertexId begin = order_.is_plain() ? core_ / kTogether * kTogether : 0;
    for (bool first = true; begin < n || first; first = false) {
      RIZOMA_TRY(engine_.report("triangle_count", static_cast<double>(begin), static_cast<double>(n)));
      Part part(begin, std::max(capacity_, most_in(begin)));
      RIZOMA_TRY(load(part));
      RIZOMA_TRY(counts_.size() > 0 ? stream<true>(part, first) : stream<false>(part, first));
      begin = part.range().end;
    }
    std::uint64_t total = 0;
    for (const Worker& worker : workers_) {
      total += worker.total;
      for (DegreeRank r = 0; r < worker.in_core.size(); ++r) counts_[order_.vertex(r)] += worker.in_core[r];
    }
    return total;
  }

 private:
  /// f(v, neighbours of lower degree rank, worker) for each vertex of ranges with `needed`, and perhaps
  /// others.
  template <class Needed, class F>
  Status for_lower(const Needed& needed, F&& f) {
    if (graph_.directed()) return for_lower_of_both(needed, f);
    const SectionFilter filter(needed);
    return gather(engine_, graph_, {.filter = &filter}, [&](VertexId v, const auto& entries, unsigned thread) {
      Worker& worker = workers_[thread];
      worker.lower.clear();
      take_lower(order_, v, entries, worker.lower);
      f(v, worker.lower, worker);
    });
  }

  /// Directed graphs: loads the out-edges of some vertices, which wait for their in-edges to be streamed past.
  template <class Needed, class F>
  Status for_lower_of_both(const Needed& needed, F&& f) {
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
      Part of_out(range.begin, most);
      of_out.extend(range.end);
      RIZOMA_TRY(take_out(of_out));
      RIZOMA_TRY(join_in(of_out, needed, f));
    }
    return {};
  }
  [[nodiscard]] VertexRange next_of(VertexRange range) const noexcept {
    return {range.end, std::min(range.end + kTogether, graph_.num_vertices())};
  }
  [[nodiscard]] EdgeCount out_edges(VertexRange range) const noexcept {
    EdgeCount sum = 0;
    for (VertexId v = range.begin; v < range.end; ++v) sum += degrees_.out(v);
    return sum;
  }

  Status take_out(Part& part) {
    const auto is_there = [&](VertexRange range) { return meets(range, part.range()); };
    const SectionFilter filter(is_there);
    return gather(engine_, graph_, {.filter = &filter}, [&](VertexId v, const auto& entries, unsigned thread) {
      if (!is_there({v, v + 1})) return;
      std::vector<Neighbor>& lower = workers_[thread].lower;
      lower.clear();
      take_lower(order_, v, entries, lower);
      part.put(v, lower);
    });
  }

  template <class Needed, class F>
  Status join_in(const Part& of_out, const Needed& needed, F&& f) {
    const auto is_there = [&](VertexRange range) { return meets(range, of_out.range()) && needed(range); };
    const SectionFilter filter(is_there);
    const GatherOptions options{.direction = Direction::in, .filter = &filter};
    return gather(engine_, graph_, options, [&](VertexId v, const auto& entries, unsigned thread) {
      if (!meets({v, v + 1}, of_out.range())) return;
      Worker& worker = workers_[thread];
      std::vector<Neighbor>& lower = worker.lower;
      lower.clear();
      for (const DegreeRank r : of_out[v]) lower.push_back({r, static_cast<DegreeRank>(order_.vertex(r))});
      take_lower(order_, v, entries, lower);
      std::sort(lower.begin(), lower.end(), [](Neighbor a, Neighbor b) { return a.degree_rank < b.degree_rank; });
      const auto same = [](Neighbor a, Neighbor b) { return a.degree_rank == b.degree_rank; };
      lower.erase(std::unique(lower.begin(), lower.end(), same), lower.end());
      f(v, lower, worker);
    });
  }
  [[nodiscard]] static bool meets(VertexRange a, VertexRange b) noexcept { return a.begin < b.end && a.end > b.begin; }

  Status fill_rows() {
    const auto has_core = [&](VertexRange range) { return !order_.is_plain() || range.begin < core_; };
    return for_lower(has_core, [&](VertexId v, const std::vector<Neighbor>& lower, Worker&) {
      const DegreeRank degree_rank = order_.of(v);
      if (degree_rank >= core_) return;
      Word* const row = rows_.data() + CoreRows::place(degree_rank);
      for (const Neighbor& one : lower) row[one.degree_rank >> 6] |= Word{1} << (one.degree_rank & 63);
    });
  }

  /// An upper bound on the entries of lower degree rank of the vertices that are loaded together from there on.
  [[nodiscard]] std::uint64_t most_in(VertexId begin) const {
    std::uint64_t most = 0;
    for (VertexId v = begin; v < std::min(begin + kTogether, graph_.num_vertices()); ++v)
      most += order_.of(v) < core_ ? 0 : std::min(degrees_[v], order_.is_plain() ? v : longest_);
    return most;
  }

  /// Fills the part: first with lists that surely fit, then with those that surely fit in the room that these have
  /// left.
  Status load(Part& part) {
    const VertexId n = graph_.num_vertices();
    while (part.range().end < n) {
      const VertexId begin = part.range().end;
      VertexId end = begin;
      for (std::uint64_t most = most_in(end); end < n && most <= part.left(); most += most_in(end)) end += kTogether;
      end = std::min(end, n);
      if (end == begin) return {};
      part.extend(end);
      const auto is_new = [&](VertexRange range) { return meets(range, {begin, end}); };
      RIZOMA_TRY(for_lower(is_new, [&](VertexId v, const std::vector<Neighbor>& lower, Worker&) {
        if (is_new({v, v + 1}) && order_.of(v) >= core_) part.put(v, lower);
      }));
      if (part.is_full()) return {};
    }
    return {};
  }

  /// Streams all lists that may lead to vertices of the part; `with_core`: those that lead to the core, too.
  template <bool kEach>
  Status stream(const Part& part, bool with_core) {
    const bool all = with_core || !order_.is_plain();
    const auto may_lead = [&](VertexRange range) { return all || range.end > part.range().begin; };
    return for_lower(may_lead, [&](VertexId u, const std::vector<Neighbor>& lower, Worker& worker) {
      if (lower.size() > 1) close<kEach>(u, part, with_core, worker);
    });
  }

  /// The triangles whose highest degree rank is that of u, and whose middle is in the part or, if that counts, in
  /// the core.
  template <bool kEach>
  void close(VertexId u, const Part& part, bool with_core, Worker& worker) {
    for (const Neighbor& one : worker.lower) worker.marks[one.degree_rank >> 6] |= Word{1} << (one.degree_rank & 63);
    std::uint64_t of_u = 0;
    for (const Neighbor& middle : worker.lower) {
      std::uint64_t found = 0;
      if (middle.degree_rank >= core_) {
        for (const DegreeRank w : part[middle.vertex])
          found += hit<kEach>(CoreRows::has(worker.marks.data(), w), w, worker);
      } else if (with_core) {
        found = close_in_core<kEach>(middle.degree_rank, worker);
      }
      if (found == 0) continue;
      of_u += found;
      if constexpr (kEach) add(middle.degree_rank, found, worker);
    }
    for (const Neighbor& one : worker.lower) worker.marks[one.degree_rank >> 6] = 0;
    worker.total += of_u;
    if constexpr (kEach) {
      if (of_u > 0) add(order_.of(u), of_u, worker);
    }
  }

  /// Word by word, or one test for each neighbour, whichever is less.
  template <bool kEach>
  std::uint64_t close_in_core(DegreeRank middle, Worker& worker) {
    const Word* const row = rows_.data() + CoreRows::place(middle);
    const std::size_t words = middle / 64 + 1;
    std::uint64_t found = 0;
    if (words > 2 * worker.lower.size()) {
      for (const Neighbor& one : worker.lower)
        if (one.degree_rank < middle) found += hit<kEach>(CoreRows::has(row, one.degree_rank), one.degree_rank, worker);
      return found;
    }
    for (std::size_t i = 0; i < words; ++i) {
      const Word common = row[i] & worker.marks[i];
      found += static_cast<std::uint64_t>(std::popcount(common));
      if constexpr (kEach) {
        for (Word bits = common; bits != 0; bits &= bits - 1)
          add(static_cast<DegreeRank>(i * 64) + static_cast<DegreeRank>(std::countr_zero(bits)), 1, worker);
      }
    }
    return found;
  }

  template <bool kEach>
  std::uint64_t hit(bool common, DegreeRank third, Worker& worker) {
    if constexpr (kEach) {
      if (common) add(third, 1, worker);
    }
    return common ? 1 : 0;
  }

  void add(DegreeRank degree_rank, std::uint64_t triangles, Worker& worker) {
    if (degree_rank < core_) worker.in_core[degree_rank] += triangles;
    else counts_.atomic(order_.vertex(degree_rank)).fetch_add(triangles, std::memory_order_relaxed);
  }

  Engine& engine_;
  const GraphView& graph_;
  const AllDegrees degrees_;
  const DegreeOrder order_;
  VertexMap<std::uint64_t>& counts_;  ///< empty: only the total is asked for
  const EdgeCount longest_;           ///< where degree ranks are in order, no list of lower ones is longer
  std::vector<Worker> workers_;       ///< by thread
  VertexId core_ = 0;                 ///< degree ranks below have rows
  std::vector<Word> rows_;
  std::uint64_t capacity_ = 0;  ///< entries of a part
  EdgeCount waiting_ = 0;       ///< out-edges that wait for in-edges
};

}  // namespace

Result<bool> count_out_of_core(Engine& engine, const GraphView& graph, const TriangleCountOptions& options,
                               TriangleCountResult& result) {
  if (!graph.has_in_edges()) return false;
  if (graph.num_vertices() > std::numeric_limits<DegreeRank>::max()) return false;
  const std::uint64_t room = engine.room_for_lists(graph);
  if (room == 0) return false;
  TriangleCountResult counted;
  if (options.per_vertex) counted.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
  OutOfCoreTriangles triangles(engine, graph, room, counted.counts);
  RIZOMA_ASSIGN(counted.total, triangles.count());
  result = std::move(counted);
  return true;
}

}  // namespace rizoma
