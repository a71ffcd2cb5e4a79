#include "query/plan/symmetry.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace rizoma::query {
namespace {

using Permutation = std::vector<unsigned>;

constexpr unsigned kMostVertices = 5;  // of a pattern whose symmetry is looked for

/// The edges as a sorted bag, so that two patterns can be compared.
std::vector<std::tuple<unsigned, unsigned, bool>> edges_under(const Query& query, const Permutation& image,
                                                              bool directed) {
  std::vector<std::tuple<unsigned, unsigned, bool>> edges;
  for (const QueryEdge& edge : query.edges) {
    unsigned from = image[edge.from];
    unsigned to = image[edge.to];
    if ((edge.either || !directed) && to < from) std::swap(from, to);
    edges.emplace_back(from, to, edge.either);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<std::tuple<std::optional<unsigned>, std::optional<unsigned>, bool>> absent_under(const Query& query,
                                                                                             const Permutation& image,
                                                                                             bool directed) {
  std::vector<std::tuple<std::optional<unsigned>, std::optional<unsigned>, bool>> edges;
  for (const AbsentEdge& edge : query.absent) {
    std::optional<unsigned> from = edge.from ? std::optional(image[*edge.from]) : std::nullopt;
    std::optional<unsigned> to = edge.to ? std::optional(image[*edge.to]) : std::nullopt;
    if ((edge.either || !directed) && to < from) std::swap(from, to);
    edges.emplace_back(from, to, edge.either);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// All permutations of the vertices that leave the pattern unchanged.
std::vector<Permutation> automorphisms(const Query& query, bool directed) {
  Permutation image(query.vertices);
  std::iota(image.begin(), image.end(), 0u);
  const auto edges = edges_under(query, image, directed);
  const auto absent = absent_under(query, image, directed);
  std::vector<Permutation> found;
  do {
    if (edges_under(query, image, directed) == edges && absent_under(query, image, directed) == absent) {
      found.push_back(image);
    }
  } while (std::next_permutation(image.begin(), image.end()));
  return found;
}

[[nodiscard]] bool adjacent(const Query& query, unsigned a, unsigned b) {
  return std::any_of(query.edges.begin(), query.edges.end(), [&](const QueryEdge& edge) {
    return (edge.from == a && edge.to == b) || (edge.from == b && edge.to == a);
  });
}

/// Whether edges are all that is said of its few vertices, and perhaps that they differ.
bool is_bare(const Query& query) {
  const auto is_free = [](const auto& members) { return !members.has_value(); };
  return query.vertices >= 2 && query.vertices <= kMostVertices && query.edge_items == 0 && query.filters.empty() &&
         query.absent.empty() && query.shortest.empty() && query.vertex_filters.empty() &&
         std::all_of(query.anchors.begin(), query.anchors.end(), is_free);
}

/// Whether each two vertices are adjacent, with no more said of them.
bool is_clique(const Query& query) {
  if (!is_bare(query)) return false;
  for (unsigned a = 0; a < query.vertices; ++a) {
    for (unsigned b = a + 1; b < query.vertices; ++b) {
      if (!adjacent(query, a, b)) return false;
    }
  }
  return true;
}

/// The query with classes of vertices taken as one vertex each; all vertices that are left differ.
Query contracted(const Query& query, const std::vector<unsigned>& class_of, unsigned classes,
                 const std::vector<VertexId>& loops) {
  Query result;
  result.vertices = classes;
  result.anchors.resize(classes);
  for (const QueryEdge& edge : query.edges) {
    result.edges.push_back({class_of[edge.from], class_of[edge.to], edge.either, std::nullopt});
    if (class_of[edge.from] == class_of[edge.to]) result.anchors[class_of[edge.from]] = loops;
  }
  for (const unsigned v : query.vertex_of_name) result.vertex_of_name.push_back(class_of[v]);
  for (unsigned a = 0; a < classes; ++a) {
    for (unsigned b = a + 1; b < classes; ++b) result.unequal.emplace_back(a, b);
  }
  return result;
}

/// The matches of a clique whose vertices all differ: one query for each order of the vertices, up to symmetry.
void add_ordered(const Query& query, bool directed, std::vector<Query>& queries) {
  const std::vector<Permutation> group = automorphisms(query, directed);
  Permutation order(query.vertices);  // the vertices by falling number
  std::iota(order.begin(), order.end(), 0u);
  std::set<Permutation> seen;
  do {
    if (seen.contains(order)) continue;
    Query ordered = query;
    ordered.unequal.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) ordered.below.emplace_back(order[j], order[i]);
    }
    for (const Permutation& g : group) {
      Permutation image(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) image[i] = g[order[i]];
      seen.insert(std::move(image));
    }
    ordered.times = group.size();
    ordered.images = group;
    queries.push_back(std::move(ordered));
  } while (std::next_permutation(order.begin(), order.end()));
}

/// Of the matches that automorphisms turn into each other only one: the vertex with the most images has the largest
/// number of them, then the same among the automorphisms that leave it in place.  For vertices that all differ.
Query one_of_each_orbit(const Query& query, bool directed) {
  const std::vector<Permutation> group = automorphisms(query, directed);
  Query result = query;
  result.times = group.size();
  result.images = group;
  for (std::vector<Permutation> left = group; left.size() > 1;) {
    std::set<unsigned> most;
    unsigned top = 0;
    for (unsigned v = 0; v < query.vertices; ++v) {
      std::set<unsigned> orbit;
      for (const Permutation& g : left) orbit.insert(g[v]);
      if (orbit.size() > most.size()) std::tie(most, top) = std::pair(std::move(orbit), v);
    }
    for (const unsigned v : most) {
      if (v == top) continue;
      result.below.emplace_back(v, top);
      std::erase(result.unequal, std::pair(std::min(v, top), std::max(v, top)));
    }
    std::erase_if(left, [top](const Permutation& g) { return g[top] != top; });
  }
  return result;
}

/// Calls f(class_of, classes) for each way to put n vertices into classes.
void for_each_partition(unsigned n, const std::function<void(const std::vector<unsigned>&, unsigned)>& f) {
  std::vector<unsigned> class_of(n);
  const std::function<void(unsigned, unsigned)> place = [&](unsigned v, unsigned classes) {
    if (v == n) return f(class_of, classes);
    for (unsigned c = 0; c <= classes; ++c) {
      class_of[v] = c;
      place(v + 1, std::max(classes, c + 1));
    }
  };
  place(0, 0);
}

}  // namespace

std::vector<VertexId> looped(const GraphView& graph) {
  std::vector<VertexId> found;
  if (graph.num_self_loops() == 0) return found;
  graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      const auto list = out.neighbors(v);
      if (std::binary_search(list.begin(), list.end(), static_cast<Target>(v))) found.push_back(v);
    }
  });
  return found;
}

std::vector<Query> without_symmetry(const GraphView& graph, const Query& query) {
  const bool asks = is_clique(query) && query.unequal.empty();
  return without_symmetry(graph, query, asks ? looped(graph) : std::vector<VertexId>());
}

std::vector<Query> without_symmetry(const GraphView& graph, const Query& query, const std::vector<VertexId>& loops) {
  if (!is_clique(query)) {
    const bool differ = query.unequal.size() == std::size_t{query.vertices} * (query.vertices - 1) / 2;
    if (!differ || !is_bare(query)) return {query};
    Query once = one_of_each_orbit(query, graph.directed());
    if (once.times > 1) return {std::move(once)};
    return {query};
  }
  std::vector<Query> queries;
  const bool all_differ = graph.num_self_loops() == 0 || !query.unequal.empty();
  for_each_partition(query.vertices, [&](const std::vector<unsigned>& class_of, unsigned classes) {
    if (classes == query.vertices) return add_ordered(query, graph.directed(), queries);
    if (!all_differ) queries.push_back(contracted(query, class_of, classes, loops));
  });
  return queries;
}

}  // namespace rizoma::query
