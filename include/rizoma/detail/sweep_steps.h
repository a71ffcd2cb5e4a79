// SweepSteps: the steps of a sweep: directions, frontiers, loops and what ranks exchange.  Module: engine.
//
// Compiled once for all programs, which it knows as blocks (block_program.h).
#pragma once

#include <rizoma/detail/block_program.h>
#include <rizoma/detail/hub_accumulators.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/shared_frontier.h>
#include <rizoma/detail/sweep_state.h>
#include <rizoma/edge_program.h>

#include <cstdint>
#include <optional>
#include <span>

namespace rizoma::engine_detail {

/// What ranks know of each other's vertices in a pull.
class RemoteFrontier {
 public:
  /// Brings in what this rank's lists lead to on others, as it is now.  `follows`: a pull, with no step since.
  Status refresh(SweepState& sweep, BlockProgram& program, bool follows);
  /// Frees what is known of others.
  void forget() noexcept { mirror_.reset(); }
  /// The active vertices of all ranks; null: ask this rank's own bits, which hold those that its lists lead to.
  [[nodiscard]] const std::uint64_t* shared_bits() const noexcept { return shared_frontier_.words(); }

 private:
  std::optional<Mirror> mirror_;  ///< once a step has pulled
  SharedFrontier shared_frontier_;
};

class SweepSteps {
 public:
  SweepSteps(SweepState& state, BlockProgram& program, const SweepOptions& options);

  /// Makes these vertices active, the same on all ranks.
  Status start(std::span<const VertexId> vertices);
  /// The same with ranks that have been divided, each of which tells of its own vertices alone.
  Status start_own(std::span<const VertexId> vertices);
  Status start_all();
  Status step();
  /// Ends the sweep: nothing of other ranks' vertices is needed any more.
  void end() noexcept { remote_.forget(); }
  /// The vertices that were active or applied, of this rank.
  [[nodiscard]] VertexSet take_done();

 private:
  void begin_with(std::span<const VertexId> vertices);
  Status start_mine(std::span<const VertexId> vertices);
  bool pulls();
  Status pull();
  HubAccumulators* hubs();
  Status push();
  Status claim();
  Status claim_apart();
  Status send();
  Status send_few();
  Status agree();

  SweepState& state_;
  BlockProgram& program_;
  SweepDirection direction_;
  double sum_bound_;
  PullRule rule_;
  EdgeCount unexplored_;
  std::optional<VertexId> hub_count_;  ///< once a step has pulled, or given
  std::optional<HubAccumulators> hub_accumulators_;
  RemoteFrontier remote_;
  bool pulled_ = false;  ///< the last step, with all active since
};

}  // namespace rizoma::engine_detail
