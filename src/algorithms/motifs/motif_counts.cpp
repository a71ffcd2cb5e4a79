#include <rizoma/algorithms/motif_counts.h>

#include "algorithms/motifs/ego_networks.h"
#include "algorithms/motifs/five_vertex_shapes.h"
#include "algorithms/motifs/degree_ordered_lists.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/intersection.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Number = DegreeOrderedLists::Number;
using Wide = MotifCount;

constexpr std::uint64_t kGrain = 16;

constexpr Wide choose2(Wide n) noexcept { return n * (n - 1) / 2; }  // 0 of 0
constexpr Wide choose3(Wide n) noexcept { return n < 3 ? 0 : n * (n - 1) * (n - 2) / 6; }
constexpr Wide choose4(Wide n) noexcept { return n < 4 ? 0 : choose3(n) * (n - 3) / 4; }

/// What is summed over all vertices; the counts of subgraphs follow: see `subgraphs`.
enum Part : std::size_t {
  kTriangles,    // three times each
  kDiamonds,     // twice each
  kFourCycles,   // four times each
  kFourCliques,  // four times each
  kTailed,       // triangles with an edge that leaves one
  kStars,
  kForks,
  kPaths,
  kCrickets,
  kBulls,
  kTadpoles,
  kBanners,
  kFiveCycles,
  kBipartite,
  kHouses,
  kButterflies,
  kDarts,
  kKites,
  kBooks,
  kGems,
  kLollipops,
  kWheelsMinusSpoke,
  kWheels,
  kCliquesMinusPath,
  kCliquesMinusEdge,
  kCliques,
  kParts,
};
/// Sums of differences wrap around, and are right again in the end.
using Sums = std::array<Wide, kParts>;

/// What degrees and triangles alone give.
class Neighborhoods {
 public:
  Neighborhoods(const DegreeOrderedLists& lists, const EgoNetworks& networks) : lists_(lists), networks_(networks) {}

  void visit(Number r, Sums& sums) {
    const auto list = lists_[r];
    const Wide d = list.size();
    if (d == 0) return;
    Wide twice = 0;
    Wide ways = 0;
    Wide squares = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Wide beyond = lists_.degree(list[k]) - 1;
      twice += networks_.triangles(r, k);
      ways += beyond;
      squares += beyond * beyond;
    }
    const Wide t = twice / 2;
    sums[kTriangles] += t;
    sums[kStars] += choose4(d);
    sums[kForks] += choose2(d - 1) * ways;
    sums[kPaths] += (ways * ways - squares) / 2;
    sums[kButterflies] += choose2(t);
    if (t > 0) {
      sums[kTailed] += t * (d - 2);
      sums[kCrickets] += t * choose2(d - 2);
    }
    for (std::size_t k = 0; k < list.size(); ++k)
      visit_edge(d, t, lists_.degree(list[k]), networks_.triangles(r, k), sums);
  }

 private:
  /// An edge of a vertex of degree d with t triangles to one of degree `other`.
  static void visit_edge(Wide d, Wide t, Wide other, Wide triangles, Sums& sums) {
    sums[kTadpoles] += (t - triangles) * (other - 1);
    if (triangles == 0) return;
    sums[kDiamonds] += choose2(triangles);
    sums[kBooks] += choose3(triangles);
    sums[kBulls] += triangles * (d - 2) * (other - 2);
    if (triangles > 1) sums[kDarts] += choose2(triangles) * (d - 3);
  }

  const DegreeOrderedLists& lists_;
  const EgoNetworks& networks_;
};

/// Wedges from one vertex: how many lead to each other one.  What is counted with them lies on cycles, so that leaves
/// neither begin nor end one: those of a hub would meet each other in pairs.
class Wedges {
 public:
  Wedges(const DegreeOrderedLists& lists, const EgoNetworks& networks)
      : lists_(lists), networks_(networks), wedges_(lists.size()) {}

  void visit(Number r, Sums& sums) {
    if (lists_.degree(r) < 2) return;
    const auto list = lists_.without_leaves(r);
    for (const Number middle : list) {
      for (const Number end : lists_.without_leaves(middle)) {
        if (wedges_[end]++ == 0) ends_.push_back(end);
      }
    }
    wedges_[r] = 0;
    Wide cycles = 0;
    for (const Number end : ends_) {
      cycles += choose2(wedges_[end]);
      sums[kBipartite] += choose3(wedges_[end]);
    }
    sums[kFourCycles] += cycles;
    if (cycles > 0) sums[kBanners] += cycles * (lists_.degree(r) - 2);
    for (std::size_t k = 0; k < list.size(); ++k) visit_middle(r, k, sums);
    for (const Number end : ends_) wedges_[end] = 0;
    ends_.clear();
  }

 private:
  void visit_middle(Number r, std::size_t k, Sums& sums) {
    const Number middle = lists_[r][k];
    const auto around = lists_.without_leaves(middle);
    Wide cycles = 0;  // with this edge
    for (const Number end : around) cycles += wedges_[end];
    cycles -= around.size() - 1;  // r has none
    const std::uint64_t triangles = networks_.triangles(r, k);
    sums[kHouses] += triangles * cycles;
    if (triangles == 0) return;
    const auto own = static_cast<std::uint32_t>(std::ranges::lower_bound(around, r) - around.begin());
    for (const std::uint32_t other : networks_(middle, own)) {
      const auto tips = networks_(middle, other);
      const auto after = std::ranges::upper_bound(tips, own);
      for (auto tip = after; tip != tips.end(); ++tip) sums[kWheelsMinusSpoke] += wedges_[around[*tip]] - 2;
    }
  }

  const DegreeOrderedLists& lists_;
  const EgoNetworks& networks_;
  std::vector<std::uint32_t> wedges_;
  std::vector<Number> ends_;
};

/// The network among the neighbours of one vertex: its wedges, triangles and cliques.
class Cliques {
 public:
  Cliques(const DegreeOrderedLists& lists, const EgoNetworks& networks) : lists_(lists), networks_(networks) {}

  void visit(Number r, Sums& sums) {
    const std::size_t d = lists_.degree(r);
    wedges_.assign(d, 0);
    cliques_.assign(d, 0);
    for (std::uint32_t k = 0; k < d; ++k) visit_place(r, k, sums);
    Wide total = 0;  // six times each clique of four
    for (std::size_t k = 0; k < d; ++k) {
      total += cliques_[k];
      if (cliques_[k] > 0) sums[kCliquesMinusPath] += cliques_[k] / 2 * (networks_.triangles(r, k) - 2);
    }
    sums[kFourCliques] += total / 6;
    if (total > 0) sums[kLollipops] += total / 6 * (d - 3);
    for (std::uint32_t k = lists_.above(r); k < d; ++k) sums[kCliques] += cliques_below(r, k);
  }

 private:
  void visit_place(Number r, std::uint32_t k, Sums& sums) {
    const auto list = networks_(r, k);
    for (const std::uint32_t middle : list) {
      const auto ends = networks_(r, middle);
      for (auto end = std::ranges::upper_bound(ends, k); end != ends.end(); ++end) ++wedges_[*end];
    }
    const Wide own = list.size();
    for (const std::uint32_t other : list) {
      sums[kKites] += (own - 1) * (lists_.degree(lists_[r][other]) - 2);
      if (other < k) continue;
      // A triangle of r and both; with each wedge between these it makes a clique of four.
      sums[kGems] += (own - 1) * (networks_.triangles(r, other) - 1);
      sums[kCliquesMinusEdge] += choose2(wedges_[other]);
      sums[kFiveCycles] -= std::min(k, lists_.above(r));  // see FiveCycles
      cliques_[k] += wedges_[other];
      cliques_[other] += wedges_[other];
    }
    for (const std::uint32_t middle : list) {
      const auto ends = networks_(r, middle);
      for (auto end = std::ranges::upper_bound(ends, k); end != ends.end(); ++end) {
        sums[kWheels] += choose2(std::exchange(wedges_[*end], 0));
      }
    }
  }

  /// Cliques of four in the network whose first place is k.
  std::uint64_t cliques_below(Number r, std::uint32_t k) {
    const auto first = after(networks_(r, k), k);
    std::uint64_t found = 0;
    for (const std::uint32_t second : first) {
      const auto both = common(first, after(networks_(r, second), second));
      for (const std::uint32_t third : both) found += count_common(after(networks_(r, third), third), both);
    }
    return found;
  }
  static std::span<const std::uint32_t> after(std::span<const std::uint32_t> list, std::uint32_t place) {
    return list.subspan(static_cast<std::size_t>(std::ranges::upper_bound(list, place) - list.begin()));
  }
  std::span<const std::uint32_t> common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    scratch_.resize(std::min(a.size(), b.size()) + 1);
    return std::span(scratch_).first(intersect(a, b, scratch_.data()));
  }

  const DegreeOrderedLists& lists_;
  const EgoNetworks& networks_;
  std::vector<std::uint32_t> wedges_;   ///< by place: from the one that is visited
  std::vector<std::uint64_t> cliques_;  ///< by place: of four, twice each
  std::vector<std::uint32_t> scratch_;
};

/// Cycles of five from their vertex r of highest degree: two wedges from r, within the vertices below it, with adjacent
/// ends.  Less the walks that are no cycle: an end is the middle of the other wedge (each such middle m has the wedges
/// that end there, times its neighbours below r; both at once is a triangle of r), or both have one middle (a triangle
/// at m below r: for each triangle and corner, the neighbours of the corner above all three, in `Cliques`).
class FiveCycles {
 public:
  FiveCycles(const DegreeOrderedLists& lists, const EgoNetworks&) : lists_(lists), wedges_(lists.size()) {}

  void visit(Number r, Sums& sums) {
    const auto middles = lists_[r].subspan(lists_.above(r));
    for (const Number middle : middles) {
      for (const Number end : below(lists_[middle], r)) {
        if (wedges_[end]++ == 0) ends_.push_back(end);
      }
    }
    for (const Number end : ends_) {
      Wide meeting = 0;
      for (const Number other : lists_[end].subspan(lists_.above(end))) meeting += wedges_[other];
      sums[kFiveCycles] += meeting * wedges_[end];
    }
    Wide triangles = 0;  // twice each
    for (const Number middle : middles) {
      sums[kFiveCycles] -= Wide{wedges_[middle]} * below(lists_[middle], r).size();
      triangles += wedges_[middle];
    }
    sums[kFiveCycles] += triangles / 2;
    for (const Number end : ends_) wedges_[end] = 0;
    ends_.clear();
  }

 private:
  static std::span<const Number> below(std::span<const Number> list, Number r) {
    return list.subspan(static_cast<std::size_t>(std::ranges::upper_bound(list, r) - list.begin()));
  }

  const DegreeOrderedLists& lists_;
  std::vector<std::uint32_t> wedges_;
  std::vector<Number> ends_;
};

/// Adds what a Pass finds at each vertex.
template <class Pass>
Status add_over_vertices(Engine& engine, const DegreeOrderedLists& lists, const EgoNetworks& networks, Sums& sums) {
  struct OfThread {
    std::unique_ptr<Pass> pass;
    Sums sums{};
  };
  std::vector<PerThread<OfThread>> threads(engine.threads());
  RIZOMA_TRY(engine.for_blocks(lists.size(), kGrain, [&](VertexRange block, unsigned thread) {
    OfThread& mine = threads[thread].value;
    if (mine.pass == nullptr) mine.pass = std::make_unique<Pass>(lists, networks);
    for (auto r = static_cast<Number>(block.begin); r < block.end; ++r) mine.pass->visit(r, mine.sums);
  }));
  for (const auto& each : threads) {
    for (std::size_t part = 0; part < kParts; ++part) sums[part] += each.value.sums[part];
  }
  return {};
}

/// How often each shape is a subgraph: the sums, less the cases in which parts of a shape meet.
MotifCounts subgraphs(const Sums& sums) {
  const Wide triangles = sums[kTriangles] / 3;
  const Wide diamonds = sums[kDiamonds] / 2;
  const Wide cycles = sums[kFourCycles] / 4;
  const Wide cliques = sums[kFourCliques] / 4;
  return {{
      sums[kPaths] - 4 * cycles - 2 * sums[kTailed] - 3 * triangles,
      sums[kForks] - 2 * sums[kTailed],
      sums[kStars],
      sums[kFiveCycles],
      sums[kBanners] - 2 * diamonds,
      sums[kBulls] / 2 - 2 * diamonds,
      sums[kCrickets],
      sums[kTadpoles] - 4 * diamonds,
      sums[kBipartite] / 2,
      sums[kHouses] / 2 - 4 * diamonds,
      sums[kButterflies] - 2 * diamonds,
      sums[kDarts],
      sums[kKites] / 2 - 12 * cliques,
      sums[kLollipops],
      sums[kGems] - 12 * cliques,
      sums[kBooks] / 2,
      sums[kWheelsMinusSpoke] / 2,
      sums[kWheels] / 2,
      sums[kCliquesMinusPath] / 2,
      sums[kCliquesMinusEdge] / 3,
      sums[kCliques],
  }};
}

}  // namespace

Result<MotifCounts> motif_counts(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "motif_counts"));
  RIZOMA_TRY(check_undirected(graph, "motif_counts"));
  RIZOMA_TRY(engine.report("motif_counts", 0, 4));
  RIZOMA_ASSIGN(const DegreeOrderedLists lists, DegreeOrderedLists::make(engine, graph));
  RIZOMA_ASSIGN(const EgoNetworks networks, EgoNetworks::make(engine, lists));
  Sums sums{};
  RIZOMA_TRY(add_over_vertices<Neighborhoods>(engine, lists, networks, sums));
  RIZOMA_TRY(engine.report("motif_counts", 1, 4));
  RIZOMA_TRY(add_over_vertices<Wedges>(engine, lists, networks, sums));
  RIZOMA_TRY(engine.report("motif_counts", 2, 4));
  RIZOMA_TRY(add_over_vertices<Cliques>(engine, lists, networks, sums));
  RIZOMA_TRY(engine.report("motif_counts", 3, 4));
  RIZOMA_TRY(add_over_vertices<FiveCycles>(engine, lists, networks, sums));
  return induced_counts(subgraphs(sums));
}

}  // namespace rizoma
