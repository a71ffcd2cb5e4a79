#include <rizoma/algorithms/spanning_forest.h>

#include "base/radix_sort.h"
#include "base/random.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/state/concurrent_union_find.h"

#include <rizoma/gather.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr EdgeCount kAtFirst = 2;        // edges for each vertex that are sorted before others are looked at
constexpr std::size_t kParts = 4;        // for each thread, which merges the sorted edges of all
constexpr std::size_t kAhead = 16;       // edges whose ends are prefetched
constexpr std::size_t kDraws = 1024;     // edges that separate these from the others
constexpr EdgeCount kEntriesAtOnce = 8;  // for each vertex: read of the others before those that cannot be chosen go
constexpr EdgeCount kEdgesKept = 4;      // for each vertex: more are thinned out
constexpr EdgeCount kFew = 1024;

template <class Vertex>
struct Edge {
  double key;  ///< its weight, or for a largest forest the weight below zero
  EdgeCount entry;
  Vertex source;
  Vertex target;
  friend bool operator<(const Edge& a, const Edge& b) { return a.key != b.key ? a.key < b.key : a.entry < b.entry; }
};

/// A number for each weight that rises with it; 0 and -0 have the same.
std::uint64_t ordered_bits(double weight) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(weight + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Kruskal's choice in two parts: first among the edges up to one that about `kAtFirst` edges a vertex come before, and
/// then among those of the others that still join two trees, most often few.
template <class Vertex>
class Choice {
 public:
  Choice(Engine& engine, const GraphView& graph, bool maximum)
      : engine_(engine), graph_(graph), sign_(maximum ? -1 : 1), found_(engine.threads()) {
    const Degrees degrees(graph);
    first_.reserve(graph.num_vertices() + 1);
    first_.push_back(0);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) first_.push_back(first_.back() + degrees[v]);
  }

  Result<SpanningForest> run() {
    RIZOMA_TRY(engine_.report("spanning_forest", 0, 2));
    RIZOMA_ASSIGN(trees_, Trees::make(engine_, graph_.num_vertices()));
    const Edge<Vertex> border = draw_border();
    for (OfThread& mine : found_) mine.edges.reserve(std::min(graph_.num_edges(), 2 * wanted()) / found_.size());
    RIZOMA_TRY(collect({0, graph_.num_vertices()}, [&](const Edge<Vertex>& edge) { return !(border < edge); }));
    RIZOMA_TRY(check_weights());
    RIZOMA_TRY(choose());
    RIZOMA_TRY(engine_.report("spanning_forest", 1, 2));
    if (border.entry == first_.back()) return std::move(forest_);
    RIZOMA_TRY(collect_others(border));
    RIZOMA_TRY(choose());
    return std::move(forest_);
  }

 private:
  using Trees = ConcurrentUnionFind<Vertex>;
  struct alignas(64) OfThread {
    std::vector<Edge<Vertex>> edges;
    VertexId unweighable = kNoVertex;  ///< the smallest with an edge that weighs NaN
  };

  [[nodiscard]] EdgeCount wanted() const { return kAtFirst * graph_.num_vertices(); }

  /// Of edges drawn by chance the one that has the right share of them before it.
  Edge<Vertex> draw_border() {
    Edge<Vertex> border{std::numeric_limits<double>::infinity(), first_.back(), 0, 0};  // after all edges
    const EdgeCount edges = graph_.num_edges();
    if (edges <= 2 * wanted()) return border;
    std::vector<Edge<Vertex>> drawn;
    read_lists<true>(engine_, graph_, Direction::out, [&](auto& out) {
      Random random(edges);
      for (std::size_t i = 0; i < kDraws; ++i) {
        const EdgeCount entry = random.below(first_.back());
        const auto after = std::ranges::upper_bound(first_, entry);
        const auto v = static_cast<VertexId>(after - first_.begin()) - 1;
        drawn.push_back(edge_of(v, out.read(v), entry - first_[v]));
      }
    });
    std::erase_if(drawn, [](const Edge<Vertex>& edge) { return edge.source >= edge.target || std::isnan(edge.key); });
    std::ranges::sort(drawn, std::less<>());
    const std::size_t place = drawn.size() * wanted() / edges;
    return place < drawn.size() ? drawn[place] : border;
  }

  Edge<Vertex> edge_of(VertexId v, const auto& entries, EdgeCount i) const {
    return {sign_ * static_cast<double>(entries.weight(i)), first_[v] + i, static_cast<Vertex>(v),
            static_cast<Vertex>(entries.source(i))};
  }

  /// Finds the edges that join two trees, by runs of vertices: if they are many, they are thinned out in between.
  Status collect_others(const Edge<Vertex>& border) {
    const VertexId n = graph_.num_vertices();
    const auto joins = [&](const Edge<Vertex>& edge) {
      return border < edge && trees_.root(edge.source) != trees_.root(edge.target);
    };
    for (VertexId begin = 0; begin < n;) {
      const EdgeCount most = first_[begin] + kEntriesAtOnce * n + kFew;
      const auto after = std::ranges::upper_bound(first_, most) - first_.begin() - 1;
      const VertexId end = std::clamp<VertexId>(static_cast<VertexId>(after), begin + 1, n);
      RIZOMA_TRY(collect({begin, end}, joins));
      begin = end;
      std::size_t edges = 0;
      for (const OfThread& mine : found_) edges += mine.edges.size();
      if (edges > kEdgesKept * n + kFew && begin < n) RIZOMA_TRY(thin_out());
    }
    return {};
  }

  /// Of the edges found so far keeps those that the greedy choice among them takes: the others close a circle whose
  /// other edges come first, so no choice takes them.
  Status thin_out() {
    RIZOMA_ASSIGN(std::vector<Edges> parts, sort_found());
    const auto as_now = [&](VertexId v, unsigned) { return trees_.parent(v); };
    RIZOMA_ASSIGN(Trees trees, Trees::make(engine_, trees_.size(), as_now));
    Edges& kept = found_[0].edges;
    for (Edges& part : parts) {
      for (const Edge<Vertex>& edge : part) {
        if (trees.unite(edge.source, edge.target)) kept.push_back(edge);
      }
      part = Edges();
    }
    return {};
  }

  /// Finds the edges that are wanted, each from its end of lower number, if that is in a range.
  template <class Wanted>
  Status collect(VertexRange range, Wanted wanted) {
    const auto has_some = [&](VertexRange section) { return section.begin < range.end && range.begin < section.end; };
    const SectionFilter filter(has_some);
    const GatherOptions options{.filter = &filter};
    return gather<true>(engine_, graph_, options, [&](VertexId v, const auto& entries, unsigned thread) {
      if constexpr (sizeof(entries.source(0)) != sizeof(Vertex)) return;  // none is: no loop is compiled
      if (v < range.begin || v >= range.end) return;
      OfThread& mine = found_[thread];
      for (EdgeCount i = 0; i < entries.size(); ++i) {
        const Edge<Vertex> edge = edge_of(v, entries, i);
        if (std::isnan(edge.key)) mine.unweighable = std::min(mine.unweighable, v);
        if (edge.source < edge.target && wanted(edge)) mine.edges.push_back(edge);
      }
    });
  }

  [[nodiscard]] Status check_weights() const {
    VertexId first = kNoVertex;
    for (const OfThread& mine : found_) first = std::min(first, mine.unweighable);
    if (first == kNoVertex) return {};
    return Error{ErrorCode::invalid_argument,
                 "spanning_forest: an edge of vertex " + std::to_string(first) + " (internal id) weighs NaN"};
  }

  using Edges = std::vector<Edge<Vertex>>;

  /// Takes the edges found, in order, as far as they join two trees.
  Status choose() {
    RIZOMA_ASSIGN(std::vector<Edges> parts, sort_found());
    for (Edges& part : parts) {
      std::size_t chosen = 0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (i + kAhead < part.size()) {
          trees_.prefetch(part[i + kAhead].source);
          trees_.prefetch(part[i + kAhead].target);
        }
        const Edge<Vertex> edge = part[i];
        if (trees_.unite(edge.source, edge.target)) part[chosen++] = edge;
      }
      part.erase(part.begin() + static_cast<std::ptrdiff_t>(chosen), part.end());
    }
    return append(parts);
  }

  /// The edges found, in order, in parts that follow each other.
  Result<std::vector<Edges>> sort_found() {
    RIZOMA_TRY(engine_.for_blocks(found_.size(), 1, [&](VertexRange block, unsigned) {
      Edges& edges = found_[block.begin].edges;
      const auto entry = [](const Edge<Vertex>& edge) { return edge.entry; };
      if (!std::ranges::is_sorted(edges, {}, entry)) radix_sort(edges, entry);
      radix_sort(edges, [](const Edge<Vertex>& edge) { return ordered_bits(edge.key); });
    }));
    std::vector<Edges> parts(found_.size() == 1 ? 1 : kParts * found_.size());
    if (parts.size() == 1) {
      parts[0] = std::move(found_[0].edges);
    } else {
      RIZOMA_TRY(engine_.for_blocks(
          parts.size(), 1, [&](VertexRange block, unsigned) { parts[block.begin] = part(block.begin, parts.size()); }));
    }
    for (OfThread& mine : found_) mine.edges.clear();
    return parts;
  }

  /// Merges, from the sorted edges of each thread, those between two edges of the thread with the most.
  [[nodiscard]] Edges part(std::size_t index, std::size_t count) const {
    const auto size = [](const OfThread& of_thread) { return of_thread.edges.size(); };
    const Edges& most = std::ranges::max_element(found_, {}, size)->edges;
    const auto border = [&](const Edges& edges, std::size_t i) {
      if (i == 0 || i == count) return i == 0 ? edges.begin() : edges.end();
      return std::ranges::lower_bound(edges, most[i * most.size() / count], std::less<>());
    };
    Edges merged;
    if (most.empty()) return merged;
    merged.reserve(most.size() / count * found_.size());
    for (const OfThread& of_thread : found_) {
      const auto middle = static_cast<std::ptrdiff_t>(merged.size());
      merged.insert(merged.end(), border(of_thread.edges, index), border(of_thread.edges, index + 1));
      std::inplace_merge(merged.begin(), merged.begin() + middle, merged.end());
    }
    return merged;
  }

  /// Adds the chosen edges to the forest.
  Status append(const std::vector<Edges>& parts) {
    std::vector<std::size_t> places{forest_.entries.size()};
    for (const Edges& part : parts) places.push_back(places.back() + part.size());
    forest_.sources.resize(places.back());
    forest_.targets.resize(places.back());
    forest_.weights.resize(places.back());
    forest_.entries.resize(places.back());
    return engine_.for_blocks(parts.size(), 1, [&](VertexRange block, unsigned) {
      std::size_t place = places[block.begin];
      for (const Edge<Vertex>& edge : parts[block.begin]) {
        forest_.sources[place] = edge.source;
        forest_.targets[place] = edge.target;
        forest_.weights[place] = sign_ * edge.key;
        forest_.entries[place++] = edge.entry;
      }
    });
  }

  Engine& engine_;
  const GraphView& graph_;
  double sign_;
  std::vector<EdgeCount> first_;  ///< number of the first entry of each list
  Trees trees_;
  std::vector<OfThread> found_;
  SpanningForest forest_;
};

}  // namespace

Result<SpanningForest> spanning_forest(Engine& engine, const GraphView& graph, bool maximum) {
  RIZOMA_TRY(single_process_only(engine, "spanning_forest"));
  RIZOMA_TRY(check_undirected(graph, "spanning_forest"));
  return read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists&) {
    return Choice<typename Lists::target_type>(engine, graph, maximum).run();
  });
}

}  // namespace rizoma
