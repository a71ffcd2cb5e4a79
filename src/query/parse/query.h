// A pattern bound to a graph: variables with numbers, the edges between them, and predicates.  Module: query.
//
// A pattern gives one query, or several whose matches add up: one for each length of a repeated edge, and, where
// symmetry is broken, one for each way in which adjacent vertices may coincide at a self-loop.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/match.h>
#include <rizoma/vertex_set.h>

#include "base/first_failure.h"
#include "predicate/program.h"
#include "query/parse/pattern.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma::query {

/// A set of variables and edge items, by number: vertices first, then the edges that are chosen one by one.
using Mask = std::uint64_t;

[[nodiscard]] constexpr Mask bit(unsigned item) noexcept { return Mask{1} << item; }

struct FilteredEdges;

struct QueryEdge {
  unsigned from = 0;
  unsigned to = 0;
  bool either = false;  ///< of a directed graph, in either direction
  /// Number of the item that stands for the edge if its parallel edges are chosen one by one (it has a name that is
  /// used, a predicate, or must differ from others); none: their number multiplies.
  std::optional<unsigned> item;
  std::size_t set = 0;  ///< which edges it may be: 0: all; else those of Query::filtered_edges[set - 1]
};

/// There is no edge from -> to; `to` missing: from has no edge at all.
struct AbsentEdge {
  std::optional<unsigned> from;
  std::optional<unsigned> to;
  bool either = false;
  [[nodiscard]] Mask mask() const noexcept { return (from ? bit(*from) : 0) | (to ? bit(*to) : 0); }
};

/// The shortest paths of an edge or more from one vertex to another.
struct ShortestPath {
  unsigned from = 0;
  unsigned to = 0;
  bool either = false;  ///< of a directed graph, along edges in either direction
  bool all = false;     ///< each is a match; else there is one match if there is a path
  unsigned most = 0;    ///< edges
  [[nodiscard]] Mask mask() const noexcept { return bit(from) | bit(to); }
  /// True if one search from the end that is matched first finds them, where this one is matched last.
  [[nodiscard]] bool is_one_search(const GraphView& graph, unsigned last) const noexcept {
    return from != to && (last == to || !graph.directed() || graph.has_in_edges());
  }
};

/// What a column of a filter's program is read from: predicate::Slot::source.
enum class SlotSource : unsigned { vertex_id, vertex_column, edge_column };

[[nodiscard]] constexpr SlotSource source_of(const predicate::Slot& slot) noexcept {
  return static_cast<SlotSource>(slot.source);
}

/// A predicate and the items that it speaks of, which Slot::item numbers: vertices, or edge items from 0.
struct Filter {
  std::shared_ptr<const predicate::Program> program;
  std::shared_ptr<FirstFailure> failure;  ///< of the pattern: a result beyond 64 bits
  Mask mask = 0;
  std::size_t number = 0;  ///< of the predicate in its pattern, from which other queries may have it, too
  bool is_kind = false;    ///< it reads the label of a vertex, or the type of an edge, and nothing else
};

struct Query {
  unsigned vertices = 0;
  unsigned edge_items = 0;
  std::vector<QueryEdge> edges;
  std::vector<AbsentEdge> absent;
  std::vector<ShortestPath> shortest;
  std::vector<Filter> filters;
  std::vector<std::pair<unsigned, unsigned>> unequal;         ///< vertices that differ
  std::vector<std::pair<unsigned, unsigned>> below;           ///< the first's number is below the second's
  std::vector<std::pair<unsigned, unsigned>> unequal_edges;   ///< edge items that differ, counted from 0
  std::vector<std::optional<std::vector<VertexId>>> anchors;  ///< of each vertex: those it may be, ascending
  /// Of each vertex (or none at all) once predicates on it alone are settled (vertex_filters.h): how many vertices
  /// they keep, and which, unless these are few and stand among the anchors.
  std::vector<std::optional<VertexId>> kept;
  std::vector<std::shared_ptr<const VertexSet>> vertex_filters;
  /// Lists of the edges that predicates on one edge alone keep (filtered_adjacency.h), where these are settled
  /// (edge_pushdown.h).
  std::vector<std::shared_ptr<const FilteredEdges>> filtered_edges;
  std::vector<unsigned> vertex_of_name;  ///< which vertex each name of the pattern stands for
  std::vector<unsigned> edge_of_name;    ///< which edge item (from 0) each named edge is
  /// How many matches each match of this query stands for; and the rows: for each of them, the vertex of this query
  /// that each vertex takes its value from.
  std::uint64_t times = 1;
  std::vector<std::vector<unsigned>> images;

  [[nodiscard]] const VertexSet* filter_of(unsigned v) const noexcept {
    return vertex_filters.empty() ? nullptr : vertex_filters[v].get();
  }
  [[nodiscard]] std::optional<VertexId> kept_of(unsigned v) const noexcept {
    return kept.empty() ? std::nullopt : kept[v];
  }
  [[nodiscard]] unsigned items() const noexcept { return vertices + edge_items; }
  /// Number of the item of edge item i.
  [[nodiscard]] unsigned item_of_edge(unsigned i) const noexcept { return vertices + i; }
};

/// What a pattern and its options mean on a graph.
struct BoundPattern {
  std::vector<std::string> vertex_names;  ///< in the order of their first mention
  std::vector<std::string> edge_names;
  std::vector<Query> queries;
  std::shared_ptr<const MatchColumns> columns;
  std::shared_ptr<FirstFailure> failure = std::make_shared<FirstFailure>();  ///< of its predicates
  bool impossible = false;  ///< an id of no vertex: there are no matches

  /// The first value that could not be read or computed.
  [[nodiscard]] Status status() const {
    RIZOMA_TRY(columns->status());
    return failure->status();
  }
};

/// Errors: those of Match::prepare.
[[nodiscard]] Result<BoundPattern> bind(const GraphView& graph, const Pattern& pattern, const MatchOptions& options);

}  // namespace rizoma::query
