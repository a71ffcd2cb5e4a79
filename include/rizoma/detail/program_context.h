// ProgramContext: a program with its messages and tallies; Applier: hears of the vertices of a block.  Module: engine.
#pragma once

#include <rizoma/detail/atomic_bitset_writer.h>
#include <rizoma/detail/double_buffer.h>
#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/mailbox.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/sweep_state.h>
#include <rizoma/process_vertices.h>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class P>
struct ProgramContext {
  using Is = Traits<P>;
  using Message = typename P::Message;
  using Tally = typename Is::Tally;

  ProgramContext(SweepState& state, P& of) : sweep(state), program(of), tallies(state.engine.threads()) {
    if constexpr (Is::has_message) values = DoubleBuffer<Message>(state.engine, state.n);
  }

  [[nodiscard]] Message* messages() noexcept {
    if constexpr (Is::has_message) return values.now();
    else return nullptr;
  }
  [[nodiscard]] EntryValues<Message> entry_values() noexcept { return {messages(), sweep.graph.weight_type()}; }
  [[nodiscard]] static bool cond(const P& of, VertexId v) {
    if constexpr (Is::has_cond) return of.cond(v);
    else return true;
  }
  [[nodiscard]] bool is_done(VertexId v) const noexcept { return Is::visit_once && sweep.is_done(v); }
  /// What another rank's vertex wants is known there.
  [[nodiscard]] bool may_take(VertexId v) const { return !is_done(v) && cond(program, v); }

  /// f(v) for the vertices of a range that may be applied.
  template <class F>
  void for_candidates(VertexRange range, F&& f) const {
    constexpr bool kMayExclude = Is::all_stay && Is::update_all;
    if (!Is::visit_once && (!kMayExclude || sweep.done.universe() == 0)) {
      for (VertexId v = range.begin; v < range.end; ++v) f(v);
    } else if constexpr (Is::visit_once || kMayExclude) {
      sweep.done.for_each_absent(range, std::forward<F>(f));
    }
  }

  /// f(lists, std::type_identity<Weight>).
  template <class F>
  decltype(auto) with_lists(Direction direction, F&& f) const {
    using Weight = std::conditional_t<Is::weighted, EdgeWeights, void>;
    return with_lists_of(sweep.graph, direction,
                         [&](const auto& lists) -> decltype(auto) { return f(lists, std::type_identity<Weight>{}); });
  }

  SweepState& sweep;
  P& program;
  DoubleBuffer<Stored<Message>> values;
  std::vector<PerThread<Tally>> tallies;
};

/// Hears of v and what came to it; one for each block.
template <class P>
class Applier {
  using Is = Traits<P>;
  using Message = typename P::Message;
  using Accum = typename P::Accum;

 public:
  P program;  ///< a copy, whose members can stay in registers

  /// `outgoing`: the messages of the next step.
  Applier(ProgramContext<P>& context, unsigned thread, Message* outgoing, std::uint64_t* next)
      : program(context.program),
        graph_(context.sweep.graph),
        degrees_(context.sweep.degrees),
        tally_of_thread_(context.tallies[thread].value),
        found_(context.sweep.active.found(thread)),
        has_holes_(context.sweep.has_holes),
        now_(context.messages()),
        outgoing_(outgoing),
        next_(next),
        done_(Is::visit_once ? context.sweep.done.words() : nullptr,
              Is::visit_once ? context.sweep.listless.words() : nullptr) {}
  ~Applier() {
    tally_of_thread_.add(tally_);
    found_.vertices += vertices_;
    found_.entries += entries_;
    found_.in_vain += in_vain_;
  }
  Applier(const Applier&) = delete;
  Applier& operator=(const Applier&) = delete;

  [[nodiscard]] bool is_live(VertexId v) const noexcept { return !has_holes_ || graph_.is_live(v); }
  /// Applies; true if v joins.
  bool take(VertexId v, const Accum& accum) {
    if constexpr (Is::takes_runs) {
      take_run({v, v + 1}, &accum);
      return true;
    } else if constexpr (Is::all_stay) {
      Is::apply(program, v, accum, tally_);
      return true;
    } else {
      const bool joins = Is::apply(program, v, accum, tally_);
      if (!joins) return false;
      ++vertices_;
      entries_ += degrees_[v];
      scatter(v);
      return true;
    }
  }
  void take_run(VertexRange run, const Accum* accum)
    requires Is::takes_runs
  {
    program.apply(run, now_, outgoing_, accum, tally_);
  }
  /// As take, and notes in the sets of those done and of the next that it was.
  void take_in_set(VertexId v, const Accum& accum) {
    const bool joins = take(v, accum);
    if constexpr (Is::visit_once) done_.add(v);
    if constexpr (!Is::all_stay) {
      if (joins) next_.add(v);
    }
  }
  void scatter(VertexId v) {
    if constexpr (Is::has_message && !Is::takes_runs) outgoing_[v] = program.scatter(v);
  }
  /// v has no list, and nothing will ever come to it.
  void never_again(VertexId v) { done_.add_to_both(v); }
  void looked_in_vain(EdgeCount entries) noexcept { in_vain_ += entries; }

 private:
  const GraphView& graph_;  // apart from the next: one reference to both would take a register of a pull's loop
  const Degrees& degrees_;
  typename Is::Tally& tally_of_thread_;
  ActiveVertices::Found& found_;
  bool has_holes_;
  const Message* now_;
  Message* outgoing_;
  AtomicBitsetWriter next_;
  AtomicBitsetWriter done_;
  typename Is::Tally tally_{};
  VertexId vertices_ = 0;
  EdgeCount entries_ = 0;
  EdgeCount in_vain_ = 0;
};

}  // namespace rizoma::engine_detail
