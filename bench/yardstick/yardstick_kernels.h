// The six kernels in the form that the GAP benchmark specifies (Beamer, Asanovic, Patterson, "The GAP
// benchmark suite", arXiv 1508.03619), each on a plain static CSR with OpenMP: the speed that Rizoma's
// own kernels are held against.  Value types are those of the benchmark's reference (32-bit ids and
// scores), so that the same bytes move.
#pragma once

#include "static_csr.h"

#include <span>
#include <vector>

namespace rizoma::yardstick {

/// `iterations` rounds of PageRank, alpha = 0.85, ranks of vertices without out-edges being lost.
/// Jacobi reads only the ranks of the round before; Gauss-Seidel those already renewed in this one.
Array<float> pagerank_jacobi(const Csr& graph, int iterations);
Array<float> pagerank_gauss_seidel(const Csr& graph, int iterations);

/// Direction-optimizing BFS (Beamer et al., SC'12): a parent for each vertex, -1 if not reached.
Array<Vertex> bfs(const Csr& graph, Vertex source);

/// Afforest (Sutton et al., IPDPS'18): equal labels within a (weak) component.
Array<Vertex> connected_components(const Csr& graph);

/// Brandes with successors marked by edge (Madduri et al., IPDPS'09): the sum of the dependencies of
/// `sources`, divided by the largest.
Array<float> betweenness_centrality(const Csr& graph, std::span<const Vertex> sources);

/// Delta-stepping (Meyer, Sanders, 2003) with bucket fusion (Zhang et al., CGO'20); kUnreachable if
/// there is no path.
inline constexpr std::int32_t kUnreachable = 0x3fffffff;
Array<std::int32_t> sssp(const WeightedCsr& graph, Vertex source, std::int32_t delta);

/// Triangles of an undirected graph without parallel edges, each found from its largest vertex; the
/// vertices are first renumbered by decreasing degree if a sample of degrees is skewed enough.
std::uint64_t triangle_count(const Csr& graph);

}  // namespace rizoma::yardstick
