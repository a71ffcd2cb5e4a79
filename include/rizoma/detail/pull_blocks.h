// PullBlocks: the blocks of a pull, in which vertices gather the messages of their active neighbours.  Module: engine.
#pragma once

#include <rizoma/detail/block_program.h>
#include <rizoma/detail/masked_gather.h>
#include <rizoma/detail/partial_reductions.h>
#include <rizoma/detail/program_context.h>
#include <rizoma/detail/vertex_runs.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace rizoma::engine_detail {

template <class P>
class PullBlocks {
  using Context = ProgramContext<P>;
  using Is = Traits<P>;
  using Message = typename P::Message;
  using Accum = typename P::Accum;

 public:
  explicit PullBlocks(Context& context) : context_(context) {}

  void begin(const PullFrontier& frontier) {
    frontier_ = frontier;
    // No thread reads the bit of an applied vertex in this step, unless it was active before.
    if constexpr (Is::visit_once) outgoing_ = context_.messages();
    else if constexpr (Is::has_message) outgoing_ = context_.values.next(context_.sweep.engine);
    pieces_.emplace(context_.sweep.engine.threads());
  }

  void whole(VertexRange block, unsigned thread) {
    Applier<P> applier(context_, thread, outgoing_, frontier_.next);
    context_.with_lists(context_.sweep.against(), [&]<class W>(const auto& lists, std::type_identity<W>) {
      for_sections_of<Message, W>(lists, block, context_.entry_values(), [&](VertexRange range, const auto& section) {
        with_frontier([&](auto filtered) { section_of<filtered.value>(range, section, thread, applier); });
      });
    });
  }

  void piece(const ListPiece& part, unsigned thread) {
    const P program = context_.program;
    if (!Context::cond(program, part.vertex) || context_.is_done(part.vertex)) return;
    context_.with_lists(context_.sweep.against(), [&]<class W>(const auto& lists, std::type_identity<W>) {
      const auto list = blocks_of<Message, W>(lists, part, context_.entry_values());
      Accum accum = Is::identity(program);
      if constexpr (Is::adds_up) {
        if (frontier_.hubs != nullptr) return piece_by_hubs(part, list, thread);
      }
      const bool any = with_frontier(
          [&](auto filtered) { return masked_gather<filtered.value>(program, list, frontier_.now, accum); });
      if (any || Is::update_all) pieces_->add(thread, part, accum);
    });
  }

  void join() {
    Applier<P> applier(context_, 0, outgoing_, frontier_.next);
    const auto combine = [&](const Accum& a, const Accum& b) { return context_.program.combine(a, b); };
    pieces_->join(combine, [&](VertexId v, const Accum& accum) {
      applier.take_in_set(v, accum);
      if constexpr (Is::all_stay) applier.scatter(v);
    });
    pieces_.reset();
  }

  /// Applies the hubs once all threads have added to their sums.
  void apply_hubs(VertexRange block, unsigned thread)
    requires Is::adds_up
  {
    Applier<P> applier(context_, thread, outgoing_, nullptr);
    for_runs(block, [&](VertexRange run) {
      Accum accum[kMostInRun];
      for (VertexId v = run.begin; v < run.end; ++v) accum[v - run.begin] = frontier_.hubs->take(v);
      applier.take_run(run, accum);
    });
  }

  Status end() {
    if constexpr (Is::has_message && !Is::visit_once)
      return context_.values.swap(context_.sweep.engine, context_.sweep.graph);
    else return {};
  }

  [[nodiscard]] bool may_apply_any(VertexRange range) const {
    bool any = false;
    context_.for_candidates(range, [&](VertexId v) {
      any = any || (context_.sweep.is_live(v) && (Is::all_stay || Context::cond(context_.program, v)));
    });
    return any;
  }

 private:
  /// f(std::bool_constant): whether only some vertices are active; searches and programs of runs know without asking.
  template <class F>
  decltype(auto) with_frontier(F&& f) const {
    if constexpr (Is::visit_once) return f(std::true_type());
    else if constexpr (Is::takes_runs) return f(std::false_type());
    else return frontier_.now != nullptr ? f(std::true_type()) : f(std::false_type());
  }

  template <bool kFiltered, class Section>
  void section_of(VertexRange range, const Section& section, unsigned thread, Applier<P>& applier) {
    if constexpr (Is::takes_runs && !kFiltered) {
      if constexpr (Is::adds_up) {
        if (frontier_.hubs != nullptr) return runs_by_hubs(range, section, thread, applier);
      }
      if (section.in_one_piece()) [[likely]]
        return runs(range, section, applier);
    }
    if (section.unchanged()) [[likely]]
      unchanged<kFiltered>(range, section, applier);
    else if (section.in_one_piece()) in_one_piece<kFiltered>(range, section, applier);
    else in_blocks<kFiltered>(range, section, thread);
  }

  /// Apart, so that what says which lists have changed takes no register of the loop.
  template <bool kFiltered, class Section>
  [[gnu::noinline]] void unchanged(VertexRange range, Section section, Applier<P>& applier) {
    const std::uint64_t* const front = frontier_.now;
    context_.for_candidates(range,
                            [&](VertexId v) { vertex<kFiltered>(v, section.unchanged_list(v), front, applier); });
  }
  template <bool kFiltered, class Section>
  void in_one_piece(VertexRange range, const Section& section, Applier<P>& applier) {
    const std::uint64_t* const front = frontier_.now;
    context_.for_candidates(range, [&](VertexId v) { vertex<kFiltered>(v, section[v], front, applier); });
  }

  /// The same where some lists are in blocks; apart, with a receiver of its own: the other loop's stays in registers.
  template <bool kFiltered, class Section>
  [[gnu::noinline]] void in_blocks(VertexRange range, Section section, unsigned thread) {
    Applier<P> applier(context_, thread, outgoing_, frontier_.next);
    const std::uint64_t* const front = frontier_.now;
    context_.for_candidates(range, [&](VertexId v) {
      section.in_one_piece(v) ? vertex<kFiltered>(v, section[v], front, applier)
                              : vertex<kFiltered>(v, section.in_blocks(v), front, applier);
    });
  }

  template <bool kFiltered, class List>
  [[gnu::always_inline]] void vertex(VertexId v, const List& list, const std::uint64_t* front, Applier<P>& applier) {
    if (!applier.is_live(v)) return;
    if (!Is::update_all && list.empty()) {
      if constexpr (Is::visit_once) applier.never_again(v);
    } else if (Context::cond(applier.program, v)) {
      Accum accum = Is::identity(applier.program);
      if (masked_gather<kFiltered>(applier.program, list, front, accum) || Is::update_all)
        applier.take_in_set(v, accum);
      else applier.looked_in_vain(list.size());
    }
    if constexpr (Is::all_stay) applier.scatter(v);
  }

  template <class Section>
  void runs(VertexRange range, const Section& section, Applier<P>& applier) {
    const VertexId end = section.unchanged() ? section.end_of_roomy(range) : range.begin;
    for_runs({range.begin, end}, [&](VertexRange part) { run(part, section.roomy_lists(), applier); });
    for_runs({end, range.end}, [&](VertexRange part) { run(part, section, applier); });
  }

  /// Folds the lists of some vertices, then applies them all, for which none waits for another.  With all inlined: a
  /// call for each list keeps the program and its sums out of registers.
  template <class Lists>
  [[gnu::flatten, gnu::noinline]] void run(VertexRange vertices, Lists lists, Applier<P>& applier) {
    Accum accum[kMostInRun];
    const P program = applier.program;
    for (VertexId v = vertices.begin; v < vertices.end; ++v)
      accum[v - vertices.begin] = program.gather(Is::identity(program), lists[v]);
    applier.take_run(vertices, accum);
  }

  /// f(run) for the vertices of a range that may be applied.
  template <class F>
  void for_runs(VertexRange range, F&& f) {
    VertexRuns vertices(f);
    context_.for_candidates(range, [&](VertexId v) {
      if (context_.sweep.is_live(v)) vertices.add(v);
    });
    vertices.end();
  }

  template <class Section>
  void runs_by_hubs(VertexRange range, const Section& section, unsigned thread, Applier<P>& applier) {
    for_runs(range, [&](VertexRange part) { run_by_hubs(part, section, frontier_.hubs->of(thread), applier); });
  }

  /// As run; the hubs, which come first, are renewed once all have added to their sums.
  template <class Lists>
  [[gnu::flatten, gnu::noinline]] void run_by_hubs(VertexRange vertices, const Lists& lists, HubAccumulators::Mine mine,
                                                   Applier<P>& applier) {
    Accum accum[kMostInRun];
    const Message* const now = context_.messages();
    for (VertexId v = vertices.begin; v < vertices.end; ++v) {
      accum[v - vertices.begin] =
          lists.in_one_piece(v) ? mine.gather(v, now[v], lists[v]) : mine.gather_blocks(v, now[v], lists.in_blocks(v));
    }
    const VertexId first = std::clamp(frontier_.hubs->hubs(), vertices.begin, vertices.end);
    applier.take_run({first, vertices.end}, accum + (first - vertices.begin));
  }

  void piece_by_hubs(const ListPiece& part, const auto& list, unsigned thread) {
    const HubAccumulators::Mine mine = frontier_.hubs->of(thread);
    const double sum = mine.gather_blocks(part.vertex, context_.messages()[part.vertex], list);
    if (!mine.is_hub(part.vertex)) pieces_->add(thread, part, sum);
  }

  Context& context_;
  PullFrontier frontier_;
  Message* outgoing_ = nullptr;
  std::optional<PartialReductions<Accum>> pieces_;
};

}  // namespace rizoma::engine_detail
