// WorkerGroup: the homes of an engine's threads, and the placement of the graph they work on.
#pragma once

#include "placement/adaptive.h"
#include "platform/mutex.h"

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/topology.h>

#include <memory>
#include <span>
#include <vector>

namespace rizoma {

class WorkerGroup {
 public:
  WorkerGroup(const EngineOptions& options, const Topology& topology);

  [[nodiscard]] unsigned homes() const noexcept { return base_.homes; }
  [[nodiscard]] const Placement& base() const noexcept { return base_; }
  /// All homes as a thread of `home` visits them: its own, then the nearest.
  [[nodiscard]] const std::vector<unsigned>& order(unsigned home) const noexcept { return order_[home]; }
  /// True if no home is without a thread.
  [[nodiscard]] bool covers_all_homes() const noexcept { return covers_all_homes_; }
  /// Sections are on all homes evenly: one list of work, at home to none.
  [[nodiscard]] bool spread() const noexcept { return base_.policy == PlacementPolicy::interleave && base_.homes > 1; }
  /// Whether loops should measure the time of sections.
  [[nodiscard]] bool learns() const noexcept {
    return base_.policy == PlacementPolicy::adaptive && base_.homes > 1 && !fixed_;
  }

  /// The placement in force for a graph; kept until another graph is used.  From any thread. Errors: invalid_argument
  /// if a fixed placement does not belong to this graph, or to any.
  Result<std::shared_ptr<const Placement>> placement_of(const GraphView& graph);

  /// The work of each section of the graph in a sweep, in any unit, which may move sections.
  void learn(const GraphView& graph, std::span<const double> work);

  /// What it has learnt of this graph: each section's work in a sweep; empty if nothing.
  [[nodiscard]] std::vector<double> measured_work(const GraphView& graph);

  /// The tiers that the user named, apart from those that a policy implies.
  [[nodiscard]] const Tiers& asked_tiers() const noexcept { return asked_; }

  /// The placement of the last graph and how its vertices are cut, if it had n vertices.
  struct Placed {
    std::shared_ptr<const Placement> placement;  ///< null: another graph was used last
    unsigned section_bits = 0;
  };
  [[nodiscard]] Placed placed_last(VertexId n);

  /// Tells how many threads there are; those that the placement does not name belong to home 0.
  const std::vector<unsigned>& set_threads(unsigned threads);

 private:
  Status refused_;  ///< why the placement that was asked for cannot be one
  /// Distinguishes graphs, for their placement.
  struct Shape {
    VertexId vertices = 0;
    SectionId sections = 0;
    EdgeCount entries = 0;
    unsigned section_bits = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  [[nodiscard]] static Shape shape_of(const GraphView& graph);

  Placement base_;
  Tiers asked_;
  bool fixed_ = false;  ///< sections too are given
  std::vector<std::vector<unsigned>> order_;
  bool covers_all_homes_ = true;

  Mutex guard_;
  Shape shape_ RIZOMA_GUARDED_BY(guard_);
  std::shared_ptr<const Placement> placement_ RIZOMA_GUARDED_BY(guard_);
  WorkAverage average_ RIZOMA_GUARDED_BY(guard_);
};

}  // namespace rizoma
