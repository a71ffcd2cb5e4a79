// A graph whose lists some ranks hold (data nodes) and all ranks match (data nodes and workers).  Module: query.
//
// Ranks 0..d-1 are data nodes: each holds a run of sections of about equal work, and reads no other rank's lists.  The
// others are workers and hold none.  The vertices to begin with are cut into blocks of about equal work where they are
// and assigned so that all ranks have equally many, a data node its own ones first, and again as some turn out to be
// faster (block_queues.h).  Lists that a rank lacks are fetched in batches (fetched_lists.h) and kept (list_cache.h).
// Source: da Silva, de Almeida, Braganholo, "Explorando arquiteturas multi-core para processamento eficiente de
// consultas em sistemas de gerencia de Big Data", 2017 (MyriaX with data nodes and worker nodes).
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/match.h>

#include "query/distributed/block_queues.h"
#include "query/distributed/list_cache.h"
#include "query/plan/plan.h"
#include "query/run/matcher.h"
#include "query/run/roots.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace rizoma::query {

/// Which rank holds each section.
class Holders {
 public:
  Holders() = default;
  /// Runs of about equal work, one for each data node.
  Holders(const GraphView& graph, unsigned data_nodes, unsigned rank);

  [[nodiscard]] unsigned of(VertexId v) const noexcept { return of_section_[v >> section_bits_]; }
  [[nodiscard]] bool mine(VertexId v) const noexcept { return of(v) == rank_; }
  [[nodiscard]] bool is_mine(SectionId section) const noexcept { return of_section_[section] == rank_; }
  [[nodiscard]] bool has_all() const noexcept {
    return std::all_of(of_section_.begin(), of_section_.end(), [this](unsigned holder) { return holder == rank_; });
  }
  [[nodiscard]] std::span<const unsigned> of_sections() const noexcept { return of_section_; }
  [[nodiscard]] unsigned rank() const noexcept { return rank_; }
  /// Makes values of vertices, of which each data node has its own, whole on all ranks.  Collective.
  Status gather(Ranks& ranks, std::uint64_t* values, VertexId n) const;

 private:
  std::vector<unsigned> of_section_;
  unsigned section_bits_ = 0;
  unsigned rank_ = 0;
};

/// What all runs of one call have in common.
struct SharedGraph {
  Ranks& ranks;
  Holders holders;
  GraphView own;                ///< the graph with the lists of this rank's sections only
  GraphFigures figures;         ///< the same on all ranks
  std::vector<VertexId> loops;  ///< vertices with self-loops, the same on all ranks
  ListCache cache;
  std::shared_ptr<RepeatingLists> repeating;  ///< of its own lists, once known, and of all received
  RankShare done;                             ///< by this rank
};

/// Errors: invalid_argument (there are fewer ranks than data nodes; ranks have different graphs).  Collective.
[[nodiscard]] Result<std::unique_ptr<SharedGraph>> share(Engine& engine, const GraphView& graph,
                                                         const Sharing& sharing);

/// The blocks of the vertices that a plan begins with, assigned to all ranks.  Collective.
[[nodiscard]] Result<BlockQueues> assigned_blocks(SharedGraph& shared, const Query& query, const Step& root);

/// The rank that matches each block; `holders` has the rank that holds each, ascending.
[[nodiscard]] std::vector<unsigned> assigned(std::span<const unsigned> holders, unsigned ranks);

}  // namespace rizoma::query
