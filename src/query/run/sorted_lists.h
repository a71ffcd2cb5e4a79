// The sorted lists of a graph as a plan reads them: out, in, or both directions as one.  Module: query.
#pragma once

#include <rizoma/graph_view.h>

#include "query/plan/filtered_adjacency.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace rizoma::query {

/// Whose neighbours: targets, sources, or either (a self-loop once).  Of an undirected graph always `out`.
enum class Side : std::uint8_t { out, in, both };

template <class Target>
class Lists {
 public:
  using List = std::span<const Target>;

  /// `is_part`: the graph is one of filtered_adjacency.h.
  explicit Lists(const GraphView& graph, bool is_part = false)
      : out_(std::get<Adjacency<Target>>(graph.parts().out)),
        in_(graph.directed() && graph.has_in_edges() ? &std::get<Adjacency<Target>>(*graph.parts().in) : nullptr),
        directed_(graph.directed()),
        is_part_(is_part) {}

  /// The list of v; `scratch` holds it if it lies nowhere as it is, and must live as long as it is read.
  [[nodiscard]] List of(Side side, VertexId v, std::vector<Target>& scratch) const {
    if (side == Side::out) return out_.neighbors(v);
    if (side == Side::in) return in_->neighbors(v);
    const List to = out_.neighbors(v);
    const List from = in_->neighbors(v);
    const auto [loop, past] = std::equal_range(from.begin(), from.end(), static_cast<Target>(v));
    scratch.clear();
    std::merge(to.begin(), to.end(), from.begin(), loop, std::back_inserter(scratch));
    const auto middle = static_cast<std::ptrdiff_t>(scratch.size());
    scratch.insert(scratch.end(), past, from.end());
    std::inplace_merge(scratch.begin(), scratch.begin() + middle, scratch.end());
    return scratch;
  }

  [[nodiscard]] EdgeCount degree(Side side, VertexId v) const {
    switch (side) {
      case Side::out: return out_.degree(v);
      case Side::in: return in_->degree(v);
      case Side::both: break;
    }
    return out_.degree(v) + in_->degree(v) - loops(v);
  }

  /// Places of the entries u -> v in the list of u.
  [[nodiscard]] std::pair<EdgeCount, EdgeCount> places(VertexId u, VertexId v) const {
    const List list = out_.neighbors(u);
    const auto first = std::lower_bound(list.begin(), list.end(), static_cast<Target>(v));
    auto last = first;  // mostly there is one entry, or none
    if (last != list.end() && *last == static_cast<Target>(v)) ++last;
    if (last != first && last != list.end() && *last == static_cast<Target>(v))
      last = std::upper_bound(last, list.end(), static_cast<Target>(v));
    return {static_cast<EdgeCount>(first - list.begin()), static_cast<EdgeCount>(last - list.begin())};
  }
  /// Where in the list of the whole graph an entry of the list of u stands, and, of a part of it, the edge's row.
  [[nodiscard]] std::pair<EdgeCount, std::uint64_t> in_graph(VertexId u, EdgeCount place) const {
    if (!is_part_) return {place, 0};
    const FilteredEntry entry = out_.template weights<FilteredEntry>(u)[place];
    return {entry.place, entry.row};
  }
  [[nodiscard]] EdgeCount edges(VertexId u, VertexId v) const {
    const auto [first, last] = places(u, v);
    return last - first;
  }
  /// Edges from u to v, or with `either` in both directions.
  [[nodiscard]] EdgeCount edges(VertexId u, VertexId v, bool either) const {
    return edges(u, v) + (either && u != v ? edges(v, u) : 0);
  }
  [[nodiscard]] EdgeCount loops(VertexId v) const { return edges(v, v); }

  /// True if v has an edge that leads out, in, or either.
  [[nodiscard]] bool has_any(Side side, VertexId v) const {
    const bool out = out_.degree(v) != 0;
    if (side == Side::out || !directed_) return out;
    const bool in = in_->degree(v) != 0;
    return side == Side::in ? in : in || out;
  }

 private:
  const Adjacency<Target>& out_;
  const Adjacency<Target>* in_;
  bool directed_;
  bool is_part_;
};

}  // namespace rizoma::query
