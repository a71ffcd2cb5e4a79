// A plan: in which order the variables of a query are matched, and what each step looks at.  Module: query.
//
// A plan is a forest.  A step matches one variable (or one of the parallel edges between two matched vertices); its
// branches are the parts of the pattern that depend on each other no more once it is matched, so a count multiplies
// them.  Enumeration takes the steps in preorder.
// Where two paths of two edges or more lead from one vertex to another, as in a cycle of four, a count does not follow
// each pair of them: it adds up how many lead to each vertex (wedge_join.h).
// How: the cheapest order of each connected part by dynamic programming over its subsets, up to 12 items; greater parts
// are planned step by step.  Sizes come from the degrees (their mean, and their mean at the end of an edge) and the
// share of closed wedges, both from samples.
#pragma once

#include "query/parse/query.h"
#include "query/run/sorted_lists.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace rizoma::query {

/// A list to intersect: the neighbours of a matched vertex.
struct ListUse {
  unsigned other = 0;
  Side side = Side::out;
  bool collapse_parallel = false;  ///< parallel edges count once: a later step chooses among them
  std::size_t set = 0;             ///< QueryEdge::set
  friend bool operator==(const ListUse&, const ListUse&) = default;
};

/// An edge to a matched vertex that is looked up for each candidate.
struct Probe {
  std::size_t edge = 0;
  bool collapse_parallel = false;  ///< as ListUse::collapse_parallel
};

/// Vertices that are adjacent to a matched vertex and to that of a step, and to no other: by way of each a path of two
/// edges leads from the one to the other.
struct Wedges {
  ListUse first;                ///< from the matched vertex
  ListUse second;               ///< from one of them
  std::vector<unsigned> items;  ///< those with these lists
};

struct Step {
  bool is_edge = false;
  unsigned item = 0;     ///< the vertex, or the edge item counted from 0
  std::size_t edge = 0;  ///< an edge step: which edge of the query

  std::vector<ListUse> lists;         ///< none: all vertices, the anchors, or where paths meet
  std::vector<Wedges> wedges;         ///< the paths that meet here, counted for all candidates together
  std::vector<Probe> probes;          ///< edges to matched vertices that are looked up one by one
  std::vector<std::size_t> loops;     ///< edges from the vertex to itself
  std::vector<unsigned> above;        ///< matched vertices of smaller number
  std::vector<unsigned> below;        ///< matched vertices of greater number
  std::vector<unsigned> older_above;  ///< those of `above` and `below` whose lists are read before the last list
  std::vector<unsigned> older_below;
  std::vector<unsigned> unequal;      ///< matched vertices (or edge items) that differ
  std::vector<std::size_t> absent;    ///< of Query::absent
  std::vector<std::size_t> filters;   ///< of Query::filters
  std::vector<std::size_t> shortest;  ///< of Query::shortest
  bool anchored = false;
  bool member = false;  ///< in a set, Query::members

  std::vector<Step> branches;
  unsigned power = 1;      ///< this many equal branches stand where this one does
  bool memoized = false;   ///< its count depends on the vertex above alone, and is computed once for each
  bool adds_up = false;    ///< the matches of each branch below a candidate are in a table, or the length of a list
  std::size_t number = 0;  ///< in preorder
  double estimate = 0;     ///< candidates each time

  /// True if a candidate may fail though it is in all lists.
  [[nodiscard]] bool tests_each() const noexcept { return member || tests_more(); }
  /// True if it may fail for another reason than that it is not in the set.
  [[nodiscard]] bool tests_more() const noexcept {
    return !probes.empty() || !loops.empty() || !absent.empty() || !filters.empty() || !shortest.empty() || anchored;
  }
  /// True if the matches of the step and all below are as many as a list is long.
  [[nodiscard]] bool is_length() const noexcept {
    return !is_edge && branches.empty() && lists.size() == 1 && !lists[0].collapse_parallel && !tests_each() &&
           above.empty() && below.empty() && unequal.empty();
  }
};

/// The share of a step's candidates for which its predicates are expected to hold.
[[nodiscard]] double share_of_filters(const Step& step);

struct Plan {
  std::vector<Step> roots;
  std::size_t steps = 0;
  double cost = 0;
};

/// Figures about a graph that plans are made by.
struct GraphFigures {
  double vertices = 0;
  double mean_out = 0;  ///< length of a list
  double mean_in = 0;
  double ends_out = 0;  ///< length of the out-list of a vertex that an edge leads to or from
  double ends_in = 0;
  double closing = 0;      ///< share of the shorter list of two adjacent vertices that is in the other's, too
  bool by_degree = false;  ///< vertices of smaller number have longer lists
};

/// Cost: O(1), from samples.
[[nodiscard]] GraphFigures figures_of(const GraphView& graph);

/// What to plan for.
struct PlanAims {
  bool counts = true;            ///< matches are counted, not listed: edges that no item asks about are not chosen
  std::optional<unsigned> root;  ///< the vertex to begin with
  /// Bytes in which a thread may count paths that meet; 0: they are followed one by one, as where lists are not here.
  std::uint64_t wedge_room = std::numeric_limits<std::uint64_t>::max();
};

/// Errors: unsupported (it needs in-edges that are not stored).
[[nodiscard]] Plan make_plan(const GraphView& graph, const GraphFigures& figures, const Query& query,
                             const PlanAims& aims);

}  // namespace rizoma::query
