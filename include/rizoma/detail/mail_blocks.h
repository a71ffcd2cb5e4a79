// MailBlocks: the blocks of a push that sends all messages before any is applied.  Module: engine.
#pragma once

#include <rizoma/detail/block_program.h>
#include <rizoma/detail/mailbox.h>
#include <rizoma/detail/outbox.h>
#include <rizoma/detail/program_context.h>
#include <rizoma/detail/push_lists.h>
#include <rizoma/detail/sparse_push.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma::engine_detail {

/// Calls deliver(v, message) for the entries of these lists with cond(v).
template <class P, class Deliver>
void send_to(ProgramContext<P>& context, const P& program, std::span<const VertexId> vertices, PieceOf piece_of,
             Deliver&& deliver) {
  using Message = typename P::Message;
  context.with_lists(
      context.sweep.along, [&]<class Target, class W>(const Adjacency<Target>& lists, std::type_identity<W>) {
        for (const VertexId u : vertices) {
          const auto source = static_cast<Target>(u);
          blocks_of<Message, W>(lists, piece_of(u), context.entry_values()).for_each([&](const auto& list) {
            for (std::size_t i = 0; i < list.size(); ++i) {
              const VertexId v = list.source(i);
              // What another rank's vertex wants is known there.
              if (context.sweep.is_mine(v) && (context.is_done(v) || !context.cond(program, v))) continue;
              deliver(v, [&] { return program.gather(Traits<P>::identity(program), list.seen_from(source, i)); });
            }
            return true;
          });
        }
      });
}

/// Few messages are put on a list and sorted, by one thread, which then touches nothing of size n.
template <class P>
class SparsePush {
  using Context = ProgramContext<P>;
  using Accum = typename P::Accum;

 public:
  explicit SparsePush(Context& context) : context_(context) {}

  void send(std::span<const VertexId> vertices, PieceOf piece_of) {
    send_to(context_, context_.program, vertices, piece_of,
            [&](VertexId v, auto&& message) { few_.emplace_back(v, message()); });
  }
  Status apply() {
    if (context_.sweep.ranks != nullptr) {
      const auto may_take = [&](VertexId v) { return context_.may_take(v); };
      RIZOMA_TRY(exchange_few(context_.sweep.engine, context_.program, few_, may_take));
    }
    sort_by_target(few_);
    std::vector<VertexId>& found = context_.sweep.active.found(0).list;
    Applier<P> applier(context_, 0, context_.messages(), nullptr);
    for (auto first = few_.begin(); first != few_.end();) {
      const VertexId v = first->first;
      const Accum accum = reduce_run(context_.program, first, few_.end());
      if constexpr (Traits<P>::visit_once) context_.sweep.done.add(v);
      if (applier.take(v, accum)) found.push_back(v);
    }
    return {};
  }
  void forget() { few_.clear(); }

 private:
  Context& context_;
  Messages<Accum> few_;
};

template <class P>
class MailBlocks {
  using Context = ProgramContext<P>;
  using Is = Traits<P>;
  using Message = typename P::Message;
  using Accum = typename P::Accum;

 public:
  explicit MailBlocks(Context& context) : context_(context) {}

  void begin() { mail_.prepare(context_.sweep.engine, context_.sweep.n, Is::identity(context_.program)); }

  void send(std::span<const VertexId> vertices, PieceOf piece_of) {
    const P program = context_.program;
    const auto combine = [&](const Accum& a, const Accum& b) { return program.combine(a, b); };
    send_to(context_, program, vertices, piece_of,
            [&](VertexId v, auto&& message) { mail_.deliver(v, message(), combine); });
  }

  /// Sends off what the mailbox holds for vertices of other ranks, and puts in what they have sent.
  Status exchange() {
    Outbox<Accum> outbox(context_.sweep.engine);
    RIZOMA_TRY(for_vertices_of(context_.sweep.engine, Whose::others, [&](VertexRange range, unsigned thread) {
      mail_.for_each(range, [&](VertexId v, const Accum& accum) { outbox.add(v, accum, thread); });
      mail_.forget(range);
    }));
    const auto combine = [&](const Accum& a, const Accum& b) { return context_.program.combine(a, b); };
    return outbox.exchange_by_all([&](unsigned) {
      return [&](VertexId v, const Accum& accum) {
        if (context_.may_take(v)) mail_.deliver(v, accum, combine);
      };
    });
  }

  void apply(VertexRange block, unsigned thread, std::uint64_t* next) {
    Applier<P> applier(context_, thread, context_.messages(), next);
    if constexpr (Is::update_all || Is::all_stay) {
      context_.for_candidates(block, [&](VertexId v) { apply_any(v, applier); });
    } else {
      mail_.for_each(block, [&](VertexId v, const Accum& accum) { applier.take_in_set(v, accum); });
    }
    mail_.forget(block);
  }

 private:
  /// For programs that hear of every vertex.
  void apply_any(VertexId v, Applier<P>& applier) {
    if (!context_.sweep.is_live(v)) return;
    if ((Is::update_all || mail_.has(v)) && Context::cond(applier.program, v)) applier.take_in_set(v, mail_[v]);
    if constexpr (Is::all_stay) applier.scatter(v);
  }

  Context& context_;
  Mailbox<Accum> mail_;
};

}  // namespace rizoma::engine_detail
