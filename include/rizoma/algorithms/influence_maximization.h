// Influence maximization: the k vertices from which a cascade reaches most.  Module: algorithms.
//
// What: seeds whose expected spread is at least (1 - 1/e - epsilon) of the best possible, with chance 1 - delta.
// How: an RR set (a reverse reachable set) holds all vertices that would have reached a vertex drawn by chance; the
// share of RR sets that a set of seeds hits estimates its spread.  With weights that vertex is drawn in proportion to
// them, the spread is the weight of what is reached, and n in the bounds is their sum.  Seeds are taken greedily.
//   opim  two collections of RR sets, one to choose from and one of a quarter of its size to judge; both double until
//         the bounds that they give prove the guarantee (OPIM-C), often long before the worst case would need, and
//         until more RR sets would hardly gain: seeds chosen from the new half hit no more than 2.5% more of it than
//         the seeds of the old half do; or as many as IMM would draw for the proven spread, or four more doublings.
//   imm   as many RR sets as the martingale bound asks for, from a lower bound on the best spread.
// An RR set is drawn by the number that it has, so that seeds do not depend on threads; along lists of edges of one
// chance by skips between successes.  RR sets are kept by vertex, as differences of their numbers or as bits, whatever
// is shorter; what would take more than `max_bytes` of memory goes to files without names, and the answer is the same.
// On ranks each reads the whole graph, which ranks in parts refuse (unsupported), and draws its share of the RR sets;
// counts are added up, and seeds are the same.
// Cost: O((n + m) k ln n / epsilon^2) expected for IMM; OPIM-C takes a third to nine tenths of that in practice.
// Source: Tang, Tang, Xiao, Yuan, "Online processing algorithms for influence maximization", SIGMOD'18; Tang, Shi,
// Xiao, "Influence maximization in near-linear time: a martingale approach", SIGMOD'15; Borgs et al., SODA'14.
#pragma once

#include <rizoma/algorithms/influence.h>
#include <rizoma/engine.h>

#include <span>
#include <string>
#include <vector>

namespace rizoma {

enum class InfluenceMethod : std::uint8_t { opim, imm };

/// How RR sets come to the memory of their tier (Structure::rr_sets): the three ways of Ghosh et al., SC'21, 4.3.3.
enum class RrSetStaging : std::uint8_t {
  direct,    ///< sorted by vertex in a buffer of ordinary memory, then written there
  in_place,  ///< sorted there, too: nothing but what is being drawn lies elsewhere
  staged,    ///< written whole to ordinary memory, then moved there
};

struct InfluenceMaximizationOptions {
  CascadeOptions cascade;
  VertexId k = 50;
  double epsilon = 0.13;
  double delta = 0;  ///< 0: 1 / n
  InfluenceMethod method = InfluenceMethod::opim;
  std::span<const VertexId> seeds;  ///< that exist already; the k found are others
  std::uint64_t seed = 1;
  std::uint64_t max_bytes = 0;  ///< of memory for RR sets as they are kept; 0: no bound
  std::string spill_directory;  ///< for what goes beyond; empty: the one for temporary files ($TMPDIR, /tmp)
  /// What each vertex that is reached counts, n numbers, 0 or more; empty: 1 each.
  std::span<const double> weights = {};
  RrSetStaging staging = RrSetStaging::direct;
};

struct SeedsFound {
  std::vector<VertexId> seeds;  ///< in the order in which they were taken
  std::vector<double> gains;    ///< what each adds to the spread, as the RR sets estimate it
  double spread = 0;            ///< of all seeds, those that there were included, as the RR sets estimate it
  double lower_bound = 0;       ///< of that spread; with chance 1 - delta
  double upper_bound = 0;       ///< of the best spread; opim: proven, imm: as the guarantee says
  double guarantee = 0;         ///< the spread is at least this share of the best
  std::uint64_t rr_sets = 0;
  std::uint64_t entries = 0;        ///< vertices in all RR sets
  std::uint64_t bytes = 0;          ///< that they take
  std::uint64_t spilled_bytes = 0;  ///< of these, in files
  std::uint64_t read_bytes = 0;     ///< of them, while seeds were chosen and judged
};

/// Errors: invalid_argument (k is not from 1 to the number of vertices left; epsilon, delta, a probability or a weight
/// is out of range; no vertex has a weight above 0; a seed is not a vertex), unsupported (2^32 vertices or more; a
/// directed graph without in-edges; no weights of edges), not_found, out_of_space or io (RR sets cannot be spilled),
/// cancelled.
Result<SeedsFound> influence_maximization(Engine& engine, const GraphView& graph,
                                          const InfluenceMaximizationOptions& options = {});

}  // namespace rizoma
