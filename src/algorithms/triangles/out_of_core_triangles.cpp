#include "algorithms/triangles/out_of_core_triangles.h"

#include "base/check.h"
#include "engine/intersection/degree_order.h"
#include "engine/intersection/triangle_counter.h"

#include <rizoma/gather.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <atomic>
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
constexpr EdgeCount kGreatDegree = 1 << 20;  // those above are alike: few vertices have them
constexpr EdgeCount kPlace = 4;              // entries that take as much room as the data of one vertex in a part
constexpr VertexId kTogether = 1024;         // vertices whose lists are loaded into a part together
constexpr std::uint64_t kFull = 16;          // a part with less than this share of its room left is full

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
  /// Whether degree ranks are the numbers of vertices.
  [[nodiscard]] bool is_plain() const noexcept { return degree_ranks_.empty(); }
  [[nodiscard]] DegreeRank of(VertexId v) const noexcept {
    return is_plain() ? static_cast<DegreeRank>(v) : degree_ranks_[v];
  }
  [[nodiscard]] VertexId vertex_of(DegreeRank r) const noexcept { return is_plain() ? r : vertices_[r]; }

 private:
  std::vector<DegreeRank> degree_ranks_;  ///< by vertex; empty: the vertices' numbers
  std::vector<DegreeRank> vertices_;      ///< by degree rank
};

/// Puts the neighbours of lower degree rank after those that are there, each once.
void take_lower(const DegreeOrder& order, VertexId u, const auto& entries, std::vector<DegreeRank>& lower) {
  const DegreeRank own = order.of(u);
  VertexId before = kNoVertex;
  for (const VertexId v : entries.sources()) {
    if (order.is_plain() && v >= u) break;  // lists ascend
    if (v == std::exchange(before, v)) continue;
    const DegreeRank degree_rank = order.of(v);
    if (degree_rank < own) lower.push_back(degree_rank);
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
  void put(VertexId v, const std::vector<DegreeRank>& lower) {
    const std::uint64_t begin = used_.fetch_add(lower.size(), std::memory_order_relaxed);
    RIZOMA_CHECK(begin + lower.size() <= capacity_);
    places_[v - range_.begin] = {begin, static_cast<std::uint32_t>(lower.size())};
    std::ranges::copy(lower, entries_.get() + begin);
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

/// What is in memory: the lists of a part, and rows of the core if that counts.  All others are empty.
struct LoadedLists {
  using AnyOrder = void;  ///< lists are in that of vertices
  const DegreeOrder& order;
  const Part& part;
  VertexId core;
  [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return v < core; }
  [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const noexcept { return part[order.vertex_of(v)]; }
};

class OutOfCoreTriangles {
 public:
  OutOfCoreTriangles(Engine& engine, const GraphView& graph, std::uint64_t room)
      : engine_(engine),
        graph_(graph),
        degrees_(graph),
        order_(graph, degrees_),
        longest_(std::max(static_cast<EdgeCount>(std::sqrt(2.0 * static_cast<double>(graph.num_entries()))),
                          2 * graph.num_entries() / kGreatDegree) +
                 1),
        lower_(engine.threads()) {
    const VertexId n = graph.num_vertices();
    VertexId size = 0;
    while (size < std::min(n, CoreRows::kMost) && CoreRows::place(size + 1) * sizeof(Word) <= room / kRoomForCore)
      ++size;
    core_ = CoreRows(engine, size);
    std::uint64_t for_lists = room - CoreRows::place(size) * sizeof(Word);
    if (graph.directed()) {
      waiting_ = std::max(for_lists / kRoomForOut, kLeastForOut) / sizeof(DegreeRank);
      for_lists -= for_lists / kRoomForOut;
    }
    capacity_ = for_lists / sizeof(DegreeRank);
  }

  /// Returns how many there are; kEach: adds to the counts of the vertices.
  template <bool kEach>
  Result<std::uint64_t> count(VertexMap<std::uint64_t>& counts) {
    const VertexId n = graph_.num_vertices();
    std::vector<TriangleCounter<kEach, DegreeOrder>> counters;
    for (unsigned thread = 0; thread < engine_.threads(); ++thread) counters.emplace_back(n, order_, core_, counts);
    RIZOMA_TRY(fill_rows());
    VertexId begin = order_.is_plain() ? core_.size() / kTogether * kTogether : 0;
    for (bool first = true; begin < n || first; first = false) {
      RIZOMA_TRY(engine_.report("triangle_count", static_cast<double>(begin), static_cast<double>(n)));
      Part part(begin, std::max(capacity_, most_in(begin)));
      RIZOMA_TRY(load(part));
      RIZOMA_TRY(stream(part, first, counters));
      begin = part.range().end;
    }
    std::uint64_t total = 0;
    for (auto& counter : counters) total += counter.deliver();
    return total;
  }

 private:
  /// f(v, neighbours of lower degree rank, thread) for each vertex of ranges with `needed`, and perhaps others.
  template <class Needed, class F>
  Status for_lower(const Needed& needed, F&& f) {
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
      std::vector<DegreeRank>& lower = lower_[thread].value;
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
      std::vector<DegreeRank>& lower = lower_[thread].value;
      lower.assign(of_out[v].begin(), of_out[v].end());
      take_lower(order_, v, entries, lower);
      std::ranges::sort(lower);
      lower.erase(std::unique(lower.begin(), lower.end()), lower.end());
      f(v, lower, thread);
    });
  }
  [[nodiscard]] static bool meets(VertexRange a, VertexRange b) noexcept { return a.begin < b.end && a.end > b.begin; }

  Status fill_rows() {
    const auto has_core = [&](VertexRange range) { return !order_.is_plain() || range.begin < core_.size(); };
    return for_lower(has_core, [&](VertexId v, const std::vector<DegreeRank>& lower, unsigned) {
      if (order_.of(v) < core_.size()) core_.add(order_.of(v), lower);
    });
  }

  /// An upper bound on the entries of lower degree rank of the vertices that are loaded together from there on.
  [[nodiscard]] std::uint64_t most_in(VertexId begin) const {
    std::uint64_t most = 0;
    for (VertexId v = begin; v < std::min(begin + kTogether, graph_.num_vertices()); ++v)
      most += order_.of(v) < core_.size() ? 0 : std::min(degrees_[v], order_.is_plain() ? v : longest_);
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
      RIZOMA_TRY(for_lower(is_new, [&](VertexId v, const std::vector<DegreeRank>& lower, unsigned) {
        if (is_new({v, v + 1}) && order_.of(v) >= core_.size()) part.put(v, lower);
      }));
      if (part.is_full()) return {};
    }
    return {};
  }

  /// Streams all lists that may lead to vertices of the part; `with_core`: those that lead to the core, too.
  Status stream(const Part& part, bool with_core, auto& counters) {
    const bool all = with_core || !order_.is_plain();
    const auto may_lead = [&](VertexRange range) { return all || range.end > part.range().begin; };
    const LoadedLists loaded{order_, part, with_core ? core_.size() : 0};
    return for_lower(may_lead, [&](VertexId u, const std::vector<DegreeRank>& lower, unsigned thread) {
      counters[thread].count(order_.of(u), lower, loaded);
    });
  }

  Engine& engine_;
  const GraphView& graph_;
  const AllDegrees degrees_;
  const DegreeOrder order_;
  const EdgeCount longest_;  ///< where degree ranks are in order, no list of lower ones is longer
  std::vector<PerThread<std::vector<DegreeRank>>> lower_;
  CoreRows core_;               ///< of the first degree ranks
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
  OutOfCoreTriangles triangles(engine, graph, room);
  RIZOMA_ASSIGN(counted.total,
                options.per_vertex ? triangles.count<true>(counted.counts) : triangles.count<false>(counted.counts));
  result = std::move(counted);
  return true;
}

}  // namespace rizoma
