// Sweep: runs an EdgeProgram over a graph, superstep by superstep.  Module: engine.
//
//   Sweep<Reach> sweep(engine, graph, program);
//   RIZOMA_TRY(sweep.start(sources));
//   while (sweep.active() > 0) RIZOMA_TRY(sweep.step());
//
// How: each step pulls (a vertex gathers the messages of its active neighbours) or pushes (active vertices send along
// their lists); it cuts the lists of hubs into pieces and keeps the frontier as a list or a set, whichever is cheaper.
// On ranks, each rank gathers and applies its own vertices.  A pull first refreshes mirrors (ranks.h), or reads shared
// memory (shared_frontier.h, double_buffer.h); a push combines messages to remote vertices and sends one batch a rank.
// Cost of a step: push O(entries of the active vertices); pull O(n / 64 + entries of the vertices with cond).
// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC'12 (visit_once); Shun, Blelloch,
// "Ligra: a lightweight graph processing framework for shared memory", PPoPP'13 (all others).
#pragma once

#include <rizoma/detail/active_vertices.h>
#include <rizoma/detail/atomic_bitset_writer.h>
#include <rizoma/detail/atomic_frontier.h>
#include <rizoma/detail/double_buffer.h>
#include <rizoma/detail/hub_accumulators.h>
#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/mailbox.h>
#include <rizoma/detail/masked_gather.h>
#include <rizoma/detail/partial_reductions.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/push_lists.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/shared_frontier.h>
#include <rizoma/detail/sparse_push.h>
#include <rizoma/detail/thread_local_frontier.h>
#include <rizoma/detail/vertex_runs.h>
#include <rizoma/edge_program.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

template <EdgeProgram P>
class Sweep {
  using Is = engine_detail::Traits<P>;
  static constexpr bool kMayLeaveOut = Is::all_stay && Is::update_all && !Is::visit_once;
  static_assert(!Is::fused || (Is::update_all && !Is::visit_once && !Is::has_cond),
                "apply_scatter is for all vertices, in each sweep");
  static constexpr bool kClaims = Is::visit_once && Is::early_exit && !Is::update_all;
  static constexpr bool kSkips = Is::visit_once || kMayLeaveOut || (Is::has_cond && !Is::all_stay);

 public:
  using Message = typename P::Message;
  using Accum = typename P::Accum;
  using Tally = typename Is::Tally;

  /// `program` must outlive the sweep; what it is changed to between steps holds from the next on.
  Sweep(Engine& engine, const GraphView& graph, P& program, SweepOptions options = {})
      : engine_(engine),
        ranks_(engine.ranks()),
        graph_(graph),
        program_(program),
        options_(options),
        n_(graph.num_vertices()),
        has_holes_(graph.num_live() != n_),
        rule_{options.along == Direction::out || graph.has_in_edges(),
              options.along == Direction::in || graph.has_in_edges(), Is::visit_once, Is::early_exit,
              !graph.directed()},
        degrees_(graph, rule_.can_push ? options.along : Direction::out),
        active_(engine, n_),
        tallies_(engine.threads()),
        unexplored_(graph.num_entries()) {
    if constexpr (Is::visit_once) done_ = engine.make_set(n_);
    if constexpr (Is::has_message) messages_ = Values(engine, n_);
  }

  /// Makes these vertices (each once, the same on all ranks) active, and no others.  Errors: those of any rank.
  Status start(std::span<const VertexId> vertices) {
    return ranks_ == nullptr ? start_own(vertices) : start_mine(vertices);
  }

  /// The same with ranks that have been divided, each of which tells of its own vertices alone.
  Status start_own(std::span<const VertexId> vertices) {
    active_.start(vertices, begin_with(vertices));
    return ranks_ == nullptr ? Status() : agree();
  }

  /// Makes all vertices active.  Errors: cancelled.
  Status start_all() {
    active_.start_all(graph_.num_entries());
    if constexpr (!Is::has_message) return {};
    else {
      Message* const outgoing = message_data();
      messages_.set_anew();
      return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
        const P program = program_;
        for (VertexId v = block.begin; v < block.end; ++v) {
          if (is_live(v)) outgoing[v] = program.scatter(v);
        }
      });
    }
  }

  /// Excludes these vertices from all later steps.  With `visit_once` an earlier sweep has reached them; otherwise they
  /// have no edges of any weight and keep their first message.
  void leave_out(VertexSet excluded)
    requires(kMayLeaveOut || Is::visit_once)
  {
    done_ = std::move(excluded);
  }

  /// Active vertices of all ranks, and the entries of their lists.
  [[nodiscard]] VertexId active() const noexcept { return active_.size(); }
  [[nodiscard]] EdgeCount active_entries() const noexcept { return active_.entries(); }
  /// The active vertices of this rank, in no order, until the next step; before the first, perhaps of all ranks.
  [[nodiscard]] std::span<const VertexId> active_list() { return active_.list(); }

  /// One superstep.  Errors: cancelled (some vertices may be applied already); on ranks, the error of any other rank.
  Status step() {
    for (auto& tally : tallies_) tally.value = Tally{};
    RIZOMA_TRY(pulls() ? pull_step() : push_step());
    together_ = false;
    return ranks_ == nullptr ? Status() : agree();
  }

  /// With `visit_once`: the vertices that were active or applied, and those that a pull found without a list.  Ends the
  /// sweep.  The set has no valid count: recount it if you need one.
  [[nodiscard]] VertexSet take_done()
    requires Is::visit_once
  {
    for (unsigned rank = 0; ranks_ != nullptr && rank < ranks_->size(); ++rank) {
      if (rank == ranks_->rank()) continue;  // bits of other ranks' vertices: these share no word with ours
      for (const VertexRange range : ranks_->ranges_of(rank))
        std::fill(done_.words() + range.begin / 64, done_.words() + (range.end + 63) / 64, 0);
    }
    return std::move(done_);
  }

  /// The messages of all vertices, and those of the step before (in a push: the same); on ranks, of this rank's own.
  [[nodiscard]] const Message* messages() noexcept { return message_data(); }
  [[nodiscard]] const Message* last_messages() { return messages_.next(engine_); }

  /// The sum of the tallies of the last step.
  [[nodiscard]] Tally tally() const {
    Tally sum{};
    for (const auto& of_thread : tallies_) sum.add(of_thread.value);
    return sum;
  }

 private:
  using Pieces = engine_detail::PartialReductions<Accum>;
  using Values = engine_detail::DoubleBuffer<engine_detail::Stored<Message>>;
  static constexpr std::uint64_t kHubGrain = 1 << 12;
  static constexpr std::size_t kRun = engine_detail::kMostInRun;

  /// Which way the messages travel in this step; the same on all ranks.
  [[nodiscard]] bool pulls() {
    unexplored_ -= std::min(unexplored_, active_.entries());
    if (options_.direction != SweepDirection::automatic) return options_.direction == SweepDirection::pull;
    using enum engine_detail::PullRule::Choice;
    const auto choice = rule_.choose(active_, unexplored_, graph_.num_entries());
    if (choice != look || ranks_ != nullptr) return choice != push;
    const auto may_apply = [this](VertexId v) { return is_live(v) && !is_done(v) && cond(program_, v); };
    return rule_.pays(active_, engine_detail::with_lists_of(graph_, pull_direction(), [&](const auto& lists) {
                        return engine_detail::about_in_vain(lists, active_.bits(), may_apply);
                      }));
  }

  Status pull_step() {
    if (ranks_ != nullptr) RIZOMA_TRY(refresh());
    return run_typed(pull_direction(), [&]<class W>(const auto& lists, std::type_identity<W> weight) {
      if constexpr (Is::adds_up) {
        if (active_.all() && hub_accumulators() != nullptr && hub_accumulators_->begin(program_.sum_bound()))
          return pull_by_hubs(lists);
      }
      return active_.all() ? pull<false>(lists, weight) : pull<true>(lists, weight);
    });
  }

  Status push_step() {
    return run_typed(options_.along, [&]<class W>(const auto& lists, std::type_identity<W> weight) {
      if constexpr (kClaims) {
        if (ranks_ == nullptr || !Is::has_cond) return push_claims(lists, weight);
      }
      return push_mail(lists, weight);
    });
  }

  /// Returns the entries that lead on from the vertices that it begins with.
  EdgeCount begin_with(std::span<const VertexId> vertices) {
    EdgeCount entries = 0;
    for (const VertexId v : vertices) {
      entries += degrees_[v];
      if constexpr (Is::visit_once) done_.add(v);
      if constexpr (Is::has_message) message_data()[v] = program_.scatter(v);
    }
    return entries;
  }

  // --- Ranks -----------------------------------------------------------------------------------------

  /// All ranks receive all vertices; each begins with its own.  Of few whose lists all can read each goes through
  /// all lists, and takes its own vertices: a hub would keep its owner busy, and the others waiting.
  Status start_mine(std::span<const VertexId> vertices) {
    constexpr std::size_t kFew = 16;
    RIZOMA_TRY(ranks_->divide(graph_));
    constexpr bool kMay = kClaims && !Is::has_cond && !Is::has_message;  // nothing of other ranks' vertices is asked
    together_ = kMay && vertices.size() <= kFew && ranks_->reads_all_lists();
    if (together_) {
      active_.start(vertices, begin_with(vertices));
      return {};
    }
    std::vector<VertexId> mine;
    std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(mine), [&](VertexId v) { return is_mine(v); });
    return start_own(mine);
  }

  [[nodiscard]] bool is_mine(VertexId v) const noexcept { return ranks_ == nullptr || ranks_->owns(v); }

  /// What this rank's lists lead to on others, as it is now.
  Status refresh() {
    if (!Is::has_message && !active_.all()) {
      RIZOMA_ASSIGN(const bool is_shared, shared_frontier_.publish(*ranks_, n_, active_.bits()));
      if (is_shared) return {};
    }
    if (!mirror_) mirror_.emplace(engine_, *ranks_, graph_, pull_direction(), kMessageBytes);
    if constexpr (Is::has_message && Is::all_stay) {
      RIZOMA_ASSIGN(const bool much, mirror_->reads_much());
      if (active_.all() && much) {
        RIZOMA_ASSIGN(const bool is_shared, messages_.share(*ranks_));
        if (is_shared) return {};
      }
    }
    if (!active_.all()) return mirror_->refresh_active(message_data(), active_.bits());
    if constexpr (Is::has_message) return mirror_->refresh(message_data());
    else return {};
  }

  /// Makes the counts and the tally of this rank those of all ranks.
  Status agree() {
    using Counts = engine_detail::StepCounts<Tally>;
    // The last step's, if that has made a set on all ranks; what is known of one before it is the same on all already.
    const bool looked = active_.dense() && active_.in_vain();
    Counts mine{active_.size(), active_.entries(), looked ? *active_.in_vain() : 0, tally()};
    RIZOMA_ASSIGN(const Counts all, ranks_->reduce(mine, Counts{}, Counts::add));
    if (!active_.all()) active_.count_all(all.vertices, all.entries, looked ? all.in_vain : active_.in_vain());
    for (auto& tally : tallies_) tally.value = Tally{};
    tallies_[0].value = all.tally;
    return {};
  }

  /// Sends off what the mailbox holds for vertices of other ranks, and puts in what they have sent.
  Status exchange_mail() {
    Outbox<Accum> outbox(*ranks_);
    for (unsigned rank = 0; rank < ranks_->size(); ++rank) {
      if (rank == ranks_->rank()) continue;
      for (const VertexRange range : ranks_->ranges_of(rank)) {
        mail_.for_each(range, [&](VertexId v, const Accum& accum) { outbox.add(v, accum); });
        mail_.forget(range);
      }
    }
    const auto combine = [&](const Accum& a, const Accum& b) { return program_.combine(a, b); };
    return outbox.exchange([&](VertexId v, const Accum& accum) {
      if (may_take(v)) mail_.deliver(v, accum, combine);
    });
  }

  [[nodiscard]] Direction pull_direction() const noexcept {
    return options_.along == Direction::out ? Direction::in : Direction::out;
  }
  static constexpr std::size_t kMessageBytes = [] {
    if constexpr (Is::has_message) return sizeof(Message);
    else return std::size_t{0};
  }();

  [[nodiscard]] bool is_live(VertexId v) const noexcept { return !has_holes_ || graph_.is_live(v); }

  template <class F>
  Status run_typed(Direction direction, F&& f) {
    return engine_detail::with_lists_of(graph_, direction, [&](const auto& lists) {
      return engine_detail::with_weight_type<Is::weighted>(graph_.weight_type(),
                                                           [&](auto weight) { return f(lists, weight); });
    });
  }

  [[nodiscard]] Message* message_data() noexcept {
    if constexpr (Is::has_message) return messages_.now();
    else return nullptr;
  }

  /// Hears of v and what came to it; one for each block.
  class Applier {
   public:
    P program;  ///< a copy, whose members can stay in registers

    /// `outgoing`: the messages of the next step.
    Applier(Sweep& sweep, unsigned thread, Message* outgoing, std::uint64_t* next)
        : program(sweep.program_),
          sweep_(sweep),
          thread_(thread),
          now_(sweep.message_data()),
          outgoing_(outgoing),
          next_(next),
          done_(Is::visit_once ? sweep.done_.words() : nullptr) {}
    ~Applier() {
      sweep_.tallies_[thread_].value.add(tally_);
      ActiveVertices::Found& found = sweep_.active_.found(thread_);
      found.vertices += vertices_;
      found.entries += entries_;
      found.in_vain += in_vain_;
    }
    Applier(const Applier&) = delete;
    Applier& operator=(const Applier&) = delete;

    /// Applies; true if v joins.
    bool take(VertexId v, const Accum& accum) {
      if constexpr (Is::fused) {
        apply_scatter({v, v + 1}, &accum);
        return true;
      } else if constexpr (Is::all_stay) {
        Is::apply(program, v, accum, tally_);
        return true;
      } else {
        const bool joins = Is::apply(program, v, accum, tally_);
        if (!joins) return false;
        ++vertices_;
        entries_ += sweep_.degrees_[v];
        scatter(v);
        return true;
      }
    }
    void apply_scatter(VertexRange run, const Accum* accum) {
      if constexpr (Is::fused) program.apply_scatter(run, now_, outgoing_, accum, tally_);
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
      if constexpr (Is::has_message && !Is::fused) outgoing_[v] = program.scatter(v);
    }
    /// v has no list, and nothing will ever come to it.
    void never_again(VertexId v) {
      if constexpr (requires { program.unreachable(v); }) program.unreachable(v);
      done_.add(v);
    }
    void looked_in_vain(EdgeCount entries) noexcept { in_vain_ += entries; }

   private:
    Sweep& sweep_;
    unsigned thread_;
    const Message* now_;
    Message* outgoing_;
    engine_detail::AtomicBitsetWriter next_;
    engine_detail::AtomicBitsetWriter done_;
    Tally tally_{};
    VertexId vertices_ = 0;
    EdgeCount entries_ = 0;
    EdgeCount in_vain_ = 0;
  };

  // --- Pull ------------------------------------------------------------------------------------------

  template <bool kFiltered, class Target, class W>
  Status pull(const Adjacency<Target>& lists, std::type_identity<W>) {
    const std::uint64_t* front = kFiltered ? shared_frontier_.words() : nullptr;
    if (kFiltered && front == nullptr) front = active_.bits();
    std::uint64_t* const next = Is::all_stay ? nullptr : active_.next_bits();
    Message* const outgoing = pull_target();
    Pieces pieces(engine_.threads());
    const auto whole = [&](VertexRange block, unsigned thread) {
      Applier applier(*this, thread, outgoing, next);
      engine_detail::for_sections_of<Message, W>(
          lists, block, message_data(), [&](VertexRange range, const auto& section) {
            if constexpr (!kFiltered && Is::fused) {
              if (section.in_one_piece()) [[likely]]
                return pull_runs(range, section, applier);
            }
            if (section.unchanged()) [[likely]]
              pull_unchanged<kFiltered>(range, section, front, applier);
            else if (section.in_one_piece())
              for_candidates(range, [&](VertexId v) { pull_vertex<kFiltered>(v, section[v], front, applier); });
            else pull_in_blocks<kFiltered>(range, section, front, thread, outgoing, next);
          });
    };
    const auto piece = [&](ListPiece part, unsigned thread) {
      const P program = program_;
      if (!cond(program, part.vertex) || is_done(part.vertex)) return;
      const auto list = engine_detail::blocks_of<Message, W>(lists, part, message_data());
      Accum accum = Is::identity(program);
      const bool any = engine_detail::masked_gather<kFiltered>(program, list, front, accum);
      if (any || Is::update_all) pieces.add(thread, part, accum);
    };
    const auto filter = [this](VertexRange range) { return may_apply_any(range); };
    const SectionFilter needed(filter);
    RIZOMA_TRY(engine_.for_pieces(graph_, pull_direction(), whole, piece, kSkips ? &needed : nullptr));
    join_pieces(pieces, outgoing, next);
    if constexpr (Is::all_stay) {
      if constexpr (Is::has_message) messages_.swap();
    } else {
      if constexpr (Is::has_message && !Is::visit_once) messages_.swap();
      active_.close_set();
    }
    return {};
  }

  /// Apart, so that what says which lists have changed takes no register of the loop.
  template <bool kFiltered, class Section>
  [[gnu::noinline]] void pull_unchanged(VertexRange range, Section section, const std::uint64_t* front,
                                        Applier& applier) {
    for_candidates(range, [&](VertexId v) { pull_vertex<kFiltered>(v, section.unchanged_list(v), front, applier); });
  }

  template <class Section>
  void pull_runs(VertexRange range, const Section& section, Applier& applier) {
    const VertexId end = section.unchanged() ? section.end_of_roomy(range) : range.begin;
    for_runs({range.begin, end}, [&](VertexRange run) { pull_run(run, section.roomy_lists(), applier); });
    for_runs({end, range.end}, [&](VertexRange run) { pull_run(run, section, applier); });
  }

  /// Folds the lists of some vertices, then applies them all, for which none waits for another.  With all inlined: a
  /// call for each list keeps the program and its sums out of registers.
  template <class Lists>
  [[gnu::flatten, gnu::noinline]] void pull_run(VertexRange run, Lists lists, Applier& applier) {
    Accum accum[kRun];
    const P program = applier.program;
    for (VertexId v = run.begin; v < run.end; ++v)
      accum[v - run.begin] = program.gather(Is::identity(program), lists[v]);
    applier.apply_scatter(run, accum);
  }

  /// f(run) for the vertices of a range that may be applied.
  template <class F>
  void for_runs(VertexRange range, F&& f) {
    engine_detail::VertexRuns runs(f);
    for_candidates(range, [&](VertexId v) {
      if (is_live(v)) runs.add(v);
    });
    runs.end();
  }

  /// Null if they do not pay.
  [[nodiscard]] engine_detail::HubAccumulators* hub_accumulators() {
    if (!hubs_) {
      hubs_ = options_.hubs ? *options_.hubs : engine_detail::hubs_that_pay(engine_, graph_);
      if (*hubs_ > 0) hub_accumulators_.emplace(engine_, std::min(*hubs_, n_));
    }
    return hub_accumulators_ ? &*hub_accumulators_ : nullptr;
  }

  /// As pull, of sums, where lists of hubs are read up to the last hub: others add to theirs.
  template <class Target>
  Status pull_by_hubs(const Adjacency<Target>& lists) {
    const Message* const now = message_data();
    Message* const outgoing = pull_target();
    Pieces pieces(engine_.threads());
    const auto whole = [&](VertexRange block, unsigned thread) {
      Applier applier(*this, thread, outgoing, nullptr);
      engine_detail::for_sections_of<Message, void>(lists, block, now, [&](VertexRange range, const auto& section) {
        for_runs(range,
                 [&](VertexRange run) { pull_run_by_hubs(run, section, hub_accumulators_->of(thread), applier); });
      });
    };
    const auto piece = [&](ListPiece part, unsigned thread) {
      const engine_detail::HubAccumulators::Mine mine = hub_accumulators_->of(thread);
      const auto list = engine_detail::blocks_of<Message, void>(lists, part, message_data());
      const double sum = mine.gather_blocks(part.vertex, now[part.vertex], list);
      if (!mine.is_hub(part.vertex)) pieces.add(thread, part, sum);
    };
    const auto filter = [this](VertexRange range) { return may_apply_any(range); };
    const SectionFilter needed(filter);
    RIZOMA_TRY(engine_.for_pieces(graph_, pull_direction(), whole, piece, kSkips ? &needed : nullptr));
    join_pieces(pieces, outgoing, nullptr);
    RIZOMA_TRY(engine_.for_blocks(hub_accumulators_->hubs(), kHubGrain, [&](VertexRange block, unsigned thread) {
      Applier applier(*this, thread, outgoing, nullptr);
      for_runs(block, [&](VertexRange run) {
        Accum accum[kRun];
        for (VertexId v = run.begin; v < run.end; ++v) accum[v - run.begin] = hub_accumulators_->take(v);
        applier.apply_scatter(run, accum);
      });
    }));
    messages_.swap();
    return {};
  }

  /// As pull_run; the hubs, which come first, are renewed once all have added to their sums.
  template <class Lists>
  [[gnu::flatten, gnu::noinline]] void pull_run_by_hubs(VertexRange run, const Lists& lists,
                                                        engine_detail::HubAccumulators::Mine mine, Applier& applier) {
    Accum accum[kRun];
    const Message* const now = message_data();
    for (VertexId v = run.begin; v < run.end; ++v) {
      accum[v - run.begin] =
          lists.in_one_piece(v) ? mine.gather(v, now[v], lists[v]) : mine.gather_blocks(v, now[v], lists.in_blocks(v));
    }
    const VertexId first = std::clamp(hub_accumulators_->hubs(), run.begin, run.end);
    applier.apply_scatter({first, run.end}, accum + (first - run.begin));
  }

  /// No thread reads the bit of an applied vertex in this step, unless it was active before.
  Message* pull_target() {
    if constexpr (!Is::has_message) return nullptr;
    else if constexpr (Is::visit_once) return messages_.now();
    else return messages_.next(engine_);
  }

  /// f(v) for the vertices of a range that may be applied.
  template <class F>
  void for_candidates(VertexRange range, F&& f) {
    if (!Is::visit_once && (!kMayLeaveOut || done_.universe() == 0)) {
      for (VertexId v = range.begin; v < range.end; ++v) f(v);
    } else if constexpr (Is::visit_once || kMayLeaveOut) {
      done_.for_each_absent(range, std::forward<F>(f));
    }
  }

  /// Whether a pull does anything in a range.
  [[nodiscard]] bool may_apply_any(VertexRange range) {
    bool any = false;
    for_candidates(range, [&](VertexId v) { any = any || (is_live(v) && (Is::all_stay || cond(program_, v))); });
    return any;
  }

  /// The same where some lists are in blocks; apart, with a receiver of its own: the other loop's stays in registers.
  template <bool kFiltered, class Section>
  [[gnu::noinline]] void pull_in_blocks(VertexRange range, Section section, const std::uint64_t* front, unsigned thread,
                                        Message* outgoing, std::uint64_t* next) {
    Applier applier(*this, thread, outgoing, next);
    for_candidates(range, [&](VertexId v) {
      section.in_one_piece(v) ? pull_vertex<kFiltered>(v, section[v], front, applier)
                              : pull_vertex<kFiltered>(v, section.in_blocks(v), front, applier);
    });
  }

  template <bool kFiltered, class List>
  [[gnu::always_inline]] void pull_vertex(VertexId v, const List& list, const std::uint64_t* front, Applier& applier) {
    if (!is_live(v)) return;
    if (!Is::update_all && list.empty()) {
      if constexpr (Is::visit_once) applier.never_again(v);
    } else if (cond(applier.program, v)) {
      Accum accum = Is::identity(applier.program);
      if (engine_detail::masked_gather<kFiltered>(applier.program, list, front, accum) || Is::update_all)
        applier.take_in_set(v, accum);
      else applier.looked_in_vain(list.size());
    }
    if constexpr (Is::all_stay) applier.scatter(v);
  }

  void join_pieces(const Pieces& pieces, Message* outgoing, std::uint64_t* next) {
    Applier applier(*this, 0, outgoing, next);
    const auto combine = [&](const Accum& a, const Accum& b) { return program_.combine(a, b); };
    pieces.join(combine, [&](VertexId v, const Accum& accum) {
      applier.take_in_set(v, accum);
      if constexpr (Is::all_stay) applier.scatter(v);
    });
  }

  [[nodiscard]] static bool cond(const P& program, VertexId v) {
    if constexpr (Is::has_cond) return program.cond(v);
    else return true;
  }
  /// What another rank's vertex wants is known there.
  [[nodiscard]] bool may_take(VertexId v) noexcept { return !is_done(v) && cond(program_, v); }
  [[nodiscard]] bool is_done(VertexId v) noexcept {
    if constexpr (!Is::visit_once) return false;
    else return ((std::atomic_ref(done_.words()[v / 64]).load(std::memory_order_relaxed) >> (v % 64)) & 1) != 0;
  }

  // --- Push ------------------------------------------------------------------------------------------

  /// push_lists.h, of the active vertices.
  template <class Target, class F>
  Status for_active_lists(const Adjacency<Target>& lists, std::uint64_t grain, F&& f) {
    const auto entries = ranks_ == nullptr ? std::optional(active_.entries()) : std::nullopt;
    return engine_detail::for_lists_in_pieces(engine_, graph_, lists, active_.list(), grain, entries, f);
  }

  /// Calls deliver(v, message) for the entries of a piece with cond(v).
  template <class W, class Target, class Deliver>
  void send(const P& program, const Adjacency<Target>& lists, const ListPiece& piece, Deliver&& deliver) {
    const auto source = static_cast<Target>(piece.vertex);
    engine_detail::blocks_of<Message, W>(lists, piece, message_data()).for_each([&](const auto& list) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        const VertexId v = list.source(i);
        // What another rank's vertex wants is known there.
        if (is_mine(v) && (is_done(v) || !cond(program, v))) continue;
        deliver(v, [&] { return program.gather(Is::identity(program), list.seen_from(source, i)); });
      }
      return true;
    });
  }

  using RemoteMessages = engine_detail::Messages<Accum>;
  template <class Target>
  using Apart = engine_detail::ThreadLocalFrontier<Target, Accum>;

  /// Who is the first to reach a vertex applies it, or, of another rank, tells its owner.
  template <class Target, class W>
  Status push_claims(const Adjacency<Target>& lists, std::type_identity<W> weight) {
    if (ranks_ == nullptr && Apart<Target>::pays(active_.entries(), n_, engine_.threads()))
      return push_apart(lists, weight);
    const std::uint64_t grain = engine_detail::list_grain(active_.size(), active_.entries(), engine_.threads());
    const bool alone = active_.size() <= grain || engine_.threads() == 1;
    std::vector<PerThread<RemoteMessages>> abroad(engine_.threads());
    std::optional<Outbox<Accum>> outbox;
    if (ranks_ != nullptr) outbox.emplace(*ranks_);
    const bool early = ranks_ != nullptr && ranks_->batch_bytes() != 0;
    RIZOMA_TRY(for_active_lists(lists, grain, [&](auto vertices, unsigned thread, auto&& piece_of) {
      Applier applier(*this, thread, message_data(), nullptr);
      std::vector<VertexId> found = std::move(active_.found(thread).list);
      engine_detail::AtomicFrontier<Target, Accum, Taker> claims(done_.words(),
                                                                 {*this, applier, found, abroad[thread].value});
      if (!alone) claims.share();
      engine_detail::claim_from<Message, W>(lists, vertices, message_data(), piece_of, claims,
                                            gather_with(applier.program));
      claims.flush();
      active_.found(thread).list = std::move(found);
      // The first thread's go first in any case, so that some may leave while the others work.
      if (early && thread == 0) put_into(*outbox, abroad[0].value);
    }));
    if (ranks_ != nullptr && !together_) RIZOMA_TRY(exchange_claims(abroad, *outbox));
    active_.close_lists();
    return {};
  }

  /// The same where there is much to look at: each thread claims for itself, and then they find out who was first.
  template <class Target, class W>
  Status push_apart(const Adjacency<Target>& lists, std::type_identity<W>) {
    if (!std::holds_alternative<Apart<Target>>(apart_)) apart_.template emplace<Apart<Target>>();
    auto& apart = std::get<Apart<Target>>(apart_);
    apart.begin(engine_, n_);
    const std::uint64_t grain = engine_detail::list_grain(active_.size(), active_.entries(), engine_.threads());
    RIZOMA_TRY(for_active_lists(lists, grain, [&](auto vertices, unsigned thread, auto&& piece_of) {
      const P program = program_;
      auto& own = apart.own(thread, done_.words());
      const auto wanted = [&](VertexId v) { return cond(program, v); };
      engine_detail::AtomicFrontier<Target, Accum, engine_detail::Keeper<decltype(own), decltype(wanted)>> claims(
          own.words(), {own, wanted});
      engine_detail::claim_from<Message, W>(lists, vertices, message_data(), piece_of, claims, gather_with(program));
      claims.flush();
    }));
    RIZOMA_TRY(apart.join(engine_, done_.words(), [&](auto candidates, unsigned thread) {
      constexpr std::size_t kAhead = engine_detail::kPlaceAhead;
      Applier applier(*this, thread, message_data(), nullptr);
      std::vector<VertexId>& found = active_.found(thread).list;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i + kAhead < candidates.size()) engine_detail::prefetch_place(lists, candidates[i + kAhead].vertex);
        if (applier.take(candidates[i].vertex, candidates[i].accum)) found.push_back(candidates[i].vertex);
      }
    }));
    active_.close_lists();
    return {};
  }

  static auto gather_with(const P& program) {
    return [&program](const auto& seen) { return program.gather(Is::identity(program), seen); };
  }

  /// The Taker of a push: own vertices with cond, and any remote vertex once.
  struct Taker {
    Sweep& sweep;
    Applier& applier;
    std::vector<VertexId>& found;
    RemoteMessages& abroad;

    // What another rank's vertex wants is known there.
    [[nodiscard]] bool may_take(VertexId v) const {
      return sweep.is_mine(v) ? cond(applier.program, v) : !sweep.together_;
    }
    void take(VertexId v, const Accum& accum) {
      if (!sweep.is_mine(v)) abroad.emplace_back(v, accum);
      else if (applier.take(v, accum)) found.push_back(v);
    }
  };

  static void put_into(Outbox<Accum>& outbox, RemoteMessages& messages) {
    for (const auto& [v, accum] : messages) outbox.add(v, accum);
    messages.clear();
  }

  Status exchange_claims(std::vector<PerThread<RemoteMessages>>& abroad, Outbox<Accum>& outbox) {
    for (auto& of_thread : abroad) put_into(outbox, of_thread.value);
    Applier applier(*this, 0, message_data(), nullptr);
    std::vector<VertexId>& found = active_.found(0).list;
    return outbox.exchange([&](VertexId v, const Accum& accum) {
      if (is_done(v) || !cond(applier.program, v)) return;
      done_.add(v);
      if (applier.take(v, accum)) found.push_back(v);
    });
  }

  /// All messages are sent before any is applied.  Few are sorted on the calling thread, which then touches nothing
  /// of size n.
  template <class Target, class W>
  Status push_mail(const Adjacency<Target>& lists, std::type_identity<W>) {
    constexpr bool kToAll = Is::update_all || Is::all_stay;
    const bool few = !kToAll && active_.entries() <= engine_detail::kSparsePush;
    RemoteMessages messages;
    if (few) {
      RIZOMA_TRY(for_active_lists(lists, n_ + 1, [&](auto vertices, unsigned, auto&& piece_of) {
        for (const VertexId u : vertices) {
          send<W>(program_, lists, piece_of(u),
                  [&](VertexId v, auto&& message) { messages.emplace_back(v, message()); });
        }
      }));
      if (ranks_ != nullptr) {
        RIZOMA_TRY(engine_detail::exchange_few(*ranks_, program_, messages, [&](VertexId v) { return may_take(v); }));
      }
      apply_few(messages);
      return {};
    }
    mail_.prepare(engine_, n_, Is::identity(program_));
    const std::uint64_t grain = engine_detail::list_grain(active_.size(), active_.entries(), engine_.threads());
    RIZOMA_TRY(for_active_lists(lists, grain, [&](auto vertices, unsigned, auto&& piece_of) {
      const P program = program_;
      const auto combine = [&](const Accum& a, const Accum& b) { return program.combine(a, b); };
      for (const VertexId u : vertices) {
        send<W>(program, lists, piece_of(u), [&](VertexId v, auto&& message) { mail_.deliver(v, message(), combine); });
      }
    }));
    if (ranks_ != nullptr) RIZOMA_TRY(exchange_mail());
    return apply_mail();
  }

  void apply_few(RemoteMessages& mail) {
    engine_detail::sort_by_target(mail);
    {
      std::vector<VertexId>& found = active_.found(0).list;
      Applier applier(*this, 0, message_data(), nullptr);
      for (auto first = mail.begin(); first != mail.end();) {
        const VertexId v = first->first;
        const Accum accum = engine_detail::reduce_run(program_, first, mail.end());
        if constexpr (Is::visit_once) done_.add(v);
        if (applier.take(v, accum)) found.push_back(v);
      }
    }
    active_.close_lists();
  }

  Status apply_mail() {
    std::uint64_t* const next = Is::all_stay ? nullptr : active_.next_bits();
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned thread) {
      Applier applier(*this, thread, message_data(), next);
      if constexpr (Is::update_all || Is::all_stay) {
        for_candidates(block, [&](VertexId v) { apply_any(v, applier); });
      } else {
        mail_.for_each(block, [&](VertexId v, const Accum& accum) { applier.take_in_set(v, accum); });
      }
      mail_.forget(block);
    }));
    if constexpr (!Is::all_stay) active_.close_set();
    return {};
  }

  /// For programs that hear of every vertex.
  void apply_any(VertexId v, Applier& applier) {
    if (!is_live(v)) return;
    if ((Is::update_all || mail_.has(v)) && cond(applier.program, v)) applier.take_in_set(v, mail_[v]);
    if constexpr (Is::all_stay) applier.scatter(v);
  }

  Engine& engine_;
  Ranks* ranks_;           ///< null: this process is alone
  bool together_ = false;  ///< the vertices of all ranks are active on each
  GraphView graph_;
  P& program_;
  SweepOptions options_;
  VertexId n_;
  bool has_holes_;
  engine_detail::PullRule rule_;
  Degrees degrees_;  ///< of the lists that lead on from a vertex
  ActiveVertices active_;
  std::vector<PerThread<Tally>> tallies_;
  EdgeCount unexplored_;
  VertexSet done_;  ///< of other programs: who is left out
  std::variant<std::monostate, Apart<std::uint32_t>, Apart<std::uint64_t>> apart_;  ///< once a step needs it
  engine_detail::Mailbox<Accum> mail_;
  Values messages_;
  std::optional<VertexId> hubs_;  ///< those taken for such, once a step has pulled
  std::optional<engine_detail::HubAccumulators> hub_accumulators_;
  std::optional<Mirror> mirror_;                   ///< with ranks, once a step has pulled
  engine_detail::SharedFrontier shared_frontier_;  ///< the same, where they share memory
};

}  // namespace rizoma
