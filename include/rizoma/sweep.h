// Sweep: runs an EdgeProgram over a graph, superstep by superstep.  Module: engine.
//
//   Sweep<Reach> sweep(engine, graph, program);
//   RIZOMA_TRY(sweep.start(sources));
//   while (sweep.active() > 0) RIZOMA_TRY(sweep.step());
//
// How: each step pulls (a vertex gathers the messages of its active neighbours) or pushes (active vertices send along
// their lists); it cuts the lists of hubs into pieces and keeps the frontier as a list or a set, whichever is cheaper.
// Templates end at the block: program_blocks.h is compiled for each program; what does not look at a list, once for all
// (src/engine/sweep).
// On ranks, each rank gathers and applies its own vertices.  A pull first refreshes mirrors (ranks.h), or reads shared
// memory (shared_frontier.h, double_buffer.h); a push combines messages to remote vertices and sends one batch a rank.
// Cost of a step: push O(entries of the active vertices); pull O(n / 64 + entries of the vertices with cond).
// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC'12 (visit_once); Shun, Blelloch,
// "Ligra: a lightweight graph processing framework for shared memory", PPoPP'13 (all others).
#pragma once

#include <rizoma/detail/program_blocks.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/sweep_state.h>
#include <rizoma/detail/sweep_steps.h>
#include <rizoma/edge_program.h>

#include <span>
#include <utility>

namespace rizoma {

template <EdgeProgram P>
class Sweep {
  using Is = engine_detail::Traits<P>;
  static_assert(!Is::takes_runs || (Is::update_all && !Is::visit_once && !Is::has_cond),
                "runs of vertices are applied all, in each sweep");

 public:
  using Message = typename P::Message;
  using Accum = typename P::Accum;
  using Tally = typename Is::Tally;

  /// `program` must outlive the sweep; what it is changed to between steps holds from the next on.
  Sweep(Engine& engine, const GraphView& graph, P& program, SweepOptions options = {})
      : state_(engine, graph, Is::kind(), options.along, std::move(options.excluded)),
        blocks_(state_, program),
        steps_(state_, blocks_, options) {}
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Makes these vertices (each once, the same on all ranks) active, and no others.  Errors: those of any rank.
  Status start(std::span<const VertexId> vertices)
    requires(!Is::takes_runs)
  {
    return steps_.start(vertices);
  }
  /// The same with ranks that have been divided, each of which tells of its own vertices alone.  Errors: the same.
  Status start_own(std::span<const VertexId> vertices)
    requires(!Is::takes_runs)
  {
    return steps_.start_own(vertices);
  }
  /// Makes all vertices active.  Errors: cancelled.
  Status start_all()
    requires(!Is::visit_once)
  {
    return steps_.start_all();
  }

  /// Active vertices of all ranks, and the entries of their lists.
  [[nodiscard]] VertexId active() const noexcept { return state_.active.size(); }
  [[nodiscard]] EdgeCount active_entries() const noexcept { return state_.active.entries(); }
  /// The active vertices of this rank, in no order, until the next step; before the first, perhaps of all ranks.
  [[nodiscard]] std::span<const VertexId> active_list() { return state_.active.list(); }

  /// One superstep.  Errors: cancelled (some vertices may be applied already); on ranks, the error of any other rank.
  Status step() { return steps_.step(); }

  /// With `visit_once`: the vertices that were active or applied.  Ends the sweep.  The set has no valid count: recount
  /// it if you need one.
  [[nodiscard]] VertexSet take_done()
    requires Is::visit_once
  {
    return steps_.take_done();
  }

  /// The messages of all vertices, and those of the step before (in a push: the same); on ranks, of this rank's own.
  [[nodiscard]] const Message* messages() noexcept { return blocks_.message_data(); }
  [[nodiscard]] const Message* last_messages() { return blocks_.last_messages(); }
  /// Ends the sweep with these, or those of the step before if `last`: on ranks, messages of others are freed.
  /// Errors: cancelled.
  Result<const Message*> end(bool last) {
    steps_.end();
    return blocks_.keep_own_messages(last);
  }

  /// The sum of the tallies of the last step.
  [[nodiscard]] Tally tally() const { return blocks_.tally(); }

 private:
  engine_detail::SweepState state_;
  engine_detail::ProgramBlocks<P> blocks_;
  engine_detail::SweepSteps steps_;
};

}  // namespace rizoma
