// ClaimBlocks: the blocks of a push whose first message to a vertex decides.  Module: engine.
#pragma once

#include <rizoma/detail/atomic_frontier.h>
#include <rizoma/detail/block_program.h>
#include <rizoma/detail/outbox.h>
#include <rizoma/detail/prefetch.h>
#include <rizoma/detail/program_context.h>
#include <rizoma/detail/push_lists.h>
#include <rizoma/detail/thread_local_frontier.h>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class P>
class ClaimBlocks {
  using Context = ProgramContext<P>;
  using Is = Traits<P>;
  using Message = typename P::Message;
  using Accum = typename P::Accum;

 public:
  explicit ClaimBlocks(Context& context) : context_(context) {}

  void begin() {
    if (context_.sweep.ranks != nullptr) outbox_.emplace(context_.sweep.engine);
  }

  void claim(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of, bool alone) {
    Applier<P> applier(context_, thread, context_.messages(), nullptr);
    ActiveVertices& active = context_.sweep.active;
    std::vector<VertexId> found = std::move(active.found(thread).list);
    const Taker taker{context_.sweep, applier, found, outbox_ ? &*outbox_ : nullptr, thread};
    context_.with_lists(context_.sweep.along, [&]<class Target, class W>(const Adjacency<Target>& lists,
                                                                         std::type_identity<W>) {
      AtomicFrontier<Target, Accum, Taker> claims(context_.sweep.done.words(), taker);
      if (!alone) claims.share();
      claim_from<Message, W>(lists, vertices, context_.entry_values(), piece_of, claims, gather_with(applier.program));
      claims.flush();
    });
    active.found(thread).list = std::move(found);
  }

  Status exchange() {
    return outbox_->exchange_by_all([this](unsigned thread) {
      return Arrivals{
          context_.sweep, {context_, thread, context_.messages(), nullptr}, context_.sweep.active.found(thread).list};
    });
  }

  void begin_apart() { apart_.begin(context_.sweep.engine, context_.sweep.n); }

  void claim_apart(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of) {
    const P program = context_.program;
    auto& own = apart_.own(thread, context_.sweep.done.words());
    const auto wanted = [&](VertexId v) { return Context::cond(program, v); };
    using Keep = Keeper<typename Apart::Own, decltype(wanted)>;
    context_.with_lists(
        context_.sweep.along, [&]<class Target, class W>(const Adjacency<Target>& lists, std::type_identity<W>) {
          AtomicFrontier<Target, Accum, Keep> claims(own.words(), {own, wanted});
          claim_from<Message, W>(lists, vertices, context_.entry_values(), piece_of, claims, gather_with(program));
          claims.flush();
        });
  }

  Status join_apart() {
    return apart_.join(context_.sweep.engine, context_.sweep.done.words(), [&](auto candidates, unsigned thread) {
      with_lists_of(context_.sweep.graph, context_.sweep.along,
                    [&](const auto& lists) { apply_all(candidates, thread, lists); });
    });
  }

 private:
  using Apart = ThreadLocalFrontier<Accum>;

  /// The Taker of a push: own vertices with cond, and any remote vertex once.
  struct Taker {
    SweepState& sweep;
    Applier<P>& applier;
    std::vector<VertexId>& found;
    Outbox<Accum>* abroad;  ///< null: one process
    unsigned thread;

    // What another rank's vertex wants is known there.
    [[nodiscard]] bool may_take(VertexId v) const {
      return sweep.is_mine(v) ? Context::cond(applier.program, v) : !sweep.together;
    }
    void take(VertexId v, const Accum& accum) {
      if (!sweep.is_mine(v)) abroad->add(v, accum, thread);
      else if (applier.take(v, accum)) found.push_back(v);
    }
  };

  /// Takes the messages of other ranks with a thread: each of them has claimed a vertex once.
  struct Arrivals {
    SweepState& sweep;
    Applier<P> applier;
    std::vector<VertexId>& found;

    void operator()(VertexId v, const Accum& accum) {
      if (!Context::cond(applier.program, v) || !sweep.done.add_atomic(v)) return;
      if (applier.take(v, accum)) found.push_back(v);
    }
  };

  static auto gather_with(const P& program) {
    return [&program](const auto& seen) { return program.gather(Is::identity(program), seen); };
  }

  void apply_all(std::span<const typename Apart::Candidate> candidates, unsigned thread, const auto& lists) {
    Applier<P> applier(context_, thread, context_.messages(), nullptr);
    std::vector<VertexId>& found = context_.sweep.active.found(thread).list;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i + kPlaceAhead < candidates.size()) prefetch_place(lists, candidates[i + kPlaceAhead].vertex);
      if (applier.take(candidates[i].vertex, candidates[i].accum)) found.push_back(candidates[i].vertex);
    }
  }

  Context& context_;
  std::optional<Outbox<Accum>> outbox_;
  Apart apart_;
};

}  // namespace rizoma::engine_detail
